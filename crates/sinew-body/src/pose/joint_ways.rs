//! The four ways in which a joint turns, and how far it has gone each way.

use super::{JointPose, StickFigure};
use crate::body::Tension;
use crate::template::BentWay;
use std::f64::consts::FRAC_PI_2;

impl BentWay {
    /// All ways, in the order of [`BentWay::index`].
    pub(super) const ALL: [BentWay; 4] = [BentWay::Bend, BentWay::Back, BentWay::Aside, BentWay::Inward];

    pub(super) fn index(self) -> usize {
        match self {
            BentWay::Bend => 0,
            BentWay::Back => 1,
            BentWay::Aside => 2,
            BentWay::Inward => 3,
        }
    }

    /// The angle of a joint this way, rad; negative if it has turned the other way.
    pub(super) fn angle(self, joint: &JointPose) -> f64 {
        match self {
            BentWay::Bend => joint.bend_rad,
            BentWay::Back => -joint.bend_rad,
            BentWay::Aside => joint.aside_rad,
            BentWay::Inward => -joint.aside_rad,
        }
    }

    /// Share of the shape at 90°: linear up to there, then constant, \[Komatsu88\] section 5.1.
    pub(super) fn share(self, joint: &JointPose) -> f64 {
        (self.angle(joint) / FRAC_PI_2).clamp(0.0, 1.0)
    }
}

/// Tension of a muscle over that in rest. `straight_rad`: the bend of the joint in rest, from the straight limb.
pub(super) fn tension_over_rest(tension: &Tension, joint: &JointPose, straight_rad: f64) -> f64 {
    let rest_rad = match tension.way {
        BentWay::Bend => straight_rad,
        BentWay::Back => -straight_rad,
        _ => 0.0,
    };
    tension.at(rest_rad + tension.way.angle(joint)) - tension.at(rest_rad)
}

impl StickFigure {
    /// The bend of a joint in rest from the straight limb, rad; zero at a ball, whose straight pose is its rest.
    pub(super) fn straight_bend(&self, bone: usize) -> f64 {
        let found = &self.bones()[bone];
        let Some(parent) = found.parent.filter(|_| !found.frame.is_ball) else { return 0.0 };
        let (before, axis) = (self.bones()[parent].direction, found.frame.bend_axis);
        let (before, own) =
            (before.reject_from_normalized(axis), found.direction.reject_from_normalized(axis));
        before.cross(own).dot(axis).atan2(before.dot(own))
    }
}
