//! Blends of rotations in lanes, the fast twin of [`crate::mean_rotation`].
//!
//! Two bones: with the axis a and angle α of `R0⁻¹ R1`, Rodrigues' formula gives
//!
//! `R = R0 (a aᵀ + cos φ (I − a aᵀ) + sin φ [a]×) = K0 + cos φ K1 + sin φ K2`,
//!
//! three constant matrices per pair. Slerp has φ = w α, w the weight of bone 1. The sum of nlerp, `(1−w) q0 + w q1`, stands at half the
//! angle φ with `x = 1 − w + w cos(α/2)`, `y = w sin(α/2)`: `cos φ = (x² − y²)/(x² + y²)`, `sin φ = 2xy/(x² + y²)`.
//!
//! More bones: the normalized sum; for the geodesic mean Newton's steps from there. With `r = m⁻¹ qᵢ = (s, c)`, h its half rotation
//! vector and `f = |h|/|s|`, the gradient is `Σ wᵢ hᵢ` and the Hessian `Σ wᵢ (c f I + (1 − c f) s sᵀ/|s|²)`.

use super::folded::NLERP;
use crate::rotation_mean::LEAST_CURVATURE;
use sinew_geometry::simd::lane_math::{Rows, Triple, cross, dot};
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

/// Most Newton steps, as in the plain form.
const MOST_STEPS: usize = 12;

/// Square of a step after which the next would change nothing in f32: what is left is of the order of the step's square.
const SMALL_STEP_SQUARED: f32 = 5e-8;

/// The mean of several rotations, x y z w, in the hemisphere of the first. `weights`: of all but the first.
#[inline(always)]
pub(super) fn mean_turn<S: Simd, const BLEND: bool>(
    simd: S,
    rotations: &[[f32; 4]],
    weights: &[Lanes],
    part: usize,
) -> Rows<S::V> {
    let mut first_weight = simd.splat(1.0);
    let mut sum = [simd.splat(0.0); 4];
    for (rotation, weight) in rotations[1..].iter().zip(weights) {
        let weight = simd.load(weight, part);
        first_weight = simd.sub(first_weight, weight);
        for (sum, &entry) in sum.iter_mut().zip(rotation) {
            *sum = simd.mul_add(weight, simd.splat(entry), *sum);
        }
    }
    for (sum, &entry) in sum.iter_mut().zip(&rotations[0]) {
        *sum = simd.mul_add(first_weight, simd.splat(entry), *sum);
    }
    let mut mean = unit(simd, sum, rotations[0]);
    if BLEND == NLERP {
        return rows_of(simd, mean);
    }
    for _ in 0..MOST_STEPS {
        let mut slope = Slope::new(simd);
        slope.add(simd, mean, &rotations[0], first_weight);
        for (rotation, weight) in rotations[1..].iter().zip(weights) {
            slope.add(simd, mean, rotation, simd.load(weight, part));
        }
        let step = slope.step(simd);
        mean = unit(simd, times_exp(simd, mean, step), rotations[0]);
        if simd.all_less(dot(simd, step, step), simd.splat(SMALL_STEP_SQUARED)) {
            break;
        }
    }
    rows_of(simd, mean)
}

/// Gradient and Hessian of the mean.
struct Slope<V> {
    gradient: Triple<V>,
    /// `Σ wᵢ cᵢ fᵢ`.
    even: V,
    /// `Σ wᵢ (1 − cᵢ fᵢ)/|sᵢ|² sᵢ sᵢᵀ`: xx yy zz xy xz yz.
    along: [V; 6],
}

impl<V: Copy> Slope<V> {
    #[inline(always)]
    fn new<S: Simd<V = V>>(simd: S) -> Self {
        let zero = simd.splat(0.0);
        Self { gradient: [zero; 3], even: zero, along: [zero; 6] }
    }

