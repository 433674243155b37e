//! Controllers fitted to vertices instead of to helper poses.
//!
//! Regression makes all parts of a helper's pose alike good; vertices do not care alike. With weights fixed, this finds the coefficients
//! that are not zero by Gauss–Newton steps on the error of the vertices themselves, all helpers at once. No step looks at a
//! target: `Σ w v (x, 1)ᵀ` of each pose is all that is needed of them. \[Mukai15\] Sec. 7 names this as open.

use faer::{Accum, Mat, MatRef};
use glam::DAffine3;
use rayon::prelude::*;
use sinew_rig::HELPER_NUMBERS;

use super::frame::ParentPose;
use super::model::HelperController;
use crate::helpers::{Loads, Relaxation, Rows, Solution, row_of, rows_from, rows_of};
use crate::numeric::{multiply, solve_spd};

/// Sums over poses are made in this many parts, in order.
const PARTS: usize = 8;
/// Poses whose products are held at a time.
const BLOCK: usize = 128;
/// Steps are tried with this much more damping until one lowers the error.
const MORE_DAMPING: f64 = 10.0;
const MAX_TRIES: usize = 8;

/// Poses with what controllers see of them.
pub(crate) struct RefitPoses {
    /// A row of `width` values of the basis a pose.
    pub(crate) values: Vec<f64>,
    pub(crate) width: usize,
    /// Parents: pose by pose, one per helper.
    pub(crate) parents: Vec<ParentPose>,
}

/// Which numbers of a helper's pose may change.
pub(crate) type Channels = Vec<usize>;

/// Gauss–Newton steps on the coefficients that are not 0.
pub(crate) struct Refit<'a> {
    pub(crate) relaxation: &'a Relaxation<'a>,
    pub(crate) poses: &'a RefitPoses,
    pub(crate) channels: Channels,
    /// Coefficients that may change: for each helper a table as long as its coefficients.
    pub(crate) free: Vec<Vec<bool>>,
}

/// Sums for one step: `products` has a row a pair of numbers and a column a pair of values, `slopes` a row a number and a column a value.
struct Normal {
    products: Mat<f64>,
    slopes: Mat<f64>,
}

