//! Motions on disk.

use super::clip_file::key_clip_to_toml;
use crate::{Model, SaveError, extension_of};
use sinew_io::bvh::Bvh;
use sinew_io::{OutputError, PendingFile, Report};
use sinew_mmd::vmd::Vmd;
use sinew_motion::KeyClip;
use sinew_rig::{Character, Clip, InvalidCharacter};
use std::path::Path;

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
    #[error("cannot write {extension:?}; known are .glb, .gltf, .vrm, .bvh, .vmd, .toml and .json")]
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

/// Writes a motion: with its model (.glb, .gltf, .vrm), or alone (.bvh with `fps` frames a second, .vmd, .toml, .json). All that a
/// format cannot hold is reported.
///
/// # Errors
/// Nothing is written then, and what was there before stays.
pub fn save_motion(
    model: Model,
    clip: Clip,
    fps: f64,
    path: &Path,
    report: &mut Report,
) -> Result<(), MotionSaveError> {
    let extension = extension_of(path);
    if !["glb", "gltf", "vrm", "bvh", "vmd", "toml", "json"].contains(&extension.as_str()) {
        return Err(MotionSaveError::UnknownKind { extension: format!(".{extension}") });
    }
    let name = clip.name.clone();
    let model = with_clip(model, clip)?;
    let character = &model.character;
    let clip = character.clips().iter().find(|clip| clip.name == name).unwrap_or(&character.clips()[0]);
    let bytes = match extension.as_str() {
        "bvh" => Bvh::from_clip(character, clip, fps, report).write().into_bytes(),
        "vmd" => Vmd::from_clip(character, clip, report).write(),
        "toml" | "json" => {
            let (keys, left_out) = KeyClip::from_clip(character, clip);
            if left_out > 0 {
                report.warn("", format!("{left_out} tracks of scale, morphs or chains are left out"));
            }
            if extension == "json" {
                serde_json::to_vec_pretty(&keys).unwrap_or_default()
            } else {
                key_clip_to_toml(&keys).into_bytes()
            }
        }
        _ => return Ok(model.save(path, report)?),
    };
    let mut file = PendingFile::create(path)?;
    file.write_bytes(&bytes)?;
    Ok(file.commit()?)
}
