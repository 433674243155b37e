//! `[[character.motion]]` of a scene file, and the one place where such a table becomes a clip of a character.

use super::made_motion::MadeMotion;
use crate::Reading;
use crate::scene_text::{Table, TextError};
use sinew_io::Report;
use sinew_mmd::vmd::Vmd;
use sinew_model::motion::{
    BakeSettings, DEFAULT_BLEND_SECS, GaitError, HumanoidError, MotionLoadError, RetargetSettings,
    clip_of_model, humanoid_of, load_motion, some_names,
};
use sinew_model::{Model, OpenError, extension_of, read_limited};
use sinew_rig::{Clip, FindError};
use std::path::PathBuf;

/// A motion in a film.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionText {
    /// What moves.
    pub source: MotionSource,
    /// When it begins, seconds of the film. Default: 0, or when the motion before it ends.
    pub start_secs: Option<f64>,
    /// Where in the motion it begins, seconds. Default 0.
    pub from_secs: f64,
    /// Times its own speed, above 0. Default 1.
    pub speed: f64,
    /// Whether it begins again when it ends. Default no: the last pose is held.
    pub is_repeating: bool,
    /// Time in which what differs from the motion before decays, seconds. Default 0.4.
    pub blend_secs: f64,
    /// Whether it goes on where the motion before has come to. Default yes.
    pub is_placed: bool,
    /// The line it begins at.
    pub line: usize,
}

/// A motion over others: `[[character.layer]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerText {
    /// The motion, and when it plays.
    pub motion: MotionText,
    /// When it has faded out, seconds of the film. Default: at its end.
    pub end_secs: Option<f64>,
    /// Time in which it fades in and out, seconds. Default 0.4.
    pub fade_secs: f64,
    /// The bones it moves, by words or names. Default: those that the motion moves.
    pub mask: Vec<String>,
}

/// Where a motion comes from.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the docs of the variants say it")]
pub enum MotionSource {
    /// A clip of the character's own file, by name or index.
    Clip(String),
    /// A motion that Sinew makes for the character.
    Made(MadeMotion),
    /// A motion in a file, relative to the scene file: key frames (`.toml`, `.json`), `.bvh`, `.vmd`, or a clip of another model.
    /// `clip`: which clip of a model; the only one if none is named.
    File { path: PathBuf, clip: Option<String> },
}

