//! Folded form of a block, [`crate::folded`]: the fast twin of all methods but linear blending and dual quaternions.
//!
//! With `C = Σ aᵢ.xyz` and `Σ aᵢ.w = 1`, terms count relative to the set's first bone:
//!
//! `v' = R S̄ u + A0 C + t0 + Σ_{i>0} (Mᵢ − M0) aᵢ`.
//!
//! The map for normals and tangents is `R S̄`, in mixtures `λ Σ wᵢ Aᵢ + (1−λ) R S̄`. R is found by [`super::turn`].

use super::blend::blend;
use super::layout::{ANY, CENTER_AT, FOLDED_WEIGHTS_AT, NORMAL_AT, POSITION_AT, linear_at, term_at};
use super::tables::TurnTables;
use super::turn::{PairTable, mean_turn, nlerp_turn, rows_of, slerp_turn};
use super::work::{Block, MoveBlock, Moved, Prepared, load_triple};
use super::{dlb, lbs};
use sinew_geometry::simd::lane_math::{
    Rows, Triple, dot_add, posed_normal, product, symmetric_rows, transform,
};
use sinew_geometry::simd::{Lanes, Simd};

/// Blend of rotations, as a constant of a kernel.
pub(super) const SLERP: bool = false;
/// As [`SLERP`].
pub(super) const NLERP: bool = true;

/// Kinds of bone sets, as a constant of a kernel: all bones rigid; with scale or shear; mixed with linear blending.
pub(super) const RIGID: u8 = 0;
/// As [`RIGID`].
pub(super) const STRETCHED: u8 = 1;
/// As [`RIGID`].
pub(super) const MIXED: u8 = 2;

/// Moves blocks of two bones.
pub(super) struct Pair<'a, const BLEND: bool, const KIND: u8> {
    /// Of all bone sets.
    pub(super) pairs: &'a [PairTable],
}

const PAIR_EXTRA: usize = 1;

impl<const BLEND: bool, const KIND: u8> MoveBlock for Pair<'_, BLEND, KIND> {
    const STRIDE: Option<usize> = Some(linear_at(PAIR_EXTRA) + (KIND == MIXED) as usize);

    #[inline(always)]
    fn move_part<S: Simd>(&self, simd: S, block: Block<'_>, part: usize, _: &Prepared) -> Moved<S::V> {
        let pair = &self.pairs[block.constants_at];
        let streams = block.streams;
        let weight = simd.load(&streams[FOLDED_WEIGHTS_AT], part);
        let rotation =
            if BLEND == NLERP { nlerp_turn(simd, pair, weight) } else { slerp_turn(simd, pair, weight) };
        let shift = pair_shift(simd, pair, streams, part);
        let stretch = || {
            let [first, difference] = pair.stretches;
            let mut stretch = [weight; 6];
            for at in 0..6 {
                stretch[at] = simd.mul_add(weight, simd.splat(difference[at]), simd.splat(first[at]));
            }
            stretch
        };
        let linear = || {
            let mut map = rotation;
            for (row, (first, difference)) in map.iter_mut().zip(pair.first.iter().zip(&pair.difference)) {
                for (entry, (&first, &difference)) in row.iter_mut().zip(first.iter().zip(difference)) {
                    *entry = simd.mul_add(weight, simd.splat(difference), simd.splat(first));
                }
            }
            (map, simd.load(&streams[linear_at(PAIR_EXTRA)], part))
        };
        moved::<S, KIND>(simd, (streams, part), &rotation, stretch, shift, linear)
    }
}

/// Moves blocks of more bones: `EXTRA` but the first, or [`ANY`].
pub(super) struct Many<'a, const BLEND: bool, const KIND: u8, const EXTRA: usize> {
    pub(super) tables: &'a TurnTables,
}

impl<const BLEND: bool, const KIND: u8, const EXTRA: usize> MoveBlock for Many<'_, BLEND, KIND, EXTRA> {
    const STRIDE: Option<usize> =
        if EXTRA == ANY { None } else { Some(linear_at(EXTRA) + (KIND == MIXED) as usize) };

    const IS_PREPARED: bool = true;

    #[inline(always)]
    fn prepare<S: Simd>(&self, simd: S, block: Block<'_>, part: usize, prepared: &mut Prepared) {
        let set = self.tables.set(block.constants_at, extra_count::<EXTRA>(block.streams));
        let weights = &block.streams[FOLDED_WEIGHTS_AT..];
        let mean = mean_turn::<S, BLEND, EXTRA>(simd, set, weights, part);
        for (prepared, mean) in prepared.iter_mut().zip(mean) {
            simd.store(prepared, part, mean);
        }
    }

    #[inline(always)]
    fn move_part<S: Simd>(&self, simd: S, block: Block<'_>, part: usize, prepared: &Prepared) -> Moved<S::V> {
        let Block { streams, constants_at } = block;
        let TurnTables { matrices, stretches, .. } = self.tables;
        let extra = extra_count::<EXTRA>(streams);
        let weights = &streams[FOLDED_WEIGHTS_AT..][..extra];
        let matrices = &matrices[constants_at..][..=extra];
        let [x, y, z, w] = prepared;
        let mean = [simd.load(x, part), simd.load(y, part), simd.load(z, part), simd.load(w, part)];
        let rotation = rows_of(simd, mean);
        let mut shift = load_triple(simd, streams, CENTER_AT, part);
        shift = affine(simd, &matrices[0], shift, simd.splat(1.0), [simd.splat(0.0); 3]);
        for (bone, matrix) in matrices[1..].iter().enumerate() {
            let at = term_at(extra, bone);
            let place = load_triple(simd, streams, at, part);
            shift = affine(simd, matrix, place, simd.load(&streams[at + 3], part), shift);
        }
        let stretch =
            || blend::<S, { dlb::STRETCH_FLOATS }, EXTRA>(simd, &stretches[constants_at..], weights, part);
        let linear = || {
            let m = blend::<S, { lbs::BONE_FLOATS }, EXTRA>(simd, matrices, weights, part);
            let map = [[m[0], m[1], m[2]], [m[4], m[5], m[6]], [m[8], m[9], m[10]]];
            (map, simd.load(&streams[linear_at(extra)], part))
        };
        moved::<S, KIND>(simd, (streams, part), &rotation, stretch, shift, linear)
    }
}

