//! The one way from a choice to a clip of a model.

use super::of_model::{file_and_clip, is_model};
use super::{
    Humanoid, Layer, MotionChoice, MotionLoadError, Part, Sequence, clip_of_model, humanoid_of, load_motion,
    mask, sequence,
};
use crate::written::stem_of;
use crate::{Model, OpenError, SaveSettings, extension_of, read_limited};
use sinew_io::{Limits, Report, ScaleChoice};
use sinew_mmd::vmd::Vmd;
use sinew_rig::{Character, Clip};
use std::path::Path;

impl MotionChoice {
    /// The clip of another model's file for `target`, whose bones are those of a human as given or guessed; `None` if the motion is no
    /// such file.
    ///
    /// # Errors
    /// The file cannot be read, or has no clip that moves the target.
    pub(super) fn clip_of_model(
        &self,
        target: (&Model, Option<&Humanoid>),
        limits: &Limits,
        report: &mut Report,
    ) -> Result<Option<Clip>, MotionLoadError> {
        let (file, clip) = file_and_clip(&self.motion);
        if !is_model(&file) {
            return Ok(None);
        }
        // The user's scale is that of the character. What reading the source loses, such as its textures, is not part of the motion.
        let limits = Limits { scale: ScaleChoice::Auto, ..*limits };
        let source = Model::open(&file, &limits, &mut Report::default())?;
        clip_of_model(&source, clip.as_deref(), target, &self.retarget(), report).map(Some)
    }

    /// The motion as a clip of a human.
    ///
    /// # Errors
    /// It cannot be made, or the file cannot be read or does not fit.
    pub fn clip(
        &self,
        character: &Character,
        humanoid: &Humanoid,
        limits: &Limits,
        report: &mut Report,
    ) -> Result<Clip, MotionLoadError> {
        match self.made(humanoid)? {
            Some(clip) => Ok(clip),
            None => load_motion(&self.motion, (character, humanoid), &self.retarget(), limits, report),
        }
    }
}

/// Keys per second of sequences: what running feet need.
const SEQUENCE_FPS: f64 = 120.0;

impl MotionChoice {
    /// The motion with those after it and over it, as one clip.
    ///
    /// # Errors
    /// One of them cannot be made, read or joined.
    pub fn whole_clip(
        &self,
        model: &Model,
        humanoid: &Humanoid,
        limits: &Limits,
        report: &mut Report,
    ) -> Result<Clip, MotionLoadError> {
        let mut single =
            |choice: &Self| match choice.clip_of_model((model, Some(humanoid)), limits, report)? {
                Some(clip) => Ok(clip),
                None => choice.clip(&model.character, humanoid, limits, report),
            };
        let first = single(self)?;
        if self.then.is_empty() && self.over.is_empty() {
            return Ok(first);
        }
        let rest = self.then.iter().map(&mut single).collect::<Result<Vec<Clip>, _>>()?;
        let over = self.over.iter().map(|over| single(&over.motion)).collect::<Result<Vec<Clip>, _>>()?;
        let mut parts: Vec<Part<'_>> = Vec::new();
        for clip in std::iter::once(&first).chain(&rest) {
            let start_secs = parts.last().map_or(0.0, |last: &Part<'_>| last.start_secs + last.seconds());
            let part = Part::new(clip, start_secs);
            parts.push(Part { blend_secs: self.blend_secs.unwrap_or(part.blend_secs), ..part });
        }
        let seconds = parts.last().map_or(0.0, |last| last.start_secs + last.seconds());
        let mut layers = Vec::new();
        for (over, clip) in self.over.iter().zip(&over) {
            let layer = Layer::new(clip, over.start_secs);
            layers.push(Layer {
                fade_secs: over.fade_secs.unwrap_or(layer.fade_secs),
                is_repeating: over.is_repeating,
                end_secs: over.is_repeating.then_some(seconds),
                bones: mask(&model.character, humanoid.map(), &over.mask)?,
                ..layer
            });
        }
        let name = std::iter::once(&first).chain(&rest).map(|clip| clip.name.as_str());
        let name = name.collect::<Vec<_>>().join(" ");
        let fps = self.fps.unwrap_or(SEQUENCE_FPS);
        let whole = Sequence { name, parts, layers, seconds, fps };
        Ok(sequence(&model.character, Some(humanoid), &whole)?)
    }
}

impl Model {
    /// Adds a motion to the clips and returns its name. Motions of MMD move bones by name, whoever has them; all others move humans. What
    /// of a file does not fit is reported under the file's name.
    ///
    /// # Errors
    /// The model is no human, or the file cannot be read or does not fit.
    pub fn add_motion(
        &mut self,
        choice: &MotionChoice,
        limits: &Limits,
        report: &mut Report,
    ) -> Result<String, MotionLoadError> {
        let path = &choice.motion;
        if path == Path::new("gait") && choice.path.is_none() {
            return Err(MotionLoadError::NeedsPath);
        }
        let mut of_motion = Report::default();
        let clip = if let Some(clip) = choice.clip_of_model((self, None), limits, &mut of_motion)? {
            Clip { name: self.free_clip_name(&clip.name), ..clip }
        } else if extension_of(path) == "vmd" {
            self.clip_of_vmd(path, limits, &mut of_motion)?
        } else {
            let motion = || path.display().to_string();
            let humanoid = humanoid_of(self, report)
                .map_err(|source| MotionLoadError::Humanoid { motion: motion(), source })?;
            match choice.clip(&self.character, &humanoid, limits, &mut of_motion) {
                Err(MotionLoadError::Gait(source)) => {
                    return Err(MotionLoadError::Made { motion: motion(), source });
                }
                clip => clip?,
            }
        };
        report.take_in(path.display(), &of_motion);
        let name = clip.name.clone();
        self.set_clip(clip)?;
        Ok(name)
    }

    /// The name, with a number if a clip has it already.
    fn free_clip_name(&self, stem: &str) -> String {
        let is_taken = |name: &str| self.character.clips().iter().any(|clip| clip.name == name);
        (1..)
            .map(|number| if number == 1 { stem.to_owned() } else { format!("{stem} {number}") })
            .find(|name| !is_taken(name))
            .unwrap_or_default()
    }

    /// A motion of MMD, under a name of its own.
    fn clip_of_vmd(&self, path: &Path, limits: &Limits, report: &mut Report) -> Result<Clip, OpenError> {
        let bytes = read_limited(path, limits.max_memory)?;
        let vmd = Vmd::read(&bytes, limits, report)?;
        let name = self.free_clip_name(&stem_of(path).unwrap_or_default());
        Ok(match self.standard_bones(&SaveSettings::default()) {
            Some(bones) => bones.clip(&vmd, &self.character, &name, report),
            None => vmd.to_clip(&self.character, &name, report),
        })
    }
}
