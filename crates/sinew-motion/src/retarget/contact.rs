//! Foot contacts of the source.

use super::source::SourceFrame;
use crate::humanoid::{Humanoid, Side};
use glam::{DQuat, DVec3};
use sinew_rig::HumanoidBone::LeftFoot;
use std::ops::Range;

/// A foot is in contact if it is lower than this share of the hips' height, and slower than this share of it per second.
const LOW: f64 = 0.045;
const SLOW: f64 = 0.45;
/// Shorter stances and gaps are noise, s.
const LEAST_STANCE_SECS: f64 = 0.07;
const LEAST_GAP_SECS: f64 = 0.06;

/// Heel and ball of a foot, from its ankle in neutral pose, down to the sole.
fn points(humanoid: &Humanoid, side: Side) -> [DVec3; 2] {
    let foot = &humanoid.leg(side).foot;
    let down = -foot.ankle_height_m();
    [DVec3::new(0.0, down, foot.reach()[0]), DVec3::new(0.0, down, foot.ball())]
}

/// Places of heel and ball.
fn sole(humanoid: &Humanoid, frame: &SourceFrame, side: Side) -> [DVec3; 2] {
    let turn = frame.turns[side.of(LeftFoot).index()].unwrap_or(DQuat::IDENTITY);
    points(humanoid, side).map(|point| frame.ankles[side as usize] + turn * point)
}

/// The height of the ground: the lowest soles, ignoring a few frames.
pub(super) fn ground_level(humanoid: &Humanoid, frames: &[SourceFrame]) -> f64 {
    let mut lowest: Vec<f64> = frames
        .iter()
        .map(|frame| {
            let heights =
                Side::BOTH.into_iter().flat_map(|side| sole(humanoid, frame, side)).map(|point| point.y);
            heights.fold(f64::INFINITY, f64::min)
        })
        .collect();
    lowest.sort_by(f64::total_cmp);
    lowest[lowest.len() / 20]
}

/// Frames in which a foot is in contact, from its first to after its last.
pub(super) fn stances(
    humanoid: &Humanoid,
    frames: &[SourceFrame],
    times: &[f64],
    ground: f64,
    side: Side,
) -> Vec<Range<usize>> {
    let size = humanoid.hip_height_m();
    let soles: Vec<[DVec3; 2]> = frames.iter().map(|frame| sole(humanoid, frame, side)).collect();
    let last = frames.len() - 1;
    let is_standing: Vec<bool> = (0..frames.len())
        .map(|at| {
            let (before, after) = (at.saturating_sub(1), (at + 1).min(last));
            let span = (times[after] - times[before]).max(1e-6);
            (0..2).any(|point| {
                let speed = soles[after][point].distance(soles[before][point]) / span;
                soles[at][point].y - ground < LOW * size && speed < SLOW * size
            })
        })
        .collect();
    let mut stances: Vec<Range<usize>> = Vec::new();
    for at in (0..frames.len()).filter(|&at| is_standing[at]) {
        match stances.last_mut() {
            Some(stance) if times[at] - times[stance.end - 1] <= LEAST_GAP_SECS => stance.end = at + 1,
            _ => stances.push(at..at + 1),
        }
    }
    let is_long = |stance: &Range<usize>| times[stance.end - 1] - times[stance.start] >= LEAST_STANCE_SECS;
    let touches_end = |stance: &Range<usize>| stance.start == 0 || stance.end == frames.len();
    stances.retain(|stance| is_long(stance) || touches_end(stance));
    stances
}
