//! Faces to meshes: objects, material groups, one list of vertices.

use super::read::{Corner, Face, NONE, Place, Statements};
use crate::Report;
use glam::{Vec2, Vec3};
use indexmap::IndexSet;
use sinew_rig::{Influences, MaterialGroup, MaterialId, Mesh};
use std::collections::HashMap;

/// The meshes of a file. `materials` has the material of each `usemtl` name.
pub(super) fn meshes(statements: &Statements, materials: &[MaterialId], report: &mut Report) -> Vec<Mesh> {
    let faces = usable_faces(statements, report);
    let split = Split::of(statements, &faces, report);
    let (mut plans, group_of_face) = plans(statements, &faces, split);
    let mut owners = vec![None; statements.positions.len()];
    for (UsableFace { face, corners }, group) in faces.iter().zip(group_of_face) {
        let owner = Some((split.mesh_of(face.place), group));
        corners.iter().for_each(|corner| owners[corner.v as usize] = owner);
    }
    give_unused_vertices(statements, split, &owners, &mut plans, report);
    if faces.is_empty() {
        report.warn("", "the file has no valid face; its vertices are kept as points");
    }
    let plans = plans.into_iter().filter(|plan| !plan.groups.is_empty());
    plans.map(|plan| MeshBuilder::new(statements).build(plan, materials, report)).collect()
}

/// The faces whose vertices exist; corners with invalid texture coordinates or normals lose those.
fn usable_faces<'a>(statements: &'a Statements, report: &mut Report) -> Vec<UsableFace<'a>> {
    let mut usable = Vec::with_capacity(statements.faces.len());
    for face in &statements.faces {
        let place = format_args!("line {}", face.line);
        let corners = &statements.corners[face.corners.clone()];
        let past = |index: u32, count: usize| index != NONE && index as usize >= count;
        if let Some(corner) = corners.iter().find(|corner| past(corner.v, statements.positions.len())) {
            let (vertex, count) = (u64::from(corner.v) + 1, statements.positions.len());
            let what = format!("vertex {vertex} is out of range ({count} vertices); the face is left out");
            report.warn(place, what);
            continue;
        }
        if corners.iter().any(|corner| past(corner.vt, statements.uvs.len())) {
            report.warn(place, "texture coordinates out of range are ignored");
        }
        if corners.iter().any(|corner| past(corner.vn, statements.normals.len())) {
            report.warn(place, "normals out of range are ignored");
        }
        usable.push(UsableFace { face, corners });
    }
    usable
}

struct UsableFace<'a> {
    face: &'a Face,
    corners: &'a [Corner],
}

/// The statement that starts a new mesh.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Split {
    Objects,
    Groups,
    Nothing,
}

impl Split {
    fn of(statements: &Statements, faces: &[UsableFace<'_>], report: &mut Report) -> Self {
        let object_count = statements.object_names.len() - 1;
        let group_count = statements.group_names.len() - 1;
        if object_count > 0 {
            if group_count > object_count {
                report.warn("", "groups (g) are ignored because the file has objects (o)");
            }
            return Self::Objects;
        }
        if group_count == 0 {
            return Self::Nothing;
        }
        let mut owners = vec![NONE; statements.positions.len()];
        for UsableFace { face, corners } in faces {
            for corner in *corners {
                let owner = &mut owners[corner.v as usize];
                if *owner != NONE && *owner != face.place.group {
                    let what = "groups (g) share vertices; they become one mesh and lose their names";
                    report.warn(format_args!("line {}", face.line), what);
                    return Self::Nothing;
                }
                *owner = face.place.group;
            }
        }
        Self::Groups
    }

    fn mesh_of(self, place: Place) -> usize {
        match self {
            Self::Objects => place.object as usize,
            Self::Groups => place.group as usize,
            Self::Nothing => 0,
        }
    }
}

/// A mesh to be built.
struct Plan<'a> {
    name: &'a str,
    groups: Vec<GroupPlan<'a>>,
}

/// A material group to be built.
struct GroupPlan<'a> {
    /// Index of the material's name, or [`NONE`].
    material: u32,
    faces: Vec<&'a [Corner]>,
    /// `v` lines that no face uses, ascending.
    unused: Vec<u32>,
}

