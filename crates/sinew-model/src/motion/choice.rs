//! A motion by a word or a file, on a model.

use super::{
    BakeSettings, GaitSettings, Humanoid, HumanoidError, Jump, JumpSettings, MotionLoadError,
    RetargetSettings, gait_clip, humanoid_of, load_motion, with_clip,
};
use crate::{Document, Model, OpenError, extension_of};
use sinew_io::{Limits, Report};
use sinew_rig::{Clip, InvalidCharacter};
use std::path::Path;

/// Why a model does not get a motion.
#[derive(Debug, thiserror::Error)]
pub enum AddMotionError {
    /// Bones of a human are missing.
    #[error("{motion} is made for humans: {source}")]
    Humanoid {
        /// What was asked for.
        motion: String,
        /// What is missing.
        source: HumanoidError,
    },
    /// It cannot walk, run or jump so.
    #[error("{motion}: {problem}")]
    Made {
        /// What was asked for.
        motion: &'static str,
        /// Why not.
        problem: String,
    },
    /// The file does not move it.
    #[error(transparent)]
    Load(#[from] MotionLoadError),
    /// The file cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The motion left the range of numbers.
    #[error(transparent)]
    Invalid(#[from] InvalidCharacter),
}

/// Adds a motion to a model and tells the clip's name: `walk`, `run` and `jump` are made for its measures; files are .bvh, .vmd, .toml and
/// .json.
///
/// # Errors
/// The model is no human, or the file cannot be read or does not fit.
pub fn add_motion(
    mut model: Model,
    motion: &str,
    limits: &Limits,
    report: &mut Report,
) -> Result<(Model, String), AddMotionError> {
    let path = Path::new(motion);
    let is_mmd = matches!(model.document, Some(Document::Pmx(_) | Document::Pmd(_)));
    // By the names of bones, with all that the model's own logic does.
    if extension_of(path) == "vmd" && is_mmd {
        let name = model.add_motion(path, limits, report)?;
        return Ok((model, name));
    }
    let humanoid = humanoid_of(&model, report)
        .map_err(|source| AddMotionError::Humanoid { motion: motion.to_owned(), source })?;
    let clip = match made(motion, &humanoid)? {
        Some(clip) => clip,
        None => {
            let settings = RetargetSettings::default();
            load_motion(path, (&model.character, &humanoid), &settings, limits, report)?
        }
    };
    let name = clip.name.clone();
    Ok((with_clip(model, clip)?, name))
}

fn made(motion: &str, humanoid: &Humanoid) -> Result<Option<Clip>, AddMotionError> {
    let gait = |motion, settings: &GaitSettings| {
        gait_clip(humanoid, settings)
            .map_err(|error| AddMotionError::Made { motion, problem: error.to_string() })
    };
    Ok(Some(match motion {
        "walk" => gait("walk", &GaitSettings::walk())?,
        "run" => gait("run", &GaitSettings::run())?,
        "jump" => {
            let jump = Jump::new(humanoid, &JumpSettings::default())
                .map_err(|error| AddMotionError::Made { motion: "jump", problem: error.to_string() })?;
            // Feet leave the ground fast: at 60 keys splines would dip below it.
            jump.to_clip(&BakeSettings { fps: 120.0, ..BakeSettings::default() })
        }
        _ => return Ok(None),
    }))
}
