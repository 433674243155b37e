//! One file a command.

mod convert;
mod demo;
mod inspect;
mod render;
mod skin;

pub(crate) use convert::convert;
pub(crate) use demo::demo;
pub(crate) use inspect::inspect;
pub(crate) use render::render;
pub(crate) use skin::skin;

use crate::args::PoseOptions;
use anyhow::{Context, Result};
use sinew::io::{Limits, Report};
use sinew::{Model, PoseChoice, PoseFile};
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

/// Where a mistake in the pose options stands: the pose file, or the model.
fn pose_place(options: &PoseOptions, model: &Path) -> String {
    options.pose.as_deref().unwrap_or(model).display().to_string()
}

/// The warnings as JSON.
fn warnings_json(report: &Report) -> serde_json::Value {
    report.warnings().iter().map(ToString::to_string).collect()
}
