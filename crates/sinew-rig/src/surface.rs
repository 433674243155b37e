//! Lists of vertices: owned, and borrowed to be written.

use glam::{Vec3, Vec4};

/// Positions, normals and tangents of a list of vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// One per vertex, m.
    pub positions: Vec<Vec3>,
    /// One per vertex, unit.
    pub normals: Vec<Vec3>,
    /// One per vertex: unit direction and the sign of the bitangent; empty if no mesh has tangents.
    pub tangents: Vec<Vec4>,
}

impl Surface {
    /// All lists, to be written by a [`crate::Deformer`].
    pub fn as_mut(&mut self) -> SurfaceMut<'_> {
        SurfaceMut {
            positions: &mut self.positions,
            normals: &mut self.normals,
            tangents: &mut self.tangents,
        }
    }
}

/// Output of a deformer: lists of the caller, such as a mapped GPU buffer.
///
/// Lists are contiguous, because kernels write runs of vertices in one piece.
///
/// ```
/// use sinew_rig::SurfaceMut;
///
/// let mut buffer = vec![glam::Vec3::ZERO; 8];
/// let only_positions = SurfaceMut::of_positions(&mut buffer);
/// assert!(only_positions.normals.is_empty());
/// ```
#[derive(Debug)]
pub struct SurfaceMut<'a> {
    /// One per vertex, m.
    pub positions: &'a mut [Vec3],
    /// One per vertex, unit; empty if not needed.
    pub normals: &'a mut [Vec3],
    /// One per vertex, as in [`Surface`]; empty if not needed, or without normals.
    pub tangents: &'a mut [Vec4],
}

impl<'a> SurfaceMut<'a> {
    /// Positions only.
    pub fn of_positions(positions: &'a mut [Vec3]) -> Self {
        Self { positions, normals: &mut [], tangents: &mut [] }
    }

    /// The same lists with a shorter lifetime.
    pub fn reborrow(&mut self) -> SurfaceMut<'_> {
        SurfaceMut { positions: self.positions, normals: self.normals, tangents: self.tangents }
    }

    /// The vertices before `vertex`, and the others.
    pub fn split_at(self, vertex: usize) -> (Self, Self) {
        fn halves<T>(list: &mut [T], at: usize) -> (&mut [T], &mut [T]) {
            list.split_at_mut(if list.is_empty() { 0 } else { at })
        }
        let (positions, later_positions) = halves(self.positions, vertex);
        let (normals, later_normals) = halves(self.normals, vertex);
        let (tangents, later_tangents) = halves(self.tangents, vertex);
        (
            Self { positions, normals, tangents },
            Self { positions: later_positions, normals: later_normals, tangents: later_tangents },
        )
    }

    /// Checks that each list is empty or has one entry per vertex of the rest shape's list.
    ///
    /// # Panics
    /// If not, or if `rest` does not have `vertex_count` vertices.
    pub fn assert_fits(&self, rest: &Surface, vertex_count: usize) {
        assert_eq!(rest.positions.len(), vertex_count, "one rest position per vertex");
        assert_eq!(rest.normals.len(), vertex_count, "one rest normal per vertex");
        assert_eq!(self.positions.len(), vertex_count, "one posed position per vertex");
        assert!(
            self.normals.is_empty() || self.normals.len() == vertex_count,
            "one posed normal per vertex, or none at all"
        );
        assert!(
            self.tangents.is_empty() || self.tangents.len() == rest.tangents.len(),
            "as many posed as rest tangents, or none at all"
        );
        assert!(self.tangents.is_empty() || !self.normals.is_empty(), "tangents come with normals");
    }
}
