//! Keys of morphs.

use super::super::VmdMorphKey;
use super::super::timeline::secs_of_frame;
use super::plan::FramedTrack;
use super::{Writing, name_to_write};
use crate::names::NameKey;
use sinew_rig::{Channel, Clip, InstanceId, Interpolation, Track};
use std::collections::{BTreeMap, BTreeSet};

/// Frames, ascending, and weights.
type Weights = Vec<(u32, f32)>;

pub(super) fn keys_of_morphs(clip: &Clip, writing: &mut Writing<'_>) -> Vec<VmdMorphKey> {
    // If two tracks drive the same channel, the later wins.
    let mut tracks = BTreeMap::new();
    for track in &clip.tracks {
        if let Channel::MorphWeights(instance, _) = &track.channel {
            tracks.insert(*instance, track);
        }
    }
    // Morphs of several meshes may have the same name; readers then move all of them.
    let mut written: BTreeMap<NameKey, Weights> = BTreeMap::new();
    for (instance, track) in tracks {
        let mesh_id = writing.character.instance(instance).mesh;
        let mesh = writing.character.mesh(mesh_id);
        for (index, weights) in weights_of_morphs(instance, track, writing) {
            let name = &mesh.morphs[index].name;
            let key = NameKey::of_text(name);
            if written.get(&key).is_some_and(|other| *other == weights) {
                continue;
            }
            let is_first =
                writing.parts.morphs(key).contains(&(mesh_id, index)) && !written.contains_key(&key);
            if name_to_write("morph", name, is_first, writing.report).is_some() {
                written.insert(key, weights);
            }
        }
    }
    let keys = written.iter().flat_map(|(name, weights)| {
        weights.iter().map(|&(frame, weight)| VmdMorphKey { name: name.to_field(), frame, weight })
    });
    keys.collect()
}

/// The keys of each morph of an instance that ever leaves its rest weight.
fn weights_of_morphs(id: InstanceId, track: &Track, writing: &mut Writing<'_>) -> Vec<(usize, Weights)> {
    let mut framed = FramedTrack::new(track);
    let mut frames = BTreeSet::new();
    framed.add_frames(&mut frames);
    // Morphs have no curves in VMD.
    framed.sample_curves(&mut frames, &|_, _, _| true);
    framed.count_losses(writing.losses);
    let rest = &writing.character.instance(id).morph_weights;
    let rows: Vec<(u32, Vec<f32>)> =
        frames.into_iter().map(|frame| (frame, weights_at(&framed, frame, rest.len()))).collect();
    let morphs = (0..rest.len()).filter_map(|index| {
        let weights: Weights = rows.iter().map(|(frame, row)| (*frame, row[index])).collect();
        let moves = weights.iter().any(|&(_, weight)| weight != rest[index]);
        moves.then(|| (index, needed_keys(&weights).collect()))
    });
    morphs.collect()
}

/// All weights of the instance at a frame.
fn weights_at(framed: &FramedTrack<'_>, frame: u32, count: usize) -> Vec<f32> {
    let mut weights = vec![0.0; count];
    match (&framed.track.channel, framed.key_at(frame)) {
        (Channel::MorphWeights(_, values), Some(key)) => {
            let is_spline = framed.track.interpolation == Interpolation::CubicSpline;
            let row = if is_spline { 3 * key + 1 } else { key };
            weights.copy_from_slice(&values[row * count..][..count]);
        }
        _ => framed.track.weights_at_into(secs_of_frame(frame), &mut weights),
    }
    weights
}

/// The keys without those in the middle of a constant stretch.
fn needed_keys(keys: &[(u32, f32)]) -> impl Iterator<Item = (u32, f32)> {
    let is_needed = |at: &usize| match (at.checked_sub(1).map(|before| keys[before]), keys.get(at + 1)) {
        (Some(before), Some(after)) => before.1 != keys[*at].1 || after.1 != keys[*at].1,
        _ => true,
    };
    (0..keys.len()).filter(is_needed).map(|at| keys[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_have_two_keys() {
        let keys = [(0, 1.0), (2, 1.0), (3, 1.0), (4, 0.0), (5, 1.0), (6, 1.0)];
        let needed: Vec<u32> = needed_keys(&keys).map(|key| key.0).collect();
        assert_eq!(needed, [0, 3, 4, 5, 6]);
        assert_eq!(needed_keys(&keys[..1]).count(), 1);
    }
}
