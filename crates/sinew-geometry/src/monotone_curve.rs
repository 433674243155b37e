//! A smooth curve through a few points.
//!
//! Cubic Hermite pieces whose slopes are those of \[Fritsch84\]: the weighted harmonic mean of the slopes on both sides, or 0 where they
//! differ in sign. The curve goes through the points, is C¹, and rises and falls only where they do.

/// A curve through points, flat before the first and after the last.
///
/// Invariant: at least one point; x ascends; all numbers are finite.
#[derive(Clone, Debug, PartialEq)]
pub struct MonotoneCurve {
    points: Vec<[f64; 2]>,
    slopes: Vec<f64>,
}

/// Error of making a curve from points.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
#[non_exhaustive]
pub enum CurveError {
    /// No point.
    #[error("a curve needs at least one point")]
    Empty,
    /// A number that is not finite.
    #[error("point {point} of the curve has a number that is not finite")]
    NotFinite { point: usize },
    /// Not after the one before it.
    #[error(
        "point {point} of the curve at {at} is not after the previous one at {before}; sort them and remove duplicates"
    )]
    Order { point: usize, at: f64, before: f64 },
}

impl MonotoneCurve {
    /// Through these points, by ascending x.
    ///
    /// # Errors
    /// No points, points out of order, or numbers that are not finite.
    pub fn new(points: &[[f64; 2]]) -> Result<Self, CurveError> {
        if points.is_empty() {
            return Err(CurveError::Empty);
        }
        if let Some(point) = points.iter().position(|[x, y]| !x.is_finite() || !y.is_finite()) {
            return Err(CurveError::NotFinite { point });
        }
        if let Some(point) = (1..points.len()).find(|&at| points[at][0] <= points[at - 1][0]) {
            return Err(CurveError::Order { point, at: points[point][0], before: points[point - 1][0] });
        }
        let slopes = (0..points.len()).map(|at| slope(points, at)).collect();
        Ok(Self { points: points.to_vec(), slopes })
    }

    /// A straight rise from `(from, 0)` to `(to, 1)`, eased at both ends; a fall if `to` is less.
    ///
    /// # Errors
    /// If both are the same or not finite.
    pub fn ramp(from: f64, to: f64) -> Result<Self, CurveError> {
        if from <= to { Self::new(&[[from, 0.0], [to, 1.0]]) } else { Self::new(&[[to, 1.0], [from, 0.0]]) }
    }

    /// The curve's height; that of the nearest end before the first point and after the last, of the first where `x` is not a number.
    pub fn at(&self, x: f64) -> f64 {
        let next = self.points.partition_point(|point| point[0] <= x);
        let (Some(&[x0, y0]), Some(&[x1, y1])) =
            (self.points.get(next.wrapping_sub(1)), self.points.get(next))
        else {
            let end = if next == 0 { self.points.first() } else { self.points.last() };
            return end.map_or(0.0, |point| point[1]);
        };
        let width = x1 - x0;
        let t = (x - x0) / width;
        let (s0, s1) = (self.slopes[next - 1] * width, self.slopes[next] * width);
        // Hermite's cubic, from the value and slope at its beginning.
        y0 + t * (s0 + t * (3.0 * (y1 - y0) - 2.0 * s0 - s1 + t * (2.0 * (y0 - y1) + s0 + s1)))
    }
}

fn slope(points: &[[f64; 2]], at: usize) -> f64 {
    if at == 0 || at + 1 == points.len() {
        // Flat where the curve goes on flat.
        return 0.0;
    }
    let width = |at: usize| points[at + 1][0] - points[at][0];
    let chord = |at: usize| (points[at + 1][1] - points[at][1]) / width(at);
    let (before, after) = (chord(at - 1), chord(at));
    if before * after <= 0.0 {
        return 0.0;
    }
    // G of \[Fritsch84\] with Brodlie's α = (h₀ + 2 h₁) / 3 (h₀ + h₁).
    let share = (width(at - 1) + 2.0 * width(at)) / (3.0 * (width(at - 1) + width(at)));
    before * after / (share * after + (1.0 - share) * before)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounding of f64 in numbers of the order of 1.
    const ROUNDING: f64 = 1e-12;

    /// A step over which slopes are measured.
    const STEP: f64 = 1e-6;

    #[test]
    fn a_curve_meets_its_points_and_never_leaves_their_range() {
        let points = [[-1.0, 0.0], [0.0, 0.1], [0.2, 0.9], [3.0, 1.0], [4.0, 0.3]];
        let curve = MonotoneCurve::new(&points).unwrap();
        for [x, y] in points {
            assert!((curve.at(x) - y).abs() < ROUNDING, "{x}");
        }
        for (from, to) in points.iter().zip(&points[1..]) {
            let mut last = from[1];
            for step in 0..=50 {
                let now = curve.at(from[0] + (to[0] - from[0]) * f64::from(step) / 50.0);
                assert!(
                    (now - last) * (to[1] - from[1]) >= -ROUNDING,
                    "turns back between {from:?} and {to:?}"
                );
                last = now;
            }
        }
        assert_eq!((curve.at(-9.0), curve.at(9.0), curve.at(f64::NAN)), (0.0, 0.3, 0.0));
        assert_eq!(curve.at(f64::INFINITY), 0.3);
    }

    #[test]
    fn slopes_do_not_jump() {
        let curve = MonotoneCurve::new(&[[0.0, 0.0], [1.0, 0.2], [1.5, 0.9], [4.0, 1.0]]).unwrap();
        for at in [0.0, 1.0, 1.5, 4.0] {
            let slope = |from: f64| (curve.at(from + STEP) - curve.at(from)) / STEP;
            // Slopes change by at most the second derivative, below 10 here, times the way between.
            assert!((slope(at) - slope(at - STEP)).abs() < 2e-5, "{at}");
        }
        let fall = MonotoneCurve::ramp(2.0, 1.0).unwrap();
        assert_eq!((fall.at(0.0), fall.at(1.5), fall.at(3.0)), (1.0, 0.5, 0.0));
    }

    #[test]
    fn points_that_make_no_curve_are_refused() {
        assert_eq!(MonotoneCurve::new(&[]), Err(CurveError::Empty));
        assert_eq!(MonotoneCurve::new(&[[0.0, f64::NAN]]), Err(CurveError::NotFinite { point: 0 }));
        let twice = MonotoneCurve::new(&[[0.0, 0.0], [1.0, 0.5], [1.0, 0.7]]);
        assert_eq!(twice, Err(CurveError::Order { point: 2, at: 1.0, before: 1.0 }));
        assert!(MonotoneCurve::ramp(1.0, 1.0).is_err());
        assert_eq!(MonotoneCurve::new(&[[3.0, 0.9]]).map(|one| one.at(-7.0)), Ok(0.9));
        assert!(CurveError::Order { point: 2, at: 1.0, before: 1.0 }.to_string().contains("point 2"));
    }
}
