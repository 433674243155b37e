//! Helper transforms for poses that were not fitted yet.

use rayon::prelude::*;

use super::sweep::Solution;
use super::view::{View, rows_from};
use crate::examples::Examples;

/// Replaces the transforms of `poses` by those for the poses of `view`: each is taken from the pose with the most similar drivers. The
/// weights stay.
pub(crate) fn transfer(examples: &Examples<'_>, poses: &[u32], view: &View<'_>, solution: &mut Solution) {
    let stride = 3 * solution.helper_width();
    if stride == 0 {
        return;
    }
    let size = 3 * view.driver_width();
    let of_pose = |&pose: &u32| rows_from(examples.drivers(pose as usize), view.center);
    let known: Vec<f64> = poses.iter().flat_map(of_pose).collect();
    // Rotations and translations are compared as the model would move by them.
    let scale = [view.extent * 0.25, view.extent * 0.25, view.extent * 0.25, 1.0];
    let distance = |a: &[f64], b: &[f64]| {
        let parts = a.iter().zip(b).zip(scale.iter().cycle());
        parts.map(|((a, b), scale)| (a - b) * (a - b) * scale * scale).sum::<f64>()
    };
    let nearest: Vec<usize> = view
        .driver_rows
        .par_chunks(size)
        .map(|rows| {
            let mut best = (f64::INFINITY, 0);
            for (at, other) in known.chunks(size).enumerate() {
                let found = distance(rows, other);
                if found < best.0 {
                    best = (found, at);
                }
            }
            best.1
        })
        .collect();
    let rows = nearest.iter().flat_map(|&at| &solution.helper_rows[at * stride..][..stride]);
    solution.helper_rows = rows.copied().collect();
}
