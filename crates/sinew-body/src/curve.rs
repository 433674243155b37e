//! Quartic Bézier curves: edges of patches, arcs of rings, and vector fields along them.

use crate::bernstein;
use glam::DVec3;

/// Five control points, or five control vectors of a field along an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quartic(pub [DVec3; 5]);

impl Quartic {
    /// The straight line from `start` to `end`, at constant speed. Also the linear field between two vectors.
    pub fn line(start: DVec3, end: DVec3) -> Self {
        Quartic(std::array::from_fn(|i| start.lerp(end, i as f64 / 4.0)))
    }

    /// The smoothest curve with given ends and legs: its middle control point is that of the cubic with the same ends.
    pub fn from_legs(start: DVec3, start_leg: DVec3, end_leg: DVec3, end: DVec3) -> Self {
        let (first, last) = (start + start_leg, end + end_leg);
        // The cubic raised to degree four has Q1 = (P0 + 3 P1)/4 and Q3 = (3 P2 + P3)/4, and Q2 = (P1 + P2)/2.
        let middle = (4.0 * first - start + 4.0 * last - end) / 6.0;
        Quartic([start, first, middle, last, end])
    }

    /// The value at `t` in 0…1.
    pub fn at(&self, t: f64) -> DVec3 {
        self.weighted(&bernstein::quartic(t))
    }

    /// The derivative by `t`.
    pub fn slope_at(&self, t: f64) -> DVec3 {
        self.weighted(&bernstein::quartic_slope(t))
    }

    /// Both parts at `t`, exactly, by de Casteljau's scheme.
    pub fn split(&self, t: f64) -> (Quartic, Quartic) {
        let mut scheme = self.0;
        let (mut left, mut right) = ([self.0[0]; 5], [self.0[4]; 5]);
        for level in 1..5 {
            for i in 0..5 - level {
                scheme[i] = scheme[i].lerp(scheme[i + 1], t);
            }
            left[level] = scheme[0];
            right[4 - level] = scheme[4 - level];
        }
        (Quartic(left), Quartic(right))
    }

    /// The reversed curve.
    pub fn reversed(&self) -> Quartic {
        let [a, b, c, d, e] = self.0;
        Quartic([e, d, c, b, a])
    }

    /// Applies a function to each control point or vector.
    pub fn map(&self, change: impl FnMut(DVec3) -> DVec3) -> Quartic {
        Quartic(self.0.map(change))
    }

    /// Combines each control point or vector with that of another curve.
    pub fn zip(&self, other: &Quartic, mut join: impl FnMut(DVec3, DVec3) -> DVec3) -> Quartic {
        Quartic(std::array::from_fn(|i| join(self.0[i], other.0[i])))
    }

    /// The four differences of neighboring control points.
    pub fn differences(&self) -> [DVec3; 4] {
        std::array::from_fn(|i| self.0[i + 1] - self.0[i])
    }

    fn weighted(&self, weights: &[f64; 5]) -> DVec3 {
        self.0.iter().zip(weights).fold(DVec3::ZERO, |sum, (&point, &weight)| sum + point * weight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    const ROUNDING: f64 = 1e-13;

    #[test]
    fn parts_are_the_whole() {
        let mut random = Random::new(3);
        let curve = Quartic(random.points());
        let (left, right) = curve.split(0.3);
        for t in [0.0, 0.2, 0.9, 1.0] {
            assert!(left.at(t).distance(curve.at(0.3 * t)) < ROUNDING);
            assert!(right.at(t).distance(curve.at(0.3 + 0.7 * t)) < ROUNDING);
            assert!(curve.reversed().at(t).distance(curve.at(1.0 - t)) < ROUNDING);
        }
    }

    #[test]
    fn legs_of_a_cubic_give_the_cubic() {
        // x = t³ has cubic control points 0, 0, 0, 1: legs 0 and −3/4.
        let curve = Quartic::from_legs(DVec3::ZERO, DVec3::ZERO, -0.75 * DVec3::X, DVec3::X);
        for t in [0.25f64, 0.6] {
            assert!((curve.at(t).x - t.powi(3)).abs() < ROUNDING);
        }
    }
}
