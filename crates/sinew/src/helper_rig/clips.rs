//! Helpers in clips that were not baked, or whose controllers were edited since.

use super::put_on::{HelperOutput, SettingError};
use sinew_geometry::Bounds;
use sinew_io::Report;
use sinew_rig::{
    BoneId, BoundSurface, Channel, Character, Clip, HelperBake, InstanceId, Track, bake_helpers,
};
use std::borrow::Cow;

/// Far below what anybody sees; such clips are not stored.
const TOLERANCE_M: f32 = 1e-5;

/// The character with all clips baked anew, as after an edit of its controllers. Without controllers it stays as it is.
///
/// # Errors
/// The settings cannot be used.
pub fn bake_clips_again(character: &Character, settings: &HelperOutput) -> Result<Character, SettingError> {
    settings.check()?;
    let bake = settings.bake(diagonal(character));
    let mut parts = character.clone().into_parts();
    if !parts.controllers.is_empty() {
        parts.clips = character.clips().iter().map(|clip| bake_helpers(character, clip, &bake)).collect();
    }
    Ok(Character::new(parts).expect("tracks of bones and morphs that exist"))
}

/// The character as other players need it: clips without tracks for all that follows get them, and are told of.
pub(crate) fn baked_where_missing<'a>(character: &'a Character, report: &mut Report) -> Cow<'a, Character> {
    let is_bare = |clip: &Clip| {
        let controllers = character.controllers();
        let follows = |mesh| controllers.morphs.iter().any(|morph| morph.mesh == mesh);
        let mut instances =
            character.instances().iter().enumerate().filter(|(_, instance)| follows(instance.mesh));
        !controllers.helpers.iter().all(|helper| is_keyed(clip, helper.bone))
            || !instances.all(|(index, _)| is_morph_keyed(clip, InstanceId::of(index)))
    };
    if !character.clips().iter().any(is_bare) {
        return Cow::Borrowed(character);
    }
    let bake = HelperOutput::default().bake(diagonal(character));
    let mut parts = character.clone().into_parts();
    for clip in parts.clips.iter_mut().filter(|clip| is_bare(clip)) {
        report.warn(
            format_args!("clip {:?}", clip.name),
            "helpers have no tracks in it; baked, so that any player shows them",
        );
        *clip = bake_helpers(character, clip, &bake);
    }
    Cow::Owned(Character::new(parts).expect("tracks of bones and morphs that exist"))
}

/// The clip as it is to be played here: with tracks for helpers that swing, where it has none for them. Others need none.
pub(crate) fn with_follow_through<'a>(character: &Character, clip: &'a Clip) -> Cow<'a, Clip> {
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

fn diagonal(character: &Character) -> f32 {
    Bounds::of(&BoundSurface::of(character).rest().positions).size().length()
}

fn is_keyed(clip: &Clip, bone: BoneId) -> bool {
    clip.tracks.iter().any(|track| bone_of(track) == Some(bone))
}

fn is_morph_keyed(clip: &Clip, instance: InstanceId) -> bool {
    clip.tracks
        .iter()
        .any(|track| matches!(&track.channel, Channel::MorphWeights(keyed, _) if *keyed == instance))
}

fn bone_of(track: &Track) -> Option<BoneId> {
    match &track.channel {
        Channel::Translation(bone, _) | Channel::Rotation(bone, _) | Channel::Scale(bone, _) => Some(*bone),
        Channel::MorphWeights(..) | Channel::Reach(..) => None,
    }
}
