//! Swinging helpers in clips that are not baked.

use crate::{BoneId, Channel, Character, Clip, HelperBake, Track, bake_helpers};
use std::borrow::Cow;

/// Invisible; such clips are not stored.
const TOLERANCE_M: f32 = 1e-5;

/// The clip ready to play here: with tracks for swinging helpers, if it has none for them.
pub fn with_follow_through<'a>(character: &Character, clip: &'a Clip) -> Cow<'a, Clip> {
    let controllers = character.controllers();
    let lags = |bone: BoneId| {
        let helper = controllers.helpers.iter().find(|helper| helper.bone == bone);
        helper.is_some_and(|helper| helper.swing.is_some()) && !is_keyed(clip, bone)
    };
    if !controllers.helpers.iter().any(|helper| lags(helper.bone)) {
        return Cow::Borrowed(clip);
    }
    let bake = HelperBake { tolerance_m: TOLERANCE_M, ..HelperBake::default() };
    let baked = bake_helpers(character, clip, &bake);
    let new = baked.tracks.into_iter().filter(|track| bone_of(track).is_some_and(lags));
    Cow::Owned(Clip { name: clip.name.clone(), tracks: clip.tracks.iter().cloned().chain(new).collect() })
}

fn is_keyed(clip: &Clip, bone: BoneId) -> bool {
    clip.tracks.iter().any(|track| bone_of(track) == Some(bone))
}

fn bone_of(track: &Track) -> Option<BoneId> {
    match &track.channel {
        Channel::Translation(bone, _) | Channel::Rotation(bone, _) | Channel::Scale(bone, _) => Some(*bone),
        Channel::MorphWeights(..) | Channel::Reach(..) => None,
    }
}
