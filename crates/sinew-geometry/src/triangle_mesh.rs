//! A bare triangle mesh.

use glam::Vec3;

/// Positions and triangles, nothing else: what shapes are built as and what solvers take.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleMesh {
    /// One per vertex, m.
    pub positions: Vec<Vec3>,
    /// Vertex indices, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl TriangleMesh {
    /// Adds the vertices and triangles of `other`.
    pub fn append(&mut self, other: &Self) {
        let first = self.positions.len() as u32;
        self.positions.extend_from_slice(&other.positions);
        self.triangles.extend(other.triangles.iter().map(|triangle| triangle.map(|vertex| vertex + first)));
    }

    /// The volume inside, by the divergence theorem; exact for a closed mesh, negative if it is inside out.
    pub fn volume(&self) -> f64 {
        let corner = |vertex: u32| self.positions[vertex as usize].as_dvec3();
        self.triangles.iter().map(|t| corner(t[0]).dot(corner(t[1]).cross(corner(t[2]))) / 6.0).sum()
    }
}
