//! Sequences of bones that are no human's: every bone's own transform decays, and the root goes on where it was.

use super::offset::{Offset, SPEED_SECS};
use super::{Layer, Part, Sequence};
use crate::humanoid::Humanoid;
use glam::{DQuat, DVec3, Vec3};
use sinew_geometry::Trs;
use sinew_rig::{BoneId, Channel, Character, Clip, InstanceId, Pose, Track};

/// All keyed bones and morphs.
pub(super) fn clip(character: &Character, sequence: &Sequence<'_>) -> Clip {
    let tracks = extra_tracks(character, None, sequence);
    Clip { name: sequence.name.clone(), tracks }
}

/// Tracks of all that parts and layers key, less what the human's own tracks hold.
pub(super) fn extra_tracks(
    character: &Character,
    humanoid: Option<&Humanoid>,
    sequence: &Sequence<'_>,
) -> Vec<Track> {
    let keyed = Keyed::of(humanoid, sequence);
    if keyed.bones.is_empty() && keyed.instances.is_empty() {
        return Vec::new();
    }
    let mut joined = Joined { character, keyed: &keyed, parts: Vec::new() };
    for part in &sequence.parts {
        joined.push(part, humanoid.is_none());
    }
    let whole = (sequence.seconds * sequence.fps - 1e-6).ceil().max(1.0) as usize;
    let times: Vec<f64> = (0..whole).map(|key| key as f64 / sequence.fps).chain([sequence.seconds]).collect();
    let mut states: Vec<State> = times.iter().map(|&t| joined.state(t)).collect();
    for layer in &sequence.layers {
        let masked = layer.moved();
        let cover = |(state, &t): (&mut State, &f64)| cover(character, &keyed, layer, (&masked, t), state);
        states.iter_mut().zip(&times).for_each(cover);
    }
    keyed.tracks(&times, &states)
}

/// What is keyed: bones, and instances with morphs.
struct Keyed {
    bones: Vec<BoneId>,
    instances: Vec<InstanceId>,
}

/// Values of what is keyed.
#[derive(Clone)]
struct State {
    bones: Vec<Trs>,
    weights: Vec<Vec<f32>>,
}

impl Keyed {
    fn of(humanoid: Option<&Humanoid>, sequence: &Sequence<'_>) -> Self {
        let clips = sequence.parts.iter().map(|part| part.clip);
        let clips = clips.chain(sequence.layers.iter().map(|layer| layer.clip));
        let mut keyed = Self { bones: Vec::new(), instances: Vec::new() };
        let is_human = |bone: BoneId| {
            humanoid
                .is_some_and(|human| human.map().humanoid_bone(bone).is_some() || human.root() == Some(bone))
        };
        for track in clips.flat_map(|clip| &clip.tracks) {
            match &track.channel {
                Channel::MorphWeights(instance, _) if !keyed.instances.contains(instance) => {
                    keyed.instances.push(*instance);
                }
                channel => match channel.bone() {
                    Some(bone) if !is_human(bone) && !keyed.bones.contains(&bone) => keyed.bones.push(bone),
                    _ => {}
                },
            }
        }
        keyed
    }

    fn state(&self, character: &Character, clip: &Clip, secs: f64) -> State {
        let pose = Pose::at(character, clip, secs);
        let bones = self.bones.iter().map(|bone| Trs::nearest(&pose.parent_from_bone()[bone.index()]));
        let weights = self.instances.iter().map(|&instance| pose.morph_weights(instance).to_vec());
        State { bones: bones.collect(), weights: weights.collect() }
    }

    fn tracks(&self, times: &[f64], states: &[State]) -> Vec<Track> {
        let mut tracks = Vec::new();
        for (place, &bone) in self.bones.iter().enumerate() {
            let all = || states.iter().map(|state| &state.bones[place]);
            let turns = all().map(|trs| trs.rotation).collect();
            let shifts = all().map(|trs| trs.translation).collect();
            let scales: Vec<Vec3> = all().map(|trs| trs.scale).collect();
            tracks.push(Track::linear(times.to_vec(), Channel::Rotation(bone, turns)));
            tracks.push(Track::linear(times.to_vec(), Channel::Translation(bone, shifts)));
            if scales.iter().any(|scale| !scale.abs_diff_eq(scales[0], 1e-6)) {
                tracks.push(Track::linear(times.to_vec(), Channel::Scale(bone, scales)));
            }
        }
        for (place, &instance) in self.instances.iter().enumerate() {
            let weights = states.iter().flat_map(|state| state.weights[place].iter().copied()).collect();
            tracks.push(Track::linear(times.to_vec(), Channel::MorphWeights(instance, weights)));
        }
        tracks
    }
}

struct Joined<'a, 'b> {
    character: &'b Character,
    keyed: &'b Keyed,
    parts: Vec<JoinedPart<'a, 'b>>,
}

