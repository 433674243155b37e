//! What every way of moving skin has in common.

use crate::Surface;
use glam::Affine3A;

/// Moves the vertices of a [`crate::BoundSurface`] by its bones.
///
/// Laws, for every deformer that moves each vertex by its own bones (post-passes over the whole mesh keep the first two):
/// 1. Identity matrices give the rest shape.
/// 2. One rigid motion of all bones moves the skin by it, to rounding.
/// 3. Where one bone has all the weight, the result is that bone's matrix times the rest vertex.
/// 4. The order of bones does not matter.
/// 5. A small change of pose is a small change of vertices.
/// 6. The result does not depend on the number of threads, bit for bit.
///
/// Deforming cannot fail and does not allocate: everything that can go wrong does so when the deformer is bound.
pub trait Deformer: Send + Sync {
    /// How many vertices are moved.
    fn vertex_count(&self) -> usize;

    /// Writes the posed shape of `rest` to `posed`.
    ///
    /// `posed_from_rest`: one per palette entry of the surface this was bound to. `rest`: the rest shape, morphs applied.
    /// Normals and tangents are written where `rest` and `posed` both have them, unit.
    ///
    /// # Panics
    /// If a slice is not as long as the surface this was bound to.
    fn deform(&self, posed_from_rest: &[Affine3A], rest: &Surface, posed: &mut Surface);
}
