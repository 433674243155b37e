//! Polygons to triangles, by material.
//!
//! FBX numbers positions, normals, texture coordinates and colors of a polygon's corners apart; a mesh has one list. Corners with equal
//! values become one vertex. Each material has vertices of its own, as in glTF.

use super::convert::{vec2, vec3, vec4};
use super::error::ReadFbxError;
use super::materials::Looks;
use super::morphs::{self, MorphChannel};
use super::nodes::Nodes;
use super::skin::Skin;
use crate::obj::linear_from_srgb;
use crate::{Budget, Report};
use glam::{Vec2, Vec3, Vec4};
use sinew_rig::{Bind, BindId, BoneId, Influences, Instance, MaterialGroup, MaterialId, Mesh, MeshId};
use std::collections::HashMap;

/// All that has a surface.
#[derive(Default)]
pub(super) struct Surfaces {
    pub(super) meshes: Vec<Mesh>,
    /// The channels of each mesh's morphs.
    pub(super) channels: Vec<Vec<MorphChannel>>,
    pub(super) binds: Vec<Bind>,
    pub(super) instances: Vec<Instance>,
}

/// A mesh that was read, for further nodes that show it.
#[derive(Clone, Copy)]
struct ReadMesh {
    mesh: MeshId,
    bind: Option<BindId>,
}

/// Reads the meshes of all nodes. Nodes that show one mesh with the same materials share it.
pub(super) fn read(
    scene: &ufbx::Scene,
    nodes: &Nodes<'_>,
    looks: &Looks,
    budget: &mut Budget,
    report: &mut Report,
) -> Result<Surfaces, ReadFbxError> {
    let mut surfaces = Surfaces::default();
    let mut known: HashMap<(u32, Vec<Option<MaterialId>>), Option<ReadMesh>> = HashMap::new();
    let coarse = coarse_nodes(scene, nodes);
    for (index, node) in nodes.nodes.iter().enumerate() {
        let Some(mesh) = node.mesh.as_ref().filter(|_| !coarse[index]) else { continue };
        let materials = looks.of_node(node, mesh);
        let key = (mesh.element.typed_id, materials);
        let read = match known.get(&key) {
            Some(read) => *read,
            None => {
                let read = surfaces.add(mesh, &key.1, nodes, budget, report)?;
                known.insert(key, read);
                read
            }
        };
        if let Some(read) = read {
            surfaces.place(read, BoneId::of(index));
        }
    }
    Ok(surfaces)
}

/// Whether each node only repeats another in less detail.
fn coarse_nodes(scene: &ufbx::Scene, nodes: &Nodes<'_>) -> Vec<bool> {
    let mut is_coarse = vec![false; nodes.nodes.len()];
    for group in scene.lod_groups.iter().flat_map(|group| group.element.instances.iter()) {
        for level in group.children.iter().skip(1) {
            if let Some(bone) = nodes.bone_of(level) {
                is_coarse[bone.index()] = true;
            }
        }
    }
    for index in 0..is_coarse.len() {
        let parent = nodes.bones[index].parent;
        is_coarse[index] |= parent.is_some_and(|parent| is_coarse[parent.index()]);
    }
    is_coarse
}

