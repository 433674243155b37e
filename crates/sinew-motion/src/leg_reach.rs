//! Two bones that reach a point, in closed form.

use crate::humanoid::Leg;
use glam::{DMat3, DQuat, DVec3};

/// Turns of thigh and shank from neutral that bring the ankle to a place.
pub(crate) struct LegTurns {
    pub(crate) thigh: DQuat,
    pub(crate) shank: DQuat,
    /// The angle by which the knee is bent, radians.
    #[cfg_attr(not(test), expect(dead_code, reason = "what tests look at"))]
    pub(crate) knee_rad: f64,
}

/// Legs are never stretched further than this share of their length: beyond, knees would snap straight.
pub(crate) const MOST_STRETCH: f64 = 0.9995;

/// Directions of a leg's bones in rest pose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LegRest {
    pub(crate) thigh: DVec3,
    pub(crate) shank: DVec3,
}

/// Places the knee in the plane of hip, ankle and `ahead`, bent ahead.
///
/// With thigh l₁, shank l₂ and distance d of hip and ankle, the knee is at (d² + l₁² − l₂²)/2d along the way to the ankle and as far beside
/// it as Pythagoras says. Ankles that are out of reach are pulled in along the way.
pub(crate) fn reach(leg: &Leg, rest: &LegRest, hip: DVec3, ankle: DVec3, ahead: DVec3) -> LegTurns {
    let (l1, l2) = (leg.thigh_m, leg.shank_m);
    let way = ankle - hip;
    let shortest = (l1 - l2).abs() + 1e-3 * (l1 + l2);
    let d = way.length().clamp(shortest, MOST_STRETCH * (l1 + l2));
    let down = way.normalize_or(DVec3::NEG_Y);
    let beside = ahead.reject_from_normalized(down).normalize_or(down.any_orthonormal_vector());
    let along = (d * d + l1 * l1 - l2 * l2) / (2.0 * d);
    let off = (l1 * l1 - along * along).max(0.0).sqrt();
    let knee = down * along + beside * off;
    // The hinge points to the left, so that the shank turns back about it.
    let hinge = (-down).cross(beside).normalize_or(DVec3::X);
    let (thigh_way, shank_way) = (knee / l1, (down * d - knee) / l2);
    let knee_rad = thigh_way.dot(shank_way).clamp(-1.0, 1.0).acos();
    LegTurns { thigh: turn(rest.thigh, thigh_way, hinge), shank: turn(rest.shank, shank_way, hinge), knee_rad }
}

/// The turn that takes a bone from its rest direction, hinge along +X, to another direction and hinge.
fn turn(rest: DVec3, way: DVec3, hinge: DVec3) -> DQuat {
    let frame = |way: DVec3, hinge: DVec3| {
        let across = hinge.reject_from_normalized(way).normalize_or(way.any_orthonormal_vector());
        DMat3::from_cols(across, way, across.cross(way))
    };
    let (from, to) = (frame(rest.normalize_or(DVec3::NEG_Y), DVec3::X), frame(way.normalize_or(DVec3::NEG_Y), hinge));
    DQuat::from_mat3(&(to * from.transpose())).normalize()
}
