//! Two-bone IK in closed form.

use crate::humanoid::Leg;
use glam::{DMat3, DQuat, DVec3};

/// Rotations of thigh and shank from neutral that place the ankle.
pub(crate) struct LegTurns {
    pub(crate) thigh: DQuat,
    pub(crate) shank: DQuat,
}

/// Maximum stretch of legs as a share of their length: beyond, knees would snap straight.
pub(crate) const MOST_STRETCH: f64 = 0.9995;

/// Places the knee in the plane of hip, ankle and `ahead`, bent forward.
///
/// With thigh l₁, shank l₂ and distance d of hip and ankle, the knee is at (d² + l₁² − l₂²)/2d along the line to the ankle, and beside it by
/// Pythagoras. Ankles out of reach are pulled in along the line.
pub(crate) fn reach(leg: &Leg, hip: DVec3, ankle: DVec3, ahead: DVec3) -> LegTurns {
    let (l1, l2) = (leg.thigh_m, leg.shank_m);
    let way = ankle - hip;
    let shortest = (l1 - l2).abs() + 1e-3 * (l1 + l2);
    let d = way.length().clamp(shortest, MOST_STRETCH * (l1 + l2));
    let down = way.normalize_or(DVec3::NEG_Y);
    let beside = ahead.reject_from_normalized(down).normalize_or(down.any_orthonormal_vector());
    let along = (d * d + l1 * l1 - l2 * l2) / (2.0 * d);
    let off = (l1 * l1 - along * along).max(0.0).sqrt();
    let knee = down * along + beside * off;
    // The hinge points left, so the shank turns back about it.
    let hinge = (-down).cross(beside).normalize_or(DVec3::X);
    let (thigh_way, shank_way) = (knee / l1, (down * d - knee) / l2);
    LegTurns { thigh: turn(thigh_way, hinge), shank: turn(shank_way, hinge) }
}

/// The rotation of a bone from neutral, down with its hinge to the left, to another direction and hinge.
fn turn(way: DVec3, hinge: DVec3) -> DQuat {
    let way = way.normalize_or(DVec3::NEG_Y);
    let left = hinge.reject_from_normalized(way).normalize_or(way.any_orthonormal_vector());
    DQuat::from_mat3(&DMat3::from_cols(left, -way, left.cross(-way))).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::humanoid::{Humanoid, Side};
    use sinew_rig::{guess_humanoid, samples};

    impl LegTurns {
        /// The angle by which the knee is bent, radians.
        pub(crate) fn knee_rad(&self) -> f64 {
            (self.thigh * DVec3::NEG_Y).angle_between(self.shank * DVec3::NEG_Y)
        }
    }

    #[test]
    fn the_ankle_is_reached_with_the_knee_ahead() {
        let character = samples::figure();
        let humanoid = Humanoid::new(&character, &guess_humanoid(&character)).expect("a human");
        let leg = humanoid.leg(Side::Left);
        let hip = DVec3::new(0.1, 0.9, 0.0);
        for ankle in [DVec3::new(0.1, 0.2, 0.3), DVec3::new(0.0, 0.1, -0.2), DVec3::new(0.3, 0.5, 0.1)] {
            let turns = reach(leg, hip, ankle, DVec3::Z);
            let knee = hip + turns.thigh * DVec3::NEG_Y * leg.thigh_m;
            let reached = knee + turns.shank * DVec3::NEG_Y * leg.shank_m;
            assert!(reached.distance(ankle) < 1e-9, "{reached} {ankle}");
            assert!((knee - 0.5 * (hip + ankle)).z > 0.0, "{knee}");
            // Hinges agree: the knee is bent, not twisted.
            assert!((turns.thigh * DVec3::X).distance(turns.shank * DVec3::X) < 1e-9);
        }
    }

    #[test]
    fn ankles_out_of_reach_are_pulled_in() {
        let character = samples::figure();
        let humanoid = Humanoid::new(&character, &guess_humanoid(&character)).expect("a human");
        let leg = humanoid.leg(Side::Right);
        let far = reach(leg, DVec3::ZERO, DVec3::new(0.0, -5.0, 0.0), DVec3::Z);
        assert!(far.knee_rad() < 0.1 && far.thigh.is_finite(), "{}", far.knee_rad());
        let near = reach(leg, DVec3::ZERO, DVec3::ZERO, DVec3::Z);
        assert!(near.thigh.is_finite() && near.shank.is_finite());
    }
}
