//! Settings from recorded shapes, to a file.

use super::{FleshJobError, FleshSource, check_folder, check_settings_file, warnings};
use crate::flesh::tune::{TuneError, TuneInput, TuneReport, TuneSettings, read_examples, tune_flesh};
use glam::Vec3;
use serde::{Deserialize, Serialize};
use sinew_flesh::FleshRigError;
use sinew_geometry::progress::Progress;
use sinew_io::{Limits, Report};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Settings that are to be found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FleshTuneRequest {
    /// Whose flesh, with which settings at the start, in the motion that was recorded.
    pub source: FleshSource,
    /// The recorded skin: .npy or .pc2.
    pub examples: PathBuf,
    /// What is sought, and for how long.
    pub search: TuneSettings,
    /// Whether a search that is stopped writes the best so far.
    pub keeps_best: bool,
    /// The settings: .toml.
    pub output: PathBuf,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FleshTuned {
    /// What the search found.
    #[serde(flatten)]
    pub report: TuneReport,
    /// The recorded skin.
    pub examples: PathBuf,
    /// The settings; `None` if the search was stopped and nothing was written.
    pub file: Option<PathBuf>,
    /// How long the search took, seconds.
    pub seconds: f64,
    /// What could not be followed in the files that were read.
    pub warnings: Vec<String>,
}

/// Finds settings with which the skin moves as it was recorded, and writes them.
///
/// # Errors
/// What cannot be read, what means nothing, what cannot be written; or the caller stops before the first run is done.
pub fn tune_from_files(
    request: &FleshTuneRequest,
    limits: &Limits,
    report: &mut Report,
    progress: &Progress<'_>,
) -> Result<FleshTuned, FleshJobError> {
    let source = &request.source;
    check_settings_file(&request.output)?;
    check_folder(&request.output)?;
    let examples = examples(&request.examples, limits).map_err(FleshJobError::at(&request.examples))?;
    let prepared = source.prepare(limits, report)?;
    let input = TuneInput {
        paints: prepared.paints(source, limits)?,
        covered: prepared.covered(source)?,
        start: prepared.settings,
        skinning: prepared.skinning,
        skin: prepared.skin,
        motion: prepared.motion,
        examples,
    };
    let start = Instant::now();
    let found = tune_flesh(input, &request.search, &progress.part("playing", 0.0..1.0));
    let found = found.map_err(|error| match &error {
        TuneError::Examples(_) => FleshJobError::at(&request.examples)(error.into()),
        TuneError::Rig(FleshRigError::Interrupted(_)) => error.into(),
        TuneError::Rig(_) => FleshJobError::at(source.settings_place())(error.into()),
        _ => error.into(),
    })?;
    let is_written = !found.is_stopped || request.keeps_best;
    if is_written {
        sinew_model::write_file(&request.output, sinew_flesh::config::write(&found.settings).as_bytes())?;
    }
    Ok(FleshTuned {
        report: found,
        examples: request.examples.clone(),
        file: is_written.then(|| request.output.clone()),
        seconds: start.elapsed().as_secs_f64(),
        warnings: warnings(report),
    })
}

fn examples(path: &Path, limits: &Limits) -> Result<Vec<Vec<Vec3>>, FleshJobError> {
    let bytes = sinew_model::read_limited(path, limits.max_memory)?;
    Ok(read_examples(&sinew_model::extension_of(path), &bytes).map_err(TuneError::from)?)
}
