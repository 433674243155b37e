//! Triangle meshes with all that is stored per vertex.

use crate::{Influences, MaterialId, MorphTarget};
use glam::{Vec2, Vec3, Vec4};
use sinew_geometry::Bounds;
use std::ops::Range;

/// A run of vertices and triangles with one material: what glTF calls a primitive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaterialGroup {
    /// `None` for the default look.
    pub material: Option<MaterialId>,
    /// The group's vertices; its triangles use no others.
    pub vertices: Range<u32>,
    /// The group's triangles; empty for points and lines, which have vertices only.
    pub triangles: Range<u32>,
}

/// A mesh in rest space.
///
/// Invariant (checked by [`crate::Character::new`]): each optional list is empty or one per vertex; the groups divide vertices and triangles
/// without gap or overlap, in order; all positions are finite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// As in the file; may be empty.
    pub name: String,
    /// One per vertex, rest space, metres.
    pub positions: Vec<Vec3>,
    /// One per vertex, unit; or empty.
    pub normals: Vec<Vec3>,
    /// One per vertex: unit direction and the sign of the bitangent; or empty.
    pub tangents: Vec<Vec4>,
    /// Sets of texture coordinates, each one per vertex, v downwards.
    pub uv_sets: Vec<Vec<Vec2>>,
    /// One per vertex, linear RGB and alpha; or empty.
    pub colors: Vec<Vec4>,
    /// Vertex indices, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Materials, in order.
    pub groups: Vec<MaterialGroup>,
    /// One per vertex; vertices without any follow the bone that carries the mesh.
    pub influences: Influences,
    /// Shapes that can be added.
    pub morphs: Vec<MorphTarget>,
    /// Weights of the morphs where an instance gives none; as many as morphs.
    pub default_morph_weights: Vec<f32>,
}

impl Mesh {
    /// A mesh of one group without influences or morphs, with smooth normals.
    pub fn from_triangles(
        name: &str,
        mesh: sinew_geometry::TriangleMesh,
        material: Option<MaterialId>,
    ) -> Self {
        let normals = sinew_geometry::smooth_normals(&mesh.positions, &mesh.triangles);
        let vertices = 0..mesh.positions.len() as u32;
        let triangles = 0..mesh.triangles.len() as u32;
        Self {
            name: name.into(),
            influences: Influences::none(mesh.positions.len()),
            positions: mesh.positions,
            normals,
            groups: vec![MaterialGroup { material, vertices, triangles }],
            triangles: mesh.triangles,
            ..Self::default()
        }
    }

    /// How many vertices there are.
    pub fn vertex_count(&self) -> usize {
        self.positions.len()
    }

    /// Bounds of the rest shape.
    pub fn bounds(&self) -> Bounds {
        Bounds::of(&self.positions)
    }
}
