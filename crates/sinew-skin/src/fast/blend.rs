//! Weighted sums of bones' constants.

use super::layout::ANY;
use sinew_geometry::simd::{Lanes, Simd};

/// `constants[0] + Σ weights[k] constants[k + 1]`, entry by entry, with the weights taken from lanes.
///
/// `EXTRA` is the number of weights, or [`ANY`] where it is only known when running.
#[inline(always)]
pub(super) fn blend<S: Simd, const N: usize, const EXTRA: usize>(
    simd: S,
    constants: &[[f32; N]],
    weights: &[Lanes],
    part: usize,
) -> [S::V; N] {
    let extra = if EXTRA == ANY { weights.len() } else { EXTRA };
    let (constants, weights) = (&constants[..=extra], &weights[..extra]);
    let mut sum = [simd.splat(0.0); N];
    for (sum, &constant) in sum.iter_mut().zip(&constants[0]) {
        *sum = simd.splat(constant);
    }
    for (weight, constants) in weights.iter().zip(&constants[1..]) {
        let weight = simd.load(weight, part);
        for (sum, &constant) in sum.iter_mut().zip(constants) {
            *sum = simd.mul_add(weight, simd.splat(constant), *sum);
        }
    }
    sum
}
