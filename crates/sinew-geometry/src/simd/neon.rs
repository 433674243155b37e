//! NEON: a block is four vectors.
//!
//! Type-checked for aarch64, but never yet run on it: the tests that compare backends run it wherever they find it.

use super::{Kernel, Lanes, Simd};
use std::arch::aarch64::*;

/// Proof that the processor has NEON, as every 64-bit ARM has.
#[derive(Clone, Copy, Debug)]
pub struct Neon(());

impl Neon {
    /// The token, where the processor has the instructions.
    pub fn detect() -> Option<Self> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Self(()))
    }
}

#[target_feature(enable = "neon")]
fn run_compiled<K: Kernel>(token: Neon, kernel: K) {
    kernel.run(token);
}

impl Simd for Neon {
    type V = float32x4_t;
    type Wide = [float32x4_t; 4];
    const WIDTH: usize = 4;

    #[inline]
    fn run<K: Kernel>(self, kernel: K) {
        with!(run_compiled(self, kernel));
    }

    #[inline(always)]
    fn load(self, lanes: &Lanes, part: usize) -> float32x4_t {
        let part: &[f32; 4] = &lanes.0.as_chunks().0[part];
        with!(vld1q_f32(part.as_ptr()))
    }

    #[inline(always)]
    fn store(self, lanes: &mut Lanes, part: usize, v: float32x4_t) {
        let part: &mut [f32; 4] = &mut lanes.0.as_chunks_mut().0[part];
        with!(vst1q_f32(part.as_mut_ptr(), v));
    }

    #[inline(always)]
    fn splat(self, value: f32) -> float32x4_t {
        with!(vdupq_n_f32(value))
    }

    lane_wise! { with, float32x4_t:
        add(a, b) => vaddq_f32(a, b);
        sub(a, b) => vsubq_f32(a, b);
        mul(a, b) => vmulq_f32(a, b);
        mul_add(a, b, c) => vfmaq_f32(c, a, b);
        mul_sub(a, b, c) => vfmaq_f32(vnegq_f32(c), a, b);
        neg_mul_add(a, b, c) => vfmsq_f32(c, a, b);
        reciprocal(a) => vdivq_f32(vdupq_n_f32(1.0), a);
        reciprocal_sqrt(a) => vdivq_f32(vdupq_n_f32(1.0), vsqrtq_f32(a));
        select_less(a, b, less, otherwise) => vbslq_f32(vcltq_f32(a, b), less, otherwise);
    }

    #[inline(always)]
    fn all_less(self, a: float32x4_t, b: float32x4_t) -> bool {
        with!(vminvq_u32(vcltq_f32(a, b))) == u32::MAX
    }

    wide_parts!(0, 1, 2, 3);

    #[inline(always)]
    fn add_outer(self, column: &[f32; 4], row: &[f32; 4], sum: [float32x4_t; 4]) -> [float32x4_t; 4] {
        let column = with!(vld1q_f32(column.as_ptr()));
        std::array::from_fn(|j| self.mul_add(column, self.splat(row[j]), sum[j]))
    }

    #[inline(always)]
    fn times_vector(self, columns: [float32x4_t; 4], v: &[f32; 4]) -> [f32; 4] {
        let scaled = |j: usize| self.mul(columns[j], self.splat(v[j]));
        let sum = self.add(self.add(scaled(0), scaled(2)), self.add(scaled(1), scaled(3)));
        let mut out = [0.0; 4];
        with!(vst1q_f32(out.as_mut_ptr(), sum));
        out
    }

    #[inline(always)]
    fn store_points(self, out: &mut [Lanes; 3], part: usize, [x, y, z]: [float32x4_t; 3]) {
        let mut points = [0.0; 12];
        with!(vst3q_f32(points.as_mut_ptr(), float32x4x3_t(x, y, z)));
        for (at, four) in points.as_chunks::<4>().0.iter().enumerate() {
            let at = 3 * part + at;
            out[at / 4].0.as_chunks_mut().0[at % 4] = *four;
        }
    }

    // There is no intrinsic for stores past the caches. That of prefetching is not stable; the processor's own prefetcher sees the
    // same plain stream.
}