impl Refit<'_> {
    /// At most `steps` steps; the error falls with each.
    pub(crate) fn run(&self, helpers: &mut [HelperController], solution: &mut Solution, steps: usize) {
        let view = &self.relaxation.view;
        let loads = Loads::new(view, solution);
        let width = solution.helper_width();
        let mut pulls = vec![0.0; 3 * width * view.pose_count()];
        view.each_part(
            &mut pulls,
            3 * width,
            || (),
            |(), block, pulls| pulls.copy_from_slice(&loads.pulls(view, &block, width)),
        );
        let mut value = self.value(&solution.helper_rows, &pulls, &loads, width);
        let mut damping = 1e-6;
        for _ in 0..steps {
            let normal = self.normal(helpers, solution, &pulls, &loads);
            let mut accepted = None;
            for _ in 0..MAX_TRIES {
                let Some(changed) = self.step(helpers, &normal, damping) else { break };
                let rows = self.rows(&changed);
                let new = self.value(&rows, &pulls, &loads, width);
                if new < value {
                    accepted = Some((changed, rows, new));
                    break;
                }
                damping = (damping * MORE_DAMPING).max(1e-6);
            }
            let Some((changed, rows, new)) = accepted else { return };
            helpers.clone_from_slice(&changed);
            solution.helper_rows = rows;
            value = new;
            damping *= 0.2;
        }
    }

    /// Rows of all helpers in all poses.
    pub(crate) fn rows(&self, helpers: &[HelperController]) -> Vec<f64> {
        let (count, poses) = (helpers.len(), self.poses);
        let center = self.relaxation.view.center;
        let per_pose = |(values, parents): (&[f64], &[ParentPose])| -> Vec<f64> {
            let matrix = |(controller, parent): (&HelperController, &ParentPose)| {
                controller.frame.matrix(parent, &controller.numbers(values))
            };
            let matrices: Vec<DAffine3> = helpers.iter().zip(parents).map(matrix).collect();
            rows_from(&matrices, center).collect()
        };
        let pairs = poses.values.par_chunks(poses.width).zip(poses.parents.par_chunks(count.max(1)));
        pairs.flat_map_iter(per_pose).collect()
    }

    /// Σ |M L|² − 2 M · pull: the squared error but for a constant.
    fn value(&self, rows: &[f64], pulls: &[f64], loads: &Loads, width: usize) -> f64 {
        let parts: Vec<f64> = rows
            .par_chunks(3 * width * BLOCK)
            .zip(pulls.par_chunks(3 * width * BLOCK))
            .map(|(rows, pulls)| {
                let count = rows.len() / width;
                let mut moved = Mat::<f64>::zeros(count, width);
                let left = MatRef::from_row_major_slice(rows, count, width);
                let right = MatRef::from_row_major_slice(&loads.with_helpers, width, width);
                multiply(moved.as_mut(), Accum::Replace, left, right, 1.0);
                let entry = |at: usize| rows[at] * (moved[(at / width, at % width)] - 2.0 * pulls[at]);
                (0..rows.len()).map(entry).sum::<f64>()
            })
            .collect();
        parts.iter().sum()
    }

    fn normal(
        &self,
        helpers: &[HelperController],
        solution: &Solution,
        pulls: &[f64],
        loads: &Loads,
    ) -> Normal {
        let pose_count = self.relaxation.view.pose_count();
        let (numbers, width) = (helpers.len() * self.channels.len(), self.poses.width);
        let empty = || Normal {
            products: Mat::zeros(pair_count(numbers), pair_count(width)),
            slopes: Mat::zeros(numbers, width),
        };
        let parts = (0..PARTS).into_par_iter().map(|part| {
            let (from, to) = (pose_count * part / PARTS, pose_count * (part + 1) / PARTS);
            let mut normal = empty();
            for first in (from..to).step_by(BLOCK) {
                let poses = first..(first + BLOCK).min(to);
                self.add_block(helpers, solution, (pulls, loads), poses, &mut normal);
            }
            normal
        });
        let mut sum = empty();
        for part in parts.collect::<Vec<Normal>>() {
            sum.products += part.products;
            sum.slopes += part.slopes;
        }
        sum
    }

    fn add_block(
        &self,
        helpers: &[HelperController],
        solution: &Solution,
        (pulls, loads): (&[f64], &Loads),
        poses: std::ops::Range<usize>,
        normal: &mut Normal,
    ) {
        let (numbers, width) = (normal.slopes.nrows(), self.poses.width);
        let count = poses.len();
        let mut curvatures = Mat::<f64>::zeros(count, pair_count(numbers));
        let mut gradients = Mat::<f64>::zeros(count, numbers);
        let mut values = Mat::<f64>::zeros(count, width);
        let mut value_pairs = Mat::<f64>::zeros(count, pair_count(width));
        for (at, pose) in poses.enumerate() {
            let slopes = self.slopes(helpers, pose);
            let helper_width = solution.helper_width();
            let rows = &solution.helper_rows[3 * helper_width * pose..][..3 * helper_width];
            let pulls = &pulls[3 * helper_width * pose..][..3 * helper_width];
            let left = residual(rows, pulls, loads, helper_width);
            let channel_count = self.channels.len();
            for (a, slope) in slopes.iter().enumerate() {
                let helper = a / channel_count;
                gradients[(at, a)] = dot(slope, &rows_of(&left, helper, helper_width));
                let loaded: Vec<Rows> = (0..=helper)
                    .map(|other| times_load(slope, &loads.block(helper, other, helper_width)))
                    .collect();
                for (b, other) in slopes.iter().enumerate().take(a + 1) {
                    curvatures[(at, pair(a, b))] = dot(other, &loaded[b / channel_count]);
                }
            }
            let row = &self.poses.values[pose * width..][..width];
            for (q, &value) in row.iter().enumerate() {
                values[(at, q)] = value;
                (0..=q).for_each(|r| value_pairs[(at, pair(q, r))] = value * row[r]);
            }
        }
        multiply(normal.products.as_mut(), Accum::Add, curvatures.transpose(), value_pairs.as_ref(), 1.0);
        multiply(normal.slopes.as_mut(), Accum::Add, gradients.transpose(), values.as_ref(), 1.0);
    }

    /// How each helper's rows change with each of its numbers, in one pose.
    fn slopes(&self, helpers: &[HelperController], pose: usize) -> Vec<Rows> {
        let poses = self.poses;
        let values = &poses.values[pose * poses.width..][..poses.width];
        let center = self.relaxation.view.center;
        let mut slopes = Vec::with_capacity(helpers.len() * self.channels.len());
        for (helper, controller) in helpers.iter().enumerate() {
            let parent = &poses.parents[pose * helpers.len() + helper];
            let all = controller.frame.slopes(parent, &controller.numbers(values));
            let rows = |channel: usize| [0, 1, 2].map(|component| row_of(&all[channel], center, component));
            slopes.extend(self.channels.iter().map(|&channel| rows(channel)));
        }
        slopes
    }

    /// The controllers after a damped step; `None` where there is nothing to change or no step can be found.
    fn step(
        &self,
        helpers: &[HelperController],
        normal: &Normal,
        damping: f64,
    ) -> Option<Vec<HelperController>> {
        let width = self.poses.width;
        let mut unknowns = Vec::new();
        for (helper, free) in self.free.iter().enumerate() {
            for (at, &channel) in self.channels.iter().enumerate() {
                let number = helper * self.channels.len() + at;
                let of_channel = (0..width).filter(|value| free[value * HELPER_NUMBERS + channel]);
                unknowns.extend(of_channel.map(|value| (helper, channel, number, value)));
            }
        }
        let size = unknowns.len();
        let entry = |i: usize, j: usize| {
            let ((_, _, a, q), (_, _, b, r)) = (unknowns[i], unknowns[j]);
            normal.products[(pair(a, b), pair(q, r))]
        };
        let matrix = Mat::from_fn(size, size, |i, j| if i >= j { entry(i, j) } else { entry(j, i) });
        let right = Mat::from_fn(size, 1, |i, _| normal.slopes[(unknowns[i].2, unknowns[i].3)]);
        if size == 0 {
            return None;
        }
        let step = solve_spd(&matrix, &right, damping)?;
        let mut changed = helpers.to_vec();
        for (i, &(helper, channel, _, value)) in unknowns.iter().enumerate() {
            changed[helper].coefficients[value * HELPER_NUMBERS + channel] += step[(i, 0)];
        }
        Some(changed)
    }
}

/// Place of an unordered pair.
fn pair(a: usize, b: usize) -> usize {
    let (more, less) = if a >= b { (a, b) } else { (b, a) };
    more * (more + 1) / 2 + less
}

fn pair_count(count: usize) -> usize {
    count * (count + 1) / 2
}

/// What all bones leave of the pulls.
fn residual(rows: &[f64], pulls: &[f64], loads: &Loads, width: usize) -> Vec<f64> {
    let mut left = pulls.to_vec();
    for (row, left) in rows.chunks(width).zip(left.chunks_mut(width)) {
        for (entry, load) in row.iter().zip(loads.with_helpers.chunks(width)) {
            left.iter_mut().zip(load).for_each(|(left, load)| *left -= entry * load);
        }
    }
    left
}

fn times_load(slope: &Rows, load: &[[f64; 4]; 4]) -> Rows {
    slope.map(|row| {
        let mut product = [0.0; 4];
        for (factor, load) in row.iter().zip(load) {
            product.iter_mut().zip(load).for_each(|(entry, load)| *entry += factor * load);
        }
        product
    })
}

fn dot(a: &Rows, b: &Rows) -> f64 {
    a.as_flattened().iter().zip(b.as_flattened()).map(|(a, b)| a * b).sum()
}
