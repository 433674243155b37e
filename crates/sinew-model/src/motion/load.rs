//! Motions from files.

use super::clip_file::{ClipFileError, key_clip_from_json, key_clip_from_toml};
use crate::{OpenError, extension_of, read_limited};
use sinew_io::bvh::{Bvh, BvhReadError, BvhScale};
use sinew_io::{Limits, Report};
use sinew_mmd::MmdReadError;
use sinew_mmd::vmd::Vmd;
use sinew_motion::{Humanoid, HumanoidError, KeyClipError, RetargetError, RetargetSettings, retarget};
use sinew_rig::{Character, Clip, InvalidCharacter, guess_humanoid};
use std::path::Path;

/// Why a file does not move a character.
#[derive(Debug, thiserror::Error)]
pub enum MotionLoadError {
    /// The file cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Not BVH.
    #[error(transparent)]
    Bvh(#[from] BvhReadError),
    /// Not VMD.
    #[error(transparent)]
    Vmd(#[from] MmdReadError),
    /// No key frames.
    #[error(transparent)]
    ClipFile(#[from] ClipFileError),
    /// Key frames that do not fit.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    KeyClip(Vec<KeyClipError>),
    /// The skeleton of the motion is no human's.
    #[error("the motion's skeleton: {0}")]
    Source(HumanoidError),
    /// Numbers out of range.
    #[error(transparent)]
    Invalid(#[from] InvalidCharacter),
    /// The motion cannot be taken over.
    #[error(transparent)]
    Retarget(#[from] RetargetError),
    /// VMD names bones that this model lacks.
    #[error(
        "none of the motion's bones is in the model; VMD names the bones of MMD's models, use a .pmx with --character"
    )]
    NoVmdBones,
    /// Not a motion by its name.
    #[error(
        "{name:?} is no motion; use walk, run, gait, jump, map, or a file: .toml, .json, .bvh or .vmd{}",
        .near.as_ref().map_or_else(String::new, |near| format!(" (did you mean {near:?}?)"))
    )]
    UnknownKind {
        /// What was asked for.
        name: String,
        /// A word that is near.
        near: Option<String>,
    },
}

/// What can be asked for by a word.
const WORDS: [&str; 5] = ["walk", "run", "gait", "jump", "map"];

/// Reads a motion and fits it to a character: key frames by names, VMD by MMD's names, BVH by taking it over from its own skeleton.
///
/// # Errors
/// The file cannot be read, is damaged, or does not fit.
pub fn load_motion(
    path: &Path,
    (character, humanoid): (&Character, &Humanoid),
    settings: &RetargetSettings,
    limits: &Limits,
    report: &mut Report,
) -> Result<Clip, MotionLoadError> {
    let extension = extension_of(path);
    if !["toml", "json", "bvh", "vmd"].contains(&extension.as_str()) {
        let name = path.display().to_string();
        let near = sinew_rig::nearest_names(&name, WORDS.into_iter()).into_iter().next();
        return Err(MotionLoadError::UnknownKind { name, near });
    }
    let bytes = read_limited(path, limits.max_memory)?;
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let text = || String::from_utf8_lossy(&bytes);
    match extension.as_str() {
        "bvh" => from_bvh(&bytes, &stem, humanoid, settings, limits, report),
        "vmd" => from_vmd(&bytes, &stem, character, limits, report),
        _ => {
            let mut keys =
                if extension == "json" { key_clip_from_json(&text()) } else { key_clip_from_toml(&text()) }?;
            if keys.name.is_empty() {
                keys.name = stem;
            }
            keys.to_clip(character, humanoid.map()).map_err(MotionLoadError::KeyClip)
        }
    }
}

fn from_bvh(
    bytes: &[u8],
    name: &str,
    humanoid: &Humanoid,
    settings: &RetargetSettings,
    limits: &Limits,
    report: &mut Report,
) -> Result<Clip, MotionLoadError> {
    let bvh = Bvh::read(bytes, limits, report)?;
    let source = bvh.to_character(name, BvhScale::Guessed, report)?;
    let human = Humanoid::new(&source, &guess_humanoid(&source)).map_err(MotionLoadError::Source)?;
    Ok(retarget(&source, &human, &source.clips()[0], humanoid, settings)?)
}

fn from_vmd(
    bytes: &[u8],
    name: &str,
    character: &Character,
    limits: &Limits,
    report: &mut Report,
) -> Result<Clip, MotionLoadError> {
    let vmd = Vmd::read(bytes, limits, report)?;
    let clip = vmd.to_clip(character, name, report);
    if clip.tracks.is_empty() { Err(MotionLoadError::NoVmdBones) } else { Ok(clip) }
}
