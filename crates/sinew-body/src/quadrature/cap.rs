//! Lids of open limbs.
//!
//! A cone from the origin over the lid that joins a closed loop to a point c has volume `⅓ c · A` with the loop's area vector
//! `A = ½ ∮ C × C′ dt`: exact, even if the loop is not flat. For quartic arcs the integrand has degree 7, so four Gauss points per arc
//! are enough.

use crate::Quartic;
use glam::DVec3;

/// Nodes and weights of the 4-point Gauss rule on 0…1, exact to degree 7.
const FOUR_POINTS: [(f64, f64); 4] = [
    (0.069_431_844_202_973_71, 0.173_927_422_568_726_93),
    (0.330_009_478_207_571_87, 0.326_072_577_431_273_07),
    (0.669_990_521_792_428_1, 0.326_072_577_431_273_07),
    (0.930_568_155_797_026_3, 0.173_927_422_568_726_93),
];

/// The area vector of a closed loop of arcs: its length is the area of a flat loop; normal to it, right-handed.
pub fn area_vector(arcs: impl IntoIterator<Item = Quartic>) -> DVec3 {
    let mut start = None;
    let mut sum = DVec3::ZERO;
    for arc in arcs {
        // Relative to the loop's start: a small loop far from the origin loses no digits.
        let origin = *start.get_or_insert(arc.0[0]);
        for (t, weight) in FOUR_POINTS {
            sum += 0.5 * weight * (arc.at(t) - origin).cross(arc.slope_at(t));
        }
    }
    sum
}

/// The mean of all control points of a loop: the tip of its lid.
pub fn fan_center(arcs: impl IntoIterator<Item = Quartic>) -> DVec3 {
    let (sum, count) = arcs.into_iter().fold((DVec3::ZERO, 0.0), |(sum, count), arc| {
        (sum + arc.0[..4].iter().copied().sum::<DVec3>(), count + 4.0)
    });
    sum / f64::max(count, 1.0)
}

/// The lid's share of the volume: the lid joins the loop to `tip`, and the loop runs counter-clockwise seen from outside.
pub fn cone_volume(tip: DVec3, area_vector: DVec3) -> f64 {
    tip.dot(area_vector) / 3.0
}
