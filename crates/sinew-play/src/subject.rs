//! A model in the poses that a user asks for: what drawing and writing begin with.

use crate::patches::{PatchesError, SkinMethod, bind_patches};
use crate::{PosedTake, TakeError, Targets, write_take};
use serde::Serialize;
use sinew_geometry::progress::Progress;
use sinew_io::{Limits, Report};
use sinew_mmd::vpd::Vpd;
use sinew_model::motion::{MotionChoice, PathFile};
use sinew_model::{
    Frames, Model, PoseChoice, PoseFile, SkinChoice, SkinFile, TextError, extension_of, read_limited,
    read_text,
};
use sinew_rig::{Character, Deformer, SpringPlay};
use sinew_skin::{JointRule, MorphCenters, PosedCharacter, SkinSettings};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A model, and which of its poses.
#[derive(Clone, Debug, PartialEq)]
pub struct SubjectRequest {
    /// The model's file.
    pub input: PathBuf,
    /// A pose file, of ours or of MMD. It goes before `motion` and `clip`.
    pub pose: Option<PathBuf>,
    /// A clip of the model, by name or index.
    pub clip: Option<String>,
    /// A motion, by a word or a file: see [`MotionChoice`]. It goes before `clip`.
    pub motion: Option<PathBuf>,
    /// The way of a motion that walks or runs: a file of a path.
    pub path: Option<PathBuf>,
    /// The time in the clip or motion, seconds; `None` for all of it.
    pub time_secs: Option<f64>,
    /// Frames a second, for all of a clip. Default: 30.
    pub fps: f64,
    /// Whether chains of bones reach for their goals. Default: yes.
    pub is_reaching: bool,
    /// How spring bones swing in clips and motions.
    pub springs: SpringPlay,
    /// The skinning method, or patches; `None` for what the model says.
    pub method: Option<SkinMethod>,
    /// Methods of single joints; the last that fits counts.
    pub joints: Vec<JointRule>,
    /// A file with a table `[skin]`.
    pub skin_file: Option<PathBuf>,
    /// What becomes of the centers of vertices that morphs move.
    pub morph_centers: MorphCenters,
}

impl Default for SubjectRequest {
    fn default() -> Self {
        Self {
            input: PathBuf::new(),
            pose: None,
            clip: None,
            motion: None,
            path: None,
            time_secs: None,
            fps: 30.0,
            is_reaching: true,
            springs: SpringPlay::default(),
            method: None,
            joints: Vec::new(),
            skin_file: None,
            morph_centers: MorphCenters::default(),
        }
    }
}

impl SubjectRequest {
    /// Opens the model with all that the request names.
    ///
    /// # Errors
    /// A file that cannot be used, or a pose or rule that does not fit the model.
    pub fn open(&self, limits: &Limits, report: &mut Report) -> Result<Subject, TakeError> {
        let pose = self.pose.as_deref().map(|path| pose_from_file(path, limits, report)).transpose()?;
        let mut model = Model::open(&self.input, limits, report).map_err(TakeError::at(&self.input))?;
        let motion = self.motion.as_deref().map(|motion| motion_choice(motion, self.path.as_deref()));
        let motion = motion.transpose()?;
        let clip = match &motion {
            Some(motion) => {
                let name = model.add_motion(motion, limits, report);
                Some(name.map_err(TakeError::at(motion.place(&self.input)))?)
            }
            None => self.clip.clone(),
        };
        model.character = model.character.with_spring_play(self.springs);
        let of_clip = |clip: String| match self.time_secs {
            Some(time_secs) => PoseChoice::ClipAt { clip, time_secs },
            None => PoseChoice::Clip { clip, fps: self.fps },
        };
        let choice = pose.or_else(|| clip.map(of_clip)).unwrap_or_default();
        // A mistake in the choice stands in the pose file, or else in the model.
        let of_motion = motion.as_ref().map(|motion| motion.place(&self.input));
        let place = self.pose.as_deref().or(of_motion).unwrap_or(&self.input);
        let frames = Frames::new(&model.character, &choice).map_err(TakeError::at(place))?;
        frames.report().warnings().iter().for_each(|warning| report.warn(place.display(), warning));
        let skin = self.skin_settings(&model.character, report)?;
        let patches = self.patches(&model.character)?;
        Ok(Subject { model, choice, skin, patches, is_reaching: self.is_reaching })
    }

    /// What the request says of skinning.
    ///
    /// # Errors
    /// The skin file cannot be used.
    pub fn skin_choice(&self) -> Result<SkinChoice, TakeError> {
        let file = self.skin_file.as_deref().map(|path| parsed(path, SkinFile::parse));
        Ok(SkinChoice {
            file: file.transpose()?,
            method: self.method.and_then(SkinMethod::skinning),
            joints: self.joints.clone(),
            morph_centers: self.morph_centers,
        })
    }

