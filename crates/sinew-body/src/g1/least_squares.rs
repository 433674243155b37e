//! The smallest change that makes an edge smooth.
//!
//! \[Komatsu88\] eq. 5 and 6: the points beside the edge move, the edge stays, and the sum of squared moves is minimal. Here h is the ratio
//! of the legs' lengths, not the h of eq. 4. Departure: one h for all rows of an edge; one h per row, which the source allows, leaves
//! creases of 0.1° to 1.7°.

use crate::Quartic;
use glam::DVec3;

/// The ratio `b / a` of the legs on both sides of an edge with the smallest total change, by total least squares.
///
/// `legs_a` lead to the edge, `legs_b` away from it, in pairs. `None` if the fold is more than a right angle overall: such an edge is a
/// crease and must not be joined.
pub fn common_ratio(legs: impl IntoIterator<Item = (DVec3, DVec3)>) -> Option<f64> {
    let (mut p, mut r, mut x) = (0.0, 0.0, 0.0);
    for (a, b) in legs {
        p += a.length_squared();
        r += b.length_squared();
        x += a.dot(b);
    }
    // The minimum over h of Σ |h a − b|² / (1 + h²). NaN is not a fold either.
    let is_fold = x.is_nan() || x <= 0.0;
    let difference = r - p;
    (!is_fold).then(|| (difference + difference.hypot(2.0 * x)) / (2.0 * x))
}

/// A pair of points beside an edge point, moved as little as possible to get `b − edge = h (edge − a)`.
pub fn joined_points(a: DVec3, edge: DVec3, b: DVec3, h: f64) -> (DVec3, DVec3) {
    // Eq. 6, and its mirror image for the other side.
    let scale = 1.0 / (1.0 + h * h);
    let first = (a + h * (1.0 + h) * edge - h * b) * scale;
    (first, (1.0 + h) * edge - h * first)
}

/// The legs of a whole edge, joined with one ratio: `(a, b)` with `b = h a`. None for a fold, see [`common_ratio`].
pub fn joined_legs(legs_a: &Quartic, legs_b: &Quartic) -> Option<(Quartic, Quartic)> {
    let h = common_ratio(legs_a.0.into_iter().zip(legs_b.0))?;
    let joined = legs_a.zip(legs_b, |a, b| (a + h * b) / (1.0 + h * h));
    Some((joined, joined.map(|leg| h * leg)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    /// Edge, and rows beside it about 0.3 and 0.5 away, roughened.
    fn rough(random: &mut Random) -> (Quartic, Quartic, Quartic) {
        let y = |i: usize| i as f64 / 4.0;
        let edge = Quartic(std::array::from_fn(|i| DVec3::new(0.0, y(i), 0.1 * (3.0 * y(i)).sin())));
        let a = Quartic(std::array::from_fn(|_| DVec3::new(0.3, 0.0, 0.0) + 0.1 * random.vector()));
        let b = Quartic(std::array::from_fn(|_| DVec3::new(0.5, 0.0, 0.0) + 0.1 * random.vector()));
        (edge, a, b)
    }

    fn crease_deg(edge: &Quartic, a: &Quartic, b: &Quartic) -> f64 {
        (0..=100).fold(0.0, |most, step| {
            let t = f64::from(step) / 100.0;
            let along = edge.slope_at(t);
            let (m, n) = (a.at(t).cross(along), b.at(t).cross(along));
            f64::max(most, m.cross(n).length().atan2(m.dot(n)).to_degrees())
        })
    }

    #[test]
    fn one_ratio_is_smooth_and_a_ratio_per_row_is_not() {
        let mut random = Random::new(21);
        for _ in 0..5 {
            let (edge, a, b) = rough(&mut random);
            let (joined_a, joined_b) = joined_legs(&a, &b).expect("no fold");
            assert!(crease_deg(&edge, &joined_a, &joined_b) < 1e-12);
            let per_row: [(DVec3, DVec3); 5] = std::array::from_fn(|i| {
                let h = b.0[i].length() / a.0[i].length();
                let (first, last) = joined_points(edge.0[i] - a.0[i], edge.0[i], edge.0[i] + b.0[i], h);
                (edge.0[i] - first, last - edge.0[i])
            });
            let crease =
                crease_deg(&edge, &Quartic(per_row.map(|pair| pair.0)), &Quartic(per_row.map(|pair| pair.1)));
            assert!((0.02..4.0).contains(&crease), "{crease}");
        }
    }

    #[test]
    fn the_ratio_is_the_best() {
        let mut random = Random::new(22);
        let (_, a, b) = rough(&mut random);
        let cost = |h: f64| -> f64 {
            a.0.iter().zip(&b.0).map(|(&a, &b)| (h * a - b).length_squared() / (1.0 + h * h)).sum()
        };
        let best = common_ratio(a.0.into_iter().zip(b.0)).expect("no fold");
        assert!(cost(best) <= cost(best * 1.001) && cost(best) <= cost(best * 0.999));
    }

    #[test]
    fn joining_again_changes_nothing_and_both_directions_commute() {
        let mut random = Random::new(23);
        let mut points: [[DVec3; 3]; 3] = std::array::from_fn(|i| {
            std::array::from_fn(|j| DVec3::new(i as f64, j as f64, 0.0) + 0.05 * random.vector())
        });
        let (h_u, h_w) = (1.3, 0.7);
        let [first, on, last] = &mut points;
        for ((a, &edge), b) in first.iter_mut().zip(on.iter()).zip(last.iter_mut()) {
            (*a, *b) = joined_points(*a, edge, *b, h_u);
        }
        for row in &mut points {
            (row[0], row[2]) = joined_points(row[0], row[1], row[2], h_w);
        }
        let [first, on, last] = &points;
        for ((&a, &edge), &b) in first.iter().zip(on).zip(last) {
            let residual = (b - edge) - h_u * (edge - a);
            assert!(residual.length() < 1e-14, "{residual}");
        }
    }

    #[test]
    fn a_fold_is_not_joined() {
        assert_eq!(common_ratio([(DVec3::X, -DVec3::X)]), None);
        assert_eq!(common_ratio([(DVec3::X, DVec3::NAN)]), None);
    }
}
