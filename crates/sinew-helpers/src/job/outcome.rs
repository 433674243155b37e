//! What became of a fit of a model.

use crate::examples::posing::turned;
use crate::output::mmd::Appended;
use crate::{
    AppendReport, BakedSequence, ConstraintLoss, CorrectiveSummary, DriverBinds, FitError, FittedRig,
    HeldOut, Judged, RegionReport, SequenceErrors, Turns, constrain_helpers, put_fit_on, result_json,
};
use serde::Serialize;
use sinew_io::{PendingFile, Report};
use sinew_model::{Model, SaveSettings, extension_of};
use sinew_rig::{Channel, Character, InvalidCharacter, MeshId, Pose};
use std::path::{Path, PathBuf};

/// Helpers of a model, and how well they do. Lengths are metres.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FitOutcome {
    /// Vertices that bones move.
    pub vertices: usize,
    /// Bones that move them.
    pub drivers: usize,
    /// Helpers that were made.
    pub helpers: usize,
    /// RMS error of the bones alone on all poses of all regions.
    pub rmse_plain: f64,
    /// RMS error with helpers where they are best.
    pub rmse: f64,
    /// RMS error with controllers.
    pub rmse_controllers: f64,
    /// Numbers of all controllers.
    pub coefficients: usize,
    /// Most influences that a vertex has.
    pub most_influences: usize,
    /// Whether one side was fitted and mirrored.
    pub is_symmetric: bool,
    /// One per region, those without helpers too.
    pub regions: Vec<RegionReport>,
    /// On poses that were not fitted; where a deformer was bent over ranges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_out: Option<HeldOut>,
    /// Share of the error on those poses that helpers take away.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed: Option<f64>,
    /// One per clip or cache, those first that were fitted to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sequences: Vec<SequenceReport>,
    /// Where some were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correctives: Option<CorrectiveReport>,
    /// Poses to make next, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<SavedPose>,
    /// What helpers lose by VRM's constraints; after [`save`](Self::save) as VRM.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constraints: Option<Vec<ConstraintLoss>>,
    /// What helpers lose as bones that follow others, where [`FitRequest::mmd`](crate::FitRequest::mmd) asks for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub append: Option<AppendReport>,
    /// Motions that were written beside a `.pmx`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub motion_files: Vec<PathBuf>,
    /// What could not be simulated or mirrored.
    #[serde(skip)]
    pub notes: Vec<String>,
    #[serde(skip)]
    pub(super) fitted: Fitted,
}

/// A clip or cache, and how well a rig does in it.
#[derive(Clone, Debug, Serialize)]
pub struct SequenceReport {
    /// What is left over.
    #[serde(flatten)]
    pub errors: SequenceErrors,
    /// The clip, or the file.
    pub name: String,
    /// Whether it was fitted to.
    pub is_fitted: bool,
    /// Every joint, with controllers.
    pub joints: Vec<JudgedJoint>,
    /// Those of them whose skin is worse than with the bones alone by what can be seen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub worse: Vec<JudgedJoint>,
}

/// A joint's skin, beside that of the bones alone.
#[derive(Clone, Debug, Serialize)]
pub struct JudgedJoint {
    /// Name of its bone.
    pub joint: String,
    /// Errors of its skin.
    #[serde(flatten)]
    pub judged: Judged,
}

/// What became of correctives.
#[derive(Clone, Debug, Serialize)]
pub struct CorrectiveReport {
    /// Examples that they were made from.
    pub examples: usize,
    /// One per instance of a mesh.
    pub meshes: Vec<CorrectiveSummary>,
    /// RMS error in each sequence, as the model now shows it.
    pub rms_by_sequence: Vec<f64>,
    /// RMS error on poses that were not fitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rms_held_out: Option<f64>,
}

/// A pose that is worth making, in files.
#[derive(Clone, Debug, Serialize)]
pub struct SavedPose {
    /// Name of the bone of the joint that it is for.
    pub joint: String,
    /// The pose file.
    pub pose: String,
    /// The shape to start from.
    pub shape: String,
    /// As in [`Suggestion::doubt`](crate::Suggestion::doubt).
    pub doubt: f64,
    /// The pose in words.
    pub turns: String,
}

