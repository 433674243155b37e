//! Dual quaternion linear blending of a block, the fast twin of [`crate::dlb`].
//!
//! After \[Kavan08\] Alg. 1, with hemisphere signs already in the table. With the blended real part `b = (d, a)` and dual part
//! `(e, f)` (vector, scalar) not yet normalized, the motion is, with `s = 2 / |b|²`,
//!
//! `v' = v + s (d × (d × v + a v + e) + a e − f d)`,
//!
//! which needs one division and no square root.
//!
//! Departures: scale and shear are blended linearly and applied first, as everywhere in this crate.

use super::blend::blend;
use super::layout::{NORMAL_AT, POSITION_AT, WEIGHTS_AT, stride_of};
use super::work::{Block, MoveBlock, Moved, Prepared, load_triple};
use sinew_geometry::simd::Simd;
use sinew_geometry::simd::lane_math::{
    Rows, Triple, cross, dot, posed_normal, product, symmetric_rows, transform,
};

/// Floats of a bone in the table: real part x y z w, dual part x y z w.
pub(super) const BONE_FLOATS: usize = 8;

/// Floats of a bone's stretch in the table: xx yy zz xy xz yz.
pub(super) const STRETCH_FLOATS: usize = 6;

/// Moves blocks by dual quaternions. `STRETCHED`: with scale and shear, else all bones are rigid.
pub(super) struct Dlb<'a, const EXTRA: usize, const STRETCHED: bool> {
    /// q₀, then ±qᵢ − q₀, of all bone sets.
    pub(super) bones: &'a [[f32; BONE_FLOATS]],
    /// P₀, then Pᵢ − P₀, of all bone sets.
    pub(super) stretches: &'a [[f32; STRETCH_FLOATS]],
}

impl<const EXTRA: usize, const STRETCHED: bool> MoveBlock for Dlb<'_, EXTRA, STRETCHED> {
    const STRIDE: Option<usize> = stride_of(EXTRA);

    #[inline(always)]
    fn move_part<S: Simd>(&self, simd: S, block: Block<'_>, part: usize, _: &Prepared) -> Moved<S::V> {
        let Block { streams, constants_at } = block;
        let weights = &streams[WEIGHTS_AT..];
        let q = blend::<S, BONE_FLOATS, EXTRA>(simd, &self.bones[constants_at..], weights, part);
        let motion = Motion::new(simd, q);
        let position = load_triple(simd, streams, POSITION_AT, part);
        let normal = load_triple(simd, streams, NORMAL_AT, part);
        if STRETCHED {
            let stretches = &self.stretches[constants_at..];
            let stretch = blend::<S, STRETCH_FLOATS, EXTRA>(simd, stretches, weights, part);
            let stretch = symmetric_rows(stretch);
            let map = product(simd, &motion.rotation_rows(simd), &stretch);
            let position = motion.move_point(simd, transform(simd, &stretch, position));
            return Moved { position, normal: posed_normal(simd, &map, normal), map };
        }
        Moved {
            position: motion.move_point(simd, position),
            normal: motion.turn(simd, normal),
            map: motion.rotation_rows(simd),
        }
    }
}

/// A blended dual quaternion and `2 / |b|²`.
struct Motion<V> {
    d: Triple<V>,
    a: V,
    e: Triple<V>,
    f: V,
    s: V,
}

impl<V: Copy> Motion<V> {
    #[inline(always)]
    fn new<S: Simd<V = V>>(simd: S, [x, y, z, a, ex, ey, ez, f]: [V; BONE_FLOATS]) -> Self {
        let d = [x, y, z];
        let r = simd.reciprocal(simd.mul_add(a, a, dot(simd, d, d)));
        Self { d, a, e: [ex, ey, ez], f, s: simd.add(r, r) }
    }

    /// `v + s (d × (d × v + a v + e) + a e − f d)`.
    #[inline(always)]
    fn move_point<S: Simd<V = V>>(&self, simd: S, v: Triple<V>) -> Triple<V> {
        let Self { d, a, e, f, s } = *self;
        let inner = self.inner(simd, v);
        let inner = [simd.add(inner[0], e[0]), simd.add(inner[1], e[1]), simd.add(inner[2], e[2])];
        let outer = cross(simd, d, inner);
        let mut moved = v;
        for c in 0..3 {
            let shift = simd.mul_add(a, e[c], simd.neg_mul_add(f, d[c], outer[c]));
            moved[c] = simd.mul_add(s, shift, v[c]);
        }
        moved
    }

    /// `v + s d × (d × v + a v)`.
    #[inline(always)]
    fn turn<S: Simd<V = V>>(&self, simd: S, v: Triple<V>) -> Triple<V> {
        let outer = cross(simd, self.d, self.inner(simd, v));
        [
            simd.mul_add(self.s, outer[0], v[0]),
            simd.mul_add(self.s, outer[1], v[1]),
            simd.mul_add(self.s, outer[2], v[2]),
        ]
    }

    /// `d × v + a v`.
    #[inline(always)]
    fn inner<S: Simd<V = V>>(&self, simd: S, v: Triple<V>) -> Triple<V> {
        let [x, y, z] = self.d;
        [
            simd.mul_add(y, v[2], simd.neg_mul_add(z, v[1], simd.mul(self.a, v[0]))),
            simd.mul_add(z, v[0], simd.neg_mul_add(x, v[2], simd.mul(self.a, v[1]))),
            simd.mul_add(x, v[1], simd.neg_mul_add(y, v[0], simd.mul(self.a, v[2]))),
        ]
    }

    /// The rotation as a matrix: its columns are the turned axes.
    #[inline(always)]
    fn rotation_rows<S: Simd<V = V>>(&self, simd: S) -> Rows<V> {
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        let x = self.turn(simd, [one, zero, zero]);
        let y = self.turn(simd, [zero, one, zero]);
        let z = self.turn(simd, [zero, zero, one]);
        [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]]
    }
}
