//! Feet of the target: planted where the source's are, following it between.

use super::source::SourceFrame;
use crate::curve::smoothstep;
use crate::gait::{FootPose, placed_foot};
use crate::humanoid::{Foot, Humanoid, Side};
use glam::{DQuat, DVec2, DVec3};
use sinew_rig::HumanoidBone::{LeftFoot, LeftToes};
use std::ops::Range;

/// Pitch noise of a flat foot of the source, rad.
const FLAT_RAD: f64 = 0.09;

/// One foot pose per frame.
pub(super) fn foot_poses(
    source: &Humanoid,
    target: &Humanoid,
    frames: &[SourceFrame],
    stances: &[Range<usize>],
    (ratio, origin): (f64, DVec3),
    side: Side,
) -> Vec<FootPose> {
    let foot = &target.leg(side).foot;
    let bias = flat_pitch(frames, stances, side);
    // The source's ankle on the target, with the target's height over the sole.
    let taller = foot.ankle_height_m() - ratio * source.leg(side).foot.ankle_height_m();
    let free = |frame: &SourceFrame| {
        free_pose(target, frame, ratio * (frame.ankles[side as usize] - origin) + DVec3::Y * taller, side)
    };
    let mut poses: Vec<FootPose> = frames.iter().map(free).collect();
    let unplanted = poses.clone();
    for stance in stances {
        let yaw = mean(stance.clone().map(|at| nearest_yaw(frames, stance.start, at, side)));
        let rolled: Vec<DVec2> = stance
            .clone()
            .map(|at| foot_on_ground(foot, flattened(frames[at].foot_angles(side)[0] - bias)).0)
            .collect();
        let heading = DQuat::from_rotation_y(yaw);
        let shift = |rolled: DVec2| heading * DVec3::new(0.0, 0.0, rolled.x);
        // The mean place of the foot in the stance.
        let place =
            stance.clone().zip(&rolled).map(|(at, &rolled)| poses[at].ankle - shift(rolled)).sum::<DVec3>()
                / stance.len() as f64;
        for at in stance.clone() {
            let pitch = flattened(frames[at].foot_angles(side)[0] - bias);
            let (ankle, toes) = foot_on_ground(foot, pitch);
            poses[at] = placed_foot(place.with_y(0.0), yaw, ankle, [pitch, toes], true);
        }
    }
    blend_between(&unplanted, stances, &mut poses);
    lift_above_ground(foot, stances, &mut poses);
    poses
}

/// The pitch of the source's flat foot: its most common one in contact.
fn flat_pitch(frames: &[SourceFrame], stances: &[Range<usize>], side: Side) -> f64 {
    let mut all: Vec<f64> =
        stances.iter().flat_map(|stance| stance.clone()).map(|at| frames[at].foot_angles(side)[0]).collect();
    if all.is_empty() {
        return 0.0;
    }
    all.sort_by(f64::total_cmp);
    // Heels rise further than toes, so flat is above the median.
    all[all.len() * 6 / 10]
}

/// Removes small pitch softly.
fn flattened(pitch: f64) -> f64 {
    pitch * smoothstep(pitch.abs() / FLAT_RAD - 0.3)
}

fn foot_on_ground(foot: &Foot, pitch: f64) -> (DVec2, f64) {
    let pitch = pitch.clamp(-1.4, 0.9);
    let toes = foot.planted_toes(pitch);
    (foot.ankle(pitch, toes), toes)
}

fn nearest_yaw(frames: &[SourceFrame], first: usize, at: usize, side: Side) -> f64 {
    let (start, yaw) = (frames[first].foot_angles(side)[1], frames[at].foot_angles(side)[1]);
    start + (yaw - start + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU) - std::f64::consts::PI
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len();
    values.sum::<f64>() / count as f64
}

/// A foot of the source without contact.
fn free_pose(target: &Humanoid, frame: &SourceFrame, ankle: DVec3, side: Side) -> FootPose {
    let turn = frame.turns[side.of(LeftFoot).index()].unwrap_or(DQuat::IDENTITY);
    let has_toes = target.leg(side).foot.has_toes();
    let toes = frame.turns[side.of(LeftToes).index()].filter(|_| has_toes).unwrap_or(turn);
    FootPose { ankle, turn, toes_turn: toes, yaw: frame.foot_angles(side)[1], is_planted: false }
}

/// Between two stances the change of the first blends into the change of the second.
fn blend_between(unplanted: &[FootPose], stances: &[Range<usize>], poses: &mut [FootPose]) {
    let change = |at: usize, poses: &[FootPose]| {
        let (free, planted) = (&unplanted[at], &poses[at]);
        (
            planted.ankle - free.ankle,
            planted.turn * free.turn.inverse(),
            planted.toes_turn * free.toes_turn.inverse(),
        )
    };
    let none = (DVec3::ZERO, DQuat::IDENTITY, DQuat::IDENTITY);
    let mut from = 0;
    for next in 0..=stances.len() {
        let to = stances.get(next).map_or(poses.len(), |stance| stance.start);
        let before = next.checked_sub(1).map_or(none, |last| change(stances[last].end - 1, poses));
        let after = stances.get(next).map_or(none, |stance| change(stance.start, poses));
        // Before the first and after the last stance the foot keeps that one's change.
        let before = if next == 0 { after } else { before };
        let after = if next == stances.len() { before } else { after };
        let span = (to - from + 1) as f64;
        for (number, pose) in poses[from..to].iter_mut().enumerate() {
            let share = smoothstep((number + 1) as f64 / span);
            pose.ankle += before.0.lerp(after.0, share);
            pose.turn = (before.1.slerp(after.1, share) * pose.turn).normalize();
            pose.toes_turn = (before.2.slerp(after.2, share) * pose.toes_turn).normalize();
        }
        from = stances.get(next).map_or(poses.len(), |stance| stance.end);
    }
}

/// Minimum height of feet in the middle of a swing, m.
const CLEARANCE_M: f64 = 0.012;

/// Keeps feet in the air above the ground.
fn lift_above_ground(foot: &Foot, stances: &[Range<usize>], poses: &mut [FootPose]) {
    let count = poses.len();
    for (at, pose) in poses.iter_mut().enumerate() {
        if stances.iter().any(|stance| stance.contains(&at)) {
            continue;
        }
        let before = stances.iter().map(|stance| stance.end - 1).filter(|&end| end < at).max();
        let after = stances.iter().map(|stance| stance.start).filter(|&start| start > at).min();
        let along = |from: usize, to: usize| (at - from) as f64 / (to - from) as f64;
        let w = along(before.unwrap_or(0), after.unwrap_or(count)).clamp(0.0, 1.0);
        let clearance = CLEARANCE_M * (4.0 * w * (1.0 - w)).powf(1.2);
        let pitch_of = |turn: DQuat| (turn * DVec3::Z).y.clamp(-1.0, 1.0).asin();
        let (pitch, toes) = (pitch_of(pose.turn), pitch_of(pose.toes_turn));
        // With the toes as they are and with the whole foot straight, whichever is lower.
        let height = foot.ankle(pitch, toes).y.max(foot.ankle(pitch, pitch).y);
        pose.ankle.y = pose.ankle.y.max(height + clearance);
    }
}
