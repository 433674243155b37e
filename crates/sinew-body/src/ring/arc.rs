//! The quartic arc nearest to a circle's.
//!
//! An arc of the angle α from (1, 0) has control points (1, 0), (1, a), d (cos α/2, sin α/2) and their mirror images. Its ends and end
//! tangents are the circle's, so `r² − 1` has the factor `t² (1−t)²`, and the rest has two roots on each half. They are placed to minimize
//! the largest error. For a quarter: a = 0.402720980 and middle point (b, b) with b = 0.783805276; the radius is accurate to 6.25e-7.

use glam::DVec2;
use std::f64::consts::{SQRT_2, TAU};

/// Parameters where the best arc crosses its circle. With x = (t − ½)² the error is (¼ − x)² (x − x₁)(x − x₂) times a function that hardly
/// varies, so these are valid for every angle; found for the quarter by direct search.
const CROSSINGS: [f64; 2] = [0.186_445_2, 0.390_268_2];

/// The free numbers of an arc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitArc {
    /// Length of the first and last leg, for radius one.
    pub leg: f64,
    /// Distance of the middle control point from the center.
    pub middle: f64,
    /// Angle at the center, rad.
    pub angle_rad: f64,
}

impl UnitArc {
    /// The best quarter of a circle.
    pub const QUARTER: UnitArc =
        UnitArc { leg: 0.402_720_980, middle: 0.783_805_276 * SQRT_2, angle_rad: 0.25 * TAU };

    /// The best arc for a ring of `patch_count` equal arcs.
    ///
    /// # Panics
    /// If `patch_count` is less than two: a quartic cannot go around the whole circle.
    pub fn for_ring(patch_count: usize) -> Self {
        assert!(patch_count >= 2, "a ring has at least two arcs");
        if patch_count == 4 {
            return UnitArc::QUARTER;
        }
        let angle_rad = TAU / patch_count as f64;
        // Start: the usual cubic with legs of 4/3 tan(α/4), raised to degree four.
        let cubic_leg = 4.0 / 3.0 * (0.25 * angle_rad).tan();
        let (sin, cos) = (0.5 * angle_rad).sin_cos();
        let mut arc = UnitArc { leg: 0.75 * cubic_leg, middle: cos + cubic_leg * sin, angle_rad };
        // Two equations, r² = 1 at the crossings, by Newton's method; its matrix by differences, accurate enough for the iteration itself to
        // reach the last digit.
        for _ in 0..24 {
            let error = arc.crossing_errors();
            let step = 1e-6;
            let by_leg = (UnitArc { leg: arc.leg + step, ..arc }.crossing_errors() - error) / step;
            let by_middle = (UnitArc { middle: arc.middle + step, ..arc }.crossing_errors() - error) / step;
            let determinant = by_leg.perp_dot(by_middle);
            arc.leg -= error.perp_dot(by_middle) / determinant;
            arc.middle -= by_leg.perp_dot(error) / determinant;
        }
        arc
    }

    /// The five control points, from the angle zero, counter-clockwise.
    pub fn control_points(&self) -> [DVec2; 5] {
        let end = DVec2::from_angle(self.angle_rad);
        [
            DVec2::X,
            DVec2::new(1.0, self.leg),
            self.middle * DVec2::from_angle(0.5 * self.angle_rad),
            end - self.leg * end.perp(),
            end,
        ]
    }

    fn crossing_errors(&self) -> DVec2 {
        let points = self.control_points();
        let error = |t: f64| {
            let weights = crate::bernstein::quartic(t);
            let point = points.iter().zip(weights).fold(DVec2::ZERO, |sum, (&p, weight)| sum + p * weight);
            point.length_squared() - 1.0
        };
        DVec2::new(error(CROSSINGS[0]), error(CROSSINGS[1]))
    }
}

/// The control points of the unit circle of `patch_count` arcs: `4 · patch_count`, closed, each arc's first point at `4 k`.
///
/// # Panics
/// As [`UnitArc::for_ring`].
pub fn unit_ring(patch_count: usize) -> Vec<DVec2> {
    let arc = UnitArc::for_ring(patch_count);
    let points = arc.control_points();
    let corner = |k: usize| {
        // Exact for quarters: corners must be on the axes.
        let angle = TAU * k as f64 / patch_count as f64;
        if patch_count == 4 {
            [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y][k]
        } else {
            DVec2::from_angle(angle)
        }
    };
    (0..patch_count).flat_map(|k| (0..4).map(move |i| corner(k).rotate(points[i]))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn radius_error(arc: &UnitArc) -> f64 {
        let points = arc.control_points();
        (0..=2000).fold(0.0, |most, step| {
            let weights = crate::bernstein::quartic(f64::from(step) / 2000.0);
            let point = points.iter().zip(weights).fold(DVec2::ZERO, |sum, (&p, weight)| sum + p * weight);
            f64::max(most, (point.length() - 1.0).abs())
        })
    }

    #[test]
    fn the_quarter_is_round_to_a_micrometre_on_a_metre() {
        assert!((radius_error(&UnitArc::QUARTER) - 6.25e-7).abs() < 1e-9);
        // The cubic that every drawing program uses, raised to degree four.
        let cubic = 4.0 / 3.0 * (TAU / 16.0).tan();
        let raised = UnitArc { leg: 0.75 * cubic, middle: (1.0 + cubic) / SQRT_2, ..UnitArc::QUARTER };
        assert!((radius_error(&raised) - 2.7e-4).abs() < 1e-5);
    }

    #[test]
    fn other_counts_have_their_best_arcs() {
        let found = [(2, 1.6e-4), (3, 6.3e-6), (5, 2e-7), (6, 6e-8), (8, 1e-8)];
        for (count, most) in found {
            let error = radius_error(&UnitArc::for_ring(count));
            assert!(error < most, "{count}: {error:e}");
        }
        for count in 2..9 {
            assert_eq!(unit_ring(count).len(), 4 * count);
        }
    }
}
