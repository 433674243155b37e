//! Weights of every region on its own, many regions at a time.
//!
//! Each region has the nearest point of a hull in six dimensions to find. Projected gradients, begun at the last weights: a step down
//! the slope of ½ wᵀQw − bᵀw, then back to w ≥ 0, Σw ≤ 1. A few steps an iteration follow the exact answer, because it moves little
//! from one iteration to the next.

use super::driven::Driven;
use super::set::inner;
use sinew_geometry::simd::{BLOCK_LANES, Kernel, Lanes, Simd};

/// Weights of each region.
#[derive(Clone, Debug)]
pub(super) struct LocalWeights {
    count: usize,
    /// Per block: Q, row by row.
    products: Vec<Lanes>,
    /// Per block: the length of a step, 1 / λ with Q's largest eigenvalue λ; 0 where there is nothing to weigh.
    steps: Vec<Lanes>,
    /// Per block and example: before β, and after.
    weights: Vec<Lanes>,
    pub(super) used: Vec<Lanes>,
    /// Room for the weights of one region.
    mixed: Vec<f32>,
}

/// Steps down the slope an iteration.
const DESCENTS: usize = 2;

/// Rounds that find what to take from weights whose sum is over 1.
const SHARINGS: usize = 3;

impl LocalWeights {
    pub(super) fn new(differences: &[[Lanes; 6]], count: usize) -> Self {
        let block_count = differences.len() / count.max(1);
        let mut products = vec![Lanes::ZERO; block_count * count * count];
        let mut steps = vec![Lanes::ZERO; block_count];
        for block in 0..block_count {
            let of_block = &differences[block * count..][..count];
            for lane in 0..BLOCK_LANES {
                let of = |at: usize| inner(&of_block[at / count], &of_block[at % count], lane);
                let of_lane: Vec<f64> = (0..count * count).map(of).collect();
                for (at, product) in of_lane.iter().enumerate() {
                    products[block * count * count + at].0[lane] = *product as f32;
                }
                let largest = largest_eigenvalue(count, &of_lane);
                steps[block].0[lane] = if largest > 1e-12 { (1.0 / largest) as f32 } else { 0.0 };
            }
        }
        let weights = vec![Lanes::ZERO; block_count * count];
        Self { count, products, steps, used: weights.clone(), weights, mixed: vec![0.0; count] }
    }

    pub(super) fn weights(&self, region: usize) -> Vec<f64> {
        let first = region / BLOCK_LANES * self.count;
        (0..self.count)
            .map(|example| f64::from(self.weights[first + example].0[region % BLOCK_LANES]))
            .collect()
    }

    pub(super) fn used(&self, region: usize) -> Vec<f32> {
        let first = region / BLOCK_LANES * self.count;
        (0..self.count).map(|example| self.used[first + example].0[region % BLOCK_LANES]).collect()
    }

    /// Joins the weights that were found with those that are given.
    pub(super) fn mix(&mut self, driven: &Driven, region_count: usize, beta: f32) {
        let Self { count, weights, used, mixed, .. } = self;
        for region in 0..region_count {
            let (first, lane) = (region / BLOCK_LANES * *count, region % BLOCK_LANES);
            for (mixed, weight) in mixed.iter_mut().zip(&weights[first..]) {
                *mixed = weight.0[lane];
            }
            driven.mix(region, beta, mixed);
            for (used, mixed) in used[first..].iter_mut().zip(&*mixed) {
                used.0[lane] = *mixed;
            }
        }
    }

    pub(super) fn update<S: Simd>(&mut self, simd: S, with: &[Lanes], beta: f32) {
        simd.run(Descend { local: self, with, beta });
    }
}

/// The largest eigenvalue of a symmetric n × n matrix that has no negative ones, from above: ‖Q⁸‖^⅛ in Frobenius's norm is at most n^(1/16)
/// of it, a tenth more for four examples.
fn largest_eigenvalue(count: usize, matrix: &[f64]) -> f64 {
    let norm = |matrix: &[f64]| matrix.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
    let scale = norm(matrix);
    if scale <= 0.0 {
        return 0.0;
    }
    let mut power: Vec<f64> = matrix.iter().map(|entry| entry / scale).collect();
    for _ in 0..3 {
        let product = |row: usize, column: usize| -> f64 {
            (0..count).map(|k| power[row * count + k] * power[k * count + column]).sum()
        };
        power = (0..count * count).map(|at| product(at / count, at % count)).collect();
    }
    scale * norm(&power).powf(0.125)
}

struct Descend<'a> {
    local: &'a mut LocalWeights,
    with: &'a [Lanes],
    beta: f32,
}

impl Kernel for Descend<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let LocalWeights { count, products, steps, weights, used, .. } = self.local;
        let count = *count;
        for (block, step) in steps.iter().enumerate() {
            let products = &products[block * count * count..][..count * count];
            let with = &self.with[block * count..][..count];
            let weights = &mut weights[block * count..][..count];
            let used = &mut used[block * count..][..count];
            for part in 0..BLOCK_LANES / S::WIDTH {
                for _ in 0..DESCENTS {
                    descend(simd, part, products, with, step, weights, used);
                    share_out(simd, part, weights);
                }
                for (used, weight) in used.iter_mut().zip(weights.iter()) {
                    simd.store(used, part, simd.mul(simd.splat(self.beta), simd.load(weight, part)));
                }
            }
        }
    }
}

