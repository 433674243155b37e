//! SBS+ (SDEF) of a block, two bones; the fast twin of [`crate::sdef`].
//!
//! The closed form of \[Hagihara14\] eq. 15, with `Aᵢ = lin(Mᵢ)`, `D = r0 − r1` and t the weight of bone 0:
//!
//! `v' = R (v − c) + t M0 c + (1−t) M1 c + (1−s) t(1−t) (A0 − A1) D`.
//!
//! All but R is linear in the stored data of a vertex. With `g = (1−t) c − (1−s) t(1−t) D`, stored per vertex:
//!
//! `v' = R (v − c) + A0 c + (A1 − A0) g + t0 + (1−t) (t1 − t0)`.
//!
//! R is the slerp of the bones' rotations. With the axis a and angle α of `R0⁻¹ R1` and φ = (1−t) α, Rodrigues' formula gives
//!
//! `R = R0 (a aᵀ + cos φ (I − a aᵀ) + sin φ [a]×) = K0 + cos φ K1 + sin φ K2`,
//!
//! three constant matrices per pair of bones: exact, without normalizing.

use super::layout::{CENTER_AT, NORMAL_AT, POSITION_AT, SDEF_STREAMS, SHIFT_AT, TURN_WEIGHT_AT};
use super::work::{Block, MoveBlock, Moved, load_triple};
use sinew_geometry::simd::lane_math::{Rows, dot_add, posed_normal, product, symmetric_rows, transform};
use sinew_geometry::simd::{Lanes, Simd};

/// Constants of a pair of bones; matrices by rows.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct PairTable {
    /// K0, K1, K2.
    pub(super) turns: [[[f32; 3]; 3]; 3],
    /// A0.
    pub(super) first: [[f32; 3]; 3],
    /// A1 − A0.
    pub(super) difference: [[f32; 3]; 3],
    /// The translation of bone 0.
    pub(super) translation: [f32; 3],
    /// The translation of bone 1 less that of bone 0.
    pub(super) translation_difference: [f32; 3],
    /// α, 0 to π.
    pub(super) angle_rad: f32,
    /// P0, P1 − P0: scale and shear, xx yy zz xy xz yz.
    pub(super) stretches: [[f32; 6]; 2],
}

/// Moves blocks by SBS+. `STRETCHED`: with scale and shear, else both bones are rigid.
pub(super) struct Sdef<'a, const STRETCHED: bool> {
    /// Of all bone sets.
    pub(super) pairs: &'a [PairTable],
}

impl<const STRETCHED: bool> MoveBlock for Sdef<'_, STRETCHED> {
    const STRIDE: Option<usize> = Some(SDEF_STREAMS);

    #[inline(always)]
    fn move_part<S: Simd>(&self, simd: S, block: Block<'_>, part: usize) -> Moved<S::V> {
        let pair = &self.pairs[block.constants_at];
        let block: &[Lanes; SDEF_STREAMS] =
            block.streams.first_chunk().expect("a block of an SDEF class has 13 streams");
        let weight = simd.load(&block[TURN_WEIGHT_AT], part);
        let rotation = pair.rotation(simd, weight);
        let arm = load_triple(simd, block, POSITION_AT, part);
        let normal = load_triple(simd, block, NORMAL_AT, part);
        let shift = pair.shift(simd, block, part, weight);
        if STRETCHED {
            let [first, difference] = pair.stretches;
            let mut stretch = [weight; 6];
            for at in 0..6 {
                stretch[at] = simd.mul_add(weight, simd.splat(difference[at]), simd.splat(first[at]));
            }
            let map = product(simd, &rotation, &symmetric_rows(stretch));
            let position = add_rows(simd, &map, arm, shift);
            return Moved { position, normal: posed_normal(simd, &map, normal), map };
        }
        Moved {
            position: add_rows(simd, &rotation, arm, shift),
            normal: transform(simd, &rotation, normal),
            map: rotation,
        }
    }
}

