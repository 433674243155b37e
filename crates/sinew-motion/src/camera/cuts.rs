//! Cuts: the active camera over time.

use super::CameraError;

/// A camera from a time on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// Start, s of the film.
    pub time_secs: f64,
    /// Index in the caller's list.
    pub camera: usize,
}

/// All cuts of a film.
///
/// Invariant: at least one; the first at time 0, later ones ascending.
#[derive(Clone, Debug, PartialEq)]
pub struct CutList {
    cuts: Vec<Cut>,
}

impl CutList {
    /// Cuts in the order of time.
    ///
    /// # Errors
    /// If there are none, the first is not at 0, or times do not ascend.
    pub fn new(cuts: Vec<Cut>) -> Result<Self, CameraError> {
        let first = cuts.first().ok_or(CameraError::NoCuts)?;
        if first.time_secs != 0.0 {
            return Err(CameraError::LateStart { time_secs: first.time_secs });
        }
        for (cut, pair) in cuts.windows(2).enumerate() {
            let time_secs = pair[1].time_secs;
            if !(time_secs > pair[0].time_secs && time_secs.is_finite()) {
                return Err(CameraError::CutOrder { cut: cut + 1, time_secs });
            }
        }
        Ok(Self { cuts })
    }

    /// The active camera at a time; at a cut the new one.
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

    fn list(times: &[f64]) -> Result<CutList, CameraError> {
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
        assert_eq!(list(&[]), Err(CameraError::NoCuts));
        assert_eq!(list(&[1.0]), Err(CameraError::LateStart { time_secs: 1.0 }));
        assert_eq!(list(&[0.0, 2.0, 2.0]), Err(CameraError::CutOrder { cut: 2, time_secs: 2.0 }));
        assert!(list(&[0.0, f64::NAN]).is_err());
    }
}
