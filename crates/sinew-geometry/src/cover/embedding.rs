//! A surface that moves with tetrahedra.

use glam::Vec3;

/// Position of each vertex of a surface in tetrahedra.
///
/// Invariant: as many tetrahedra as weights; the four weights of a vertex sum to 1 to rounding.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Embedding {
    pub(super) tets: Vec<u32>,
    pub(super) corners: Vec<[u32; 4]>,
    pub(super) weights: Vec<[f32; 4]>,
    pub(super) loose: Vec<u32>,
}

impl Embedding {
    /// The tetrahedron of each vertex.
    pub fn tets(&self) -> &[u32] {
        &self.tets
    }

    /// The four points of each vertex's tetrahedron.
    pub fn corners(&self) -> &[[u32; 4]] {
        &self.corners
    }

    /// Weight of each of the four: between 0 and 1 to rounding, except for loose vertices.
    pub fn weights(&self) -> &[[f32; 4]] {
        &self.weights
    }

    /// Vertices that lie in no tetrahedron, in order: of a cover those that no triangle has. They hang from a near one, and their
    /// weights may be negative. All others lie inside theirs.
    pub fn loose(&self) -> &[u32] {
        &self.loose
    }

    /// The surface's vertices for these points of the tetrahedra.
    ///
    /// # Panics
    /// If there are fewer points than the tetrahedra have.
    pub fn apply(&self, points: &[Vec3]) -> Vec<Vec3> {
        let mut positions = vec![Vec3::ZERO; self.tets.len()];
        self.apply_into(points, &mut positions);
        positions
    }

    /// The same without taking memory.
    ///
    /// # Panics
    /// If there are fewer points than the tetrahedra have, or not one position per vertex.
    pub fn apply_into(&self, points: &[Vec3], positions: &mut [Vec3]) {
        assert_eq!(positions.len(), self.tets.len(), "one position for each vertex of the surface");
        for ((position, corners), weights) in positions.iter_mut().zip(&self.corners).zip(&self.weights) {
            // Relative to the first corner: a body far from the origin loses no digits.
            let first = points[corners[0] as usize];
            let offset = |at: usize| (points[corners[at] as usize] - first) * weights[at];
            *position = first + (offset(1) + offset(2) + offset(3));
        }
    }
}
