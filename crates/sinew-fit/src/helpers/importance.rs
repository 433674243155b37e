//! Which helpers matter most: levels of detail for crowds.

use super::fit::{HelperFit, check_counts};
use super::relax::{FEW_NODES, Relaxation};
use super::rules::check;
use super::seeds::remove;
use super::settings::HelperSettings;
use super::sweep::Solution;
use super::view::{View, rows_from};
use crate::error::HelperError;
use crate::examples::Examples;
use sinew_geometry::Random;

/// A level of detail.
#[derive(Clone, Debug, PartialEq)]
pub struct DetailLevel {
    /// Helpers that stay, the most important first.
    pub helpers: Vec<usize>,
    /// RMS error with these, weights solved anew for them, over a sample of poses and vertices.
    pub rms_error: f64,
}

/// Levels of detail from all helpers down to none: each leaves out the helper, or mirrored pair, that is missed least.
///
/// # Errors
/// If examples or settings are wrong, or are not those of the fit.
pub fn detail_levels(
    examples: &Examples<'_>,
    settings: &HelperSettings,
    fit: &HelperFit,
) -> Result<Vec<DetailLevel>, HelperError> {
    examples.check()?;
    check(settings, examples)?;
    let bone_count = examples.driver_count + fit.helper_count;
    check_counts(&[
        ("helper matrices", fit.posed_from_rest.len(), examples.pose_count() * fit.helper_count),
        ("weights", fit.weights.len(), examples.vertex_count() * bone_count),
    ])?;
    let poses = Random::new(settings.seed).choose(examples.pose_count(), settings.refine_poses);
    let vertices = (0..examples.vertex_count() as u32).collect();
    let relaxation = Relaxation::new(settings, View::new(*examples, poses, vertices));
    let mut solution = sampled(&relaxation.view, fit);
    let mut left: Vec<usize> = (0..fit.helper_count).collect();
    // From the last that leaves to the first.
    let mut dropped: Vec<Vec<usize>> = Vec::new();
    let mut errors = vec![relaxation.rms(&relaxation.weigh(&mut solution, FEW_NODES))];
    while !left.is_empty() {
        let mut best: Option<(f64, Solution, Vec<usize>)> = None;
        for at in 0..left.len() {
            let partner = solution.pairs.get(at).copied().flatten();
            if partner.is_some_and(|partner| partner < at) {
                continue;
            }
            let mut fewer = solution.clone();
            remove(&mut fewer, examples.driver_count, |helper| helper != at && Some(helper) != partner);
            let miss = relaxation.weigh(&mut fewer, FEW_NODES);
            if best.as_ref().is_none_or(|(least, ..)| miss.objective < *least) {
                let gone = [Some(at), partner].into_iter().flatten().collect();
                best = Some((miss.objective, fewer, gone));
            }
        }
        let Some((_, fewer, gone)) = best else { break };
        solution = fewer;
        errors.push(relaxation.rms(&relaxation.weigh(&mut solution, FEW_NODES)));
        dropped.push(gone.iter().map(|&at| left[at]).collect());
        let mut at = 0;
        left.retain(|_| {
            at += 1;
            !gone.contains(&(at - 1))
        });
    }
    let level = |(count, rms_error): (usize, f64)| {
        let helpers = dropped[count..].iter().rev().flatten().copied().collect();
        DetailLevel { helpers, rms_error }
    };
    Ok(errors.into_iter().enumerate().map(level).collect())
}

fn sampled(view: &View<'_>, fit: &HelperFit) -> Solution {
    let of_pose = |&pose: &u32| {
        let matrices = &fit.posed_from_rest[pose as usize * fit.helper_count..][..fit.helper_count];
        rows_from(matrices, view.center)
    };
    let helper_rows = view.poses.iter().flat_map(of_pose).collect();
    Solution {
        homes: fit.homes.iter().map(|home| *home - view.center).collect(),
        pairs: fit.mirror_pairs.clone(),
        ..Solution::bare(fit.helper_count, helper_rows, fit.weights.clone())
    }
}
