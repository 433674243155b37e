//! One file a command.

mod bake;
mod bench;
mod bench_fit;
mod body;
mod check;
mod compare;
mod convert;
mod demo;
mod elastic;
mod export;
mod figures;
mod film;
mod fit;
mod flesh;
mod inspect;
mod motion;
mod render;
mod rig;
mod skin;
mod tet;

pub(crate) use bake::bake;
pub(crate) use bench::bench;
pub(crate) use body::body;
pub(crate) use check::check;
pub(crate) use compare::compare;
pub(crate) use convert::convert;
pub(crate) use demo::demo;
pub(crate) use elastic::elastic;
pub(crate) use export::export;
pub(crate) use figures::figures;
pub(crate) use film::film;
pub(crate) use fit::fit;
pub(crate) use flesh::flesh;
pub(crate) use inspect::inspect;
pub(crate) use motion::motion;
pub(crate) use render::render;
pub(crate) use rig::rig;
pub(crate) use skin::skin;
pub(crate) use tet::tet;

use crate::args::{PoseOptions, SkinOptions};
use crate::talk::Talk;
use anyhow::{Context, Result};
use sinew::io::{Limits, Report};
use sinew::model::{Model, SkinChoice};
use sinew::play::{MorphSummary, SubjectRequest};
use sinew::rig::Character;
use sinew::skin::SkinSettings;
use std::path::Path;

/// Opens a model; the error names it.
fn open(path: &Path, limits: &Limits, report: &mut Report) -> Result<Model> {
    Model::open(path, limits, report).with_context(|| path.display().to_string())
}

/// The model and its poses that the options ask for.
fn subject(input: &Path, pose: &PoseOptions, skin: &SkinOptions) -> SubjectRequest {
    SubjectRequest {
        input: input.into(),
        pose: pose.pose.clone(),
        clip: pose.clip.clone(),
        motion: pose.motion.clone(),
        time_secs: pose.time,
        fps: pose.fps,
        is_reaching: !pose.no_ik,
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

/// What the skinning options mean for a character; what could not be followed in its file is reported.
fn skin_settings(options: &SkinOptions, character: &Character, report: &mut Report) -> Result<SkinSettings> {
    Ok(subject(Path::new(""), &PoseOptions::default(), options).skin_settings(character, report)?)
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
