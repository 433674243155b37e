//! Flesh in motion, to files.

use super::{FleshJobError, FleshSource, check_folder, warnings};
use crate::flesh::{
    FleshOutput, FleshOutputError, FleshPicture, FleshReport, FleshWriting, FleshWritten, PlayedFlesh,
};
use serde::{Deserialize, Serialize};
use sinew_flesh::{FleshRig, FleshRun};
use sinew_geometry::progress::Progress;
use sinew_io::{Limits, Report};
use sinew_model::{VrmMeta, extension_of};
use sinew_play::BasisSettings;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// A motion that is to be played with flesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FleshRequest {
    /// Whose flesh, of what kind, in which motion.
    pub source: FleshSource,
    /// Files to write, each as its extension says; none to be told the numbers alone.
    pub outputs: Vec<PathBuf>,
    /// For films and pictures.
    pub picture: FleshPicture,
    /// For models: how near morph targets are, and how many there may be.
    pub basis: BasisSettings,
    /// What a `.vrm` says about itself.
    pub vrm: VrmMeta,
}

impl Default for FleshRequest {
    fn default() -> Self {
        Self {
            source: FleshSource::default(),
            outputs: Vec::new(),
            picture: FleshPicture::default(),
            basis: BasisSettings { tolerance_m: 5e-4, most: 32 },
            vrm: VrmMeta::default(),
        }
    }
}

/// What came of it.
#[derive(Clone, Debug, Serialize)]
pub struct FleshOutcome {
    /// What flesh did.
    #[serde(flatten)]
    pub report: FleshReport,
    /// What was written.
    pub files: Vec<FleshWritten>,
    /// What a user should know of the flesh.
    pub notes: Vec<String>,
    /// What could not be followed in the files that were read.
    pub warnings: Vec<String>,
    /// From point to point of the tetrahedra, meters.
    #[serde(skip)]
    pub spacing_m: f32,
    /// What could not be carried over into each file.
    #[serde(rename = "losses")]
    pub file_reports: Vec<Report>,
}

/// Which part of the way the simulation is.
const SIMULATION: f64 = 0.7;

/// Puts flesh into a character, plays a motion and writes what came of it.
///
/// # Errors
/// What cannot be read, what means nothing, what cannot be written; or the caller stops.
pub fn play_flesh(
    request: &FleshRequest,
    limits: &Limits,
    report: &mut Report,
    progress: &Progress<'_>,
) -> Result<FleshOutcome, FleshJobError> {
    let source = &request.source;
    let prepared = source.prepare(limits, report)?;
    for path in &request.outputs {
        check_folder(path)?;
        FleshOutput::of(path, &prepared.motion, &request.picture)?;
    }
    let start = Instant::now();
    let paints = prepared.paints(source, limits)?;
    let covered = prepared.covered(source)?;
    let rig = FleshRig::new(covered, &prepared.settings, &paints)
        .map_err(|error| FleshJobError::at(source.settings_place())(error.into()))?;
    let (rig, setup) = (Arc::new(rig), start.elapsed());
    let run = FleshRun::new(&rig, prepared.skinning.clone()).with_skin(prepared.skin.clone());
    let start = Instant::now();
    let frames = run.play(&prepared.motion, &progress.part("simulating", 0.0..SIMULATION))?;
    let told = FleshReport::new(&run, &prepared.motion, &frames, (setup, start.elapsed()));
    let (clip, document) = (prepared.clip, prepared.model.gltf());
    let played = PlayedFlesh { run: &run, motion: &prepared.motion, frames: &frames, clip, document };
    let lost = |extension: &str, report: &mut Report| prepared.model.report_lost_contents(extension, report);
    let (files, file_reports) = write(&played, request, lost, &progress.part("", SIMULATION..1.0))?;
    let (notes, spacing_m) = (rig.notes.clone(), rig.covered.cover.spacing);
    Ok(FleshOutcome { report: told, files, notes, warnings: warnings(report), spacing_m, file_reports })
}

fn write(
    played: &PlayedFlesh<'_>,
    request: &FleshRequest,
    report_lost: impl Fn(&str, &mut Report),
    progress: &Progress<'_>,
) -> Result<(Vec<FleshWritten>, Vec<Report>), FleshJobError> {
    let writing =
        FleshWriting { picture: request.picture.clone(), basis: request.basis, vrm: request.vrm.clone() };
    let (mut files, mut reports) = (Vec::new(), Vec::new());
    for (at, path) in request.outputs.iter().enumerate() {
        let name = path.display().to_string();
        let part = progress.one_of(&name, at, request.outputs.len());
        let mut report = Report::default();
        report_lost(&extension_of(path), &mut report);
        let written = played.write(path, &writing, &mut report, &part);
        let named = |error: FleshOutputError| FleshJobError::at(path)(error.into());
        files.push(written.map_err(named)?);
        reports.push(report);
    }
    Ok((files, reports))
}
