//! A fit to a folder of arrays, without a model.

use super::outcome::write_json;
use crate::examples::exchange_character::{CLIP_FPS, exchange_character, exchange_sequence};
use crate::fit::set_fit::resume_set;
use crate::output::corrected::{CorrectedFit, corrective_examples, put_corrected_fit_on, rms_of_sequence};
use crate::{
    CorrectiveSettings, CorrectiveSummary, DriverBinds, ExchangeFolder, FitError, FitRequest, FittedRig,
    Poser, Symmetric, find_mirror, put_fit_on, result_json,
};
use serde::Serialize;
use sinew_fit::{DetailLevel, HelperError, HelperRig, Stage, StageError};
use sinew_geometry::progress::Progress;
use sinew_io::Report;
use sinew_model::{HelperOutput, Model, extension_of};
use sinew_rig::{BoundSurface, Character};
use sinew_skin::{Method, SkinSettings, matches};
use std::path::Path;

/// Helpers of a folder of arrays, and how well they do. Lengths are the folder's.
#[derive(Clone, Debug, Serialize)]
pub struct ExchangeOutcome {
    /// Vertices of the skin.
    pub vertices: usize,
    /// Poses that were fitted.
    pub poses: usize,
    /// Bones of the skeleton.
    pub drivers: usize,
    /// Helpers that were made.
    pub helpers: usize,
    /// RMS error with helpers where they are best.
    pub rmse: f64,
    /// RMS error with controllers before vertices were looked at.
    pub rmse_regression: f64,
    /// RMS error with controllers.
    pub rmse_controllers: f64,
    /// RMS error with controllers on examples that were not fitted.
    pub rmse_held_out: Option<f64>,
    /// Largest error with controllers.
    pub largest: f64,
    /// The pose that has it.
    pub largest_pose: usize,
    /// The vertex that has it.
    pub largest_vertex: usize,
    /// Numbers of all controllers.
    pub coefficients: usize,
    /// Penalty a pose that was used.
    pub lambda: f64,
    /// Most bytes that a helper takes at run time.
    pub bytes_a_helper: Option<usize>,
    /// Errors with fewer and fewer helpers; empty where no level was asked for.
    pub levels: Vec<LevelReport>,
    /// Errors while the fit ran.
    pub history: Vec<HistoryLine>,
    /// Where some were asked for.
    pub correctives: Option<ExchangeCorrectives>,
    #[serde(skip)]
    rig: FittedRig,
    #[serde(skip)]
    corrected: Option<Character>,
}

/// A level of detail.
#[derive(Clone, Debug, Serialize)]
pub struct LevelReport {
    /// Helpers that stay, the most important first.
    pub helpers: Vec<usize>,
    /// RMS error with these.
    pub rmse: f64,
}

/// An error while a fit ran.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct HistoryLine {
    /// Part of the fit.
    pub stage: Stage,
    /// Step of that part.
    pub step: usize,
    /// RMS error over the poses and vertices of that part.
    pub rmse: f64,
}

/// What became of correctives.
#[derive(Clone, Debug, Serialize)]
pub struct ExchangeCorrectives {
    /// Examples that they were made from.
    pub examples: usize,
    /// One per instance of a mesh.
    pub meshes: Vec<CorrectiveSummary>,
    /// RMS error with them.
    pub rmse: f64,
    /// RMS error on examples that were not fitted.
    pub rmse_held_out: Option<f64>,
}

/// Poses that correctives are made from, and measured on.
const CORRECTIVE_POSES: usize = 600;

