//! Joints of humans by bend, side and twist: the same numbers mean the same on every human, whatever its rest pose.
//!
//! Angles count from standing with hanging arms, palms towards the thighs. Bend comes last: a bent joint has been turned aside and twisted
//! before, as in \[Komatsu88\].

use crate::humanoid::{Humanoid, Side};
use glam::{DQuat, DVec3};
use sinew_rig::HumanoidBone::{
    self, LeftFoot, LeftIndexDistal, LeftIndexIntermediate, LeftIndexProximal, LeftLittleDistal,
    LeftLittleIntermediate, LeftLittleProximal, LeftLowerArm, LeftLowerLeg, LeftMiddleDistal,
    LeftMiddleIntermediate, LeftMiddleProximal, LeftRingDistal, LeftRingIntermediate, LeftRingProximal,
    LeftShoulder, LeftToes, LeftUpperArm, LeftUpperLeg,
};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_6};

/// Angles of a joint, °.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct JointAngles {
    pub(crate) bend: f64,
    pub(crate) side: f64,
    pub(crate) twist: f64,
}

impl JointAngles {
    /// The rotation of a bone in the bone that carries it, both from neutral pose.
    pub(crate) fn turn(&self, humanoid: &Humanoid, bone: HumanoidBone) -> DQuat {
        let [bend, side, twist] = [self.bend, self.side, self.twist].map(f64::to_radians);
        let Some((left, s)) = sided(bone) else {
            // The trunk: forward, to the left, turned to the left.
            return DQuat::from_rotation_y(twist)
                * DQuat::from_rotation_x(bend)
                * DQuat::from_rotation_z(-side);
        };
        let (x, y, z) = (DQuat::from_rotation_x, DQuat::from_rotation_y, DQuat::from_rotation_z);
        match left {
            LeftShoulder => y(-s * bend) * z(s * side) * x(twist),
            LeftUpperArm => x(-bend) * z(-s * (FRAC_PI_2 - side)) * x(twist),
            LeftLowerArm => y(-s * bend) * x(twist),
            LeftUpperLeg => x(-bend) * z(s * side) * y(-s * twist),
            LeftLowerLeg => x(bend) * y(-s * twist),
            LeftFoot | LeftToes => x(-bend) * z(s * side) * y(-s * twist),
            // The hand, about the axis across the palm; fingers across their own direction, so that they curl towards the palm.
            _ => {
                let which = if s > 0.0 { Side::Left } else { Side::Right };
                let palm = humanoid.palm(which);
                let along = finger_way(humanoid, bone, which).unwrap_or(DVec3::X * s);
                let across = along.cross(palm).normalize_or(DVec3::Z * -s);
                DQuat::from_axis_angle(across, bend) * DQuat::from_axis_angle(palm, s * side) * x(twist)
            }
        }
    }
}

/// Where a finger points in neutral pose: the direction of its first bone. `None` for hands and thumbs.
fn finger_way(humanoid: &Humanoid, bone: HumanoidBone, side: Side) -> Option<DVec3> {
    let fingers = [
        [LeftIndexProximal, LeftIndexIntermediate, LeftIndexDistal],
        [LeftMiddleProximal, LeftMiddleIntermediate, LeftMiddleDistal],
        [LeftRingProximal, LeftRingIntermediate, LeftRingDistal],
        [LeftLittleProximal, LeftLittleIntermediate, LeftLittleDistal],
    ];
    let [first, next, _] =
        fingers.into_iter().find(|bones| bones.iter().any(|&left| side.of(left) == bone))?;
    humanoid.neutral_way(side.of(first), side.of(next))
}

/// The shoulder bone that goes along with an upper arm.
pub(crate) fn shoulder_of(arm: HumanoidBone) -> Option<HumanoidBone> {
    match arm {
        LeftUpperArm => Some(LeftShoulder),
        HumanoidBone::RightUpperArm => Some(HumanoidBone::RightShoulder),
        _ => None,
    }
}

/// What the shoulder bone takes of an upper arm's turn: a fifth of what the arm is raised beyond 30°, and a seventh of its way forward.
pub(crate) fn share_of_shoulder(arm: HumanoidBone, turn: DQuat) -> DQuat {
    let s = sided(arm).map_or(1.0, |(_, s)| s);
    let way = turn * (DVec3::X * s);
    let raised = (-way.y).clamp(-1.0, 1.0).acos();
    let rise = 0.2 * (raised - FRAC_PI_6).max(0.0);
    let ahead = way.z.clamp(-1.0, 1.0).asin() / 7.0;
    DQuat::from_rotation_y(-s * ahead) * DQuat::from_rotation_z(s * rise)
}

/// The left one of a pair of bones and the sign of the side along +X; `None` for bones in the middle.
fn sided(bone: HumanoidBone) -> Option<(HumanoidBone, f64)> {
    let mirrored = bone.mirrored();
    if mirrored == bone {
        return None;
    }
    let is_left = bone.name().starts_with("left");
    Some(if is_left { (bone, 1.0) } else { (mirrored, -1.0) })
}

/// Bones without a joint of their own in the angles.
pub(crate) fn has_angles(bone: HumanoidBone) -> bool {
    !matches!(bone, HumanoidBone::LeftEye | HumanoidBone::RightEye | HumanoidBone::Jaw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::{guess_humanoid, samples};

    #[test]
    fn angles_point_limbs_as_their_words_say() {
        let character = samples::figure();
        let humanoid = Humanoid::new(&character, &guess_humanoid(&character)).expect("a human");
        let way = |bone: HumanoidBone, neutral: DVec3, bend: f64, side: f64| {
            JointAngles { bend, side, twist: 0.0 }.turn(&humanoid, bone) * neutral
        };
        let check =
            |found: DVec3, expected: DVec3| assert!(found.abs_diff_eq(expected, 1e-9), "{found} {expected}");
        check(way(LeftUpperArm, DVec3::X, 0.0, 0.0), DVec3::NEG_Y);
        check(way(LeftUpperArm, DVec3::X, 90.0, 0.0), DVec3::Z);
        check(way(LeftUpperArm, DVec3::X, 0.0, 90.0), DVec3::X);
        check(way(LeftUpperArm.mirrored(), DVec3::NEG_X, 0.0, 90.0), DVec3::NEG_X);
        check(way(LeftUpperLeg, DVec3::NEG_Y, 90.0, 0.0), DVec3::Z);
        check(way(LeftLowerLeg, DVec3::NEG_Y, 90.0, 0.0), DVec3::NEG_Z);
        check(way(LeftUpperLeg.mirrored(), DVec3::NEG_Y, 0.0, 90.0), DVec3::NEG_X);
        check(way(HumanoidBone::Spine, DVec3::Y, 90.0, 0.0), DVec3::Z);
        check(way(HumanoidBone::Head, DVec3::Y, 0.0, 90.0), DVec3::X);
        assert!(sided(HumanoidBone::LeftHand).is_some_and(|(_, s)| s > 0.0));
    }
}