impl Surfaces {
    /// Reads a mesh; `None` if it has no triangle.
    fn add(
        &mut self,
        mesh: &ufbx::Mesh,
        materials: &[Option<MaterialId>],
        nodes: &Nodes<'_>,
        budget: &mut Budget,
        report: &mut Report,
    ) -> Result<Option<ReadMesh>, ReadFbxError> {
        let place = format!("mesh {:?}", &*mesh.element.name);
        report_unread(mesh, &place, report);
        if mesh.num_triangles == 0 {
            report.warn(&place, "no triangles; it is left out");
            return Ok(None);
        }
        let limit = u32::MAX;
        if mesh.num_indices >= limit as usize || mesh.num_triangles >= limit as usize {
            let (name, found) = (mesh.element.name.to_string(), mesh.num_indices);
            return Err(ReadFbxError::TooManyCorners { name, found, limit });
        }
        budget.take(&place, mesh.num_indices as u64, bytes_per_corner(mesh))?;
        budget.take(&place, mesh.num_triangles as u64, 12)?;
        let mut builder = Builder::new(mesh);
        mesh.material_parts.iter().for_each(|part| {
            builder.add_part(part, materials.get(part.index as usize).copied().flatten());
        });
        let Builder { sources, mut result, .. } = builder;
        if result.triangles.is_empty() {
            report.warn(&place, "all polygons are holes; it is left out");
            return Ok(None);
        }
        let repaired = repair(&mut result.positions);
        if repaired > 0 {
            report.warn(&place, format!("{repaired} vertices are not finite; they are put at 0"));
        }
        let (morphs, channels) = morphs::read(mesh, &sources, budget, report)?;
        channels.iter().for_each(|channel| channel.file_weights(&mut result.default_morph_weights));
        result.morphs = morphs;
        let skin = Skin::of(mesh, nodes, report);
        result.influences = match &skin {
            Some(skin) => skin.influences(&sources),
            None => Influences::none(sources.len()),
        };
        result.methods = skin.as_ref().map_or_else(Vec::new, |skin| skin.methods(&sources, report));
        self.meshes.push(result);
        self.channels.push(channels);
        let bind = skin.map(|skin| {
            self.binds.push(skin.bind);
            BindId::of(self.binds.len() - 1)
        });
        Ok(Some(ReadMesh { mesh: MeshId::of(self.meshes.len() - 1), bind }))
    }

    fn place(&mut self, read: ReadMesh, bone: BoneId) {
        let morph_weights = self.meshes[read.mesh.index()].default_morph_weights.clone();
        self.instances.push(Instance { bone, mesh: read.mesh, bind: read.bind, morph_weights });
    }
}

/// What a corner takes while its mesh is read, at most: a vertex with all its lists, links and influences.
fn bytes_per_corner(mesh: &ufbx::Mesh) -> u64 {
    let color = if mesh.color_sets.is_empty() { 0 } else { 16 };
    let influences = mesh.skin_deformers.first().map_or(0, |skin| 6 * skin.max_weights_per_vertex as u64);
    12 + 12 + 8 + 8 * mesh.uv_sets.len() as u64 + color + influences
}

/// Parts of a mesh that are not carried over.
fn report_unread(mesh: &ufbx::Mesh, place: &str, report: &mut Report) {
    let holes = mesh.face_hole.iter().filter(|&&is_hole| is_hole).count();
    let counted = [
        (mesh.num_point_faces + mesh.num_line_faces, "points and lines are left out"),
        (holes, "polygons that are holes are left out"),
        (mesh.color_sets.len().saturating_sub(1), "more sets of vertex colors are left out"),
        (mesh.cache_deformers.len(), "geometry caches are not read"),
        (mesh.subdivision_render_levels as usize, "levels of subdivision are not applied"),
        (usize::from(mesh.generated_normals), "mesh without normals; they are computed"),
    ];
    for (count, what) in counted.into_iter().filter(|&(count, _)| count > 0) {
        report.warn(place, format!("{count} {what}"));
    }
}

/// Puts vertices that are not finite at the origin and counts them.
fn repair(positions: &mut [Vec3]) -> usize {
    let mut count = 0;
    for position in positions.iter_mut().filter(|position| !position.is_finite()) {
        *position = Vec3::ZERO;
        count += 1;
    }
    count
}

/// No vertex.
const NONE: u32 = u32::MAX;

/// A mesh as it is put together.
struct Builder<'a> {
    mesh: &'a ufbx::Mesh,
    result: Mesh,
    /// The file's vertex of each vertex.
    sources: Vec<u32>,
    /// The first vertex of the part that came of each of the file's, or [`NONE`].
    first: Vec<u32>,
    /// The next vertex that came of the same one, or [`NONE`].
    next: Vec<u32>,
    /// The corner that each vertex came of.
    corners: Vec<u32>,
    /// Corners of a polygon's triangles.
    scratch: Vec<u32>,
}

impl<'a> Builder<'a> {
    fn new(mesh: &'a ufbx::Mesh) -> Self {
        let result = Mesh {
            name: mesh.element.name.to_string(),
            uv_sets: vec![Vec::new(); mesh.uv_sets.len()],
            ..Mesh::default()
        };
        Self {
            mesh,
            result,
            sources: Vec::new(),
            first: vec![NONE; mesh.num_vertices],
            next: Vec::new(),
            corners: Vec::new(),
            scratch: vec![0; 3 * mesh.max_face_triangles],
        }
    }