    #[inline(always)]
    fn add<S: Simd<V = V>>(&mut self, simd: S, mean: [V; 4], rotation: &[f32; 4], weight: V) {
        let (s, c) = relative(simd, mean, rotation);
        let f = half_angle_over_sine(simd, c);
        let weighted = simd.mul(weight, f);
        for (sum, &s) in self.gradient.iter_mut().zip(&s) {
            *sum = simd.mul_add(weighted, s, *sum);
        }
        let bent = simd.mul(c, weighted);
        self.even = simd.add(self.even, bent);
        let square = dot(simd, s, s);
        let inverse = simd.reciprocal(simd.add(square, simd.splat(1e-12)));
        let k = simd.mul(simd.sub(weight, bent), inverse);
        let scaled = [simd.mul(k, s[0]), simd.mul(k, s[1]), simd.mul(k, s[2])];
        for (sum, (a, b)) in self.along.iter_mut().zip([(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]) {
            *sum = simd.mul_add(scaled[a], s[b], *sum);
        }
    }

    /// Newton's step, half a rotation vector.
    #[inline(always)]
    fn step<S: Simd<V = V>>(&self, simd: S) -> Triple<V> {
        let [xx, yy, zz, xy, xz, yz] = self.along;
        let rows = [
            [simd.add(xx, self.even), xy, xz],
            [xy, simd.add(yy, self.even), yz],
            [xz, yz, simd.add(zz, self.even)],
        ];
        let cofactor =
            [cross(simd, rows[1], rows[2]), cross(simd, rows[2], rows[0]), cross(simd, rows[0], rows[1])];
        let inverse = simd.reciprocal(dot(simd, rows[0], cofactor[0]));
        let mut step = self.gradient;
        let least = simd.splat(LEAST_CURVATURE);
        for (r, step) in step.iter_mut().enumerate() {
            let newton = simd.mul(dot(simd, cofactor[r], self.gradient), inverse);
            *step = simd.select_less(self.even, least, self.gradient[r], newton);
        }
        step
    }
}

/// Vector and scalar part of `mean⁻¹ rotation`, the scalar part not negative.
#[inline(always)]
fn relative<S: Simd>(simd: S, [x, y, z, w]: [S::V; 4], rotation: &[f32; 4]) -> (Triple<S::V>, S::V) {
    // No closures: those that are not inlined lose the vector instructions of their caller.
    let q = [simd.splat(rotation[0]), simd.splat(rotation[1]), simd.splat(rotation[2])];
    let d = simd.splat(rotation[3]);
    let scalar = simd.mul_add(w, d, dot(simd, [x, y, z], q));
    let zero = simd.splat(0.0);
    let sign = simd.select_less(scalar, zero, simd.splat(-1.0), simd.splat(1.0));
    let mut turned = cross(simd, q, [x, y, z]);
    for (turned, (q, m)) in turned.iter_mut().zip(q.into_iter().zip([x, y, z])) {
        *turned = simd.mul(sign, simd.mul_add(w, q, simd.neg_mul_add(d, m, *turned)));
    }
    (turned, simd.mul(sign, scalar))
}

/// `m exp(h)`.
#[inline(always)]
fn times_exp<S: Simd>(simd: S, [x, y, z, w]: [S::V; 4], half: Triple<S::V>) -> [S::V; 4] {
    let square = dot(simd, half, half);
    let cos = polynomial(simd, square, COSINE);
    let factor = polynomial(simd, square, SINE);
    let s = [simd.mul(half[0], factor), simd.mul(half[1], factor), simd.mul(half[2], factor)];
    let mut turned = cross(simd, [x, y, z], s);
    for (turned, (s, m)) in turned.iter_mut().zip(s.into_iter().zip([x, y, z])) {
        *turned = simd.mul_add(m, cos, simd.mul_add(w, s, *turned));
    }
    [turned[0], turned[1], turned[2], simd.sub(simd.mul(w, cos), dot(simd, [x, y, z], s))]
}

/// The unit quaternion; the first bone's where opposite ones cancel.
#[inline(always)]
fn unit<S: Simd>(simd: S, q: [S::V; 4], first: [f32; 4]) -> [S::V; 4] {
    let square = simd.mul_add(q[3], q[3], dot(simd, [q[0], q[1], q[2]], [q[0], q[1], q[2]]));
    let scale = simd.reciprocal_sqrt(square);
    let least = simd.splat(1e-12);
    let mut unit = q;
    for (entry, first) in unit.iter_mut().zip(first) {
        *entry = simd.select_less(square, least, simd.splat(first), simd.mul(*entry, scale));
    }
    unit
}

/// The rotation of a unit quaternion.
#[inline(always)]
fn rows_of<S: Simd>(simd: S, [x, y, z, w]: [S::V; 4]) -> Rows<S::V> {
    let twice = [simd.add(x, x), simd.add(y, y), simd.add(z, z)];
    let [xx, yy, zz] = [simd.mul(x, twice[0]), simd.mul(y, twice[1]), simd.mul(z, twice[2])];
    let [xy, xz, yz] = [simd.mul(x, twice[1]), simd.mul(x, twice[2]), simd.mul(y, twice[2])];
    let [wx, wy, wz] = [simd.mul(w, twice[0]), simd.mul(w, twice[1]), simd.mul(w, twice[2])];
    let one = simd.splat(1.0);
    [
        [simd.sub(one, simd.add(yy, zz)), simd.sub(xy, wz), simd.add(xz, wy)],
        [simd.add(xy, wz), simd.sub(one, simd.add(xx, zz)), simd.sub(yz, wx)],
        [simd.sub(xz, wy), simd.add(yz, wx), simd.sub(one, simd.add(xx, yy))],
    ]
}

/// `acos(c) / √(1 − c²)` in powers of 1 − c, Chebyshev fit on 0 ≤ c ≤ 1; off by 1.1e-7 of it in f32.
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

#[inline(always)]
fn half_angle_over_sine<S: Simd>(simd: S, cosine: S::V) -> S::V {
    polynomial(simd, simd.sub(simd.splat(1.0), cosine), HALF_ANGLE)
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
