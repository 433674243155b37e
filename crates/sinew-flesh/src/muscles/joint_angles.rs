//! How far joints are bent, in the words of anatomy, for any rig.
//!
//! Directions of limbs come from where bones begin in the pose, so that a rig's axes do not matter; what turns with a limb (its front, the
//! trunk's own axes) is carried from rest by the bone's turn. Zero is the straight neutral human: arms hanging, elbows, knees and trunk
//! straight, feet level.

use super::body_frames::BodyFrames;
use super::segment::{Segment, Side};
use crate::config::fields::choices;
use glam::{Affine3A, DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};
use sinew_rig::HumanoidBone::{
    LeftFoot, LeftHand, LeftIndexProximal, LeftLowerArm, LeftLowerLeg, LeftMiddleProximal, LeftShoulder,
    LeftUpperArm, LeftUpperLeg,
};
use sinew_rig::{BoneId, HumanoidBone};

macro_rules! joints {
    ($($joint:ident, $name:literal, $doc:literal;)*) => {
        /// A joint's angle that drives muscles; each side has its own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub enum Joint {
            $(#[doc = $doc] $joint,)*
        }

        choices!(Joint { $($joint = $name),* });

        impl Joint {
            /// How many there are.
            pub const COUNT: usize = Self::ALL.len();

            /// What the angle is, in words.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$joint => $doc,)* }
            }
        }
    };
}

joints! {
    Elbow, "elbow", "0 straight, about 145° folded";
    Knee, "knee", "0 straight, about 140° folded";
    Wrist, "wrist", "towards the palm; below 0 towards the back of the hand";
    Ankle, "ankle", "toes up; below 0 toes down; 0 with the sole square to the shank";
    ShoulderElevation, "shoulderElevation", "upper arm against the trunk: 0 hanging, 90° level, 180° overhead";
    ShoulderForward, "shoulderForward", "upper arm before the trunk, from -90° straight back to 90° straight ahead";
    ShoulderAcross, "shoulderAcross", "upper arm across the trunk: -90° straight out, 0 hanging, above 0 across";
    ShoulderShrug, "shoulderShrug", "shoulder raised from rest";
    HipFlexion, "hipFlexion", "thigh raised to the front; below 0 to the back";
    HipAbduction, "hipAbduction", "thigh out to the side; below 0 across";
    TrunkFlexion, "trunkFlexion", "chest bent to the front against the pelvis; below 0 to the back";
    TrunkSideBend, "trunkSideBend", "chest bent to this side";
    TrunkTwist, "trunkTwist", "chest turned to this side";
}

/// The angles of all joints of both sides in one pose, radians. `None` where bones are missing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointAngles {
    angles: [[Option<f64>; Joint::COUNT]; 2],
}

impl JointAngles {
    /// The angle of a joint, radians, if the rig has its bones.
    pub fn get(&self, joint: Joint, side: Side) -> Option<f64> {
        self.angles[side as usize][joint as usize]
    }

    /// Of bones that stand at `model_from_bone`: one per bone of the character, model space. A bone that stands at no finite place makes
    /// its joints `None`.
    ///
    /// # Panics
    /// If there is not one matrix per bone.
    pub fn of(body: &BodyFrames, model_from_bone: &[Affine3A]) -> Self {
        assert_eq!(model_from_bone.len(), body.rest.len(), "one matrix per bone of the character");
        let angles = Side::BOTH.map(|side| {
            let posed = Posed { body, model_from_bone, side };
            let mut angles = [None; Joint::COUNT];
            for joint in Joint::ALL {
                angles[joint as usize] = posed.angle(joint).filter(|angle| angle.is_finite());
            }
            angles
        });
        Self { angles }
    }
}

struct Posed<'a> {
    body: &'a BodyFrames,
    model_from_bone: &'a [Affine3A],
    side: Side,
}

