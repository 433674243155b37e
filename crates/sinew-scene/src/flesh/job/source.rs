//! Whose flesh: the model with its motion, the settings, what is painted.

use super::FleshJobError;
use super::paints::paint;
use crate::body::{BodyRequest, make};
use crate::flesh::FleshOutputError;
use serde::{Deserialize, Serialize};
use sinew_body::character::Look;
use sinew_flesh::anatomy::Paint;
use sinew_flesh::{CoveredCharacter, FleshMotion, FleshPreset, FleshRigError, FleshSettings};
use sinew_geometry::{CoverSettings, CoverSize};
use sinew_io::{Limits, Report};
use sinew_model::motion::{MotionChoice, humanoid_map};
use sinew_model::{Model, SkinChoice};
use sinew_play::motion_choice;
use sinew_play::patches::{PatchModes, bind_patches};
use sinew_rig::{ClipId, Deformer, HumanoidMap};
use sinew_skin::SkinSettings;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Whose flesh, of what kind, in which motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FleshSource {
    /// The model. Default: Sinew's human.
    pub model: Option<PathBuf>,
    /// A clip of the model, by name or index. Default: its only one.
    pub clip: Option<String>,
    /// A motion that is made for the model or read from a file; goes before the clip.
    pub motion: Option<PathBuf>,
    /// The way of a motion that walks or runs: a file of a path.
    pub path: Option<PathBuf>,
    /// A file of settings; goes before the preset.
    pub config: Option<PathBuf>,
    /// The kind of flesh. Default: natural.
    pub preset: FleshPreset,
    /// What is painted on the skin: `WHAT=FROM`, such as `softness=r`.
    pub paints: Vec<String>,
    /// About so many tetrahedra. Default: 10,000.
    pub tets: usize,
    /// Frames per second. Default: 30.
    pub fps: f64,
    /// Times the motion's own speed. Default: 1.
    pub speed: f64,
    /// Whether the motion is one round of a cycle.
    pub is_loop: bool,
    /// How bones move skin and flesh.
    pub skin: SkinChoice,
    /// Patches of the body that the model carries move the skin, in place of `skin`.
    pub patches: Option<PatchModes>,
}

impl Default for FleshSource {
    fn default() -> Self {
        Self {
            model: None,
            clip: None,
            motion: None,
            path: None,
            config: None,
            preset: FleshPreset::Natural,
            paints: Vec::new(),
            tets: 10_000,
            fps: 30.0,
            speed: 1.0,
            is_loop: false,
            skin: SkinChoice::default(),
            patches: None,
        }
    }
}

/// Steps along the edges of the patches of Sinew's own human.
const HUMAN_STEPS: usize = 6;

/// What a source names, read.
pub(super) struct Prepared {
    /// The model, with its motion.
    pub(super) model: Model,
    /// Which of its clips that is.
    pub(super) clip: ClipId,
    pub(super) motion: FleshMotion,
    pub(super) settings: FleshSettings,
    pub(super) skinning: SkinSettings,
    /// Sinew's own human is skinned by its patches, unless a method is asked for.
    pub(super) skin: Option<Arc<dyn Deformer>>,
    map: HumanoidMap,
}

impl FleshSource {
    /// Where the model came from, for words about it.
    pub fn place(&self) -> &Path {
        self.model.as_deref().unwrap_or(Path::new("Sinew's body"))
    }

    /// Where the settings came from: their file, or the model.
    pub(super) fn settings_place(&self) -> &Path {
        self.config.as_deref().unwrap_or(self.place())
    }

