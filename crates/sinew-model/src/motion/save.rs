//! Motions on disk.

use super::clip_file::key_clip_to_toml;
use crate::{Model, SaveError, SaveSettings, extension_of, write_file};
use sinew_io::Report;
use sinew_io::bvh::Bvh;
use sinew_mmd::vmd::Vmd;
use sinew_motion::KeyClip;
use sinew_rig::Clip;
use std::path::Path;

impl Model {
    /// A clip as the bytes of a .vmd, which names bones as the model's .pmx does.
    ///
    /// # Panics
    /// If the clip is not of this model.
    pub fn vmd_bytes(&self, clip: &Clip, settings: &SaveSettings, report: &mut Report) -> Vec<u8> {
        match self.standard_bones(settings) {
            Some(bones) => bones.vmd(&self.character, clip, report).write(),
            None => Vmd::from_clip(&self.character, clip, report).write(),
        }
    }
}

/// Writes a motion: with its model (.glb, .gltf, .vrm), or alone (.bvh with `fps` frames a second, .vmd, .toml, .json). All that a
/// format cannot hold is reported. A .vmd names bones as the model's .pmx does.
///
/// # Errors
/// Nothing is written then, and what was there before stays.
pub fn save_motion(
    mut model: Model,
    clip: Clip,
    fps: f64,
    path: &Path,
    settings: &SaveSettings,
    report: &mut Report,
) -> Result<(), SaveError> {
    let extension = extension_of(path);
    if !["glb", "gltf", "vrm", "bvh", "vmd", "toml", "json"].contains(&extension.as_str()) {
        return Err(SaveError::UnknownMotion { extension: format!(".{extension}") });
    }
    let name = clip.name.clone();
    model.set_clip(clip).map_err(SaveError::InvalidMotion)?;
    let character = &model.character;
    let clip = character.clips().iter().find(|clip| clip.name == name).unwrap_or(&character.clips()[0]);
    let bytes = match extension.as_str() {
        "bvh" => Bvh::from_clip(character, clip, fps, report).write().into_bytes(),
        "vmd" => model.vmd_bytes(clip, settings, report),
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
        _ => return model.save_with(path, settings, report),
    };
    Ok(write_file(path, &bytes)?)
}
