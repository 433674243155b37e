//! What lags behind a clip that is not baked: swinging helpers and springs.

use crate::springs::{spring_tracks, with_springs};
use crate::{BoneId, Character, Clip, HelperBake, bake_helpers};
use std::borrow::Cow;

/// Invisible; such clips are not stored.
const TOLERANCE_M: f32 = 1e-5;

/// The clip ready to play here: with tracks for swinging helpers, if it has none for them, and for all springs. As in programs that play
/// springs, rotations that the clip has for them do not count.
pub fn with_follow_through<'a>(character: &Character, clip: &'a Clip) -> Cow<'a, Clip> {
    let clip = with_swinging_helpers(character, clip);
    if character.springs().moved_bones().next().is_none() {
        return clip;
    }
    let springs = spring_tracks(character, &clip);
    Cow::Owned(with_springs(character, &clip, springs))
}

fn with_swinging_helpers<'a>(character: &Character, clip: &'a Clip) -> Cow<'a, Clip> {
    let controllers = character.controllers();
    let lags = |bone: BoneId| {
        let helper = controllers.helpers.iter().find(|helper| helper.bone == bone);
        let is_keyed = clip.tracks.iter().any(|track| track.channel.bone() == Some(bone));
        helper.is_some_and(|helper| helper.swing.is_some()) && !is_keyed
    };
    if !controllers.helpers.iter().any(|helper| lags(helper.bone)) {
        return Cow::Borrowed(clip);
    }
    let bake = HelperBake { tolerance_m: TOLERANCE_M, ..HelperBake::default() };
    let baked = bake_helpers(character, clip, &bake);
    let new = baked.tracks.into_iter().filter(|track| track.channel.bone().is_some_and(lags));
    Cow::Owned(Clip { name: clip.name.clone(), tracks: clip.tracks.iter().cloned().chain(new).collect() })
}
