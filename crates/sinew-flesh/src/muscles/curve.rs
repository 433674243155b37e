//! Curves through a few points that never swing beyond them.
//!
//! Cubic Hermite pieces whose slopes are limited after \[Fritsch80\], so that the curve rises or falls only where the points do.

/// A monotone cubic through points; constant before the first and after the last.
///
/// Invariant: at least one point; `x` rises strictly; everything is finite.
#[derive(Clone, Debug, PartialEq)]
pub struct MonotoneCurve {
    points: Vec<[f64; 2]>,
    slopes: Vec<f64>,
}

/// Why points make no curve.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CurveError {
    /// None.
    #[error("a curve needs at least one point")]
    Empty,
    /// A number that is none.
    #[error("point {index} of the curve is ({x}, {y}); both must be finite numbers")]
    NotFinite {
        /// Which, from 0.
        index: usize,
        /// Its place.
        x: f64,
        /// Its value.
        y: f64,
    },
    /// Places that do not rise.
    #[error("point {index} of the curve is at {x}, which does not lie after {before}; sort the points")]
    NotRising {
        /// Which, from 0.
        index: usize,
        /// Its place.
        x: f64,
        /// The place before it.
        before: f64,
    },
}

impl MonotoneCurve {
    /// A curve through `points`, each a place and a value.
    ///
    /// ```
    /// use sinew_flesh::muscles::MonotoneCurve;
    ///
    /// let curve = MonotoneCurve::new(&[[0.0, 1.0], [1.0, 0.8], [2.0, 0.8]])?;
    /// assert_eq!(curve.value(-3.0), 1.0);
    /// assert_eq!(curve.value(1.5), 0.8);
    /// # Ok::<(), sinew_flesh::muscles::CurveError>(())
    /// ```
    ///
    /// # Errors
    /// No points, places that do not rise, numbers that are not finite.
    pub fn new(points: &[[f64; 2]]) -> Result<Self, CurveError> {
        if points.is_empty() {
            return Err(CurveError::Empty);
        }
        for (index, &[x, y]) in points.iter().enumerate() {
            if !(x.is_finite() && y.is_finite()) {
                return Err(CurveError::NotFinite { index, x, y });
            }
            if let Some(&[before, _]) = index.checked_sub(1).and_then(|last| points.get(last))
                && x <= before
            {
                return Err(CurveError::NotRising { index, x, before });
            }
        }
        Ok(Self { points: points.to_vec(), slopes: limited_slopes(points) })
    }

    /// The value at `x`; an `x` that is no number gives the first point's.
    pub fn value(&self, x: f64) -> f64 {
        let after = self.points.partition_point(|point| point[0] <= x);
        let (Some(left), Some(&[right_x, right_y])) = (after.checked_sub(1), self.points.get(after)) else {
            return self.points[after.saturating_sub(1)][1];
        };
        let [left_x, left_y] = self.points[left];
        let width = right_x - left_x;
        let t = (x - left_x) / width;
        let (m0, m1) = (self.slopes[left] * width, self.slopes[after] * width);
        let bow = t * (1.0 - t);
        left_y + (right_y - left_y) * t * t * (3.0 - 2.0 * t) + bow * ((1.0 - t) * m0 - t * m1)
    }
}

/// Slopes at the points: means of the neighbouring secants, none where they turn, and no more than three times the flatter one, which
/// keeps both ratios of \[Fritsch80\] in the square [0, 3]².
fn limited_slopes(points: &[[f64; 2]]) -> Vec<f64> {
    let secants: Vec<f64> =
        points.windows(2).map(|pair| (pair[1][1] - pair[0][1]) / (pair[1][0] - pair[0][0])).collect();
    (0..points.len())
        .map(|at| {
            let before = at.checked_sub(1).and_then(|last| secants.get(last)).copied();
            match (before, secants.get(at).copied()) {
                (Some(before), Some(after)) if before * after > 0.0 => {
                    let mean = 0.5 * (before + after);
                    mean.signum() * mean.abs().min(3.0 * before.abs().min(after.abs()))
                }
                (Some(_), Some(_)) => 0.0,
                // The curve is constant beyond its ends, and goes over into that without a kink.
                _ => 0.0,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_through_its_points_and_never_beyond_them() {
        let points = [[-1.0, 3.0], [0.0, 2.0], [0.1, 0.5], [2.0, 0.4], [5.0, 0.4]];
        let curve = MonotoneCurve::new(&points).unwrap();
        for [x, y] in points {
            assert!((curve.value(x) - y).abs() < 1e-12, "{x}");
        }
        let values: Vec<f64> = (0..=700).map(|step| curve.value(-1.5 + 0.01 * f64::from(step))).collect();
        assert!(values.windows(2).all(|pair| pair[1] <= pair[0] + 1e-12), "{values:?}");
        assert_eq!((values[0], values[700]), (3.0, 0.4));
    }

    #[test]
    fn it_has_no_kinks() {
        let curve = MonotoneCurve::new(&[[0.0, 1.0], [1.0, 0.7], [2.0, 0.1]]).unwrap();
        let slope = |x: f64| (curve.value(x + 1e-6) - curve.value(x - 1e-6)) / 2e-6;
        for knot in [0.0, 1.0, 2.0] {
            // Slopes change by at most the second derivative, below 10 here, times the way between.
            assert!((slope(knot - 1e-5) - slope(knot + 1e-5)).abs() < 1e-3, "{knot}");
        }
    }

    #[test]
    fn one_point_is_a_constant_and_bad_points_are_told() {
        assert_eq!(MonotoneCurve::new(&[[3.0, 0.9]]).unwrap().value(-7.0), 0.9);
        assert!(MonotoneCurve::new(&[[3.0, 0.9]]).unwrap().value(f64::NAN).is_finite());
        assert_eq!(MonotoneCurve::new(&[]), Err(CurveError::Empty));
        let told = |points: &[[f64; 2]]| MonotoneCurve::new(points).unwrap_err().to_string();
        assert!(told(&[[0.0, 1.0], [0.0, 2.0]]).contains("point 1"), "places that do not rise");
        assert!(told(&[[0.0, f64::NAN]]).contains("finite"), "not a number");
    }
}
