//! Blends of rotations in lanes, the fast twin of [`crate::mean_rotation`].
//!
//! Two bones: with the axis a and angle α of `R0⁻¹ R1`, Rodrigues' formula gives
//!
//! `R = R0 (a aᵀ + cos φ (I − a aᵀ) + sin φ [a]×) = K0 + cos φ K1 + sin φ K2`,
//!
//! three constant matrices per pair. Slerp has φ = w α, w the weight of bone 1. The sum of nlerp, `(1−w) q0 + w q1`, stands at half the
//! angle φ with `x = 1 − w + w cos(α/2)`, `y = w sin(α/2)`: `cos φ = (x² − y²)/(x² + y²)`, `sin φ = 2xy/(x² + y²)`.
//!
//! More bones: the normalized sum; for the geodesic mean the steps of [`crate::rotation_mean`] from there. All bones of a set are known
//! when a pose is set, and with them how many steps suffice.

use super::folded::NLERP;
use crate::rotation_mean::KEPT;
use sinew_geometry::simd::lane_math::Rows;
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
    /// Sine and cosine of α/2.
    pub(super) half_turn: [f32; 2],
    /// P0, P1 − P0: scale and shear, xx yy zz xy xz yz.
    pub(super) stretches: [[f32; 6]; 2],
}

/// The slerp of a pair.
#[inline(always)]
pub(super) fn slerp_turn<S: Simd>(simd: S, pair: &PairTable, weight: S::V) -> Rows<S::V> {
    let (sin, cos) = sin_cos_to_pi(simd, simd.mul(weight, simd.splat(pair.angle_rad)));
    turned(simd, pair, sin, cos)
}

/// The nlerp of a pair.
#[inline(always)]
pub(super) fn nlerp_turn<S: Simd>(simd: S, pair: &PairTable, weight: S::V) -> Rows<S::V> {
    let [sine, cosine] = pair.half_turn;
    let x = simd.mul_add(weight, simd.splat(cosine - 1.0), simd.splat(1.0));
    let y = simd.mul(weight, simd.splat(sine));
    // Opposite rotations cancel in the middle; a tiny number keeps the division finite there.
    let square = simd.mul_add(x, x, simd.mul_add(y, y, simd.splat(f32::MIN_POSITIVE)));
    let inverse = simd.reciprocal(square);
    let cos = simd.mul(simd.mul_sub(x, x, simd.mul(y, y)), inverse);
    let product = simd.mul(simd.mul(x, y), inverse);
    turned(simd, pair, simd.add(product, product), cos)
}

/// `K0 + cos φ K1 + sin φ K2`.
#[inline(always)]
fn turned<S: Simd>(simd: S, pair: &PairTable, sin: S::V, cos: S::V) -> Rows<S::V> {
    let [k0, k1, k2] = &pair.turns;
    let mut rows = [[sin; 3]; 3];
    for r in 0..3 {
        for c in 0..3 {
            let steady = simd.mul_add(cos, simd.splat(k1[r][c]), simd.splat(k0[r][c]));
            rows[r][c] = simd.mul_add(sin, simd.splat(k2[r][c]), steady);
        }
    }
    rows
}

/// Constants of a set of more than two bones.
#[derive(Clone, Copy)]
pub(super) struct TurnSet<'a> {
    /// x y z w, in the hemisphere of the first, which is the heaviest.
    pub(super) rotations: &'a [[f32; 4]],
    /// `1 − qᵢ · qⱼ`, of each bone and those after it among the first four.
    pub(super) gaps: &'a [[f32; 4]],
    /// Steps towards the geodesic mean, by [`step_count`].
    pub(super) step_count: usize,
}

/// The widest `1 − qᵢ · qⱼ` of a set, and the steps after a start as in [`near_turn`] that leave its mean off by less than rounding for any
/// weights. The first two are in the range of [`NEAR_HALF_ANGLE`], rotations at most 91° apart; the last are 180° apart.
const STEPS: [(f32, usize); 5] = [(0.1, 1), (0.3, NEAR_STEPS), (0.5, 3), (0.7, DOT_STEPS), (1.0, 6)];

/// The most steps in the range of [`NEAR_HALF_ANGLE`].
const NEAR_STEPS: usize = 2;

/// The most steps by [`near_turn`]; farther apart, its estimates get too coarse.
const DOT_STEPS: usize = 4;

/// Steps where rotations are more than 180° apart: more than one mean may exist, and steps are short.
const MOST_STEPS: usize = 23;

/// How many steps the mean of rotations with this widest `1 − qᵢ · qⱼ` takes.
pub(super) fn step_count(widest_gap: f32) -> usize {
    STEPS.iter().find(|(widest, _)| widest_gap <= *widest).map_or(MOST_STEPS, |&(_, count)| count)
}

