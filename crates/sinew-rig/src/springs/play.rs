//! Springs in clips.

use super::SpringRun;
use crate::key_reduction::kept_keys;
use crate::straight_tracks::turn_missed;
use crate::{BoneId, Channel, Character, Clip, Evaluator, Pose, Track};
use glam::{Affine3A, DQuat, Quat};
use std::collections::HashSet;

/// Steps of springs a second. The settings of VRM are made for it: drag counts per step.
pub const SPRING_FPS: f64 = 60.0;

/// The longest that springs hang still before a clip, in steps: ten seconds.
const MOST_SETTLING_STEPS: usize = 600;

/// Springs that move less than this share of their length in a step have settled. Smaller: rounding never settles.
const SETTLED: f64 = 1e-6;

/// A looping clip is played this often before its first frame.
const WARM_ROUNDS: usize = 2;

/// Ten hours. Springs stay as they are afterwards; a clip of two keys may be years long.
const MOST_STEPS: usize = 2_160_000;

/// Tracks for all bones that swing in a clip, with a key at every step. Springs begin where they hang still in the clip's first pose, or
/// in the steady state of a looping clip.
///
/// # Panics
/// If the clip does not belong to this character.
pub fn spring_tracks(character: &Character, clip: &Clip) -> Vec<Track> {
    let mut played = Played::new(character, clip);
    let steps = ((clip.duration_secs() * SPRING_FPS - 1e-6).ceil().max(0.0) as usize).min(MOST_STEPS);
    played.begin(steps);
    let mut keys: Vec<Vec<DQuat>> = played.run.rotations().map(|(_, rotation)| vec![rotation]).collect();
    let mut times_secs = vec![0.0];
    for step in 1..=steps {
        let (before, time) = ((step - 1) as f64 / SPRING_FPS, step as f64 / SPRING_FPS);
        played.step(time);
        // The last step may end after the clip.
        let end = time.min(clip.duration_secs());
        let share = if step == steps && steps < MOST_STEPS { (end - before) * SPRING_FPS } else { 1.0 };
        times_secs.push(before + share / SPRING_FPS);
        for (keys, (_, rotation)) in keys.iter_mut().zip(played.run.rotations()) {
            let last = keys[keys.len() - 1];
            // Some engines interpolate keys without a sign check: keep neighbors in the same hemisphere.
            let near = if last.dot(rotation) < 0.0 { -rotation } else { rotation };
            keys.push(last.slerp(near, share));
        }
    }
    let bones: Vec<_> = played.run.rotations().map(|(bone, _)| bone).collect();
    let track = |(bone, keys): (_, Vec<DQuat>)| {
        let keys: Vec<Quat> = keys.iter().map(|key| key.as_quat().normalize()).collect();
        Track::linear(times_secs.clone(), Channel::Rotation(bone, keys))
    };
    bones.into_iter().zip(keys).map(track).collect()
}

/// The clip with tracks for all springs, in place of rotations that it has for them: so it plays the same in programs without springs.
/// Keys that change the end of a chain by less than the tolerance are left out.
///
/// # Panics
/// If the tolerance is not above 0, or the clip does not belong to this character.
pub fn bake_springs(character: &Character, clip: &Clip, tolerance_m: f32) -> Clip {
    assert!(tolerance_m.is_finite() && tolerance_m > 0.0, "invalid tolerance {tolerance_m} m");
    let reaches = reaches(character);
    let reduced = spring_tracks(character, clip).into_iter().map(|track| {
        let Channel::Rotation(bone, turns) = &track.channel else { return track };
        let reach = reaches.iter().find(|(of, _)| of == bone).map_or(1.0, |(_, reach)| *reach);
        let keys = kept_keys(&track.times_secs, |from, to, share, at| {
            turn_missed(turns[from], turns[to], share, turns[at]) * reach / tolerance_m
        });
        let values = keys.iter().map(|&key| turns[key]).collect();
        Track::between(&track.times_secs, &keys, Channel::Rotation(*bone, values))
    });
    with_springs(character, clip, reduced.collect())
}

/// The clip with these tracks for springs, in place of rotations that it has for them.
pub(crate) fn with_springs(character: &Character, clip: &Clip, springs: Vec<Track>) -> Clip {
    let swings: HashSet<BoneId> = character.springs().moved_bones().collect();
    let is_old =
        |track: &Track| matches!(&track.channel, Channel::Rotation(bone, _) if swings.contains(bone));
    let kept = clip.tracks.iter().filter(|track| !is_old(track)).cloned();
    Clip { name: clip.name.clone(), tracks: kept.chain(springs).collect() }
}

/// How far the end of its chain is from each bone that swings, m at rest.
fn reaches(character: &Character) -> Vec<(BoneId, f32)> {
    let places = character.skeleton().rest_model_from_bone();
    let place = |bone: BoneId| places[bone.index()].translation;
    let mut reaches = Vec::new();
    for chain in &character.springs().chains {
        let mut reach = 0.0;
        for pair in chain.joints.windows(2).rev() {
            reach += place(pair[0].bone).distance(place(pair[1].bone));
            reaches.push((pair[0].bone, reach));
        }
    }
    reaches
}

/// A clip with springs in it.
struct Played<'a> {
    character: &'a Character,
    clip: &'a Clip,
    evaluator: Evaluator,
    pose: Pose,
    model_from_bone: Vec<Affine3A>,
    run: SpringRun,
}

impl<'a> Played<'a> {
    fn new(character: &'a Character, clip: &'a Clip) -> Self {
        Self {
            character,
            clip,
            evaluator: Evaluator::new(character),
            pose: Pose::rest(character),
            model_from_bone: vec![Affine3A::IDENTITY; character.skeleton().bone_count()],
            run: SpringRun::new(character),
        }
    }

    fn pose(&mut self, time_secs: f64) {
        self.pose.set_clip(self.character, self.clip, time_secs);
        self.evaluator.model_from_bone_into(self.character, &self.pose, &mut self.model_from_bone);
    }

    fn step(&mut self, time_secs: f64) -> f64 {
        self.pose(time_secs);
        self.run.step(&self.model_from_bone, 1.0 / SPRING_FPS)
    }

    /// The state at the clip's first frame.
    fn begin(&mut self, steps: usize) {
        self.pose(0.0);
        self.run.reset(&self.model_from_bone);
        for _ in 0..MOST_SETTLING_STEPS {
            if self.run.step(&self.model_from_bone, 1.0 / SPRING_FPS) < SETTLED {
                break;
            }
        }
        if steps > 0 && self.clip.comes_round(self.character) {
            for _ in 0..WARM_ROUNDS {
                for step in 1..=steps {
                    self.step(step as f64 / SPRING_FPS);
                }
                self.pose(0.0);
                self.run.go_on_from(&self.model_from_bone);
            }
        }
    }
}