    /// The patches of a character, if they are asked for.
    fn patches(&self, character: &Character) -> Result<Option<Arc<dyn Deformer>>, TakeError> {
        let Some(modes) = self.method.and_then(SkinMethod::patches) else { return Ok(None) };
        let file = self.skin_choice()?.file.unwrap_or_default();
        if !(self.joints.is_empty() && file.joints.is_empty()) {
            return Err(PatchesError::JointRules.into());
        }
        Ok(Some(bind_patches(character, modes).map_err(TakeError::at(&self.input))?))
    }

    /// What that means for a character; what could not be followed in its file is reported.
    ///
    /// # Errors
    /// The skin file cannot be used, or a rule names no bone.
    pub fn skin_settings(
        &self,
        character: &Character,
        report: &mut Report,
    ) -> Result<SkinSettings, TakeError> {
        let (settings, problems) = self.skin_choice()?.settings(character)?;
        problems.iter().for_each(|problem| report.warn("", problem.to_string()));
        Ok(settings)
    }
}

/// A motion by a word or a file, and the file of its way.
///
/// # Errors
/// The file of the way cannot be used.
pub fn motion_choice(motion: &Path, path: Option<&Path>) -> Result<MotionChoice, TakeError> {
    let path = path.map(|path| parsed(path, PathFile::parse)).transpose()?;
    Ok(MotionChoice { path, ..MotionChoice::new(motion) })
}

/// A pose of ours, or one of MMD.
fn pose_from_file(path: &Path, limits: &Limits, report: &mut Report) -> Result<PoseChoice, TakeError> {
    if extension_of(path) == "vpd" {
        let bytes = read_limited(path, limits.max_memory).map_err(TakeError::at(path))?;
        let mut of_pose = Report::default();
        let vpd = Vpd::read(&bytes, limits, &mut of_pose).map_err(TakeError::at(path))?;
        of_pose.warnings().iter().for_each(|warning| report.warn(path.display(), warning));
        return Ok(PoseChoice::Vpd(vpd));
    }
    Ok(PoseChoice::File(parsed(path, PoseFile::parse)?))
}

/// A file that a person writes.
fn parsed<T>(path: &Path, parse: fn(&str) -> Result<T, TextError>) -> Result<T, TakeError> {
    let text = read_text(path).map_err(TakeError::at(path))?;
    parse(&text).map_err(TakeError::at(path))
}

/// A model in one pose or a clip, with a way to skin it. All of it fits together.
pub struct Subject {
    /// The model, with the motion that was asked for among its clips.
    pub model: Model,
    choice: PoseChoice,
    skin: SkinSettings,
    patches: Option<Arc<dyn Deformer>>,
    is_reaching: bool,
}

/// What was written of a subject.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TakeOutcome {
    /// The file.
    pub output: PathBuf,
    /// The file of normals.
    pub normals: Option<PathBuf>,
    /// The file of bones.
    pub bones: Option<PathBuf>,
    /// Vertices of a frame.
    pub vertices: usize,
    /// Frames.
    pub frames: usize,
    /// Frames a second, for a clip.
    pub fps: Option<f64>,
}

impl Subject {
    /// Its poses.
    pub fn frames(&self) -> Frames {
        let frames = Frames::new(&self.model.character, &self.choice).expect("the choice was checked");
        if self.is_reaching { frames } else { frames.without_reaching() }
    }

    /// Its character, bound to its skinning.
    pub fn posed(&self) -> PosedCharacter {
        match &self.patches {
            Some(patches) => PosedCharacter::with_deformer(&self.model.character, Arc::clone(patches)),
            None => PosedCharacter::bind(&self.model.character, self.skin.clone()),
        }
    }

    /// Writes its vertices; what the format cannot hold is reported.
    ///
    /// # Errors
    /// As [`write_take`].
    pub fn write(
        &self,
        targets: &Targets<'_>,
        report: &mut Report,
        progress: &Progress<'_>,
    ) -> Result<TakeOutcome, TakeError> {
        let (posed, frames) = (self.posed(), self.frames());
        let (vertices, count, fps) = (posed.bound().vertex_count(), frames.count(), frames.fps());
        write_take(&mut PosedTake::new(&self.model, posed, frames), targets, report, progress)?;
        Ok(TakeOutcome {
            output: targets.path.into(),
            normals: targets.normals.map(Into::into),
            bones: targets.bones.map(Into::into),
            vertices,
            frames: count,
            fps,
        })
    }
}