/// The mean of several rotations, of any length. `weights`: of all but the first, `EXTRA` or any number.
#[inline(always)]
pub(super) fn mean_turn<S: Simd, const BLEND: bool, const EXTRA: usize>(
    simd: S,
    set: TurnSet<'_>,
    weights: &[Lanes],
    part: usize,
) -> [S::V; 4] {
    if BLEND != NLERP && set.step_count <= DOT_STEPS {
        if EXTRA == 2 {
            return near_turn::<S, 3>(simd, set, weights, part);
        } else if EXTRA == 3 {
            return near_turn::<S, 4>(simd, set, weights, part);
        }
    }
    let first = splat_all(simd, &set.rotations[0]);
    let mut first_weight = simd.splat(1.0);
    let mut mean = [simd.splat(0.0); 4];
    for (rotation, weight) in set.rotations[1..].iter().zip(weights) {
        let weight = simd.load(weight, part);
        first_weight = simd.sub(first_weight, weight);
        mean = add_scaled(simd, mean, splat_all(simd, rotation), weight);
    }
    mean = add_scaled(simd, mean, first, first_weight);
    // The start of `near_turn` is worth a step.
    let step_count = if BLEND == NLERP { 0 } else { set.step_count + 1 };
    for _ in 0..step_count {
        mean = nearer(simd, mean, set.rotations, (first_weight, weights), part);
    }
    mean
}

/// The geodesic mean of `N` = 3 or 4 rotations at most 145° apart. With `m = Σ aᵢ qᵢ` and `g = 1 − qᵢ · qⱼ` the steps need no
/// quaternions: `m · qⱼ = Σ aᵢ − Σ aᵢ gᵢⱼ` and `|m|² = (Σ aᵢ)² − Σ aᵢ aⱼ gᵢⱼ`.
#[inline(always)]
fn near_turn<S: Simd, const N: usize>(
    simd: S,
    set: TurnSet<'_>,
    weights: &[Lanes],
    part: usize,
) -> [S::V; 4] {
    let one = simd.splat(1.0);
    let mut w = [one; N];
    for (at, weight) in weights[..N - 1].iter().enumerate() {
        w[at + 1] = simd.load(weight, part);
        w[0] = simd.sub(w[0], w[at + 1]);
    }
    // A start as good as after the first step: f as a function of `Σ wᵢ gᵢⱼ`. The last coefficient is the best of those tried.
    let gaps = gap_sums(simd, set.gaps, w);
    let mut a = w;
    for at in 0..N {
        let slope = simd.mul_add(gaps[at], simd.splat(0.15), simd.splat(1.0 / 3.0));
        a[at] = simd.mul(w[at], simd.mul_add(gaps[at], slope, one));
    }
    if set.step_count <= NEAR_STEPS {
        for _ in 0..set.step_count {
            a = near_step(simd, set.gaps, w, a, NEAR_HALF_ANGLE);
        }
    } else {
        for _ in 0..set.step_count {
            a = near_step(simd, set.gaps, w, a, HALF_ANGLE);
        }
    }
    let mut mean = scaled(simd, splat_all(simd, &set.rotations[0]), a[0]);
    for (rotation, &a) in set.rotations[1..N].iter().zip(&a[1..]) {
        mean = add_scaled(simd, mean, splat_all(simd, rotation), a);
    }
    mean
}

/// A step of [`near_turn`] from coefficients `a`.
#[inline(always)]
fn near_step<S: Simd, const N: usize, const TERMS: usize>(
    simd: S,
    table: &[[f32; 4]],
    w: [S::V; N],
    mut a: [S::V; N],
    half_angle: [f32; TERMS],
) -> [S::V; N] {
    let gaps = gap_sums(simd, table, a);
    let mut sum = a[0];
    let mut square_gap = simd.mul(a[0], gaps[0]);
    for at in 1..N {
        sum = simd.add(sum, a[at]);
        square_gap = simd.mul_add(a[at], gaps[at], square_gap);
    }
    let inverse = simd.reciprocal_sqrt(simd.mul_sub(sum, sum, square_gap));
    let inverse_gap = simd.neg_mul_add(sum, inverse, simd.splat(1.0));
    // k (1 − s·m), as 1 − s·m is about 2/3 of Σ wᵢ (1 − cᵢ) and that a half of 1 − |m|²; it need not be exact.
    let kept = simd.mul(simd.mul(square_gap, simd.splat(KEPT / 3.0)), inverse);
    for at in 0..N {
        let t = simd.mul_add(gaps[at], inverse, inverse_gap);
        let pull = simd.mul(w[at], polynomial(simd, t, half_angle));
        a[at] = simd.mul_add(kept, a[at], pull);
    }
    a
}

/// `Σᵢ aᵢ gᵢⱼ` of each j.
#[inline(always)]
fn gap_sums<S: Simd, const N: usize>(simd: S, table: &[[f32; 4]], a: [S::V; N]) -> [S::V; N] {
    let mut sums = [simd.splat(0.0); N];
    for i in 0..N {
        for j in i + 1..N {
            let gap = simd.splat(table[i][j]);
            sums[i] = if i == 0 && j == 1 { simd.mul(a[j], gap) } else { simd.mul_add(a[j], gap, sums[i]) };
            sums[j] = if i == 0 { simd.mul(a[i], gap) } else { simd.mul_add(a[i], gap, sums[j]) };
        }
    }
    sums
}