/// The meshes with their faces, and the group of each face.
fn plans<'a>(
    statements: &'a Statements,
    faces: &[UsableFace<'a>],
    split: Split,
) -> (Vec<Plan<'a>>, Vec<usize>) {
    let new = |name: &'a String| Plan { name, groups: Vec::new() };
    let mut plans: Vec<Plan<'_>> = match split {
        Split::Objects => statements.object_names.iter().map(new).collect(),
        Split::Groups => statements.group_names.iter().map(new).collect(),
        Split::Nothing => statements.group_names.iter().take(1).map(new).collect(),
    };
    let mut group_indices = HashMap::new();
    let mut group_of_face = Vec::with_capacity(faces.len());
    for UsableFace { face, corners } in faces {
        let mesh = split.mesh_of(face.place);
        let groups = &mut plans[mesh].groups;
        let group = *group_indices.entry((mesh, face.material)).or_insert_with(|| {
            groups.push(GroupPlan { material: face.material, faces: Vec::new(), unused: Vec::new() });
            groups.len() - 1
        });
        groups[group].faces.push(corners);
        group_of_face.push(group);
    }
    (plans, group_of_face)
}

/// Gives each unused `v` line to the mesh it was written in, and there to the group of the vertex before it, to keep the file's
/// order. Those in a mesh without faces are left out, unless no mesh has any.
///
/// `owners`: the mesh and the group that use each `v` line.
fn give_unused_vertices(
    statements: &Statements,
    split: Split,
    owners: &[Option<(usize, usize)>],
    plans: &mut [Plan<'_>],
    report: &mut Report,
) {
    let has_faces = owners.iter().any(Option::is_some);
    let mut last_group = vec![0; plans.len()];
    let mut left_out = 0;
    for (v, (place, owner)) in statements.position_places.iter().zip(owners).enumerate() {
        if let Some((mesh, group)) = *owner {
            last_group[mesh] = group;
            continue;
        }
        let mesh = split.mesh_of(*place);
        let groups = &mut plans[mesh].groups;
        if groups.is_empty() {
            if has_faces {
                left_out += 1;
                continue;
            }
            groups.push(GroupPlan { material: NONE, faces: Vec::new(), unused: Vec::new() });
        }
        groups[last_group[mesh]].unused.push(v as u32);
    }
    if left_out > 0 {
        report.warn("", format!("{left_out} vertices belong to objects without faces; they are left out"));
    }
}

/// Collects the vertices and triangles of one mesh.
struct MeshBuilder<'a> {
    statements: &'a Statements,
    vertices: Vec<Corner>,
    triangles: Vec<[u32; 3]>,
    groups: Vec<MaterialGroup>,
}

impl<'a> MeshBuilder<'a> {
    fn new(statements: &'a Statements) -> Self {
        Self { statements, vertices: Vec::new(), triangles: Vec::new(), groups: Vec::new() }
    }

    fn build(mut self, plan: Plan<'_>, materials: &[MaterialId], report: &mut Report) -> Mesh {
        for group in &plan.groups {
            let (first_vertex, first_triangle) = (self.vertices.len() as u32, self.triangles.len() as u32);
            self.add_group(group);
            self.groups.push(MaterialGroup {
                material: materials.get(group.material as usize).copied(),
                vertices: first_vertex..self.vertices.len() as u32,
                triangles: first_triangle..self.triangles.len() as u32,
            });
        }
        let position = |corner: &Corner| self.statements.positions[corner.v as usize];
        let positions: Vec<_> = self.vertices.iter().map(position).collect();
        Mesh {
            name: plan.name.into(),
            normals: self.normals(),
            uv_sets: self.uvs(plan.name, report).into_iter().collect(),
            influences: Influences::none(positions.len()),
            positions,
            triangles: self.triangles,
            groups: self.groups,
            ..Mesh::default()
        }
    }