    /// Reads all that is named; what could not be followed is reported.
    pub(super) fn prepare(&self, limits: &Limits, report: &mut Report) -> Result<Prepared, FleshJobError> {
        let (model, skin) = self.character(limits, report)?;
        let motion = self.motion.as_deref().map(|motion| motion_choice(motion, self.path.as_deref()));
        let motion = motion.transpose().map_err(FleshOutputError::from)?;
        let moved = self.moved(model, motion, limits, report);
        let (model, clip) = moved.map_err(FleshJobError::at(self.place()))?;
        let settings = self.settings()?;
        let (skinning, problems) = self.skin.settings(&model.character)?;
        problems.iter().for_each(|problem| report.warn("", problem.to_string()));
        let of_clip = model.character.clips()[clip.index()].clone();
        let motion =
            FleshMotion { speed: self.speed, is_loop: self.is_loop, ..FleshMotion::new(of_clip, self.fps) };
        let (map, _) = humanoid_map(&model, report);
        Ok(Prepared { model, clip, motion, settings, skinning, skin, map })
    }

    fn character(
        &self,
        limits: &Limits,
        report: &mut Report,
    ) -> Result<(Model, Option<Arc<dyn Deformer>>), FleshJobError> {
        if let Some(path) = &self.model {
            let model = Model::open(path, limits, report);
            let model = model.map_err(FleshJobError::from).map_err(FleshJobError::at(path))?;
            // Flesh raises the muscles itself.
            let bind = |modes: PatchModes| {
                bind_patches(&model.character, modes.without_muscles()).map_err(FleshJobError::from)
            };
            let patches = self.patches.map(bind).transpose().map_err(FleshJobError::at(path))?;
            return Ok((model, patches));
        }
        let modes = self.patches.unwrap_or_default().without_muscles();
        let body = make(&BodyRequest::default())?.patched_by(HUMAN_STEPS, Look::Skin, modes)?;
        let is_plain = self.skin.method.is_none() && self.skin.file.is_none();
        Ok((Model::new(body.character), is_plain.then_some(body.deformer)))
    }

    /// The model with the motion that is named, and which of its clips that is.
    fn moved(
        &self,
        mut model: Model,
        motion: Option<MotionChoice>,
        limits: &Limits,
        report: &mut Report,
    ) -> Result<(Model, ClipId), FleshJobError> {
        if let Some(motion) = motion {
            let name = model.add_motion(&motion, limits, report)?;
            let clip = model.character.find_clip(&name)?;
            return Ok((model, clip));
        }
        let clip = match (&self.clip, model.character.clips()) {
            (Some(clip), _) => clip,
            (None, [only]) => &only.name,
            (None, []) => return Err(FleshJobError::NoClip),
            (None, clips) => {
                let names = clips.iter().map(|clip| clip.name.clone()).collect();
                return Err(FleshJobError::WhichClip { names });
            }
        };
        let clip = model.character.find_clip(clip)?;
        Ok((model, clip))
    }

    fn settings(&self) -> Result<FleshSettings, FleshJobError> {
        let Some(path) = &self.config else { return Ok(self.preset.settings()) };
        let read = || Ok(sinew_flesh::config::read(&sinew_model::read_text(path)?)?);
        read().map_err(FleshJobError::at(path))
    }
}

impl Prepared {
    pub(super) fn paints(&self, source: &FleshSource, limits: &Limits) -> Result<Vec<Paint>, FleshJobError> {
        let read = |text: &String| {
            paint(text, &self.model.character, &self.settings, limits)
                .map_err(|source| FleshJobError::Paint { text: text.clone(), source: Box::new(source) })
        };
        source.paints.iter().map(read).collect()
    }

    /// The character with tetrahedra round it.
    pub(super) fn covered(&self, source: &FleshSource) -> Result<CoveredCharacter, FleshJobError> {
        let cover = CoverSettings { size: CoverSize::Count(source.tets), ..CoverSettings::default() };
        let mut covered = CoveredCharacter::new(&self.model.character, &cover)
            .map_err(|error| FleshJobError::at(source.place())(FleshRigError::from(error).into()))?;
        covered.humanoid = Some(self.map.clone()).filter(|map| map.missing().is_empty());
        Ok(covered)
    }
}
