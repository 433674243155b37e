//! Motions from files, and motions put on models.

use super::clip_file::{key_clip_from_json, key_clip_from_toml};
use super::{Humanoid, MotionLoadError, RetargetSettings, retarget};
use crate::written::stem_of;
use crate::{OpenError, extension_of};
use sinew_io::bvh::{Bvh, BvhScale};
use sinew_io::{Limits, Report};
use sinew_mmd::StandardBones;
use sinew_mmd::vmd::Vmd;
use sinew_rig::{Character, Clip, guess_humanoid};
use std::path::Path;

/// What can be asked for by a word.
const WORDS: [&str; 9] = ["walk", "run", "gait", "jump", "stand", "sit", "rise", "trot", "map"];

/// Reads a motion and fits it to a character: key frames by names, VMD by MMD's names, BVH by taking it over from its own skeleton.
///
/// # Errors
/// The file cannot be read, is damaged, or does not fit.
#[cfg(feature = "files")]
pub fn load_motion(
    path: &Path,
    fitted: (&Character, &Humanoid),
    settings: &RetargetSettings,
    limits: &Limits,
    report: &mut Report,
) -> Result<Clip, MotionLoadError> {
    check_kind(path)?;
    let bytes = crate::read_limited(path, limits.max_memory)?;
    motion_from_bytes(path, &bytes, fitted, settings, limits, report)
}

/// As `load_motion`, from the bytes of a file, whose name tells the kind by its extension.
///
/// # Errors
/// The file is damaged, or does not fit.
pub fn motion_from_bytes(
    name: impl AsRef<Path>,
    bytes: &[u8],
    (character, humanoid): (&Character, &Humanoid),
    settings: &RetargetSettings,
    limits: &Limits,
    report: &mut Report,
) -> Result<Clip, MotionLoadError> {
    let name = name.as_ref();
    check_kind(name)?;
    let stem = stem_of(name).unwrap_or_default();
    let text = || String::from_utf8_lossy(bytes);
    let mut keys = match extension_of(name).as_str() {
        "bvh" => {
            let bvh = Bvh::read(bytes, limits, report)?;
            let source = bvh.to_character(&stem, BvhScale::Guessed, report)?;
            let human = Humanoid::new(&source, &guess_humanoid(&source)).map_err(MotionLoadError::Source)?;
            return Ok(retarget(&source, &human, &source.clips()[0], humanoid, settings)?);
        }
        "vmd" => {
            let vmd = Vmd::read(bytes, limits, report).map_err(OpenError::from)?;
            let clip = match StandardBones::of(character, humanoid.map()) {
                Some(bones) => bones.clip(&vmd, character, &stem, report),
                None => vmd.to_clip(character, &stem, report),
            };
            return if clip.tracks.is_empty() { Err(MotionLoadError::NoVmdBones) } else { Ok(clip) };
        }
        "json" => key_clip_from_json(&text())?,
        _ => key_clip_from_toml(&text())?,
    };
    if keys.name.is_empty() {
        keys.name = stem;
    }
    keys.to_clip_of_human(character, humanoid).map_err(MotionLoadError::KeyClip)
}

fn check_kind(path: &Path) -> Result<(), MotionLoadError> {
    if matches!(extension_of(path).as_str(), "toml" | "json" | "bvh" | "vmd") {
        return Ok(());
    }
    let name = path.display().to_string();
    let near = sinew_rig::nearest_names(&name, WORDS.into_iter()).into_iter().next();
    Err(MotionLoadError::UnknownKind { name, near })
}