/// Why a source is no motion of a character.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MotionError {
    /// No such clip.
    #[error(transparent)]
    Clip(#[from] FindError),
    /// The file cannot be read.
    #[error("{path:?}: {error}")]
    Open { path: PathBuf, error: Box<OpenError> },
    /// The character is no human.
    #[error("walks, runs, jumps, postures and BVH files move humans: {0}")]
    Humanoid(#[from] HumanoidError),
    /// The character has not four legs, or cannot go so.
    #[error("paws move quadrupeds: {0}")]
    Animal(Box<MotionLoadError>),
    /// A motion that cannot be made.
    #[error(transparent)]
    Made(#[from] GaitError),
    /// The file is no motion of the character.
    #[error("{path:?}: {error}")]
    Load { path: PathBuf, error: Box<MotionLoadError> },
    /// Nothing in the file moves this character. `names`: some of the names.
    #[error("{path:?} moves no bone of this character, which has no bones {names}")]
    NoBone { path: PathBuf, names: String },
}

pub(super) fn motion(table: &mut Table<'_>, _: usize) -> Result<MotionText, TextError> {
    let line = table.spot().line;
    let made = MadeMotion::read(table)?;
    let clip = table.get("clip").map(|value| match value.is_number() {
        true => value.number().map(|index| index.to_string()),
        false => value.text().map(str::to_owned),
    });
    let clip = clip.transpose()?;
    let source = match (made, table.get("file"), clip) {
        (Some(made), None, None) => MotionSource::Made(made),
        (Some(_), _, _) => {
            return Err(table.error("use one of: a made motion, `file`, `clip`"));
        }
        (None, Some(value), clip) => MotionSource::File { path: PathBuf::from(value.text()?), clip },
        (None, None, Some(clip)) => MotionSource::Clip(clip),
        (None, None, None) => {
            let ways = "walk = { speed = 1.4 }, clip = \"Walk\", or file = \"dance.vmd\"";
            return Err(table.error(format_args!("choose a motion: {ways}")));
        }
    };
    let start_secs = table.get("start").map(|value| value.number_in(-1e6..=1e6)).transpose()?;
    let from_secs = table.get("from").map_or(Ok(0.0), |value| value.number_in(0.0..=1e6))?;
    let speed = table.get("speed").map_or(Ok(1.0), |value| value.number_in(1e-3..=1e3))?;
    let is_repeating = table.get("repeat").map_or(Ok(false), |value| value.boolean())?;
    let blend_secs =
        table.get("blend").map_or(Ok(DEFAULT_BLEND_SECS), |value| value.number_in(0.0..=60.0))?;
    let places = [("last", true), ("own", false)];
    let is_placed = table.get("place").map_or(Ok(true), |value| value.word(&places))?;
    Ok(MotionText { source, start_secs, from_secs, speed, is_repeating, blend_secs, is_placed, line })
}

pub(super) fn layer(table: &mut Table<'_>, index: usize) -> Result<LayerText, TextError> {
    let end_secs = table.get("end").map(|value| value.number_in(0.0..=1e6)).transpose()?;
    let fade_secs = table.get("fade").map_or(Ok(DEFAULT_BLEND_SECS), |value| value.number_in(0.0..=60.0))?;
    let mut mask = Vec::new();
    if let Some(value) = table.get("mask") {
        for name in value.array()? {
            mask.push(name.text()?.to_owned());
        }
    }
    Ok(LayerText { motion: motion(table, index)?, end_secs, fade_secs, mask })
}

impl MotionText {
    /// The time in the motion at a time of the film, for a motion of some length; held at its ends.
    pub(super) fn time_in_clip(&self, time_secs: f64, duration_secs: f64) -> f64 {
        let time = self.from_secs + ((time_secs - self.start_secs.unwrap_or(0.0)) * self.speed).max(0.0);
        if self.is_repeating && duration_secs > 0.0 {
            time.rem_euclid(duration_secs)
        } else {
            time.min(duration_secs)
        }
    }
}

impl MotionSource {
    /// The motion as a clip of `model`.
    ///
    /// # Errors
    /// No such clip or file, or one that moves nothing of the character.
    pub fn clip_of(&self, model: &Model, reading: &mut Reading<'_>) -> Result<Clip, MotionError> {
        let Reading { folder, limits, report } = reading;
        let character = &model.character;
        match self {
            Self::Made(MadeMotion::Animal(settings)) => {
                let bake = BakeSettings { fps: 120.0, ..BakeSettings::default() };
                model.animal_clip(settings, &bake).map_err(|error| MotionError::Animal(error.into()))
            }
            Self::Made(made) => Ok(made.clip(&humanoid_of(model, report)?)?.unwrap_or_default()),
            Self::File { path, .. } if matches!(extension_of(path).as_str(), "toml" | "json" | "bvh") => {
                let humanoid = humanoid_of(model, report)?;
                let settings = RetargetSettings::default();
                load_motion(&folder.join(path), (character, &humanoid), &settings, limits, report)
                    .map_err(|error| MotionError::Load { path: path.clone(), error: error.into() })
            }
            Self::Clip(name) => Ok(character.clips()[character.find_clip(name)?.index()].clone()),
            Self::File { path, clip } => {
                let full = folder.join(path);
                let failed = |error: OpenError| MotionError::Open { path: path.clone(), error: error.into() };
                let mut of_motion = Report::default();
                let found = if extension_of(path) == "vmd" {
                    let bytes = read_limited(&full, limits.max_memory).map_err(failed)?;
                    let vmd =
                        Vmd::read(&bytes, limits, &mut of_motion).map_err(|error| failed(error.into()))?;
                    let found = vmd.to_clip(character, &path.display().to_string(), &mut of_motion);
                    if found.tracks.is_empty() {
                        let names = some_names(vmd.bones.iter().map(|key| key.name.decode()));
                        return Err(MotionError::NoBone { path: path.clone(), names });
                    }
                    found
                } else {
                    let source = Model::open(&full, limits, &mut of_motion).map_err(failed)?;
                    let settings = RetargetSettings::default();
                    clip_of_model(&source, clip.as_deref(), (model, None), &settings, &mut of_motion)
                        .map_err(|error| MotionError::Load { path: path.clone(), error: error.into() })?
                };
                of_motion.warnings().iter().for_each(|warning| report.warn(path.display(), warning));
                Ok(found)
            }
        }
    }
}
