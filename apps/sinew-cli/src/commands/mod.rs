//! One file a command: its options, and what it does.

pub(crate) mod bench;
mod bench_fit;
pub(crate) mod body;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod demo;
pub(crate) mod elastic;
pub(crate) mod export;
pub(crate) mod figures;
pub(crate) mod film;
pub(crate) mod fit;
pub(crate) mod flesh;
pub(crate) mod inspect;
pub(crate) mod motion;
pub(crate) mod render;
pub(crate) mod rig;
pub(crate) mod skin;
pub(crate) mod tet;

use crate::args::{PoseOptions, SkinOptions};
use crate::output::print_json;
use crate::talk::Talk;
use anyhow::{Context, Result};
use serde::Serialize;
use sinew::io::{Limits, Report};
use sinew::model::{Model, ProgramNotes, SkinChoice};
use sinew::play::{MorphSummary, SubjectRequest};
use std::path::Path;

/// Opens a model; the error names it.
fn open(path: &Path, limits: &Limits, report: &mut Report) -> Result<Model> {
    Model::open(path, limits, report).with_context(|| path.display().to_string())
}

/// A text that a person wrote; the error names the file.
fn parsed<T, E>(path: &Path, parse: impl FnOnce(&str) -> Result<T, E>) -> Result<T>
where
    Result<T, E>: Context<T, E>,
{
    let place = || path.display().to_string();
    parse(&sinew::model::read_text(path).with_context(place)?).with_context(place)
}

/// The model and its poses that the options ask for.
pub(crate) fn subject(input: &Path, pose: &PoseOptions, skin: &SkinOptions) -> SubjectRequest {
    SubjectRequest {
        input: input.into(),
        pose: pose.pose.clone(),
        clip: pose.clip.clone(),
        motion: pose.motion.clone(),
        path: pose.path.clone(),
        time_secs: pose.time,
        fps: pose.fps,
        is_reaching: !pose.no_ik,
        springs: pose.springs.play(),
        method: skin.method,
        joints: skin.joints.clone(),
        skin_file: skin.file.clone(),
        morph_centers: skin.morph_centers,
    }
}

/// What the skinning options say.
fn skin_choice(options: &SkinOptions) -> Result<SkinChoice> {
    Ok(subject(Path::new(""), &PoseOptions::default(), options).skin_choice()?)
}

/// Prints an outcome and what reading its input told as JSON, where that is wanted.
fn print_outcome(is_wanted: bool, outcome: &impl Serialize, report: &Report) -> Result<()> {
    if !is_wanted {
        return Ok(());
    }
    let mut json = serde_json::to_value(outcome)?;
    json["warnings"] = serde_json::to_value(report)?;
    print_json(&json)
}

/// Tells what other programs show of a file that was written; returns it as JSON, an object with the list `programs`.
fn say_programs(output: &Path, limits: &Limits, talk: &Talk) -> Result<serde_json::Value> {
    let notes = ProgramNotes::of_file(output, limits).with_context(|| output.display().to_string())?;
    notes.lines().iter().for_each(|line| talk.say(line));
    Ok(serde_json::to_value(notes)?)
}

/// Puts what a format could not hold into an outcome's JSON.
fn set_losses(json: &mut serde_json::Value, losses: &Report) -> Result<()> {
    json["losses"] = serde_json::to_value(losses)?;
    json["lost"] = serde_json::to_value(losses.losses().collect::<Vec<_>>())?;
    Ok(())
}

/// [`print_outcome`] with what other programs show of the file.
fn print_written(
    is_wanted: bool,
    outcome: &impl Serialize,
    report: &Report,
    programs: serde_json::Value,
) -> Result<()> {
    let mut json = serde_json::to_value(outcome)?;
    json["programs"] = programs;
    print_outcome(is_wanted, &json, report)
}

/// The warnings as JSON.
fn warnings_json(report: &Report) -> serde_json::Value {
    report.warnings().iter().map(ToString::to_string).collect()
}

/// A name that cannot be written to is refused before anything is worked out.
fn check_folder(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        let (path, folder) = (path.to_path_buf(), folder.to_path_buf());
        return Err(sinew::io::OutputError::MissingFolder { path, folder }.into());
    }
    Ok(())
}

/// A clip as notes call it.
fn clip_called(name: &str) -> &str {
    if name.is_empty() { "unnamed clip" } else { name }
}

/// How many morph targets hold a motion, and how well.
fn say_morphs(morphs: &[MorphSummary], tolerance_mm: f64, talk: &Talk) {
    for mesh in morphs.iter().filter(|mesh| mesh.morphs > 0) {
        let worst_mm = 1e3 * mesh.worst_error;
        talk.say(&format!("{}: {} morph targets, at most {worst_mm:.3} mm off", mesh.mesh, mesh.morphs));
        if f64::from(worst_mm) > tolerance_mm {
            talk.say(&format!(
                "warning: {}: more than {tolerance_mm} mm: {} morph targets are the most; .usda, .pc2 and .npy are exact",
                mesh.mesh, mesh.morphs
            ));
        }
    }
}
