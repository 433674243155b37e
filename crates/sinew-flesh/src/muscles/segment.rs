//! Limbs and trunk: what the places of muscles are given along and around.

use crate::config::fields::choices;
use serde::{Deserialize, Serialize};
use sinew_rig::HumanoidBone;

/// A side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The human's own left, +X where it looks along +Z.
    Left,
    /// The human's own right.
    Right,
}

impl Side {
    /// Left first.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The bone of this side, given the left one.
    pub(super) fn of(self, left: HumanoidBone) -> HumanoidBone {
        if self == Self::Left { left } else { left.mirrored() }
    }

    /// +1 to the left, −1 to the right: the sign along +X.
    pub(super) fn sign(self) -> f64 {
        if self == Self::Left { 1.0 } else { -1.0 }
    }

    /// `left` or `right`.
    pub fn name(self) -> &'static str {
        if self == Self::Left { "left" } else { "right" }
    }
}

/// A straight part of the body. Names are VRM's without the side. Trunk and shoulder are found from hip joints, neck and arms, because rigs
/// differ in the bones between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Segment {
    /// From between the hip joints up to the root of the neck.
    Trunk,
    /// From the root of the neck to the shoulder joint; its outside is the top.
    Shoulder,
    /// From shoulder to elbow.
    UpperArm,
    /// From elbow to wrist.
    LowerArm,
    /// From hip to knee.
    UpperLeg,
    /// From knee to ankle.
    LowerLeg,
}

choices!(Segment {
    Trunk = "trunk",
    Shoulder = "shoulder",
    UpperArm = "upperArm",
    LowerArm = "lowerArm",
    UpperLeg = "upperLeg",
    LowerLeg = "lowerLeg"
});
