//! Weights of every region on its own, many regions at a time.
//!
//! Each region has the nearest point of a hull in six dimensions to find. Projected gradients, begun at the last weights: a step down
//! the slope of ½ wᵀQw − bᵀw, then back to w ≥ 0, Σw ≤ 1. A few steps an iteration follow the exact answer, because it moves little
//! from one iteration to the next.

use super::set::inner;
use sinew_geometry::simd::{BLOCK_LANES, Kernel, Lanes, Simd};

/// Weights of each region.
#[derive(Clone, Debug)]
pub(super) struct LocalWeights {
    count: usize,
    /// Per block: Q, row by row.
    products: Vec<Lanes>,
    /// Per block: the length of a step, 1 / trace Q; 0 where there is nothing to weigh.
    steps: Vec<Lanes>,
    /// Per block and example: before β, and after.
    weights: Vec<Lanes>,
    used: Vec<Lanes>,
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
                let mut trace = 0.0;
                for row in 0..count {
                    for column in 0..count {
                        let product = inner(&of_block[row], &of_block[column], lane);
                        products[(block * count + row) * count + column].0[lane] = product as f32;
                        trace += if row == column { product } else { 0.0 };
                    }
                }
                steps[block].0[lane] = if trace > 1e-12 { (1.0 / trace) as f32 } else { 0.0 };
            }
        }
        let weights = vec![Lanes::ZERO; block_count * count];
        Self { count, products, steps, used: weights.clone(), weights }
    }

    pub(super) fn lanes(&self) -> &[Lanes] {
        &self.used
    }

    pub(super) fn weights(&self, region: usize) -> Vec<f64> {
        let first = region / BLOCK_LANES * self.count;
        (0..self.count)
            .map(|example| f64::from(self.weights[first + example].0[region % BLOCK_LANES]))
            .collect()
    }

    pub(super) fn update<S: Simd>(&mut self, simd: S, with: &[Lanes], beta: f32) {
        simd.run(Descend { local: self, with, beta });
    }
}

struct Descend<'a> {
    local: &'a mut LocalWeights,
    with: &'a [Lanes],
    beta: f32,
}

impl Kernel for Descend<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let LocalWeights { count, products, steps, weights, used } = self.local;
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