impl Posed<'_> {
    fn angle(&self, joint: Joint) -> Option<f64> {
        use Joint::{
            Ankle, Elbow, HipAbduction, HipFlexion, Knee, ShoulderAcross, ShoulderElevation, ShoulderForward,
            ShoulderShrug, TrunkFlexion, TrunkSideBend, TrunkTwist, Wrist,
        };
        match joint {
            Elbow => {
                let front = self.carried(LeftUpperArm, self.rest_front(Segment::UpperArm)?)?;
                self.hinge([LeftUpperArm, LeftLowerArm, LeftHand], front)
            }
            Knee => {
                let front = self.carried(LeftUpperLeg, self.rest_front(Segment::UpperLeg)?)?;
                self.hinge([LeftUpperLeg, LeftLowerLeg, LeftFoot], -front)
            }
            Wrist => self.wrist(),
            Ankle => {
                let ahead = self.carried(LeftFoot, self.body.foot_ahead(self.side)?)?;
                Some(-asin(ahead.dot(self.way(LeftLowerLeg, LeftFoot)?)))
            }
            ShoulderElevation => Some(acos(-self.arm_in_chest()?.y)),
            ShoulderForward => Some(asin(self.arm_in_chest()?.z)),
            ShoulderAcross => Some(-asin(self.arm_in_chest()?.x)),
            ShoulderShrug => self.shrug(),
            HipFlexion => self.thigh_in_pelvis().map(|thigh| thigh.z.atan2(-thigh.y)),
            HipAbduction => Some(asin(self.thigh_in_pelvis()?.x)),
            TrunkFlexion => self.chest_in_pelvis().map(|chest| chest.y_axis.z.atan2(chest.y_axis.y)),
            TrunkSideBend => Some(asin(self.chest_in_pelvis()?.y_axis.x)),
            TrunkTwist => self.twist(),
        }
    }

    fn place(&self, bone: HumanoidBone) -> Option<DVec3> {
        let id = self.body.map().get(self.side.of(bone))?;
        Some(self.model_from_bone[id.index()].translation.as_dvec3())
    }

    fn way(&self, from: HumanoidBone, to: HumanoidBone) -> Option<DVec3> {
        (self.place(to)? - self.place(from)?).try_normalize()
    }

    fn rest_front(&self, segment: Segment) -> Option<DVec3> {
        self.body.segment(segment, self.side).ok().map(|frame| frame.front)
    }

    /// A direction at rest, turned as the bone has turned since.
    fn carried(&self, bone: HumanoidBone, direction: DVec3) -> Option<DVec3> {
        self.turn(self.body.map().get(self.side.of(bone))?).map(|turn| turn * direction)
    }

    fn turn(&self, bone: BoneId) -> Option<DQuat> {
        let posed = rotation_of(self.model_from_bone[bone.index()].matrix3.as_dmat3())?;
        Some(posed * rotation_of(self.body.rest[bone.index()].matrix3)?.inverse())
    }

    /// The angle between two limbs that fold towards `inside`. Below 0 only where the bend is clearly to the other side; bends aside
    /// count as folding.
    fn hinge(&self, [start, joint, end]: [HumanoidBone; 3], inside: DVec3) -> Option<f64> {
        let (upper, lower) = (self.way(start, joint)?, self.way(joint, end)?);
        let angle = upper.cross(lower).length().atan2(upper.dot(lower));
        let away = lower.reject_from_normalized(upper);
        let Some(away) = away.try_normalize() else { return Some(angle) };
        // 1 for every bend to the inside or aside, −1 straight back, and continuous between.
        let sign = (1.0 + 2.0 * away.dot(inside)).clamp(-1.0, 1.0);
        Some(angle * sign)
    }

    fn wrist(&self) -> Option<f64> {
        let lower = self.body.segment(Segment::LowerArm, self.side).ok()?;
        let palm = self.carried(LeftHand, lower.direction(1.0, 0.0))?;
        let forearm = self.way(LeftLowerArm, LeftHand)?;
        let finger =
            [LeftMiddleProximal, LeftIndexProximal].into_iter().find(|&bone| self.place(bone).is_some());
        match finger {
            // Seen from the hand, the forearm leaves to the palm's side when the wrist bends to it.
            Some(finger) => {
                let hand = self.way(LeftHand, finger)?;
                let angle = forearm.cross(hand).length().atan2(forearm.dot(hand));
                let away = forearm.reject_from_normalized(hand).try_normalize().unwrap_or(DVec3::ZERO);
                Some(-angle * away.dot(palm))
            }
            None => Some(-asin(forearm.dot(palm))),
        }
    }

    /// Rest axes (outside, up, front) turned with a bone.
    fn axes_of(&self, carrier: BoneId) -> Option<DMat3> {
        let mut upright = self.body.upright();
        upright.x_axis *= self.side.sign();
        Some(DMat3::from_quat(self.turn(carrier)?) * upright)
    }

    fn arm_in_chest(&self) -> Option<DVec3> {
        let axes = self.axes_of(self.body.chest_carrier(self.side)?)?;
        Some(axes.transpose() * self.way(LeftUpperArm, LeftLowerArm)?)
    }

    fn thigh_in_pelvis(&self) -> Option<DVec3> {
        let axes = self.axes_of(self.body.pelvis_carrier(self.side)?)?;
        Some(axes.transpose() * self.way(LeftUpperLeg, LeftLowerLeg)?)
    }

    fn shrug(&self) -> Option<f64> {
        let axes = self.axes_of(self.body.chest_carrier(self.side)?)?;
        let posed = asin(axes.y_axis.dot(self.way(LeftShoulder, LeftUpperArm)?));
        let place = |bone: HumanoidBone| self.body.head(self.side.of(bone));
        let rest = (place(LeftUpperArm)? - place(LeftShoulder)?).try_normalize()?;
        Some(posed - asin(rest.y))
    }

    fn chest_in_pelvis(&self) -> Option<DMat3> {
        let chest = self.axes_of(self.body.chest_carrier(self.side)?)?;
        let pelvis = self.axes_of(self.body.pelvis_carrier(self.side)?)?;
        Some(pelvis.transpose() * chest)
    }

    /// The part of the chest's turn about the trunk's own axis.
    fn twist(&self) -> Option<f64> {
        let upright = self.body.upright();
        let chest = self.turn(self.body.chest_carrier(self.side)?)?;
        let pelvis = self.turn(self.body.pelvis_carrier(self.side)?)?;
        let turn = pelvis.inverse() * chest;
        let about = DVec3::new(turn.x, turn.y, turn.z).dot(upright.y_axis);
        // A turn and its opposite quaternion are one; the half angle lies in ±90°.
        let half = if turn.w < 0.0 { (-about).atan2(-turn.w) } else { about.atan2(turn.w) };
        Some(2.0 * half * self.side.sign())
    }
}

fn asin(value: f64) -> f64 {
    value.clamp(-1.0, 1.0).asin()
}

fn acos(value: f64) -> f64 {
    value.clamp(-1.0, 1.0).acos()
}

/// The turn of a matrix, its scale left out; `None` where it has no volume.
fn rotation_of(matrix: DMat3) -> Option<DQuat> {
    let x = matrix.x_axis.try_normalize()?;
    let y = matrix.y_axis.reject_from_normalized(x).try_normalize()?;
    Some(DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))).normalize())
}
