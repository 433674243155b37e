//! Bakes poses over time into a clip of one character.

use crate::humanoid::{Humanoid, HumanoidPose, LocalPose};
use glam::{DQuat, DVec3, Quat, Vec3};
use serde::{Deserialize, Serialize};
use sinew_rig::{BoneId, Channel, Clip, HumanoidBone, Interpolation, Track};

/// Settings of baking a motion into keys.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BakeSettings {
    /// Keys per second. Default 60.
    pub fps: f64,
    /// Whether to leave out the travel over the ground.
    pub is_in_place: bool,
}

impl Default for BakeSettings {
    fn default() -> Self {
        Self { fps: 60.0, is_in_place: false }
    }
}

/// Tangents are differences over this time to both sides, s.
const TANGENT_SECS: f64 = 1.0 / 960.0;

/// Samples poses into cubic splines: the hips' translation, rotations of all posed bones, and switches of chains that must be off.
///
/// Splines with true tangents have an error of the fourth power of the time between keys: feet stay in place between keys too.
pub(crate) fn bake(
    humanoid: &Humanoid,
    name: &str,
    seconds: f64,
    settings: &BakeSettings,
    mut pose: impl FnMut(f64) -> HumanoidPose,
) -> Clip {
    // At whole frames, and at the end if that is not one.
    let whole = (seconds * settings.fps - 1e-6).ceil().max(1.0) as usize;
    let times_secs: Vec<f64> = (0..whole).map(|key| key as f64 / settings.fps).chain([seconds]).collect();
    let mut keys = Keys::default();
    for &t in &times_secs {
        let local = [t - TANGENT_SECS, t, t + TANGENT_SECS].map(|t| humanoid.local_pose(&pose(t)));
        keys.push(&local, 2.0 * TANGENT_SECS);
    }
    keys.into_clip(humanoid, name, &times_secs)
}

/// The same for poses known only at some times: tangents are differences of neighbors.
pub(crate) fn bake_poses(
    humanoid: &Humanoid,
    name: &str,
    times_secs: &[f64],
    poses: &[HumanoidPose],
) -> Clip {
    let local: Vec<LocalPose> = poses.iter().map(|pose| humanoid.local_pose(pose)).collect();
    let mut keys = Keys::default();
    let last = local.len() - 1;
    for at in 0..local.len() {
        let (before, after) = (at.saturating_sub(1), (at + 1).min(last));
        let span = (times_secs[after] - times_secs[before]).max(1e-9);
        keys.push(&[local[before].clone(), local[at].clone(), local[after].clone()], span);
    }
    keys.into_clip(humanoid, name, times_secs)
}

/// Keys with tangents: in-tangent, value, out-tangent.
#[derive(Default)]
struct Keys {
    root: Vec<Vec3>,
    root_turns: Vec<Quat>,
    hips: Vec<Vec3>,
    turns: Vec<(BoneId, Vec<Quat>)>,
}

impl Keys {
    /// Adds a key from the poses before, at and after it, the outer ones `span_secs` apart.
    fn push(&mut self, [before, now, after]: &[LocalPose; 3], span_secs: f64) {
        if let (Some(before), Some(now), Some(after)) = (before.root, now.root, after.root) {
            push_spline(&mut self.root, [before.0, now.0, after.0], span_secs);
            push_turn(&mut self.root_turns, [before.1, now.1, after.1], span_secs);
        }
        push_spline(&mut self.hips, [before.hips, now.hips, after.hips], span_secs);
        for (place, &(bone, rotation)) in now.rotations.iter().enumerate() {
            if self.turns.len() <= place {
                self.turns.push((bone, Vec::new()));
            }
            let around = [before.rotations[place].1, rotation, after.rotations[place].1];
            push_turn(&mut self.turns[place].1, around, span_secs);
        }
    }

    fn into_clip(self, humanoid: &Humanoid, name: &str, times_secs: &[f64]) -> Clip {
        let track = |channel: Channel| Track {
            times_secs: times_secs.to_vec(),
            interpolation: Interpolation::CubicSpline,
            channel,
        };
        let mut tracks = Vec::new();
        // A root that stands still needs no track.
        if let Some(root) = humanoid.root().filter(|_| is_moving(&self.root)) {
            tracks.push(track(Channel::Translation(root, self.root)));
        }
        if let Some(root) = humanoid.root().filter(|_| is_moving(&self.root_turns)) {
            tracks.push(track(Channel::Rotation(root, self.root_turns)));
        }
        if let Some(bone) = humanoid.map().get(HumanoidBone::Hips) {
            tracks.push(track(Channel::Translation(bone, self.hips)));
        }
        tracks.extend(self.turns.into_iter().map(|(bone, values)| track(Channel::Rotation(bone, values))));
        tracks.extend(humanoid.still_chains());
        Clip { name: name.into(), tracks }
    }
}

/// Whether keys differ.
fn is_moving<T: PartialEq>(values: &[T]) -> bool {
    let mut keys = values.iter().skip(1).step_by(3);
    let first = keys.next();
    keys.any(|key| Some(key) != first)
}

/// In-tangent, value, out-tangent.
fn push_spline(values: &mut Vec<Vec3>, [before, now, after]: [DVec3; 3], span_secs: f64) {
    let tangent = ((after - before) / span_secs).as_vec3();
    values.extend([tangent, now.as_vec3(), tangent]);
}

/// The same for rotations, with signs continuous from the previous key.
fn push_turn(values: &mut Vec<Quat>, [before, now, after]: [DQuat; 3], span_secs: f64) {
    let last = values.len().checked_sub(2).map(|value| values[value].as_dquat());
    let now = if last.is_some_and(|last| last.dot(now) < 0.0) { -now } else { now };
    let near = |turn: DQuat| if turn.dot(now) < 0.0 { -turn } else { turn };
    let tangent = ((near(after) - near(before)) * (1.0 / span_secs)).as_quat();
    values.extend([tangent, now.as_quat(), tangent]);
}

impl Humanoid {
    /// Tracks that switch off chains that would move limbs: MMD models have chains with goals that a motion made here does not move.
    pub(crate) fn still_chains(&self) -> impl Iterator<Item = Track> + '_ {
        self.reaches().iter().map(|&bone| Track {
            times_secs: vec![0.0],
            interpolation: Interpolation::Step,
            channel: Channel::Reach(bone, vec![false]),
        })
    }
}
