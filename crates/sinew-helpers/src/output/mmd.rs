//! Models with helpers as MMD plays them: bones that follow others in the PMX, what they cannot do as keys in VMD files beside it.

use super::append::{BakedAppend, put_append_on};
use crate::{AppendedRig, DriverBinds, FitError, MmdRequest, RigError};
use sinew_io::{PendingFile, Report};
use sinew_model::{Model, SaveSettings};
use sinew_rig::{Character, Clip};
use std::path::{Path, PathBuf};

/// Helpers that follow other bones, and their keys.
#[derive(Clone, Debug)]
pub(crate) struct Appended {
    pub(crate) rig: AppendedRig,
    pub(crate) baked: Vec<BakedAppend>,
    pub(crate) mmd: MmdRequest,
    /// Frames a second of keys.
    pub(crate) fps: f64,
}

impl Appended {
    /// Writes the PMX, and a VMD for each motion that was baked; returns the latter.
    pub(crate) fn save(
        &self,
        mut model: Model,
        drivers: &DriverBinds,
        path: &Path,
        report: &mut Report,
    ) -> Result<Vec<PathBuf>, FitError> {
        let save = SaveSettings { keeps_names: self.mmd.keeps_names, ..SaveSettings::default() };
        model.character = put_append_on(&model.character, drivers, &self.rig, (&self.baked, self.fps))?;
        let mut files = Vec::new();
        if self.mmd.bakes_clips {
            let is_baked = |clip: &&Clip| self.baked.iter().any(|baked| baked.name == clip.name);
            let clips: Vec<&Clip> = model.character.clips().iter().filter(is_baked).collect();
            for clip in &clips {
                let file = motion_path(path, clip, clips.len());
                let mut losses = Report::default();
                files.push((file.clone(), model.vmd_bytes(clip, &save, &mut losses)));
                report.take_in(file.display(), &losses);
            }
            let written: Vec<String> = clips.iter().map(|clip| clip.name.clone()).collect();
            let mut parts = model.character.into_parts();
            parts.clips.retain(|clip| !written.contains(&clip.name));
            model.character = Character::new(parts).map_err(RigError::from)?;
        }
        model.save_with(path, &save, report)?;
        for (file, bytes) in &files {
            let mut pending = PendingFile::create(file)?;
            pending.write_bytes(bytes)?;
            pending.commit()?;
        }
        Ok(files.into_iter().map(|(file, _)| file).collect())
    }
}

/// The file of a clip: beside the model and named like it; with the clip's name where there are several.
fn motion_path(path: &Path, clip: &Clip, count: usize) -> PathBuf {
    if count == 1 {
        return path.with_extension("vmd");
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_. ".contains(letter);
    let name: String = clip.name.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).collect();
    path.with_file_name(format!("{stem}-{name}.vmd"))
}