/// Bones of a block but the first.
#[inline(always)]
fn extra_count<const EXTRA: usize>(streams: &[Lanes]) -> usize {
    if EXTRA == ANY { (streams.len() - FOLDED_WEIGHTS_AT) / 5 } else { EXTRA }
}

/// `R S̄ u + shift`, and the map of the vertex's kind. `linear`: the linear blend and λ.
#[inline(always)]
fn moved<S: Simd, const KIND: u8>(
    simd: S,
    (streams, part): (&[Lanes], usize),
    rotation: &Rows<S::V>,
    stretch: impl FnOnce() -> [S::V; 6],
    shift: Triple<S::V>,
    linear: impl FnOnce() -> (Rows<S::V>, S::V),
) -> Moved<S::V> {
    let arm = load_triple(simd, streams, POSITION_AT, part);
    let normal = load_triple(simd, streams, NORMAL_AT, part);
    if KIND == RIGID {
        let position = add_rows(simd, rotation, arm, shift);
        return Moved { position, normal: transform(simd, rotation, normal), map: *rotation };
    }
    let mut map = product(simd, rotation, &symmetric_rows(stretch()));
    let position = add_rows(simd, &map, arm, shift);
    if KIND == MIXED {
        let (blend, share) = linear();
        for (row, blend) in map.iter_mut().zip(&blend) {
            for (entry, &blend) in row.iter_mut().zip(blend) {
                *entry = simd.mul_add(share, simd.sub(blend, *entry), *entry);
            }
        }
    }
    Moved { position, normal: posed_normal(simd, &map, normal), map }
}

/// `A0 C + t0 + (A1 − A0) a.xyz + (t1 − t0) a.w`.
#[inline(always)]
fn pair_shift<S: Simd>(simd: S, pair: &PairTable, streams: &[Lanes], part: usize) -> Triple<S::V> {
    let center = load_triple(simd, streams, CENTER_AT, part);
    let place = load_triple(simd, streams, term_at(PAIR_EXTRA, 0), part);
    let share = simd.load(&streams[term_at(PAIR_EXTRA, 0) + 3], part);
    let mut shift = center;
    for (r, shift) in shift.iter_mut().enumerate() {
        let start = simd.splat(pair.translation[r]);
        let moved = simd.mul_add(share, simd.splat(pair.translation_difference[r]), start);
        let by_first = dot_add(simd, splat_triple(simd, pair.first[r]), center, moved);
        *shift = dot_add(simd, splat_triple(simd, pair.difference[r]), place, by_first);
    }
    shift
}

/// `M (place, share) + sum`, M by rows of four.
#[inline(always)]
fn affine<S: Simd>(
    simd: S,
    m: &[f32; lbs::BONE_FLOATS],
    place: Triple<S::V>,
    share: S::V,
    sum: Triple<S::V>,
) -> Triple<S::V> {
    let mut moved = sum;
    for (r, moved) in moved.iter_mut().enumerate() {
        let row = &m[4 * r..][..4];
        let shifted = simd.mul_add(share, simd.splat(row[3]), sum[r]);
        *moved = dot_add(simd, splat_triple(simd, [row[0], row[1], row[2]]), place, shifted);
    }
    moved
}

/// `M v + shift`.
#[inline(always)]
fn add_rows<S: Simd>(simd: S, m: &Rows<S::V>, v: Triple<S::V>, shift: Triple<S::V>) -> Triple<S::V> {
    [dot_add(simd, m[0], v, shift[0]), dot_add(simd, m[1], v, shift[1]), dot_add(simd, m[2], v, shift[2])]
}

#[inline(always)]
fn splat_triple<S: Simd>(simd: S, values: [f32; 3]) -> Triple<S::V> {
    [simd.splat(values[0]), simd.splat(values[1]), simd.splat(values[2])]
}
