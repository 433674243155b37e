//! The common interface of all skin deformers.

use crate::{Surface, SurfaceMut};
use glam::Affine3A;
use std::any::Any;

/// Moves the vertices of a [`crate::BoundSurface`] by its bones.
///
/// Laws, for every deformer that moves each vertex by its own bones (post-passes over the whole mesh keep the first two and the last
/// two):
/// 1. Identity matrices give the rest shape.
/// 2. One rigid motion of all bones moves the skin by it, to rounding.
/// 3. If one bone has all the weight, the result is that bone's matrix times the rest vertex.
/// 4. The order of bones does not matter.
/// 5. A small change of pose is a small change of vertices.
/// 6. The result does not depend on the number of threads, bit for bit.
/// 7. Nor does it depend on which of the optional lists are written.
///
/// Deforming cannot fail and does not allocate: all errors occur when the deformer is bound, and the memory of a frame is in the
/// [`Workspace`].
pub trait Deformer: Send + Sync {
    /// Number of vertices.
    fn vertex_count(&self) -> usize;

    /// Memory for one frame; one per deforming thread.
    fn workspace(&self) -> Workspace;

    /// Writes the posed shape of `rest` to `posed`.
    ///
    /// `posed_from_rest`: one per palette entry of the bound surface. `rest`: the rest shape, morphs applied. Normals and tangents are
    /// written unit, if `posed` has them.
    ///
    /// # Panics
    /// If the length of a list differs from the bound surface's ([`SurfaceMut::assert_fits`]), or the workspace belongs to another
    /// deformer.
    fn deform(
        &self,
        workspace: &mut Workspace,
        posed_from_rest: &[Affine3A],
        rest: &Surface,
        posed: SurfaceMut<'_>,
    );
}

/// Scratch memory of a deformer, opaque to its owner.
pub struct Workspace(Box<dyn Any + Send>);

impl Workspace {
    /// Wraps the memory of a deformer.
    pub fn new<T: Any + Send>(room: T) -> Self {
        Self(Box::new(room))
    }

    /// The memory, in the type of the deformer that made it.
    ///
    /// # Panics
    /// If it was made by another kind of deformer.
    pub fn get<T: Any + Send>(&mut self) -> &mut T {
        self.0.downcast_mut().expect("a deformer is given the workspace that it made")
    }
}

impl std::fmt::Debug for Workspace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Workspace")
    }
}
