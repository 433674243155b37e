//! Trunk, head, arms and hands.

use super::settings::Personality;
use super::style::Style;
use super::travel::Progress;
use crate::curve::smoothstep;
use crate::humanoid::{Humanoid, HumanoidPose, Side};
use glam::{DQuat, DVec3};
use sinew_rig::HumanoidBone;
use sinew_rig::HumanoidBone::{
    Chest, Head, LeftHand, LeftIndexProximal, LeftLowerArm, LeftShoulder, LeftUpperArm, Neck, Spine,
    UpperChest,
};
use std::f64::consts::{FRAC_PI_2, TAU};

/// One arm, radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Arm {
    /// Forward from hanging.
    pub(crate) flexion: f64,
    /// Away from the body.
    pub(crate) abduction: f64,
    pub(crate) elbow: f64,
}

/// The body above the hips at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct UpperBody {
    pub(crate) hips: DQuat,
    /// Turn of the chest, and of the head.
    pub(crate) chest: DQuat,
    pub(crate) head: DQuat,
    pub(crate) arms: [Arm; 2],
    /// Lean of the chest; the arms still hang straight down.
    pub(crate) stoop_rad: f64,
}

/// Inward rotation of a relaxed upper arm: forearms are slightly in front of the body. Less with a bent elbow, where it would take the hand
/// into the hip when the arm swings back.
const INWARD_RAD: f64 = 0.30;
const INWARD_LESS_RAD: f64 = 0.24;
/// Bend of a relaxed wrist.
const WRIST_RAD: f64 = 0.12;
/// Bend of a standing arm's elbow.
const STANDING_ELBOW_RAD: f64 = 0.25;

impl UpperBody {
    pub(super) fn of_gait(
        style: &Style,
        progress: &Progress,
        heading: f64,
        personality: &Personality,
        hips: DQuat,
    ) -> Self {
        let (body, phase, activity) = (&style.body, progress.phase, progress.activity);
        let stoop = personality.stoop_rad();
        let yaw = -activity * body.thorax_rad * (TAU * (phase - 0.03)).cos();
        let lean =
            activity * (body.lean_rad + 0.4 * body.tilt_rad * (TAU * (2.0 * phase - 0.1)).sin()) + stoop;
        let list = -0.45 * activity * body.list.at(phase);
        let chest = DQuat::from_rotation_y(heading + yaw)
            * DQuat::from_rotation_x(lean)
            * DQuat::from_rotation_z(list);
        // The head looks ahead and stays level, with a small share of the chest's motion.
        let head = DQuat::from_rotation_y(heading + 0.15 * yaw)
            * DQuat::from_rotation_x(0.25 * (lean - stoop) + 0.35 * stoop)
            * DQuat::from_rotation_z(0.1 * list);
        let arms = Side::BOTH.map(|side| {
            let phase = if side == Side::Right { phase } else { phase + 0.5 };
            // Arms lag slightly behind legs.
            let (shoulder, elbow) = (body.shoulder.at(phase - 0.02), body.elbow.at(phase - 0.05));
            Arm {
                flexion: activity * shoulder,
                abduction: 0.13 + activity * (body.abduction_rad - 0.13),
                elbow: STANDING_ELBOW_RAD + activity * (elbow - STANDING_ELBOW_RAD),
            }
        });
        Self { hips, chest, head, arms, stoop_rad: stoop }
    }
}

/// Turns trunk, head, arms, hands and fingers.
pub(crate) fn set_upper_body(humanoid: &Humanoid, pose: &mut HumanoidPose, upper: &UpperBody) {
    let trunk: Vec<HumanoidBone> =
        [Spine, Chest, UpperChest].into_iter().filter(|&bone| humanoid.has(bone)).collect();
    for (at, &bone) in trunk.iter().enumerate() {
        let share = (at + 1) as f64 / trunk.len() as f64;
        pose.set(bone, upper.hips.slerp(upper.chest, share));
    }
    pose.set(Neck, upper.chest.slerp(upper.head, 0.5));
    pose.set(Head, upper.head);
    for (side, arm) in Side::BOTH.into_iter().zip(&upper.arms) {
        let hanging = Arm { flexion: arm.flexion + 0.85 * upper.stoop_rad, ..*arm };
        set_arm(humanoid, pose, upper.chest, side, &hanging);
    }
}

fn set_arm(humanoid: &Humanoid, pose: &mut HumanoidPose, chest: DQuat, side: Side, arm: &Arm) {
    let sign = side.sign();
    // Shoulders follow arms a little.
    let shoulder = chest * DQuat::from_rotation_y(-sign * 0.10 * arm.flexion);
    let upper = chest
        * DQuat::from_rotation_x(-arm.flexion)
        * DQuat::from_rotation_z(-sign * (FRAC_PI_2 - arm.abduction))
        * DQuat::from_rotation_x(INWARD_RAD - INWARD_LESS_RAD * smoothstep((arm.elbow - 0.5) / 0.9));
    let lower = upper * DQuat::from_rotation_y(-sign * arm.elbow);
    let palm = humanoid.palm(side);
    let aside = DVec3::X * sign;
    let curl_axis = aside.cross(palm).normalize_or(DVec3::Z * -sign);
    let hand = lower * DQuat::from_axis_angle(curl_axis, WRIST_RAD);
    pose.set(side.of(LeftShoulder), shoulder);
    pose.set(side.of(LeftUpperArm), upper);
    pose.set(side.of(LeftLowerArm), lower);
    pose.set(side.of(LeftHand), hand);
    set_fingers(humanoid, pose, hand, curl_axis, side);
}

/// Bend of the bones of relaxed fingers from the hand, °, from index to little finger.
const RELAXED_DEG: [[f64; 3]; 4] =
    [[18.0, 38.0, 50.0], [22.0, 45.0, 58.0], [26.0, 52.0, 66.0], [30.0, 58.0, 72.0]];

/// Bends fingers until they are relaxed; those that already rest bent stay.
fn set_fingers(humanoid: &Humanoid, pose: &mut HumanoidPose, hand: DQuat, curl_axis: DVec3, side: Side) {
    let aside = DVec3::X * side.sign();
    for (finger, angles) in RELAXED_DEG.iter().enumerate() {
        let bone =
            |along: usize| side.of(HumanoidBone::ALL[LeftIndexProximal.index() + 6 * finger + 2 * along]);
        let mut bent = 0.0;
        for (along, &relaxed) in angles.iter().enumerate() {
            let way = if along < 2 { humanoid.neutral_way(bone(along), bone(along + 1)) } else { None };
            // Less the bend of the rest pose; the last bone continues the one before.
            if let Some(way) = way {
                bent = aside.cross(way).dot(curl_axis).atan2(aside.dot(way));
            }
            let more = (relaxed.to_radians() - bent).clamp(0.0, relaxed.to_radians());
            pose.set(bone(along), hand * DQuat::from_axis_angle(curl_axis, more));
        }
    }
}
