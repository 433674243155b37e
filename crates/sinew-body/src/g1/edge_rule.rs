//! Legs across an edge that ends in points where any number of patches meet.
//!
//! \[Komatsu88\] eq. 4 has `b = a + h t c` with `h = −2 cos(360°/n)` at t = 1, where n patches meet, and an ordinary end at t = 0. Departures:
//! both ends may be extraordinary, and the symmetric form sets both sides from a middle field, because none of n patches around a point
//! is the first. The star at an n-valent point must be an affine image of the regular one; otherwise no h is right.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | `aᵢ` | `legs_a` | from A's second row to the edge |
//! | `bᵢ` | `legs_b` | from the edge to B's second row |
//! | `cᵢ` | `edge.differences()` | along the edge |

use crate::Quartic;
use glam::DVec3;
use std::f64::consts::TAU;

/// `h` at the end t = 1 of an edge where `valence` patches meet: `−2 cos(360°/n)`. The end t = 0 has the opposite sign, because there
/// the edge runs away from the point.
pub fn h_at_center(valence: usize) -> f64 {
    -2.0 * (TAU / valence as f64).cos()
}

/// B's legs from A's: `b(t) = a(t) + (h₀ (1−t) + h₁ t) c(t)`.
///
/// `h_start` is `−h_at_center(n)` of the valence at t = 0, `h_end` is `h_at_center(n)` of that at t = 1; both are zero where four meet.
pub fn across_from(legs_a: &Quartic, edge: &Quartic, h_start: f64, h_end: f64) -> Quartic {
    let shift = along_edge(edge, h_start, h_end);
    legs_a.zip(&shift, |a, along| a + along)
}

/// Both sides' legs from a middle field: `a = m − h c / 2`, `b = m + h c / 2`.
pub fn symmetric_legs(middle: &Quartic, edge: &Quartic, h_start: f64, h_end: f64) -> (Quartic, Quartic) {
    let shift = along_edge(edge, h_start, h_end);
    (middle.zip(&shift, |m, along| m - 0.5 * along), middle.zip(&shift, |m, along| m + 0.5 * along))
}

/// Legs on both sides of an edge with a ratio linear from `ratio_start` to `ratio_end`, smooth for any edge: the legs to the edge are the
/// cubic field raised to degree four, those beyond it are the field times the ratio. A quartic field has no such partner.
pub fn linear_ratio_legs(cubic: &[DVec3; 4], ratio_start: f64, ratio_end: f64) -> (Quartic, Quartic) {
    let weighted = |start: f64, end: f64| {
        Quartic(std::array::from_fn(|i| {
            let from_start = if i < 4 { (4 - i) as f64 * start * cubic[i] } else { DVec3::ZERO };
            let from_end = if i > 0 { i as f64 * end * cubic[i - 1] } else { DVec3::ZERO };
            0.25 * (from_start + from_end)
        }))
    };
    (weighted(1.0, 1.0), weighted(ratio_start, ratio_end))
}

/// Control vectors of `(h₀ (1−t) + h₁ t) c(t)`, from `t b³ᵢ = (i+1)/4 b⁴ᵢ₊₁` and `(1−t) b³ᵢ = (4−i)/4 b⁴ᵢ`.
fn along_edge(edge: &Quartic, h_start: f64, h_end: f64) -> Quartic {
    linear_ratio_legs(&edge.differences(), h_start, h_end).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    const ROUNDING: f64 = 1e-13;

    #[test]
    fn the_rule_is_the_linear_function_times_the_tangent() {
        let mut random = Random::new(5);
        let (edge, legs_a) = (Quartic(random.points()), Quartic(random.points()));
        let legs_b = across_from(&legs_a, &edge, 0.7, -1.3);
        let (left, right) = symmetric_legs(&legs_a, &edge, 0.7, -1.3);
        for t in [0.0, 0.3, 0.8, 1.0] {
            // The field c is a quarter of the derivative.
            let along = (0.7 * (1.0 - t) - 1.3 * t) * edge.slope_at(t) / 4.0;
            assert!(legs_b.at(t).distance(legs_a.at(t) + along) < ROUNDING);
            assert!((right.at(t) - left.at(t)).distance(along) < ROUNDING);
        }
    }

    #[test]
    fn a_linear_ratio_of_a_cubic_field_is_exact() {
        let mut random = Random::new(6);
        let (to, beyond) = linear_ratio_legs(&random.points(), 0.6, 1.7);
        for t in [0.0, 0.3, 0.8, 1.0] {
            assert!(beyond.at(t).distance((0.6 * (1.0 - t) + 1.7 * t) * to.at(t)) < ROUNDING);
        }
    }

    #[test]
    fn h_closes_the_regular_star() {
        let known = [(3, 1.0), (4, 0.0), (5, -0.618_033_988_7), (6, -1.0), (8, -std::f64::consts::SQRT_2)];
        for (valence, h) in known {
            assert!((h_at_center(valence) - h).abs() < 1e-9, "{valence}");
            let spoke =
                |k: f64| DVec3::new((TAU * k / valence as f64).cos(), (TAU * k / valence as f64).sin(), 0.0);
            let (a, b, c) = (-spoke(-1.0), spoke(1.0), -spoke(0.0));
            assert!(b.distance(a + h_at_center(valence) * c) < ROUNDING, "{valence}");
        }
    }
}