struct JoinedPart<'a, 'b> {
    part: &'b Part<'a>,
    /// Added to the root's translation.
    shift: Option<(usize, Vec3)>,
    /// Of rotation, translation and scale of every bone.
    offsets: Vec<[Offset; 3]>,
    weights: Vec<Vec<f32>>,
}

impl<'a, 'b> Joined<'a, 'b> {
    fn push(&mut self, part: &'b Part<'a>, is_placed: bool) {
        if self.parts.is_empty() {
            self.parts.push(JoinedPart { part, shift: None, offsets: Vec::new(), weights: Vec::new() });
            return;
        }
        let s = part.start_secs;
        let from = [s - SPEED_SECS, s].map(|t| self.state(t));
        let to = [s, s + SPEED_SECS].map(|t| self.keyed.state(self.character, part.clip, part.clip_time(t)));
        let root = self.root().filter(|_| is_placed && part.is_placed);
        let shift = root.map(|root| {
            (root, (from[1].bones[root].translation - to[0].bones[root].translation).with_y(0.0))
        });
        let shifted = |bone: usize, at: usize| {
            let own = shift.filter(|(root, _)| *root == bone).map_or(Vec3::ZERO, |(_, shift)| shift);
            to[at].bones[bone].translation + own
        };
        let offsets = (0..self.keyed.bones.len()).map(|bone| {
            let a = [&from[0].bones[bone], &from[1].bones[bone]];
            let b = [&to[0].bones[bone], &to[1].bones[bone]];
            [
                Offset::of_turns(a.map(|trs| trs.rotation.as_dquat()), b.map(|trs| trs.rotation.as_dquat())),
                Offset::of_places(
                    a.map(|trs| trs.translation.as_dvec3()),
                    [shifted(bone, 0), shifted(bone, 1)].map(|place| place.as_dvec3()),
                ),
                Offset::of_places(a.map(|trs| trs.scale.as_dvec3()), b.map(|trs| trs.scale.as_dvec3())),
            ]
        });
        let weights = from[1].weights.iter().zip(&to[0].weights);
        let weights =
            weights.map(|(from, to)| from.iter().zip(to).map(|(from, to)| from - to).collect()).collect();
        self.parts.push(JoinedPart { part, shift, offsets: offsets.collect(), weights });
    }

    /// The topmost keyed bone: it carries the others over the ground.
    fn root(&self) -> Option<usize> {
        let order = self.character.skeleton().parents_first();
        let first = order.iter().find(|bone| self.keyed.bones.contains(bone))?;
        self.keyed.bones.iter().position(|bone| bone == first)
    }

    fn state(&self, t: f64) -> State {
        let at = self.parts.iter().rposition(|joined| joined.part.start_secs <= t).unwrap_or(0);
        let JoinedPart { part, shift, offsets, weights } = &self.parts[at];
        let mut state = self.keyed.state(self.character, part.clip, part.clip_time(t));
        if let Some((root, shift)) = shift {
            state.bones[*root].translation += *shift;
        }
        let (since, blend) = (t - part.start_secs, part.blend_secs);
        for (trs, [turn, place, scale]) in state.bones.iter_mut().zip(offsets) {
            let add = |value: Vec3, offset: &Offset| (value.as_dvec3() + offset.at(since, blend)).as_vec3();
            trs.rotation = (turn.turn_at(since, blend) * trs.rotation.as_dquat()).normalize().as_quat();
            trs.translation = add(trs.translation, place);
            trs.scale = add(trs.scale, scale);
        }
        let left = if blend > 0.0 { 1.0 - crate::curve::smoothstep(since / blend) } else { 0.0 };
        for (own, offset) in state.weights.iter_mut().zip(weights) {
            own.iter_mut().zip(offset).for_each(|(own, offset)| *own += offset * left as f32);
        }
        state
    }
}

fn cover(
    character: &Character,
    keyed: &Keyed,
    layer: &Layer<'_>,
    (masked, t): (&[BoneId], f64),
    state: &mut State,
) {
    let share = layer.share(t);
    if share <= 0.0 {
        return;
    }
    let over = keyed.state(character, layer.clip, layer.clip_time(t));
    for (place, bone) in keyed.bones.iter().enumerate().filter(|(_, bone)| masked.contains(bone)) {
        let _ = bone;
        let (below, above) = (&mut state.bones[place], &over.bones[place]);
        let turn: DQuat = below.rotation.as_dquat().slerp(above.rotation.as_dquat(), share);
        let lerp = |a: Vec3, b: Vec3| -> Vec3 { DVec3::lerp(a.as_dvec3(), b.as_dvec3(), share).as_vec3() };
        below.rotation = turn.normalize().as_quat();
        below.translation = lerp(below.translation, above.translation);
        below.scale = lerp(below.scale, above.scale);
    }
}
