//! Animation stacks to clips.
//!
//! FBX interpolates Euler angles along curves; clips interpolate rotations. ufbx samples what a line cannot show [`SAMPLES_PER_SECOND`]
//! times a second. Keys closer together than 1/20 s are taken as they are. Keys that a line between others replaces are then removed.

use super::convert::{quat, vec3};
use super::error::ReadFbxError;
use super::meshes::Surfaces;
use super::morphs::MorphChannel;
use super::nodes::Nodes;
use crate::{Budget, Report};
use glam::{Quat, Vec3};
use sinew_geometry::Bounds;
use sinew_rig::{BoneId, Channel, Clip, InstanceId, Track};

/// Samples of curves between keys.
const SAMPLES_PER_SECOND: f64 = 60.0;

/// Error of removing keys, at times at which the file has a key: as a share of the model's size for translations, in rad for rotations, as
/// a number for scales and weights. Ten bones one after another still move a vertex by less than 1e-5 of the size.
const KEY_TOLERANCE: f32 = 1e-6;

/// Error of removing samples between the file's keys. Smaller, and every curve becomes 60 keys a second.
const BETWEEN_TOLERANCE: f32 = 1e-4;

/// Bytes of a key with its value, at most.
const KEY_BYTES: u64 = 24;

/// The name of the clip with the file's own pose, in a file without animation.
const FILE_POSE: &str = "pose in the file";

/// All clips of a file.
pub(super) fn read(
    scene: &ufbx::Scene,
    nodes: &Nodes<'_>,
    surfaces: &Surfaces,
    allowed: u64,
    budget: &mut Budget,
    report: &mut Report,
) -> Result<Vec<Clip>, ReadFbxError> {
    let size = size_of(nodes, surfaces);
    let mut clips = Vec::with_capacity(scene.anim_stacks.len());
    for stack in &scene.anim_stacks {
        let name = stack.element.name.to_string();
        let options = ufbx::BakeOpts {
            temp_allocator: super::allocator(allowed.min(budget.left())),
            result_allocator: super::allocator(allowed.min(budget.left())),
            trim_start_time: true,
            resample_rate: SAMPLES_PER_SECOND,
            ..ufbx::BakeOpts::default()
        };
        let baked = ufbx::bake_anim(scene, &stack.anim, options)
            .map_err(|error| ReadFbxError::of_animation(&error, &name, allowed))?;
        let sampled = Sampled { baked: &baked, nodes, surfaces, size };
        let clip = sampled.clip(name, budget, report)?;
        if clip.tracks.is_empty() {
            report.warn(format!("animation {:?}", clip.name), "nothing moves; it is left out");
        } else {
            clips.push(clip);
        }
    }
    let pose = still_tracks(nodes, &[]);
    if clips.is_empty() && !pose.is_empty() {
        clips.push(Clip { name: FILE_POSE.into(), tracks: pose });
    }
    Ok(clips)
}

/// The model's largest extent, for tolerances; of its bones if it has no mesh.
fn size_of(nodes: &Nodes<'_>, surfaces: &Surfaces) -> f32 {
    let meshes = surfaces.meshes.iter().map(|mesh| mesh.bounds().diagonal()).fold(0.0, f32::max);
    let places: Vec<Vec3> = nodes
        .nodes
        .iter()
        .map(|node| {
            Vec3::new(
                node.node_to_world.m03 as f32,
                node.node_to_world.m13 as f32,
                node.node_to_world.m23 as f32,
            )
        })
        .collect();
    let size = meshes.max(Bounds::of(&places).diagonal());
    if size.is_finite() && size > 0.0 { size } else { 1.0 }
}

/// A stack with its samples.
struct Sampled<'a> {
    baked: &'a ufbx::BakedAnim,
    nodes: &'a Nodes<'a>,
    surfaces: &'a Surfaces,
    size: f32,
}

