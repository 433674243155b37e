//! Helpers in poses that were not fitted, and fits with fewer helpers.

use glam::DAffine3;

use super::fit::{HelperFit, check_counts, pick, pick_pairs};
use super::measure::{FitErrors, measure};
use super::rules::check;
use super::settings::HelperSettings;
use super::sweep::{Solution, sweep};
use super::view::{View, rows_from};
use crate::error::HelperError;
use crate::examples::Examples;

/// Rounds over all helpers; each lowers the error less than the one before.
const ROUNDS: usize = 20;

/// The best transforms of helpers in every pose of any examples of the same skin, with weights as they are. `start`: where helpers
/// are before, pose by pose, in each pose one per helper.
///
/// # Errors
/// If examples or settings are wrong, or lists do not match them.
pub fn repose_helpers(
    examples: &Examples<'_>,
    weights: &[f64],
    start: &[DAffine3],
    settings: &HelperSettings,
) -> Result<(Vec<DAffine3>, FitErrors), HelperError> {
    examples.check()?;
    check(settings, examples)?;
    let pose_count = examples.pose_count();
    let helper_count = start.len() / pose_count;
    check_counts(&[
        ("weights", weights.len(), examples.vertex_count() * (examples.driver_count + helper_count)),
        ("helper matrices", start.len(), pose_count * helper_count),
    ])?;
    let all = |count: usize| (0..count as u32).collect::<Vec<u32>>();
    let view = View::new(*examples, all(pose_count), all(examples.vertex_count()));
    let poses = start.chunks(helper_count.max(1));
    let helper_rows = poses.flat_map(|matrices| rows_from(matrices, view.center)).collect();
    let mut solution = Solution::bare(helper_count, helper_rows, weights.to_vec());
    sweep(&view, &mut solution, settings.motion, ROUNDS);
    Ok((solution.posed_from_rest(view.center), measure(examples, &solution)))
}

impl HelperFit {
    /// A fit with some of the helpers, as [`detail_levels`](crate::detail_levels) names them. Weights of those that go are shared out among what a vertex
    /// has left, or go to its first driver; [`fit_controllers`](crate::fit_controllers) solves them anew. Errors and history are still those of all.
    #[must_use]
    pub fn with_helpers(&self, kept: &[usize]) -> Self {
        let bone_count = self.driver_count + self.helper_count;
        let mut weights = Vec::with_capacity(self.weights.len());
        for row in self.weights.chunks(bone_count.max(1)) {
            let first = weights.len();
            weights.extend_from_slice(&row[..self.driver_count]);
            weights.extend(kept.iter().map(|&helper| row[self.driver_count + helper]));
            let sum: f64 = weights[first..].iter().sum();
            if sum > 0.0 {
                weights[first..].iter_mut().for_each(|weight| *weight /= sum);
            } else if let Some(weight) = weights.get_mut(first) {
                *weight = 1.0;
            }
        }
        let of = |matrices: &[DAffine3]| pick(matrices, kept);
        Self {
            helper_count: kept.len(),
            driver_count: self.driver_count,
            posed_from_rest: self.posed_from_rest.chunks(self.helper_count.max(1)).flat_map(of).collect(),
            weights,
            pivots: pick(&self.pivots, kept),
            mirror_pairs: pick_pairs(&self.mirror_pairs, kept),
            homes: pick(&self.homes, kept),
            errors: self.errors.clone(),
            history: self.history.clone(),
            state: None,
        }
    }
}