/// A step from `mean`, of any length, to the geodesic mean.
#[inline(always)]
fn nearer<S: Simd>(
    simd: S,
    mean: [S::V; 4],
    rotations: &[[f32; 4]],
    (first_weight, weights): (S::V, &[Lanes]),
    part: usize,
) -> [S::V; 4] {
    let unit = scaled(simd, mean, simd.reciprocal_sqrt(dot_all(simd, mean, mean)));
    let mut sum = pull(simd, unit, &rotations[0], first_weight, [simd.splat(0.0); 4]);
    for (rotation, weight) in rotations[1..].iter().zip(weights) {
        sum = pull(simd, unit, rotation, simd.load(weight, part), sum);
    }
    let kept = simd.splat(KEPT);
    add_scaled(simd, sum, unit, simd.neg_mul_add(kept, dot_all(simd, sum, unit), kept))
}

/// `sum + w f q`, with the sign of q on the mean's side.
#[inline(always)]
fn pull<S: Simd>(simd: S, mean: [S::V; 4], rotation: &[f32; 4], weight: S::V, sum: [S::V; 4]) -> [S::V; 4] {
    let q = splat_all(simd, rotation);
    let cosine = dot_all(simd, mean, q);
    let one = simd.splat(1.0);
    let sign = simd.select_less(cosine, simd.splat(0.0), simd.splat(-1.0), one);
    let factor = polynomial(simd, simd.neg_mul_add(sign, cosine, one), HALF_ANGLE);
    add_scaled(simd, sum, q, simd.mul(simd.mul(sign, weight), factor))
}

#[inline(always)]
fn splat_all<S: Simd>(simd: S, q: &[f32; 4]) -> [S::V; 4] {
    [simd.splat(q[0]), simd.splat(q[1]), simd.splat(q[2]), simd.splat(q[3])]
}

#[inline(always)]
fn dot_all<S: Simd>(simd: S, a: [S::V; 4], b: [S::V; 4]) -> S::V {
    let halves = [simd.mul(a[1], b[1]), simd.mul(a[3], b[3])];
    simd.add(simd.mul_add(a[0], b[0], halves[0]), simd.mul_add(a[2], b[2], halves[1]))
}

#[inline(always)]
fn scaled<S: Simd>(simd: S, q: [S::V; 4], by: S::V) -> [S::V; 4] {
    [simd.mul(q[0], by), simd.mul(q[1], by), simd.mul(q[2], by), simd.mul(q[3], by)]
}

/// `sum + q by`.
#[inline(always)]
fn add_scaled<S: Simd>(simd: S, sum: [S::V; 4], q: [S::V; 4], by: S::V) -> [S::V; 4] {
    [
        simd.mul_add(q[0], by, sum[0]),
        simd.mul_add(q[1], by, sum[1]),
        simd.mul_add(q[2], by, sum[2]),
        simd.mul_add(q[3], by, sum[3]),
    ]
}

/// The rotation of a quaternion of any length.
#[inline(always)]
pub(super) fn rows_of<S: Simd>(simd: S, q: [S::V; 4]) -> Rows<S::V> {
    let inverse = simd.reciprocal(dot_all(simd, q, q));
    let [x, y, z, w] = q;
    let [twice_x, twice_y, twice_z, _] = scaled(simd, q, simd.add(inverse, inverse));
    let [xx, yy, zz] = [simd.mul(x, twice_x), simd.mul(y, twice_y), simd.mul(z, twice_z)];
    let [xy, xz, yz] = [simd.mul(x, twice_y), simd.mul(x, twice_z), simd.mul(y, twice_z)];
    let one = simd.splat(1.0);
    [
        [simd.sub(one, simd.add(yy, zz)), simd.neg_mul_add(w, twice_z, xy), simd.mul_add(w, twice_y, xz)],
        [simd.mul_add(w, twice_z, xy), simd.sub(one, simd.add(xx, zz)), simd.neg_mul_add(w, twice_x, yz)],
        [simd.neg_mul_add(w, twice_y, xz), simd.mul_add(w, twice_x, yz), simd.sub(one, simd.add(xx, yy))],
    ]
}

/// `acos(c) / √(1 − c²)` in powers of 1 − c, Chebyshev fit on 0.7 ≤ c ≤ 1; off by 3.1e-7 of it, at the end that only bones of little weight
/// come near.
const NEAR_HALF_ANGLE: [f32; 5] = [1.0, 0.333_332_36, 0.133_437_35, 0.055_449_79, 0.033_899_643];

/// As [`NEAR_HALF_ANGLE`], on 0 ≤ c ≤ 1; off by 1.1e-7 of it in f32.
const HALF_ANGLE: [f32; 10] = [
    1.0,
    0.333_335_73,
    0.133_257_39,
    0.058_074_053,
    0.019_659_672,
    0.031_536_97,
    -0.036_094_23,
    0.053_518_5,
    -0.033_961_866,
    0.011_470_118,
];

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