    /// Adds the group's `v` lines in the file's order, then copies at seams, then the triangles.
    fn add_group(&mut self, group: &GroupPlan<'_>) {
        let mut combinations: IndexSet<Corner> = IndexSet::new();
        let mut triangles: Vec<[u32; 3]> = Vec::new();
        for corners in &group.faces {
            let mut combination = |corner: &Corner| combinations.insert_full(self.existing(corner)).0 as u32;
            let first = combination(&corners[0]);
            for pair in corners[1..].windows(2) {
                triangles.push([first, combination(&pair[0]), combination(&pair[1])]);
            }
        }
        let mut first_with_v: HashMap<u32, u32> = HashMap::with_capacity(combinations.len());
        for (index, corner) in combinations.iter().enumerate() {
            first_with_v.entry(corner.v).or_insert(index as u32);
        }
        let is_first = |index: u32| first_with_v[&combinations[index as usize].v] == index;
        let all = 0..combinations.len() as u32;
        let mut in_file_order: Vec<u32> = all.clone().filter(|&index| is_first(index)).collect();
        in_file_order.sort_unstable_by_key(|&index| combinations[index as usize].v);

        let mut vertex_of = vec![0; combinations.len()];
        let mut unused = group.unused.iter().peekable();
        for index in in_file_order {
            let corner = combinations[index as usize];
            while let Some(&v) = unused.next_if(|&&v| v < corner.v) {
                self.vertices.push(Corner { v, vt: NONE, vn: NONE });
            }
            vertex_of[index as usize] = self.vertices.len() as u32;
            self.vertices.push(corner);
        }
        self.vertices.extend(unused.map(|&v| Corner { v, vt: NONE, vn: NONE }));
        for index in all.filter(|&index| !is_first(index)) {
            vertex_of[index as usize] = self.vertices.len() as u32;
            self.vertices.push(combinations[index as usize]);
        }
        let triangles = triangles.iter().map(|triangle| triangle.map(|index| vertex_of[index as usize]));
        self.triangles.extend(triangles);
    }

    /// The corner without indices out of range; its `v` is valid.
    fn existing(&self, corner: &Corner) -> Corner {
        let or_none = |index: u32, count: usize| if (index as usize) < count { index } else { NONE };
        let vn = or_none(corner.vn, self.statements.normals.len());
        let is_usable = vn != NONE && self.statements.normals[vn as usize] != Vec3::ZERO;
        Corner {
            v: corner.v,
            vt: or_none(corner.vt, self.statements.uvs.len()),
            vn: if is_usable { vn } else { NONE },
        }
    }

    /// The file's normals; smooth ones where it has none.
    fn normals(&self) -> Vec<Vec3> {
        let mut smooth = Vec::new();
        if self.vertices.iter().any(|corner| corner.vn == NONE) {
            smooth = self.smooth_normals();
        }
        let normal = |(index, corner): (usize, &Corner)| match corner.vn {
            NONE => smooth[index],
            vn => self.statements.normals[vn as usize],
        };
        self.vertices.iter().enumerate().map(normal).collect()
    }

    /// Smooth over `v` lines rather than vertices: copies at seams must not make an edge.
    fn smooth_normals(&self) -> Vec<Vec3> {
        let mut lines: IndexSet<u32> = IndexSet::with_capacity(self.vertices.len());
        let welded: Vec<u32> =
            self.vertices.iter().map(|corner| lines.insert_full(corner.v).0 as u32).collect();
        let positions: Vec<Vec3> = lines.iter().map(|&v| self.statements.positions[v as usize]).collect();
        let weld = |triangle: &[u32; 3]| triangle.map(|vertex| welded[vertex as usize]);
        let triangles: Vec<_> = self.triangles.iter().map(weld).collect();
        let normals = sinew_geometry::smooth_normals(&positions, &triangles);
        welded.iter().map(|&index| normals[index as usize]).collect()
    }

    /// Texture coordinates, v down; `None` if no vertex has any.
    fn uvs(&self, mesh_name: &str, report: &mut Report) -> Option<Vec<Vec2>> {
        let missing = self.vertices.iter().filter(|corner| corner.vt == NONE).count();
        if missing == self.vertices.len() {
            return None;
        }
        if missing > 0 {
            let count = self.vertices.len();
            let message = format_args!(
                "{missing} of {count} vertices of mesh {mesh_name:?} have no texture coordinates; using 0"
            );
            report.warn("", message);
        }
        let uv = |corner: &Corner| match corner.vt {
            NONE => Vec2::ZERO,
            vt => {
                let Vec2 { x, y } = self.statements.uvs[vt as usize];
                Vec2::new(x, 1.0 - y)
            }
        };
        Some(self.vertices.iter().map(uv).collect())
    }
}
