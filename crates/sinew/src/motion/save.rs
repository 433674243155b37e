//! Motions on disk.

use crate::{Model, SaveError};
use sinew_io::{OutputError, Report};
use sinew_rig::{Character, Clip, InvalidCharacter};

/// Why a motion cannot be saved.
#[derive(Debug, thiserror::Error)]
pub enum MotionSaveError {
    /// The model that carries it cannot be written.
    #[error(transparent)]
    Model(#[from] SaveError),
    /// The file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The motion left the range of numbers.
    #[error("the motion cannot be written: {0}")]
    Invalid(#[from] InvalidCharacter),
    /// An extension that no writer has.
    #[error("cannot write {extension:?}; known are .glb, .gltf, .vrm, .bvh, .vmd and .toml")]
    UnknownKind {
        /// The extension asked for.
        extension: String,
    },
}

/// The model with another clip; a clip of that name is replaced.
///
/// # Errors
/// The clip is not one of this model.
pub fn with_clip(model: Model, clip: Clip) -> Result<Model, InvalidCharacter> {
    let Model { character, document } = model;
    let mut parts = character.into_parts();
    match parts.clips.iter_mut().find(|there| there.name == clip.name) {
        Some(there) => *there = clip,
        None => parts.clips.push(clip),
    }
    Ok(Model { character: Character::new(parts)?, document })
}

#[expect(unused, reason = "grows")]
fn keep(_: &mut Report) {}
