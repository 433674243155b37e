//! A model in another format.

use crate::motion::MotionChoice;
use crate::{HelperOutput, JobError, Model, SaveSettings, bake_clips_again, bake_springs_into_clips};
use serde::Serialize;
use sinew_io::{Limits, Report, is_same_file};
use sinew_rig::{Character, InfluenceCut, InvalidCharacter, SpringPlay};
use std::path::PathBuf;

/// What to convert, and what to change on the way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConvertRequest {
    /// The model to read.
    pub input: PathBuf,
    /// The model to write; its extension says how.
    pub output: PathBuf,
    /// Motions that are added to the clips.
    pub motions: Vec<MotionChoice>,
    /// Influences a vertex keeps at most, the heaviest; all without.
    pub max_influences: Option<usize>,
    /// Whether helpers are baked into all clips anew.
    pub bakes_helpers: bool,
    /// Whether the output may replace the input though it holds less.
    pub replaces_input: bool,
    /// How springs are baked into all clips, if they are.
    pub baked_springs: Option<SpringPlay>,
    /// How the model is written.
    pub save: SaveSettings,
}

/// What was converted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConvertOutcome {
    /// The file.
    pub output: PathBuf,
    /// What the cut of influences changed, if it was asked for.
    pub influence_cut: Option<InfluenceCut>,
    /// What the format could not hold.
    #[serde(flatten, serialize_with = "sinew_io::serialize_losses")]
    pub losses: Report,
}

/// Converts a model; `report` is what reading it tells.
///
/// # Errors
/// A file that cannot be used. Nothing is written then, and what was there before stays.
pub fn convert(
    request: &ConvertRequest,
    limits: &Limits,
    report: &mut Report,
) -> Result<ConvertOutcome, JobError> {
    let ConvertRequest {
        input,
        output,
        motions,
        max_influences,
        bakes_helpers,
        baked_springs,
        replaces_input,
        save,
    } = request;
    let mut model = Model::open(input, limits, report).map_err(JobError::at(input))?;
    for motion in motions {
        model.add_motion(motion, limits, report).map_err(JobError::at(motion.place(input)))?;
    }
    if *bakes_helpers {
        if model.character.controllers().is_empty() {
            return Err(JobError::NoControllers { path: input.clone() });
        }
        let baked = bake_clips_again(&model.character, &HelperOutput::default());
        model.character = baked.map_err(JobError::at(input))?;
    }
    if let Some(play) = *baked_springs {
        if model.character.springs().moved_bones().next().is_none() {
            return Err(JobError::NoSprings { path: input.clone() });
        }
        model.character = bake_springs_into_clips(&model.character, play);
    }
    let influence_cut = max_influences.map(|most| model.cut_influences(most)).transpose();
    let influence_cut = influence_cut.map_err(JobError::at(input))?;
    let mut losses = Report::default();
    let written = model.to_bytes_with(output, save, &mut losses).map_err(JobError::at(output))?;
    let holds_less = !losses.is_empty() || influence_cut.is_some_and(|cut| cut.dropped_influences > 0);
    if holds_less && !replaces_input && is_same_file(input, output) {
        return Err(JobError::ReplacesInput { path: output.clone() });
    }
    written.save(output).map_err(JobError::at(output))?;
    Ok(ConvertOutcome { output: output.clone(), influence_cut, losses })
}

impl Model {
    /// Cuts the influences of every mesh, and sums up what that changed.
    ///
    /// # Errors
    /// Never for a model that was opened.
    pub fn cut_influences(&mut self, most: usize) -> Result<InfluenceCut, InvalidCharacter> {
        let mut parts = std::mem::take(&mut self.character).into_parts();
        let mut sum = InfluenceCut::default();
        for mesh in &mut parts.meshes {
            let cut = mesh.cut_influences(most);
            sum.changed_vertices += cut.changed_vertices;
            sum.dropped_influences += cut.dropped_influences;
            sum.largest_dropped_weight = sum.largest_dropped_weight.max(cut.largest_dropped_weight);
        }
        self.character = Character::new(parts)?;
        Ok(sum)
    }
}
