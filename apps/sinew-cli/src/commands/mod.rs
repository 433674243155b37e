//! One file a command.

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
pub(crate) use fit::{bake, fit};
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
use sinew::model::{Frames, Model, PoseChoice, PoseFile, SkinChoice, SkinFile};
use sinew::play::MorphSummary;
use sinew::rig::Character;
use sinew::skin::SkinSettings;
use std::path::Path;

/// Opens a model; the error names it.
fn open(path: &Path, limits: &Limits, report: &mut Report) -> Result<Model> {
    Model::open(path, limits, report).with_context(|| path.display().to_string())
}

/// Opens a model with the motion that the pose options name, and says what they mean for it.
fn open_posed(
    path: &Path,
    options: &PoseOptions,
    limits: &Limits,
    report: &mut Report,
) -> Result<(Model, PoseChoice)> {
    let choice = match &options.pose {
        Some(path) => Some(pose_from_file(path, limits, report)?),
        None => None,
    };
    let mut model = open(path, limits, report)?;
    let clip = match &options.motion {
        Some(motion) => {
            let mut of_motion = Report::default();
            let name = model.add_motion(motion, limits, &mut of_motion);
            of_motion.warnings().iter().for_each(|warning| report.warn(motion.display(), warning));
            Some(name.with_context(|| motion.display().to_string())?)
        }
        None => options.clip.clone(),
    };
    let of_clip = |clip: String| match options.time {
        Some(time_secs) => PoseChoice::ClipAt { clip, time_secs },
        None => PoseChoice::Clip { clip, fps: options.fps },
    };
    Ok((model, choice.or_else(|| clip.map(of_clip)).unwrap_or_default()))
}

/// A pose of ours, or one of MMD.
fn pose_from_file(path: &Path, limits: &Limits, report: &mut Report) -> Result<PoseChoice> {
    let place = || path.display().to_string();
    if sinew::model::extension_of(path) == "vpd" {
        let bytes = sinew::model::read_limited(path, limits.max_memory).with_context(place)?;
        let mut of_pose = Report::default();
        let vpd = sinew::mmd::vpd::Vpd::read(&bytes, limits, &mut of_pose).with_context(place)?;
        of_pose.warnings().iter().for_each(|warning| report.warn(place(), warning));
        return Ok(PoseChoice::Vpd(vpd));
    }
    let text = std::fs::read_to_string(path).with_context(place)?;
    Ok(PoseChoice::File(PoseFile::parse(&text).with_context(place)?))
}

/// The poses that a choice means, with or without IK; what did not fit is reported.
fn frames<'a>(
    character: &'a Character,
    choice: &PoseChoice,
    options: &PoseOptions,
    model: &Path,
    report: &mut Report,
) -> Result<Frames<'a>> {
    let frames = Frames::new(character, choice).with_context(|| pose_place(options, model))?;
    frames.report().warnings().iter().for_each(|warning| report.warn(pose_place(options, model), warning));
    Ok(if options.no_ik { frames.without_reaching() } else { frames })
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
    options.pose.as_deref().or(options.motion.as_deref()).unwrap_or(model).display().to_string()
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
