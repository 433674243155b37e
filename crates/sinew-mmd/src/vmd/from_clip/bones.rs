//! Keys of bones.

use super::super::timeline::secs_of_frame;
use super::super::{BoneCurves, VmdBoneKey, VmdCurve};
use super::plan::FramedTrack;
use super::{Losses, Writing, name_to_write};
use crate::names::NameKey;
use crate::rest_axes::RestAxes;
use crate::space::{point_to_mmd, turn};
use glam::{Quat, Vec3};
use sinew_rig::{BoneId, Channel, Clip, Interpolation};
use std::collections::{BTreeMap, BTreeSet};

/// The tracks of one bone.
#[derive(Default)]
struct BoneTracks<'a> {
    translation: Option<FramedTrack<'a>>,
    rotation: Option<FramedTrack<'a>>,
}

pub(super) fn keys_of_bones(clip: &Clip, writing: &mut Writing<'_>) -> Vec<VmdBoneKey> {
    let mut tracks_of_bones: BTreeMap<BoneId, BoneTracks<'_>> = BTreeMap::new();
    // If two tracks drive the same channel, the later wins.
    for track in &clip.tracks {
        match &track.channel {
            Channel::Translation(bone, _) => {
                tracks_of_bones.entry(*bone).or_default().translation = Some(FramedTrack::new(track));
            }
            Channel::Rotation(bone, _) => {
                tracks_of_bones.entry(*bone).or_default().rotation = Some(FramedTrack::new(track));
            }
            Channel::Scale(..) | Channel::MorphWeights(..) | Channel::Reach(..) => {}
        }
    }
    let axes = RestAxes::of(writing.character);
    let mut keys = Vec::new();
    for (id, tracks) in tracks_of_bones {
        let bone = writing.character.skeleton().bone(id);
        let is_first = writing.parts.bone(NameKey::of_text(&bone.name)) == Some(id);
        let Some(name) = name_to_write("bone", &bone.name, is_first, writing.report) else { continue };
        keys.extend(tracks.into_keys(name, &axes[id.index()], writing.losses));
    }
    keys
}

impl BoneTracks<'_> {
    fn into_keys(mut self, name: NameKey, axes: &RestAxes, losses: &mut Losses) -> Vec<VmdBoneKey> {
        let frames = self.plan(axes.is_parent_aligned());
        let both = [&self.translation, &self.rotation];
        both.into_iter().flatten().for_each(|track| track.count_losses(losses));
        let mut before = None;
        let keys = frames.into_iter().map(|frame| {
            let shift = self.translation_at(frame).map_or(Vec3::ZERO, |translation| axes.shift(translation));
            let rotation = self.rotation_at(frame).map_or(Quat::IDENTITY, |rotation| axes.turn(rotation));
            let curves = self.curves(before.replace(frame), frame, losses);
            VmdBoneKey {
                name: name.to_field(),
                frame,
                shift: point_to_mmd(shift),
                rotation: turn(rotation.to_array()).to_array(),
                curves,
            }
        });
        keys.collect()
    }

    /// The frames that need keys. `has_same_axes`: x, y and z of translations are those of the file.
    fn plan(&mut self, has_same_axes: bool) -> BTreeSet<u32> {
        let mut frames = BTreeSet::new();
        let mut both: Vec<_> = [&mut self.translation, &mut self.rotation].into_iter().flatten().collect();
        both.iter_mut().for_each(|track| track.add_frames(&mut frames));
        if let (Some(translation), false) = (&mut self.translation, has_same_axes) {
            translation.sample_uneven_curves(&mut frames);
        }
        let mut both: Vec<_> = [&mut self.translation, &mut self.rotation].into_iter().flatten().collect();
        // A curve with a key of the other track inside cannot be written as one; samples may also fall inside the other's curves.
        let is_split = |_: usize, ends: &[u32], frames: &BTreeSet<u32>| {
            frames.range(ends[0] + 1..ends[1]).next().is_some()
        };
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for track in &mut both {
                has_changed |= track.sample_curves(&mut frames, &is_split);
            }
        }
        frames
    }

    fn translation_at(&self, frame: u32) -> Option<Vec3> {
        let framed = self.translation.as_ref()?;
        match (&framed.track.channel, framed.key_at(frame)) {
            (Channel::Translation(_, values), Some(key)) => Some(values[value_of_key(framed, key)]),
            _ => framed.track.vector_at(secs_of_frame(frame)),
        }
    }

    fn rotation_at(&self, frame: u32) -> Option<Quat> {
        let framed = self.rotation.as_ref()?;
        match (&framed.track.channel, framed.key_at(frame)) {
            (Channel::Rotation(_, values), Some(key)) => Some(values[value_of_key(framed, key)]),
            _ => framed.track.rotation_at(secs_of_frame(frame)),
        }
    }

    fn curves(&self, before: Option<u32>, frame: u32, losses: &mut Losses) -> BoneCurves {
        // The first key has curves too, though they are not used.
        let of = |framed: &Option<FramedTrack<'_>>| {
            framed.as_ref().and_then(|framed| framed.easings_between(before?, frame).copied())
        };
        let mut curve = |easing| {
            let (curve, is_exact) = VmdCurve::from_easing(&easing);
            losses.rounded_curves += usize::from(!is_exact);
            curve
        };
        let [x, y, z] =
            of(&self.translation).map_or([VmdCurve::LINEAR; 3], |easings| easings.map(&mut curve));
        let turn = of(&self.rotation).map_or(VmdCurve::LINEAR, |easings| curve(easings[0]));
        BoneCurves::from_curves([x, y, z, turn])
    }
}

/// The index of a key's value in its list.
fn value_of_key(framed: &FramedTrack<'_>, key: usize) -> usize {
    if framed.track.interpolation == Interpolation::CubicSpline { 3 * key + 1 } else { key }
}