impl PairTable {
    /// `K0 + cos φ K1 + sin φ K2`.
    #[inline(always)]
    fn rotation<S: Simd>(&self, simd: S, weight: S::V) -> Rows<S::V> {
        let (sin, cos) = sin_cos_to_pi(simd, simd.mul(weight, simd.splat(self.angle_rad)));
        let [k0, k1, k2] = &self.turns;
        let mut rows = [[sin; 3]; 3];
        for r in 0..3 {
            for c in 0..3 {
                let steady = simd.mul_add(cos, simd.splat(k1[r][c]), simd.splat(k0[r][c]));
                rows[r][c] = simd.mul_add(sin, simd.splat(k2[r][c]), steady);
            }
        }
        rows
    }

    /// `A0 c + (A1 − A0) g + t0 + (1−t) (t1 − t0)`.
    #[inline(always)]
    fn shift<S: Simd>(&self, simd: S, block: &[Lanes], part: usize, weight: S::V) -> [S::V; 3] {
        let c = load_triple(simd, block, CENTER_AT, part);
        let g = load_triple(simd, block, SHIFT_AT, part);
        let mut shift = c;
        for (r, shift) in shift.iter_mut().enumerate() {
            let start = simd.splat(self.translation[r]);
            let moved = simd.mul_add(weight, simd.splat(self.translation_difference[r]), start);
            let by_first = dot_add(simd, splat_triple(simd, self.first[r]), c, moved);
            *shift = dot_add(simd, splat_triple(simd, self.difference[r]), g, by_first);
        }
        shift
    }
}

/// `M v + shift`.
#[inline(always)]
fn add_rows<S: Simd>(simd: S, m: &Rows<S::V>, v: [S::V; 3], shift: [S::V; 3]) -> [S::V; 3] {
    [dot_add(simd, m[0], v, shift[0]), dot_add(simd, m[1], v, shift[1]), dot_add(simd, m[2], v, shift[2])]
}

#[inline(always)]
fn splat_triple<S: Simd>(simd: S, values: [f32; 3]) -> [S::V; 3] {
    [simd.splat(values[0]), simd.splat(values[1]), simd.splat(values[2])]
}

/// `sin(x)/x` in powers of x², Chebyshev fit on |x| ≤ π/2; off by 8.3e-9.
const SINE: [f32; 5] = [1.0, -0.166_666_58, 8.333_051e-3, -1.980_904_6e-4, 2.605_166_2e-6];

/// `cos x` in powers of x², Chebyshev fit on |x| ≤ π/2; off by 2.7e-8.
const COSINE: [f32; 6] = [1.0, -0.5, 4.166_663_4e-2, -1.388_836_1e-3, 2.476_013_5e-5, -2.605_107_7e-7];

/// Sine and cosine of an angle from 0 to π, to rounding: by `sin φ = cos(φ − π/2)`, `cos φ = −sin(φ − π/2)`.
#[inline(always)]
fn sin_cos_to_pi<S: Simd>(simd: S, angle_rad: S::V) -> (S::V, S::V) {
    let x = simd.sub(angle_rad, simd.splat(std::f32::consts::FRAC_PI_2));
    let square = simd.mul(x, x);
    let sin = polynomial(simd, square, COSINE);
    let minus_x = simd.sub(simd.splat(0.0), x);
    (sin, simd.mul(minus_x, polynomial(simd, square, SINE)))
}

/// `Σ coefficients[k] xᵏ`.
#[inline(always)]
fn polynomial<S: Simd, const N: usize>(simd: S, x: S::V, coefficients: [f32; N]) -> S::V {
    let mut sum = simd.splat(coefficients[N - 1]);
    for &coefficient in coefficients[..N - 1].iter().rev() {
        sum = simd.mul_add(sum, x, simd.splat(coefficient));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::simd::Scalar;

    /// Two units in the last place of 1.
    const ROUNDING: f32 = 2.5e-7;

    #[test]
    fn sine_and_cosine_are_exact_to_rounding() {
        for step in 0..=1000 {
            let angle = std::f32::consts::PI * step as f32 / 1000.0;
            let (sin, cos) = sin_cos_to_pi(Scalar, angle);
            assert!((sin - angle.sin()).abs() < ROUNDING && (cos - angle.cos()).abs() < ROUNDING, "{angle}");
        }
    }
}