impl Sampled<'_> {
    fn clip(&self, name: String, budget: &mut Budget, report: &mut Report) -> Result<Clip, ReadFbxError> {
        let place = format!("animation {name:?}");
        let mut tracks = Vec::new();
        for node in &self.baked.nodes {
            let Some(bone) = self.nodes.bone_by_index(node.typed_id) else { continue };
            let count = node.translation_keys.len() + node.rotation_keys.len() + node.scale_keys.len();
            budget.take(&place, count as u64, KEY_BYTES)?;
            tracks.extend(self.tracks_of(bone, node));
        }
        self.add_weights(&mut tracks);
        let count = tracks.len();
        tracks.retain(|track| track.channel.is_finite() && !track.times_secs.is_empty());
        if tracks.len() < count {
            report.warn(
                &place,
                format!("{} tracks have values that are not finite; they are left out", count - tracks.len()),
            );
        }
        let still = still_tracks(self.nodes, &tracks);
        tracks.retain(|track| !self.rests(track));
        if !tracks.is_empty() {
            tracks.extend(still);
            keep_length(&mut tracks, self.baked.playback_duration);
        }
        Ok(Clip { name, tracks })
    }

    fn tracks_of(&self, bone: BoneId, node: &ufbx::BakedNode) -> [Track; 3] {
        // Tolerances of places are in the parent's units, which may be scaled.
        let parent = self.nodes.nodes[bone.index()].parent.as_ref();
        let unit = parent.map_or(1.0, |parent| length_of_unit(&parent.node_to_world));
        let rest = self.nodes.bones[bone.index()].rest.to_trs();
        let (keys, values) = vectors(&node.translation_keys);
        let places = keys.thinned(self.size / unit, Channel::Translation(bone, values));
        let (keys, values) = rotations(&node.rotation_keys);
        let turns = keys.thinned(1.0, Channel::Rotation(bone, values));
        let (keys, values) = vectors(&node.scale_keys);
        let scales = keys.thinned(rest.scale.abs().max_element(), Channel::Scale(bone, values));
        [places, turns, scales]
    }

    /// Whether a track holds its bone where it rests all the time.
    fn rests(&self, track: &Track) -> bool {
        let Some(bone) = track.channel.bone() else { return false };
        let rest = self.nodes.bones[bone.index()].rest.to_trs();
        match &track.channel {
            Channel::Translation(_, values) => {
                values.iter().all(|value| value.distance(rest.translation) <= KEY_TOLERANCE * self.size)
            }
            Channel::Rotation(_, values) => {
                let apart =
                    |value: &Quat| (*value - rest.rotation).length().min((*value + rest.rotation).length());
                values.iter().all(|value| apart(value) <= KEY_TOLERANCE)
            }
            Channel::Scale(_, values) => {
                let allowed = KEY_TOLERANCE * rest.scale.abs().max_element();
                values.iter().all(|value| value.distance(rest.scale) <= allowed)
            }
            Channel::MorphWeights(..) | Channel::Reach(..) => false,
        }
    }

    /// The weights of all instances with a channel that moves.
    fn add_weights(&self, tracks: &mut Vec<Track>) {
        for (index, instance) in self.surfaces.instances.iter().enumerate() {
            let channels = &self.surfaces.channels[instance.mesh.index()];
            let curves: Vec<&[ufbx::BakedVec3]> =
                channels.iter().map(|channel| self.weight_keys(channel)).collect();
            let mut times_secs: Vec<f64> = curves.iter().copied().flatten().map(|key| key.time).collect();
            times_secs.retain(|&time| time >= 0.0 && time.is_finite());
            times_secs.sort_by(f64::total_cmp);
            times_secs.dedup();
            if times_secs.is_empty() {
                continue;
            }
            let mut weights = Vec::new();
            for &time in &times_secs {
                for (channel, keys) in channels.iter().zip(&curves) {
                    match keys {
                        [] => channel.file_weights(&mut weights),
                        // In percent.
                        keys => channel
                            .extend_weights(0.01 * ufbx::evaluate_baked_vec3(keys, time).x, &mut weights),
                    }
                }
            }
            let channel = Channel::MorphWeights(InstanceId::of(index), weights);
            tracks.push(Track::linear(times_secs, channel).thinned(|_| KEY_TOLERANCE));
        }
    }

    /// The keys of a channel's weight; none if it does not move.
    fn weight_keys(&self, channel: &MorphChannel) -> &[ufbx::BakedVec3] {
        let element = self.baked.elements.iter().find(|element| element.element_id == channel.element_id);
        let weight =
            element.and_then(|element| element.props.iter().find(|prop| prop.name == "DeformPercent"));
        weight.map_or(&[], |weight| &weight.keys)
    }
}

/// The times of a channel's keys, and which of them the file has.
#[derive(Default)]
struct Keys {
    times_secs: Vec<f64>,
    is_of_file: Vec<bool>,
}

