//! Linear blend skinning of a block: `v' = Σ wᵢ Mᵢ v`, the fast twin of [`crate::lbs`].
//!
//! The blend is computed as `M₀ + Σ wᵢ (Mᵢ − M₀)`, so that one weight less is stored; sums of weights that are not quite 1
//! are thereby brought to 1.

use super::blend::blend;
use super::layout::{NORMAL_AT, POSITION_AT, WEIGHTS_AT, stride_of};
use super::work::{Block, MoveBlock, Moved, Prepared, load_triple};
use sinew_geometry::simd::Simd;
use sinew_geometry::simd::lane_math::{dot_add, normalize, posed_normal, transform};

/// Floats of a bone in the table: rows of a 3×4 matrix.
pub(super) const BONE_FLOATS: usize = 12;

/// Moves blocks by linear blend skinning. `COFACTOR`: normals by the cofactor matrix of the blend, else by the blend.
pub(super) struct Lbs<'a, const EXTRA: usize, const COFACTOR: bool> {
    /// M₀, then Mᵢ − M₀, of all bone sets.
    pub(super) bones: &'a [[f32; BONE_FLOATS]],
}

impl<const EXTRA: usize, const COFACTOR: bool> MoveBlock for Lbs<'_, EXTRA, COFACTOR> {
    const STRIDE: Option<usize> = stride_of(EXTRA);

    #[inline(always)]
    fn move_part<S: Simd>(&self, simd: S, block: Block<'_>, part: usize, _: &Prepared) -> Moved<S::V> {
        let Block { streams, constants_at } = block;
        let bones = &self.bones[constants_at..];
        let m = blend::<S, BONE_FLOATS, EXTRA>(simd, bones, &streams[WEIGHTS_AT..], part);
        let position = load_triple(simd, streams, POSITION_AT, part);
        let normal = load_triple(simd, streams, NORMAL_AT, part);
        let map = [[m[0], m[1], m[2]], [m[4], m[5], m[6]], [m[8], m[9], m[10]]];
        let translation = [m[3], m[7], m[11]];
        Moved {
            position: [
                dot_add(simd, map[0], position, translation[0]),
                dot_add(simd, map[1], position, translation[1]),
                dot_add(simd, map[2], position, translation[2]),
            ],
            normal: if COFACTOR {
                posed_normal(simd, &map, normal)
            } else {
                normalize(simd, transform(simd, &map, normal), normal)
            },
            map,
        }
    }
}
