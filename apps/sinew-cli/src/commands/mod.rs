//! One file a command.

mod bench;
mod compare;
mod convert;
mod demo;
mod figures;
mod inspect;
mod render;
mod rig;
mod skin;

pub(crate) use bench::bench;
pub(crate) use compare::compare;
pub(crate) use convert::convert;
pub(crate) use demo::demo;
pub(crate) use figures::figures;
pub(crate) use inspect::inspect;
pub(crate) use render::render;
pub(crate) use rig::rig;
pub(crate) use skin::skin;

use crate::args::{PoseOptions, SkinOptions};
use anyhow::{Context, Result};
use sinew::io::{Limits, Report};
use sinew::rig::Character;
use sinew::skin::SkinSettings;
use sinew::{Model, PoseChoice, PoseFile, SkinChoice, SkinFile};
use std::path::Path;

/// Opens a model; the error names it.
fn open(path: &Path, limits: &Limits, report: &mut Report) -> Result<Model> {
    Model::open(path, limits, report).with_context(|| path.display().to_string())
}

/// What the pose options mean.
fn pose_choice(options: &PoseOptions) -> Result<PoseChoice> {
    if let Some(path) = &options.pose {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        return Ok(PoseChoice::File(PoseFile::parse(&text).with_context(|| path.display().to_string())?));
    }
    Ok(match (&options.clip, options.time) {
        (Some(clip), Some(time_secs)) => PoseChoice::ClipAt { clip: clip.clone(), time_secs },
        (Some(clip), None) => PoseChoice::Clip { clip: clip.clone(), fps: options.fps },
        (None, _) => PoseChoice::Rest,
    })
}

/// What the skinning options say.
fn skin_choice(options: &SkinOptions) -> Result<SkinChoice> {
    let file = options.file.as_ref().map(|path| {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        SkinFile::parse(&text).with_context(|| path.display().to_string())
    });
    Ok(SkinChoice {
        file: file.transpose()?,
        method: options.method,
        joints: options.joints.clone(),
        morph_centers: options.morph_centers,
    })
}

/// What the skinning options mean for a character; what could not be followed in its file is reported.
fn skin_settings(options: &SkinOptions, character: &Character, report: &mut Report) -> Result<SkinSettings> {
    let (settings, problems) = skin_choice(options)?.settings(character)?;
    problems.iter().for_each(|problem| report.warn("", problem.to_string()));
    Ok(settings)
}

/// Where a mistake in the pose options stands: the pose file, or the model.
fn pose_place(options: &PoseOptions, model: &Path) -> String {
    options.pose.as_deref().unwrap_or(model).display().to_string()
}

/// The warnings as JSON.
fn warnings_json(report: &Report) -> serde_json::Value {
    report.warnings().iter().map(ToString::to_string).collect()
}

/// Writes a picture, whole or not at all.
fn write_png(image: &sinew::render::Image, path: &Path) -> Result<()> {
    let bytes = image.encode_png().with_context(|| path.display().to_string())?;
    let mut file = sinew::io::PendingFile::create(path)?;
    file.write_bytes(&bytes)?;
    Ok(file.commit()?)
}
