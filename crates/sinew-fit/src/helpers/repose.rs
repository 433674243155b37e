//! Helpers in poses that were not fitted, and fits with fewer helpers.

use glam::{DAffine3, DVec3};

use super::fit::HelperFit;
use super::measure::{FitErrors, measure};
use super::motion::linear_part;
use super::rules::check;
use super::settings::HelperSettings;
use super::sweep::{Solution, rows_of, sweep};
use super::view::{View, row_of};
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
    let expected = examples.vertex_count() * (examples.driver_count + helper_count);
    if weights.len() != expected {
        return Err(HelperError::State { what: "weights", found: weights.len(), expected });
    }
    if start.len() != pose_count * helper_count {
        let (found, expected) = (start.len(), pose_count * helper_count);
        return Err(HelperError::State { what: "helper matrices", found, expected });
    }
    let all = |count: usize| (0..count as u32).collect::<Vec<u32>>();
    let view = View::new(*examples, all(pose_count), all(examples.vertex_count()));
    let mut helper_rows = Vec::with_capacity(12 * start.len());
    for matrices in start.chunks(helper_count.max(1)) {
        for component in 0..3 {
            helper_rows.extend(matrices.iter().flat_map(|matrix| row_of(matrix, view.center, component)));
        }
    }
    let homes = vec![DVec3::ZERO; helper_count];
    let (pivots, pairs) = (Vec::new(), Vec::new());
    let mut solution =
        Solution { helper_count, helper_rows, weights: weights.to_vec(), pivots, homes, pairs };
    sweep(&view, &mut solution, settings.motion, ROUNDS);
    let width = solution.helper_width();
    let mut posed = Vec::with_capacity(start.len());
    for rows in solution.helper_rows.chunks(3 * width.max(1)) {
        for helper in 0..helper_count {
            let rows = rows_of(rows, helper, width);
            let linear = linear_part(&rows);
            let moved = DVec3::new(rows[0][3], rows[1][3], rows[2][3]);
            posed.push(DAffine3 { matrix3: linear, translation: moved - linear * view.center });
        }
    }
    Ok((posed, measure(examples, &solution)))
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
        let place = |helper: usize| kept.iter().position(|&other| other == helper);
        let of = |matrices: &[DAffine3]| kept.iter().map(|&helper| matrices[helper]).collect::<Vec<_>>();
        Self {
            helper_count: kept.len(),
            driver_count: self.driver_count,
            posed_from_rest: self.posed_from_rest.chunks(self.helper_count.max(1)).flat_map(of).collect(),
            weights,
            pivots: if self.pivots.is_empty() {
                Vec::new()
            } else {
                kept.iter().map(|&helper| self.pivots[helper]).collect()
            },
            mirror_pairs: if self.mirror_pairs.is_empty() {
                Vec::new()
            } else {
                kept.iter().map(|&helper| self.mirror_pairs[helper].and_then(place)).collect()
            },
            homes: kept.iter().map(|&helper| self.homes[helper]).collect(),
            errors: self.errors.clone(),
            history: self.history.clone(),
            state: None,
        }
    }
}
