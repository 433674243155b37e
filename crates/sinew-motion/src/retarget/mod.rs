//! Retargets motions from another human.
//!
//! Bones rotate from neutral pose like the source's, whatever the rest poses. The pelvis follows the source's path, scaled by the ratio of the
//! hips' heights. Where a foot of the source is in contact (`contact.rs`), the foot of the target is planted and rolls without slipping;
//! between, it follows the source, corrected to arrive there (`feet.rs`).

mod contact;
mod feet;
mod source;

use crate::bake::bake_poses;
use crate::gait::{PelvisFrame, UNSTEADY_SOFTNESS, reachable_height, set_legs};
use crate::humanoid::{Ground, Humanoid, HumanoidPose, Side};
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use sinew_rig::HumanoidBone::{Hips, LeftLowerLeg, LeftToes, LeftUpperLeg};
use sinew_rig::{Character, Clip};
use source::SourceFrame;

/// Settings of retargeting.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RetargetSettings {
    /// Keys per second. Default 60.
    pub fps: f64,
    /// Whether to leave out the travel over the ground.
    pub is_in_place: bool,
    /// Whether feet planted in the source are planted in the target. Default true.
    pub keeps_contact: bool,
}

impl Default for RetargetSettings {
    fn default() -> Self {
        Self { fps: 60.0, is_in_place: false, keeps_contact: true }
    }
}

/// Error of retargeting a motion.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum RetargetError {
    #[error("the motion has no keys")]
    Empty,
    #[error("the motion needs {frames} keys; the maximum is {MOST_FRAMES}; use a lower key rate")]
    TooLong { frames: usize },
}

/// An hour at 60 keys per second.
const MOST_FRAMES: usize = 216_001;

/// Makes a clip of `target` with the motion of `clip` on `source_character`.
///
/// # Errors
/// If the clip is empty or too long.
pub fn retarget(
    source_character: &Character,
    source: &Humanoid,
    clip: &Clip,
    target: &Humanoid,
    settings: &RetargetSettings,
) -> Result<Clip, RetargetError> {
    if clip.tracks.is_empty() {
        return Err(RetargetError::Empty);
    }
    let count = (clip.duration_secs() * settings.fps).floor() as usize + 1;
    if count > MOST_FRAMES {
        return Err(RetargetError::TooLong { frames: count });
    }
    let times: Vec<f64> = (0..count).map(|frame| frame as f64 / settings.fps).collect();
    let frames = source::frames(source_character, source, clip, &times);
    let ratio = target.hip_height_m() / source.hip_height_m();
    let ground = contact::ground_level(source, &frames);
    let origin = frames[0].pelvis.with_y(ground);
    let mut poses: Vec<HumanoidPose> = frames
        .iter()
        .map(|frame| {
            let pelvis = ratio * (frame.pelvis - origin);
            let ground = Ground { place: pelvis.with_y(0.0), heading_rad: 0.0 };
            HumanoidPose { pelvis, turns: frame.turns.clone(), ground }
        })
        .collect();
    if settings.keeps_contact {
        plant(source, target, &frames, &times, (ground, ratio, origin), &mut poses);
    }
    if settings.is_in_place {
        for pose in &mut poses {
            pose.pelvis *= DVec3::Y;
            pose.ground = Ground::default();
        }
    }
    Ok(bake_poses(target, &clip.name, &times, &poses))
}

/// Plants feet where the source's are, lowers the pelvis where legs do not reach, and rotates legs.
fn plant(
    source: &Humanoid,
    target: &Humanoid,
    frames: &[SourceFrame],
    times: &[f64],
    (ground, ratio, origin): (f64, f64, DVec3),
    poses: &mut [HumanoidPose],
) {
    let planned = Side::BOTH.map(|side| {
        let stances = contact::stances(source, frames, times, ground, side);
        feet::foot_poses(source, target, frames, &stances, (ratio, origin), side)
    });
    let lowered: Vec<f64> = (0..frames.len())
        .map(|at| {
            let pose = &poses[at];
            let turn = pose.turns[Hips.index()].unwrap_or(DQuat::IDENTITY);
            let frame = PelvisFrame {
                place: pose.pelvis.with_y(0.0),
                turn,
                activity: 1.0,
                reach_share: REACH_SHARE,
                softness: UNSTEADY_SOFTNESS,
            };
            let ankles = [planned[0][at].ankle, planned[1][at].ankle];
            pose.pelvis.y - reachable_height(target, &frame, &ankles, pose.pelvis.y)
        })
        .collect();
    let lowered = softened(&lowered, times);
    for (at, pose) in poses.iter_mut().enumerate() {
        pose.pelvis.y -= lowered[at];
        let heading = heading_of(pose);
        let feet = [planned[0][at], planned[1][at]];
        let knees = Side::BOTH.map(|side| pose.turns[side.of(LeftUpperLeg).index()]);
        set_legs(target, pose, &feet, heading);
        for (side, knee) in Side::BOTH.into_iter().zip(knees) {
            // Keep the source's knee direction within reach: rotate the leg's plane back by the thigh's own twist.
            if let Some(thigh) = knee {
                keep_knee(target, pose, side, thigh, feet[side as usize].ankle);
            }
            if !target.leg(side).foot.has_toes() {
                pose.turns[side.of(LeftToes).index()] = None;
            }
        }
    }
}

/// Usable share of a leg's length.
const REACH_SHARE: f64 = 0.997;

/// Solves a leg again with the knee where the source's thigh turns it.
fn keep_knee(target: &Humanoid, pose: &mut HumanoidPose, side: Side, source_thigh: DQuat, ankle: DVec3) {
    let leg = target.leg(side);
    let hips = pose.turns[Hips.index()].unwrap_or(DQuat::IDENTITY);
    let hip = pose.pelvis + hips * leg.hip_from_pelvis;
    let turns = crate::leg_reach::reach(leg, hip, ankle, source_thigh * DVec3::Z);
    pose.set(side.of(LeftUpperLeg), turns.thigh);
    pose.set(side.of(LeftLowerLeg), turns.shank);
}

/// Level direction of the body.
fn heading_of(pose: &HumanoidPose) -> f64 {
    let ahead = pose.turns[Hips.index()].unwrap_or(DQuat::IDENTITY) * DVec3::Z;
    ahead.x.atan2(ahead.z)
}

/// Smooth values that are nowhere lower: the maximum within 0.1 s, then the mean over as long.
fn softened(values: &[f64], times: &[f64]) -> Vec<f64> {
    let step = if times.len() > 1 { times[1] - times[0] } else { 1.0 };
    let half = ((0.1 / step).round() as usize).max(1);
    let around = |at: usize| at.saturating_sub(half)..(at + half + 1).min(values.len());
    let greatest: Vec<f64> =
        (0..values.len()).map(|at| values[around(at)].iter().copied().fold(0.0, f64::max)).collect();
    let mean = |values: &[f64], at: usize| {
        let part = &values[around(at)];
        part.iter().sum::<f64>() / part.len() as f64
    };
    (0..values.len()).map(|at| mean(&greatest, at)).collect()
}
