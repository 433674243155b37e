//! Triangle meshes with all that is stored per vertex.

use crate::{InfluenceCut, Influences, MaterialId, MorphTarget, Spherical};
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
    /// Parameters of the spherical methods, one per vertex, or empty. `None`: derived when the mesh is bound. They belong to the
    /// first and second influence of the vertex.
    pub spherical: Vec<Option<Spherical>>,
    /// The method that moves each vertex, one per vertex, or empty: 0 where the vertex does not say, 1 linear blend (lbs),
    /// 2 spherical blend (sbs), 3 SBS+ (sdef), 4 Bézier, 5 dual quaternions (dlb), 6 optimised centers (cor). Other codes are kept
    /// and count as 0.
    pub methods: Vec<u8>,
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

    /// At most `most` influences a vertex, as [`Influences::cut_to`]. Spherical parameters stay where both influences that they
    /// belong to stay, and are dropped elsewhere.
    ///
    /// # Panics
    /// If `most` is zero.
    pub fn cut_influences(&mut self, most: usize) -> InfluenceCut {
        let (influences, cut) = self.influences.cut_to(most);
        for (vertex, spherical) in self.spherical.iter_mut().enumerate() {
            // By weight, not by joint: a bone that is listed twice would hide that one of the two is gone.
            if !kept_first_two(self.influences.of(vertex).1, most) {
                *spherical = None;
            }
        }
        self.influences = influences;
        cut
    }

    /// Bounds of the rest shape.
    pub fn bounds(&self) -> Bounds {
        Bounds::of(&self.positions)
    }
}

/// Whether the first two weights are among the `most` heaviest; of equal weights the earlier counts as heavier.
fn kept_first_two(weights: &[f32], most: usize) -> bool {
    let heavier_than = |at: usize| {
        let is_heavier =
            |(other, weight): (usize, &f32)| *weight > weights[at] || (*weight == weights[at] && other < at);
        weights.iter().enumerate().filter(|&entry| is_heavier(entry)).count()
    };
    weights.len() >= 2 && heavier_than(0) < most && heavier_than(1) < most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::InfluencesBuilder;

    #[test]
    fn a_cut_keeps_spherical_parameters_only_with_both_of_their_bones() {
        let spherical = Spherical { center: Vec3::ZERO, r0: -Vec3::Y, r1: Vec3::Y };
        let vertices: [&[(u16, f32)]; 5] = [
            &[(0, 0.5), (1, 0.5)],
            &[(0, 0.5), (1, 0.4), (2, 0.1)],
            &[(0, 0.5), (1, 0.1), (2, 0.4)],
            &[(0, 0.5), (1, 0.1), (1, 0.4)],
            &[(0, 1.0)],
        ];
        let mut influences = InfluencesBuilder::with_capacity(vertices.len(), 0);
        for vertex in vertices {
            influences.push(vertex.iter().copied());
        }
        let mut mesh = Mesh {
            influences: influences.build(),
            spherical: vec![Some(spherical); vertices.len()],
            ..Mesh::default()
        };
        mesh.cut_influences(2);
        let kept: Vec<bool> = mesh.spherical.iter().map(Option::is_some).collect();
        assert_eq!(kept, [true, true, false, false, false]);
        mesh.cut_influences(1);
        assert!(mesh.spherical.iter().all(Option::is_none), "one influence has no use for them");
    }
}