    /// Adds the polygons of one material.
    fn add_part(&mut self, part: &ufbx::MeshPart, material: Option<MaterialId>) {
        let (first_vertex, first_triangle) = (self.sources.len() as u32, self.result.triangles.len() as u32);
        self.first.fill(NONE);
        for &face in &part.face_indices {
            self.add_polygon(face as usize);
        }
        let triangles = first_triangle..self.result.triangles.len() as u32;
        if !triangles.is_empty() {
            let vertices = first_vertex..self.sources.len() as u32;
            self.result.groups.push(MaterialGroup { material, vertices, triangles });
        }
    }

    fn add_polygon(&mut self, index: usize) {
        let mesh = self.mesh;
        let is_hole = mesh.face_hole.get(index).is_some_and(|&is_hole| is_hole);
        let Some(&face) = mesh.faces.get(index).filter(|face| !is_hole && face.num_indices >= 3) else {
            return;
        };
        let count = ufbx::triangulate_face(&mut self.scratch, mesh, face) as usize;
        for triangle in 0..count {
            let corner = |at: usize| self.scratch[3 * triangle + at];
            let corners = [corner(0), corner(1), corner(2)];
            let vertices = corners.map(|corner| self.vertex(corner));
            self.result.triangles.push(vertices);
        }
    }

    /// The vertex of a corner: one of the part with equal values, or a new one.
    fn vertex(&mut self, corner: u32) -> u32 {
        let source = self.mesh.vertex_indices[corner as usize];
        let mut at = self.first[source as usize];
        while at != NONE {
            if self.is_same(self.corners[at as usize] as usize, corner as usize) {
                return at;
            }
            at = self.next[at as usize];
        }
        let vertex = self.sources.len() as u32;
        self.next.push(std::mem::replace(&mut self.first[source as usize], vertex));
        self.sources.push(source);
        self.corners.push(corner);
        self.push_values(source as usize, corner as usize);
        vertex
    }

    /// Whether two corners of one vertex have the same values.
    fn is_same(&self, a: usize, b: usize) -> bool {
        let mesh = self.mesh;
        let has_normals = mesh.vertex_normal.exists;
        let has_colors = mesh.vertex_color.exists;
        let same_normal = || normal(mesh, a) == normal(mesh, b);
        let same_uv = |set: &ufbx::UvSet| {
            set.vertex_uv.indices[a] == set.vertex_uv.indices[b] || uv(set, a) == uv(set, b)
        };
        (!has_normals || same_normal())
            && mesh.uv_sets.iter().all(same_uv)
            && (!has_colors || color(mesh, a) == color(mesh, b))
    }

    fn push_values(&mut self, source: usize, corner: usize) {
        let mesh = self.mesh;
        self.result.positions.push(vec3(mesh.vertices[source]));
        if mesh.vertex_normal.exists {
            self.result.normals.push(normal(mesh, corner));
        }
        for (list, set) in self.result.uv_sets.iter_mut().zip(&mesh.uv_sets) {
            list.push(uv(set, corner));
        }
        if mesh.vertex_color.exists {
            self.result.colors.push(color(mesh, corner));
        }
    }
}

fn normal(mesh: &ufbx::Mesh, corner: usize) -> Vec3 {
    let normal = vec3(mesh.vertex_normal[corner]);
    if normal.is_finite() { normal } else { Vec3::ZERO }
}

/// With v down, as everywhere else.
fn uv(set: &ufbx::UvSet, corner: usize) -> Vec2 {
    let uv = vec2(set.vertex_uv[corner]);
    if uv.is_finite() { Vec2::new(uv.x, 1.0 - uv.y) } else { Vec2::ZERO }
}

/// Programs that write FBX store colors as a screen shows them.
fn color(mesh: &ufbx::Mesh, corner: usize) -> Vec4 {
    let color = vec4(mesh.vertex_color[corner]);
    if !color.is_finite() {
        return Vec4::ONE;
    }
    let linear = color.truncate().max(Vec3::ZERO).to_array().map(linear_from_srgb);
    Vec3::from_array(linear).extend(color.w)
}
