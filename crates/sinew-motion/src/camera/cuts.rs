//! Cuts: which camera is on at which time.

/// A camera from a time on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// When it comes on, seconds of the film.
    pub time_secs: f64,
    /// Which, an index of the caller's.
    pub camera: usize,
}

/// All cuts of a film.
///
/// Invariant: at least one; the first at time 0, later ones ascending.
#[derive(Clone, Debug, PartialEq)]
pub struct CutList {
    cuts: Vec<Cut>,
}

/// Why a list of cuts leaves a time without a camera, or with two.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum CutError {
    /// No cuts.
    #[error("a film needs at least one camera")]
    Empty,
    /// Nothing to see at first.
    #[error("the first cut is at {time_secs} s, and no camera is on before it; let it begin at 0")]
    LateStart {
        /// The first cut.
        time_secs: f64,
    },
    /// Not after the cut before it, or no time.
    #[error("cut {cut} is at {time_secs} s, not after the one before it")]
    Order {
        /// Which, from 0.
        cut: usize,
        /// Its time.
        time_secs: f64,
    },
}

impl CutList {
    /// Cuts in the order of time.
    ///
    /// # Errors
    /// None, a first one that is not at 0, or times that do not ascend.
    pub fn new(cuts: Vec<Cut>) -> Result<Self, CutError> {
        let first = cuts.first().ok_or(CutError::Empty)?;
        if first.time_secs != 0.0 {
            return Err(CutError::LateStart { time_secs: first.time_secs });
        }
        for (cut, pair) in cuts.windows(2).enumerate() {
            let time_secs = pair[1].time_secs;
            if !(time_secs > pair[0].time_secs && time_secs.is_finite()) {
                return Err(CutError::Order { cut: cut + 1, time_secs });
            }
        }
        Ok(Self { cuts })
    }

    /// The camera that is on at a time; at a cut it is the new one.
    pub fn camera_at(&self, time_secs: f64) -> usize {
        let after = self.cuts.partition_point(|cut| cut.time_secs <= time_secs);
        self.cuts[after.saturating_sub(1)].camera
    }

    /// The cuts.
    pub fn cuts(&self) -> &[Cut] {
        &self.cuts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(times: &[f64]) -> Result<CutList, CutError> {
        CutList::new(times.iter().enumerate().map(|(camera, &time_secs)| Cut { time_secs, camera }).collect())
    }

    #[test]
    fn the_camera_changes_at_the_cut() {
        let cuts = list(&[0.0, 2.0, 2.5]).expect("right");
        let found = [0.0, 1.999, 2.0, 2.49, 2.5, 99.0].map(|time| cuts.camera_at(time));
        assert_eq!(found, [0, 0, 1, 1, 2, 2]);
    }

    #[test]
    fn gaps_and_disorder_are_refused() {
        assert_eq!(list(&[]), Err(CutError::Empty));
        assert_eq!(list(&[1.0]), Err(CutError::LateStart { time_secs: 1.0 }));
        assert_eq!(list(&[0.0, 2.0, 2.0]), Err(CutError::Order { cut: 2, time_secs: 2.0 }));
        assert!(list(&[0.0, f64::NAN]).is_err());
    }
}
