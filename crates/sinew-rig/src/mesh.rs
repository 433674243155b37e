//! Triangle meshes with all per-vertex data.

use crate::{InfluenceCut, Influences, InfluencesBuilder, MaterialId, MorphTarget, Spherical};
use glam::{Vec2, Vec3, Vec4};
use sinew_geometry::Bounds;
use std::borrow::Cow;
use std::ops::Range;

/// A run of vertices and triangles with one material: what glTF calls a primitive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaterialGroup {
    /// `None` for the default look.
    pub material: Option<MaterialId>,
    /// The group's vertices; its triangles use no others. Groups of one mesh may share vertices.
    pub vertices: Range<u32>,
    /// The group's triangles; empty for points and lines, which have only vertices.
    pub triangles: Range<u32>,
}

/// A mesh in rest space.
///
/// Invariant (checked by [`crate::Character::new`]): each optional list is empty or one per vertex; the groups cover the triangles without
/// gap or overlap, in order; all positions are finite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// As in the file; may be empty.
    pub name: String,
    /// One per vertex, rest space, m.
    pub positions: Vec<Vec3>,
    /// One per vertex, unit; or empty.
    pub normals: Vec<Vec3>,
    /// One per vertex: unit direction and the sign of the bitangent; or empty.
    pub tangents: Vec<Vec4>,
    /// Sets of texture coordinates, each one per vertex, v down.
    pub uv_sets: Vec<Vec<Vec2>>,
    /// One per vertex, linear RGB and alpha; or empty.
    pub colors: Vec<Vec4>,
    /// Vertex indices, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Materials, in order.
    pub groups: Vec<MaterialGroup>,
    /// One per vertex; vertices without influences follow the bone that carries the mesh.
    pub influences: Influences,
    /// Parameters of the spherical methods, one per vertex, or empty. `None`: computed when the mesh is bound. They belong to the first and
    /// second influence of the vertex.
    pub spherical: Vec<Option<Spherical>>,
    /// The method of each vertex, one per vertex, or empty: 0 default, 1 linear blend (lbs), 2 spherical blend (sbs), 3 SBS+ (sdef), 4
    /// Bézier, 5 dual quaternions (dlb), 6 optimized centers (cor). Other codes are kept and count as 0.
    pub methods: Vec<u8>,
    /// Shapes to add.
    pub morphs: Vec<MorphTarget>,
    /// Weights of the morphs if an instance has none; one per morph.
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

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.positions.len()
    }

    /// At most `most` influences per vertex, as [`Influences::cut_to`]. Spherical parameters are kept if both of their influences are, else
    /// dropped.
    ///
    /// # Panics
    /// If `most` is zero.
    pub fn cut_influences(&mut self, most: usize) -> InfluenceCut {
        let (influences, cut) = self.influences.cut_to(most);
        for (vertex, spherical) in self.spherical.iter_mut().enumerate() {
            // By weight, not by joint: a bone listed twice would hide that one of the two is gone.
            if !kept_first_two(self.influences.of(vertex).1, most) {
                *spherical = None;
            }
        }
        self.influences = influences;
        cut
    }

    /// The same mesh with groups that share no vertex and vertices in the order of groups, for formats that store groups separately. A
    /// vertex of several groups is duplicated; one that no triangle uses is left out, unless its group has no triangles.
    pub fn with_own_vertices(&self) -> Cow<'_, Self> {
        let mut end = 0;
        let is_divided = self.groups.iter().all(|group| {
            let follows = group.vertices.start == end;
            end = group.vertices.end;
            follows
        });
        if is_divided && end as usize == self.vertex_count() {
            return Cow::Borrowed(self);
        }
        let mut kept: Vec<u32> = Vec::with_capacity(self.vertex_count());
        let mut new_index = vec![u32::MAX; self.vertex_count()];
        let mut triangles = Vec::with_capacity(self.triangles.len());
        let mut groups = Vec::with_capacity(self.groups.len());
        for group in &self.groups {
            let own = &self.triangles[group.triangles.start as usize..group.triangles.end as usize];
            let mut used: Vec<u32> = if own.is_empty() {
                group.vertices.clone().collect()
            } else {
                own.iter().flatten().copied().collect()
            };
            used.sort_unstable();
            used.dedup();
            let first = kept.len() as u32;
            for (&vertex, index) in used.iter().zip(first..) {
                new_index[vertex as usize] = index;
            }
            triangles.extend(own.iter().map(|triangle| triangle.map(|vertex| new_index[vertex as usize])));
            kept.extend(used);
            groups.push(MaterialGroup { vertices: first..kept.len() as u32, ..group.clone() });
        }
        Cow::Owned(self.with_vertices(&kept, triangles, groups))
    }

    /// The same mesh with the vertices `kept`, which may repeat, in that order.
    fn with_vertices(&self, kept: &[u32], triangles: Vec<[u32; 3]>, groups: Vec<MaterialGroup>) -> Self {
        fn pick<T: Clone>(list: &[T], kept: &[u32]) -> Vec<T> {
            if list.is_empty() {
                Vec::new()
            } else {
                kept.iter().map(|&v| list[v as usize].clone()).collect()
            }
        }
        let mut influences = InfluencesBuilder::with_capacity(kept.len(), kept.len());
        for &vertex in kept {
            influences.push(self.influences.pairs(vertex as usize));
        }
        let morphs = self.morphs.iter().map(|morph| {
            let places: Vec<(u32, usize)> = (0..)
                .zip(kept)
                .filter_map(|(new, old)| Some((new, morph.vertices.binary_search(old).ok()?)))
                .collect();
            let pick = |deltas: &[Vec3]| match deltas {
                [] => Vec::new(),
                _ => places.iter().map(|&(_, at)| deltas[at]).collect(),
            };
            MorphTarget {
                name: morph.name.clone(),
                vertices: places.iter().map(|&(new, _)| new).collect(),
                position_deltas: pick(&morph.position_deltas),
                normal_deltas: pick(&morph.normal_deltas),
                tangent_deltas: pick(&morph.tangent_deltas),
                effect: morph.effect.clone(),
            }
        });
        Self {
            name: self.name.clone(),
            positions: pick(&self.positions, kept),
            normals: pick(&self.normals, kept),
            tangents: pick(&self.tangents, kept),
            uv_sets: self.uv_sets.iter().map(|set| pick(set, kept)).collect(),
            colors: pick(&self.colors, kept),
            triangles,
            groups,
            influences: influences.build(),
            spherical: pick(&self.spherical, kept),
            methods: pick(&self.methods, kept),
            morphs: morphs.collect(),
            default_morph_weights: self.default_morph_weights.clone(),
        }
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

    #[test]
    fn shared_vertices_are_there_once_for_each_group() {
        let mut influences = InfluencesBuilder::with_capacity(5, 5);
        for vertex in 0..5 {
            influences.push([(vertex, 1.0)]);
        }
        let group = |vertices, triangles| MaterialGroup { material: None, vertices, triangles };
        let mesh = Mesh {
            positions: (0..5).map(|x| Vec3::new(x as f32, 0.0, 0.0)).collect(),
            triangles: vec![[4, 2, 1], [1, 2, 0]],
            groups: vec![group(1..5, 0..1), group(0..3, 1..2)],
            influences: influences.build(),
            morphs: vec![MorphTarget {
                vertices: vec![1, 3],
                position_deltas: vec![Vec3::Y, Vec3::Z],
                ..MorphTarget::default()
            }],
            default_morph_weights: vec![0.0],
            ..Mesh::default()
        };
        let own = mesh.with_own_vertices();
        let x: Vec<f32> = own.positions.iter().map(|position| position.x).collect();
        assert_eq!(x, [1.0, 2.0, 4.0, 0.0, 1.0, 2.0], "vertex 3 is used by nothing");
        assert_eq!(own.triangles, [[2, 1, 0], [4, 5, 3]]);
        assert_eq!(own.morphs[0].vertices, [0, 4]);
        assert_eq!(own.influences.of(4).0, [1]);
        assert!(matches!(own.with_own_vertices(), Cow::Borrowed(_)), "nothing is left to divide");
    }

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