impl Keys {
    /// Adds a key unless it is before the clip or not after the last; says whether it did.
    fn push(&mut self, time_secs: f64, flags: ufbx::BakedKeyFlags) -> bool {
        let is_next = self.times_secs.last().is_none_or(|&last| time_secs > last);
        let is_used = time_secs.is_finite() && time_secs >= 0.0 && is_next;
        if is_used {
            self.times_secs.push(time_secs);
            self.is_of_file.push(flags.has_any(ufbx::BakedKeyFlags::KEYFRAME));
        }
        is_used
    }

    /// The track without keys that lines replace. Errors are shares of `unit`.
    fn thinned(self, unit: f32, channel: Channel) -> Track {
        let Self { times_secs, is_of_file } = self;
        let allowed = |key: usize| unit * if is_of_file[key] { KEY_TOLERANCE } else { BETWEEN_TOLERANCE };
        Track::linear(times_secs, channel).thinned(allowed)
    }
}

fn vectors(baked: &[ufbx::BakedVec3]) -> (Keys, Vec<Vec3>) {
    let mut keys = Keys::default();
    let start =
        baked.first().is_some_and(|key| key.time < 0.0) && keys.push(0.0, ufbx::BakedKeyFlags::KEYFRAME);
    let mut values: Vec<Vec3> =
        start.then(|| vec3(ufbx::evaluate_baked_vec3(baked, 0.0))).into_iter().collect();
    values.extend(baked.iter().filter(|key| keys.push(key.time, key.flags)).map(|key| vec3(key.value)));
    (keys, values)
}

fn rotations(baked: &[ufbx::BakedQuat]) -> (Keys, Vec<Quat>) {
    let mut keys = Keys::default();
    let start =
        baked.first().is_some_and(|key| key.time < 0.0) && keys.push(0.0, ufbx::BakedKeyFlags::KEYFRAME);
    let mut values: Vec<Quat> =
        start.then(|| quat(ufbx::evaluate_baked_quat(baked, 0.0))).into_iter().collect();
    for key in baked.iter().filter(|key| keys.push(key.time, key.flags)) {
        let value = quat(key.value);
        let is_far = values.last().is_some_and(|before| before.dot(value) < 0.0);
        values.push(if is_far { -value } else { value });
    }
    (keys, values)
}

/// One key for each bone that does not rest as the file has it and that no track drives yet.
fn still_tracks(nodes: &Nodes<'_>, tracks: &[Track]) -> Vec<Track> {
    let mut is_driven = vec![[false; 3]; nodes.nodes.len()];
    for track in tracks {
        match &track.channel {
            Channel::Translation(bone, _) => is_driven[bone.index()][0] = true,
            Channel::Rotation(bone, _) => is_driven[bone.index()][1] = true,
            Channel::Scale(bone, _) => is_driven[bone.index()][2] = true,
            Channel::MorphWeights(..) | Channel::Reach(..) => {}
        }
    }
    let mut still = Vec::new();
    for (index, file) in nodes.file_pose.iter().enumerate() {
        let Some(file) = file else { continue };
        let (bone, rest) = (BoneId::of(index), nodes.bones[index].rest.to_trs());
        let channels = [
            (file.translation != rest.translation, Channel::Translation(bone, vec![file.translation])),
            (file.rotation != rest.rotation, Channel::Rotation(bone, vec![file.rotation])),
            (file.scale != rest.scale, Channel::Scale(bone, vec![file.scale])),
        ];
        let free =
            channels.into_iter().zip(is_driven[index]).filter(|((differs, _), driven)| *differs && !driven);
        still.extend(free.map(|((_, channel), _)| Track::linear(vec![0.0], channel)));
    }
    still
}

/// Repeats a value at the end, so that a clip whose end is still keeps its length.
fn keep_length(tracks: &mut [Track], duration_secs: f64) {
    let longest = tracks.iter().filter_map(|track| track.times_secs.last()).fold(0.0, |a: f64, &b| a.max(b));
    if let Some(track) = tracks.first_mut().filter(|_| duration_secs > longest && duration_secs.is_finite()) {
        track.hold_until(duration_secs);
    }
}

fn length_of_unit(stands: &ufbx::Matrix) -> f32 {
    let length = Vec3::new(stands.m00 as f32, stands.m10 as f32, stands.m20 as f32).length();
    if length.is_finite() && length > 0.0 { length } else { 1.0 }
}