/// Fits helpers to a folder of arrays. `held_out`: another one, which is measured on and not fitted to. Of the request `rig`, `shifts`, `correctives` and
/// `resume` count.
///
/// # Errors
/// Examples or settings that cannot be used, or [`FitError::Interrupted`].
pub fn fit_exchange(
    folder: &ExchangeFolder,
    held_out: Option<&ExchangeFolder>,
    request: &FitRequest,
    progress: &Progress<'_>,
) -> Result<ExchangeOutcome, FitError> {
    let counts = |read: &ExchangeFolder| (read.set.rest_positions.len(), read.parents.len());
    let expected = counts(folder);
    if let Some(found) = held_out.map(counts).filter(|found| *found != expected) {
        return Err(FitError::HeldOut { found, expected });
    }
    let (set, rig) = (&folder.set, &request.rig);
    let mut settings = rig.helpers.clone();
    if rig.symmetric == Symmetric::On {
        let heads: Vec<_> = folder.rest_world.iter().map(|matrix| matrix.translation).collect();
        settings.rules.mirror = Some(find_mirror(&set.rest_positions, &heads)?);
    }
    let mut controllers = rig.controllers.clone();
    for pattern in &request.shifts {
        let is_meant = |driver: &usize| matches(pattern, &set.driver_names[*driver]);
        let found = (0..set.driver_names.len()).filter(is_meant);
        let before = controllers.shifting.len();
        controllers.shifting.extend(found);
        if controllers.shifting.len() == before {
            return Err(FitError::Shifts { pattern: pattern.clone() });
        }
    }
    let fitted =
        resume_set((set, &settings, &controllers), rig.most_helpers, request.resume.as_deref(), progress)?;
    let (helpers, found) = (fitted.helpers, fitted.found);
    let rms = |other: &ExchangeFolder| other.set.errors(&found.weights, &found.controllers).rms;
    // What runs in 32 bits reads rotations alone.
    let slides = found.controllers.inputs.iter().any(|input| !input.shifts().is_empty());
    let runner =
        (!slides).then(|| HelperRig::new(&found.controllers)).transpose().map_err(HelperError::from)?;
    let level = |DetailLevel { helpers, rms_error }| LevelReport { helpers, rmse: rms_error };
    let line = |&StageError { stage, step, rms_error, .. }: &_| HistoryLine { stage, step, rmse: rms_error };
    let mut outcome = ExchangeOutcome {
        vertices: expected.0,
        poses: set.pose_count(),
        drivers: expected.1,
        helpers: helpers.helper_count,
        rmse: helpers.errors.rms,
        rmse_regression: found.regression_rms,
        rmse_controllers: found.errors.rms,
        rmse_held_out: held_out.map(rms),
        largest: found.errors.largest,
        largest_pose: found.errors.largest_pose,
        largest_vertex: found.errors.largest_vertex,
        coefficients: found.controllers.coefficient_count(),
        lambda: found.penalty,
        bytes_a_helper: runner
            .and_then(|runner| (0..runner.helper_count()).map(|helper| runner.helper_bytes(helper)).max()),
        levels: fitted.levels.into_iter().map(level).collect(),
        history: helpers.history.iter().map(line).collect(),
        correctives: None,
        rig: FittedRig {
            vertices: (0..expected.0 as u32).collect(),
            driver_count: expected.1,
            weights: found.weights,
            controllers: found.controllers,
            ..FittedRig::default()
        },
        corrected: None,
    };
    if request.correctives > 0 {
        outcome.correct(folder, held_out, request)?;
    }
    Ok(outcome)
}

impl ExchangeOutcome {
    fn correct(
        &mut self,
        folder: &ExchangeFolder,
        held_out: Option<&ExchangeFolder>,
        request: &FitRequest,
    ) -> Result<(), FitError> {
        let rig = &self.rig;
        if rig.helper_count() == 0 {
            return Err(FitError::NothingToFollow);
        }
        let character = exchange_character(folder)?;
        let (bound, drivers) = (BoundSurface::of(&character), DriverBinds::all(&character)?);
        let deformer = sinew_skin::bind(&character, &bound, &SkinSettings::from(Method::Lbs)).into();
        let poser = Poser { character: &character, bound: &bound, drivers: &drivers, deformer };
        let sequence = exchange_sequence(folder, &character, CORRECTIVE_POSES);
        let examples = corrective_examples(&poser, &[], &[&sequence], 0, request.rig.helpers.max_bytes)?;
        let output = HelperOutput { fps: CLIP_FPS, ..HelperOutput::default() };
        let settings =
            CorrectiveSettings { count: request.correctives, output, ..CorrectiveSettings::default() };
        let wanted = CorrectedFit { rig, vertices: &rig.vertices, baked: &[], sequences: &[], settings };
        let made = put_corrected_fit_on(&poser, &wanted, &examples)?;
        let rms_held_out = held_out.map(|other| {
            let others = exchange_sequence(other, &made.character, CORRECTIVE_POSES);
            rms_of_sequence(&made.character, None, &others, &rig.vertices)
        });
        self.correctives = Some(ExchangeCorrectives {
            examples: examples.len(),
            meshes: made.summaries,
            rmse: rms_of_sequence(&made.character, None, &sequence, &rig.vertices),
            rmse_held_out: rms_held_out,
        });
        self.corrected = Some(made.character);
        Ok(())
    }

    /// Writes the skeleton and skin of the folder that was fitted with its helpers, as `.glb` or `.gltf`, or weights and controllers alone as `.json`.
    ///
    /// # Errors
    /// Nothing is written then.
    pub fn save(&self, folder: &ExchangeFolder, path: &Path) -> Result<(), FitError> {
        let character = match (&self.corrected, extension_of(path) == "json") {
            (Some(_), true) => return Err(FitError::CorrectivesInJson),
            (None, true) => return write_json(path, &result_json(&self.rig, &folder.set.driver_names)),
            (Some(character), false) => character.clone(),
            (None, false) => {
                let character = exchange_character(folder)?;
                put_fit_on(&character, &DriverBinds::all(&character)?, &self.rig, &[], CLIP_FPS)?
            }
        };
        Ok(Model::new(character).save(path, &mut Report::default())?)
    }
}
