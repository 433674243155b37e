//! Corrective morphs of a fit.

use super::character::Job;
use anyhow::{Result, ensure};
use sinew::helpers::{
    BakedSequence, CorrectedFit, CorrectiveSettings, CorrectiveSummary, FittedRig, Poser, Region,
    RegionReport, Sequence, corrective_examples, held_out_poses, put_corrected_fit_on, rms_in_poses,
};
use sinew::model::HelperOutput;
use sinew::rig::Character;

/// A fit whose leftovers are to be corrected.
pub(super) struct Leftovers<'a> {
    pub(super) poser: &'a Poser<'a>,
    pub(super) rig: &'a FittedRig,
    pub(super) reports: &'a [RegionReport],
    pub(super) baked: &'a [BakedSequence],
    /// Shapes of the clips, those first that were fitted to.
    pub(super) sequences: &'a [&'a Sequence],
    /// How many of the sequences were fitted to.
    pub(super) fitted_count: usize,
    /// Poses of each region that are taken from the poser.
    pub(super) poses: usize,
    /// Whether the poser knows the truth of any pose, so that other poses can be measured.
    pub(super) has_truth: bool,
}

/// The character with correctives, and what became of them.
pub(super) fn correct(job: &Job<'_>, fit: &Leftovers<'_>) -> Result<(Character, serde_json::Value)> {
    let regions = job.regions()?;
    let with_helpers: Vec<&Region> = regions
        .iter()
        .filter(|region| {
            fit.reports.iter().any(|report| report.helpers > 0 && report.joint == job.name(region.joint))
        })
        .collect();
    ensure!(
        fit.rig.helper_count() > 0,
        "nothing is left for helpers to do, so that there are none whose bones correctives could follow"
    );
    let limit = job.settings.helpers.max_bytes;
    let examples =
        corrective_examples(fit.poser, &with_helpers, &fit.sequences[..fit.fitted_count], fit.poses, limit)?;
    let output = HelperOutput { fps: job.options.fps, ..HelperOutput::default() };
    let settings =
        CorrectiveSettings { count: job.options.rig.correctives, output, ..CorrectiveSettings::default() };
    let mut vertices: Vec<u32> = regions.iter().flat_map(|region| region.vertices.iter().copied()).collect();
    vertices.sort_unstable();
    let wanted = CorrectedFit {
        rig: fit.rig,
        vertices: &vertices,
        baked: fit.baked,
        sequences: fit.sequences,
        settings,
    };
    let made = put_corrected_fit_on(fit.poser, &wanted, &examples)?;
    let mut told = serde_json::json!({
        "examples": examples.len(),
        "meshes": made.summaries.iter().map(summary_json).collect::<Vec<_>>(),
    });
    for summary in &made.summaries {
        job.say(&format!(
            "{} correctives of {:?}: {} examples {:.3} mm off, without {:.3} mm",
            summary.morphs,
            summary.mesh,
            examples.len(),
            1e3 * summary.rms_after,
            1e3 * summary.rms_before
        ));
    }
    for (baked, rms) in fit.baked.iter().zip(&made.rms_by_sequence) {
        job.say(&format!("{} with correctives: {:.3} mm", baked.name, 1e3 * rms));
    }
    told["rms_by_sequence"] = made.rms_by_sequence.into();
    if fit.has_truth {
        let rms =
            rms_in_poses(fit.poser, &made.character, &held_out_poses(&regions, &job.settings), &vertices);
        job.say(&format!("poses not fitted, with correctives: {:.3} mm", 1e3 * rms));
        told["rms_held_out"] = rms.into();
    }
    Ok((made.character, told))
}

pub(super) fn summary_json(summary: &CorrectiveSummary) -> serde_json::Value {
    serde_json::json!({
        "mesh": summary.mesh,
        "morphs": summary.morphs,
        "rms_before": summary.rms_before,
        "rms_best": summary.rms_best,
        "rms_after": summary.rms_after,
    })
}