/// What files are written from.
#[derive(Clone, Debug, Default)]
pub(super) struct Fitted {
    pub(super) drivers: DriverBinds,
    pub(super) rig: FittedRig,
    pub(super) baked: Vec<BakedSequence>,
    /// With helpers and correctives, where those were asked for.
    pub(super) corrected: Option<Character>,
    pub(super) fps: f64,
    /// Shape keys that helpers took over.
    pub(super) keys: Vec<(MeshId, usize)>,
    /// Poses that constraints are measured in.
    pub(super) poses: Vec<Turns>,
    /// Helpers that follow other bones, where those were asked for.
    pub(super) appended: Option<Appended>,
}

impl FitOutcome {
    /// The model's character with helpers, weights, controllers and correctives, all clips baked.
    ///
    /// # Errors
    /// The fit is not of this character.
    pub fn character(&self, before: &Character) -> Result<Character, FitError> {
        let Fitted { drivers, rig, baked, corrected, fps, keys, .. } = &self.fitted;
        let made = match corrected {
            Some(character) => character.clone(),
            None => put_fit_on(before, drivers, rig, baked, *fps)?,
        };
        Ok(without_keys(made, keys).map_err(crate::RigError::from)?)
    }

    /// Writes the model that was fitted with its helpers, as `.glb`, `.gltf` or `.vrm`, as `.pmx` where [`FitRequest::mmd`](crate::FitRequest::mmd) asks for it, or
    /// weights and controllers alone as `.json`. What the file cannot hold is reported.
    ///
    /// # Errors
    /// Nothing is written then.
    pub fn save(
        &mut self,
        mut model: Model,
        path: &Path,
        settings: &SaveSettings,
        report: &mut Report,
    ) -> Result<(), FitError> {
        let extension = extension_of(path);
        if extension == "json" {
            return self.save_json(&model.character, path);
        }
        if extension == "pmx" {
            let appended = self.fitted.appended.as_ref().ok_or(FitError::NotForMmd)?;
            self.motion_files = appended.save(model, &self.fitted.drivers, path, report)?;
            return Ok(());
        }
        let made = self.character(&model.character)?;
        if extension == "vrm" {
            let pose = |turns: &Turns| -> Pose { turned(&model.character, turns).of_larger(&made) };
            let poses: Vec<Pose> = self.fitted.poses.iter().map(pose).collect();
            let (made, constraints, losses) =
                constrain_helpers(&made, &poses).map_err(crate::RigError::from)?;
            self.constraints = Some(losses);
            model.character = made;
            return Ok(model.save_constrained(path, &constraints, &settings.vrm, report)?);
        }
        model.character = made;
        Ok(model.save_with(path, settings, report)?)
    }

    fn save_json(&self, character: &Character, path: &Path) -> Result<(), FitError> {
        if self.fitted.corrected.is_some() {
            return Err(FitError::CorrectivesInJson);
        }
        let bones = self.fitted.drivers.bones().iter();
        let names: Vec<String> = bones.map(|bone| character.skeleton().bone(*bone).name.clone()).collect();
        write_json(path, &result_json(&self.fitted.rig, &names))
    }
}

/// Writes JSON, whole or not at all.
pub(crate) fn write_json(path: &Path, json: &serde_json::Value) -> Result<(), FitError> {
    let mut file = PendingFile::create(path)?;
    file.write_bytes(json.to_string().as_bytes())?;
    Ok(file.commit()?)
}

/// The character whose clips have these shape keys at 0.
fn without_keys(character: Character, keys: &[(MeshId, usize)]) -> Result<Character, InvalidCharacter> {
    if keys.is_empty() {
        return Ok(character);
    }
    let mut parts = character.into_parts();
    for track in parts.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        let Channel::MorphWeights(instance, values) = &mut track.channel else { continue };
        let mesh = parts.instances[instance.index()].mesh;
        let count = parts.meshes[mesh.index()].morphs.len().max(1);
        for &(_, key) in keys.iter().filter(|(of, _)| *of == mesh) {
            values.iter_mut().skip(key).step_by(count).for_each(|value| *value = 0.0);
        }
    }
    Character::new(parts)
}
