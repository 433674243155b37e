//! The portable backend: one float at a time, in plain arithmetic. Twin of the others, which tests compare with it.

use super::{Kernel, Lanes, Simd};

/// No instructions beyond those of the target.
#[derive(Clone, Copy, Debug)]
pub struct Scalar;

macro_rules! plain {
    ($call:expr) => {
        $call
    };
}

impl Simd for Scalar {
    type V = f32;
    type Wide = [f32; 16];
    const WIDTH: usize = 1;

    #[inline]
    fn run<K: Kernel>(self, kernel: K) {
        kernel.run(self);
    }

    #[inline(always)]
    fn load(self, lanes: &Lanes, part: usize) -> f32 {
        lanes.0[part]
    }

    #[inline(always)]
    fn store(self, lanes: &mut Lanes, part: usize, v: f32) {
        lanes.0[part] = v;
    }

    #[inline(always)]
    fn splat(self, value: f32) -> f32 {
        value
    }

    // Not `f32::mul_add`: without the instruction that is a function call.
    lane_wise! { plain, f32:
        add(a, b) => a + b;
        sub(a, b) => a - b;
        mul(a, b) => a * b;
        mul_add(a, b, c) => a * b + c;
        mul_sub(a, b, c) => a * b - c;
        neg_mul_add(a, b, c) => c - a * b;
        reciprocal(a) => 1.0 / a;
        reciprocal_sqrt(a) => 1.0 / a.sqrt();
        select_less(a, b, less, otherwise) => if a < b { less } else { otherwise };
    }

    #[inline(always)]
    fn all_less(self, a: f32, b: f32) -> bool {
        a < b
    }

    #[inline(always)]
    fn wide_splat(self, value: f32) -> [f32; 16] {
        [value; 16]
    }

    #[inline(always)]
    fn wide_load(self, lanes: &Lanes) -> [f32; 16] {
        lanes.0
    }

    #[inline(always)]
    fn wide_store(self, lanes: &mut Lanes, wide: [f32; 16]) {
        lanes.0 = wide;
    }

    #[inline(always)]
    fn wide_add(self, a: [f32; 16], b: [f32; 16]) -> [f32; 16] {
        std::array::from_fn(|lane| a[lane] + b[lane])
    }

    #[inline(always)]
    fn add_outer(self, column: &[f32; 4], row: &[f32; 4], sum: [f32; 16]) -> [f32; 16] {
        std::array::from_fn(|lane| column[lane % 4] * row[lane / 4] + sum[lane])
    }

    #[inline(always)]
    fn times_vector(self, columns: [f32; 16], v: &[f32; 4]) -> [f32; 4] {
        std::array::from_fn(|i| {
            (columns[i] * v[0] + columns[8 + i] * v[2]) + (columns[4 + i] * v[1] + columns[12 + i] * v[3])
        })
    }

    #[inline(always)]
    fn store_points(self, out: &mut [Lanes; 3], part: usize, xyz: [f32; 3]) {
        for (component, value) in xyz.into_iter().enumerate() {
            let at = 3 * part + component;
            out[at / 16].0[at % 16] = value;
        }
    }
}
