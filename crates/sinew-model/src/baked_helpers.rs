//! Helpers in clips that were not baked, or whose controllers were edited since.

use sinew_geometry::Bounds;
use sinew_io::Report;
use sinew_rig::{
    BoneId, BoundSurface, Channel, Character, Clip, HelperBake, InstanceId, SpringPlay, bake_helpers,
};
use std::borrow::Cow;

/// How a rig with helpers is written down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HelperOutput {
    /// Samples a second of clips that are baked. Above 0; default 30.
    pub fps: f64,
    /// How far a baked clip may take a vertex from where controllers have it, in diagonals of the model. Above 0; default 5e-5, a tenth of a
    /// millimetre of a human.
    pub tolerance: f32,
}

impl Default for HelperOutput {
    fn default() -> Self {
        Self { fps: 30.0, tolerance: 5e-5 }
    }
}

impl HelperOutput {
    /// Says what cannot be used.
    pub fn check(&self) -> Result<(), SettingError> {
        let numbers = [("the frame rate", self.fps), ("the tolerance", f64::from(self.tolerance))];
        match numbers.into_iter().find(|(_, number)| !(number.is_finite() && *number > 0.0)) {
            Some((what, found)) => Err(SettingError { what, found }),
            None => Ok(()),
        }
    }

    /// For a model of that diagonal; a model without size may be off by anything that is above 0.
    pub fn bake(&self, diagonal: f32) -> HelperBake {
        HelperBake { fps: self.fps, tolerance_m: (self.tolerance * diagonal).max(f32::MIN_POSITIVE) }
    }
}

/// A number that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{what} must be above 0, found {found}")]
pub struct SettingError {
    /// Which.
    pub what: &'static str,
    /// As given.
    pub found: f64,
}

/// A helper that follows one bone by a share of its turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotationConstraint {
    /// The helper.
    pub helper: BoneId,
    /// The bone that it follows.
    pub source: BoneId,
    /// The share, from 0 to 1.
    pub weight: f32,
}

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

/// The character with its springs baked into all clips, for programs that do not play springs.
pub fn bake_springs_into_clips(character: &Character, play: SpringPlay) -> Character {
    let tolerance_m = HelperOutput::default().bake(diagonal(character)).tolerance_m;
    let mut parts = character.clone().into_parts();
    let played = character.with_spring_play(play);
    parts.clips =
        character.clips().iter().map(|clip| sinew_rig::bake_springs(&played, clip, tolerance_m)).collect();
    Character::new(parts).expect("tracks of bones that exist")
}

/// The character as other players need it: clips without tracks for all that follows get them, and are told of.
pub fn baked_where_missing<'a>(character: &'a Character, report: &mut Report) -> Cow<'a, Character> {
    let is_bare = |clip: &Clip| {
        let controllers = character.controllers();
        let follows = |mesh| controllers.morphs.iter().any(|morph| morph.mesh == mesh);
        let mut instances =
            character.instances().iter().enumerate().filter(|(_, instance)| follows(instance.mesh));
        let is_weighted = |index: usize| {
            let id = InstanceId::of(index);
            clip.tracks
                .iter()
                .any(|track| matches!(&track.channel, Channel::MorphWeights(of, _) if *of == id))
        };
        !controllers.helpers.iter().all(|helper| is_keyed(clip, helper.bone))
            || !instances.all(|(index, _)| is_weighted(index))
    };
    if !character.clips().iter().any(is_bare) {
        return Cow::Borrowed(character);
    }
    let bake = HelperOutput::default().bake(diagonal(character));
    let mut parts = character.clone().into_parts();
    for clip in parts.clips.iter_mut().filter(|clip| is_bare(clip)) {
        let what = "helpers have no tracks in it; baked, so that any player shows them";
        report.warn(format_args!("clip {:?}", clip.name), what);
        *clip = bake_helpers(character, clip, &bake);
    }
    Cow::Owned(Character::new(parts).expect("tracks of bones and morphs that exist"))
}

fn diagonal(character: &Character) -> f32 {
    Bounds::of(&BoundSurface::of(character).rest().positions).size().length()
}

fn is_keyed(clip: &Clip, bone: BoneId) -> bool {
    clip.tracks.iter().any(|track| match &track.channel {
        Channel::Translation(keyed, _) | Channel::Rotation(keyed, _) | Channel::Scale(keyed, _) => {
            *keyed == bone
        }
        Channel::MorphWeights(..) | Channel::Reach(..) => false,
    })
}