/// w ← max(0, w + step (b − Q w)). `slopes` is room for the slopes.
#[inline(always)]
fn descend<S: Simd>(
    simd: S,
    part: usize,
    products: &[Lanes],
    with: &[Lanes],
    step: &Lanes,
    weights: &mut [Lanes],
    slopes: &mut [Lanes],
) {
    let count = weights.len();
    for row in 0..count {
        let mut slope = simd.load(&with[row], part);
        for column in 0..count {
            let product = simd.load(&products[row * count + column], part);
            slope = simd.neg_mul_add(product, simd.load(&weights[column], part), slope);
        }
        simd.store(&mut slopes[row], part, slope);
    }
    let step = simd.load(step, part);
    for (weight, slope) in weights.iter_mut().zip(slopes.iter()) {
        let moved = simd.mul_add(step, simd.load(slope, part), simd.load(weight, part));
        simd.store(weight, part, simd.max(moved, simd.splat(0.0)));
    }
}

/// Takes the same from all weights that have something, until they sum to no more than 1.
#[inline(always)]
fn share_out<S: Simd>(simd: S, part: usize, weights: &mut [Lanes]) {
    let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
    for _ in 0..SHARINGS {
        let (mut sum, mut holders) = (simd.splat(-1.0), simd.splat(1e-6));
        for weight in weights.iter() {
            let weight = simd.load(weight, part);
            sum = simd.add(sum, weight);
            holders = simd.add(holders, simd.select_less(zero, weight, one, zero));
        }
        let excess = simd.mul(simd.max(sum, zero), simd.reciprocal(holders));
        for weight in weights.iter_mut() {
            let rest = simd.max(simd.sub(simd.load(weight, part), excess), zero);
            simd.store(weight, part, rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::hull::{Hull, HullScratch};
    use super::*;
    use sinew_geometry::simd::{Backend, WithSimd};

    struct Updates<'a> {
        local: &'a mut LocalWeights,
        with: &'a [Lanes],
        count: usize,
    }

    impl WithSimd for Updates<'_> {
        fn with<S: Simd>(self, simd: S) {
            (0..self.count).for_each(|_| self.local.update(simd, self.with, 1.0));
        }
    }

    /// Strains like those of examples that artists make: some tenths, most of them of one kind.
    fn strains(blocks: usize, count: usize, seed: f32) -> Vec<[Lanes; 6]> {
        let wave = |k: f32, at: usize| (k * at as f32 + seed).sin();
        let entry = |at: usize, entry: usize| {
            let lanes = std::array::from_fn(|lane| {
                let number = (at * 6 + entry) * BLOCK_LANES + lane;
                0.3 * wave(12.9898, number) * wave(78.233, number).abs()
            });
            Lanes(lanes)
        };
        (0..blocks * count).map(|at| std::array::from_fn(|of| entry(at, of))).collect()
    }

    /// Largest distance between the points that regions' weights and the hull's weights stand for, as a share of the longest example.
    fn apart(count: usize, updates: usize) -> f64 {
        const BLOCKS: usize = 20;
        let differences = strains(BLOCKS, count, 0.5);
        let targets = strains(BLOCKS, 1, 2.5);
        let with: Vec<Lanes> = (0..BLOCKS * count)
            .map(|at| {
                let product = |lane| inner(&differences[at], &targets[at / count], lane) as f32;
                Lanes(std::array::from_fn(product))
            })
            .collect();
        let mut local = LocalWeights::new(&differences, count);
        Backend::detect().dispatch(Updates { local: &mut local, with: &with, count: updates });
        let mut worst = 0.0f64;
        for region in 0..BLOCKS * BLOCK_LANES {
            let (first, lane) = (region / BLOCK_LANES * count, region % BLOCK_LANES);
            let of = |a: usize, b: usize| inner(&differences[first + a], &differences[first + b], lane);
            let products: Vec<f64> = (0..count * count).map(|at| of(at / count, at % count)).collect();
            let with: Vec<f64> = (0..count).map(|at| f64::from(with[first + at].0[lane])).collect();
            let mut nearest = vec![0.0; count];
            Hull::new(count, &products).nearest(&with, &mut HullScratch::default(), &mut nearest);
            let found = local.weights(region);
            assert!(found.iter().all(|weight| *weight >= 0.0) && found.iter().sum::<f64>() < 1.0 + 1e-5);
            let lack = |at: usize| found[at] - nearest[at];
            let square: f64 =
                (0..count * count).map(|at| lack(at / count) * lack(at % count) * products[at]).sum();
            let longest = (0..count).map(|at| of(at, at)).fold(0.0, f64::max);
            worst = worst.max((square.max(0.0) / longest).sqrt());
        }
        worst
    }

    #[test]
    fn weights_of_a_still_region_go_to_the_nearest_point_of_the_hull() {
        for count in [1, 3, 5] {
            let figures: Vec<f64> = [5, 20, 100, 1000].map(|updates| apart(count, updates)).to_vec();
            eprintln!("{count} examples: {figures:?}");
            assert!(
                figures[1] < 0.1 && figures[2] < 5e-3 && figures[3] < 1e-5,
                "{count} examples: {figures:?}"
            );
        }
    }
}
