//! Meshes: whole, or only the attributes that changed.

use super::encode::VERTICES;
use super::{Writer, named, set_name, set_or_remove};
use crate::Report;
use crate::gltf::document::object_in;
use crate::gltf::skin_keys::{METHOD_KEY, SCALAR_METHOD_KEY, SPHERICAL_KEYS};
use glam::Vec3;
use serde_json::{Map, Value, json};
use sinew_rig::{Character, MaterialGroup, Mesh, MorphTarget};

impl Writer {
    pub(super) fn update_meshes(&mut self, original: &Character, character: &Character, report: &mut Report) {
        for (index, mesh) in character.meshes().iter().enumerate() {
            match original.meshes().get(index) {
                Some(before) if before == mesh && !self.has_scalar_methods_in(index, mesh) => {}
                Some(before) if has_same_layout(before, mesh) => self.update_mesh(index, before, mesh),
                Some(before) => {
                    let place = format!("meshes[{index}]");
                    report.warn(&place, "its triangles changed; unknown attributes are left out");
                    let primitives = self.primitives(mesh);
                    let target = &mut self.document.json["meshes"][index];
                    target["primitives"] = primitives;
                    if before.name != mesh.name {
                        set_name(target, &mesh.name);
                    }
                    set_morph_names(target, mesh);
                }
                None => {
                    let mut entry = named(&mesh.name);
                    entry["primitives"] = self.primitives(mesh);
                    set_morph_names(&mut entry, mesh);
                    self.push_json("meshes", entry);
                }
            }
        }
    }

    /// Replaces the attributes that differ, primitive by primitive.
    fn update_mesh(&mut self, index: usize, before: &Mesh, mesh: &Mesh) {
        for (at, group) in mesh.groups.iter().enumerate() {
            let mut changed = self.lists(Some(before), mesh, group);
            let mut vertices = group.vertices.start as usize..group.vertices.end as usize;
            let are_influences_new = vertices.any(|v| before.influences.of(v) != mesh.influences.of(v));
            if are_influences_new {
                self.influences(mesh, group, &mut changed);
            }
            // Spherical parameters belong to the influences: those of bones without weight would end up at other bones.
            let listed = &self.document.json["meshes"][index]["primitives"][at]["attributes"];
            let is_listed = listed.get(SPHERICAL_KEYS[0]).is_some();
            if (are_influences_new && is_listed) || differs(&before.spherical, &mesh.spherical, group) {
                self.spherical(mesh, group, &mut changed);
            }
            let is_scalar = self.has_scalar_methods(index, at);
            if is_scalar || differs(&before.methods, &mesh.methods, group) {
                self.methods(mesh, group, &mut changed);
            }
            let targets = (before.morphs != mesh.morphs).then(|| {
                let place = format!("/meshes/{index}/primitives/{at}/targets");
                let listed = self.document.json.pointer(&place).and_then(Value::as_array).cloned();
                self.targets(&listed.unwrap_or_default(), &before.morphs, mesh, group)
            });
            let primitive = &mut self.document.json["meshes"][index]["primitives"][at];
            if let Some(attributes) = primitive["attributes"].as_object_mut() {
                if are_influences_new {
                    attributes.retain(|key, _| !key.starts_with("JOINTS_") && !key.starts_with("WEIGHTS_"));
                }
                if mesh.spherical.is_empty() && !before.spherical.is_empty() {
                    attributes.retain(|key, _| !SPHERICAL_KEYS.contains(&key.as_str()));
                }
                if mesh.methods.is_empty() && !before.methods.is_empty() {
                    attributes.retain(|key, _| key != METHOD_KEY);
                }
                attributes.retain(|key, _| key != SCALAR_METHOD_KEY);
                attributes.extend(changed);
            }
            if let Some(targets) = targets {
                set_or_remove(primitive, "targets", targets);
            }
        }
        let entry = &mut self.document.json["meshes"][index];
        if before.name != mesh.name {
            set_name(entry, &mesh.name);
        }
        if before.morphs != mesh.morphs || before.default_morph_weights != mesh.default_morph_weights {
            set_morph_names(entry, mesh);
        }
    }

    fn has_scalar_methods_in(&self, index: usize, mesh: &Mesh) -> bool {
        (0..mesh.groups.len()).any(|at| self.has_scalar_methods(index, at))
    }

    fn primitives(&mut self, mesh: &Mesh) -> Value {
        let mesh = mesh.with_own_vertices();
        mesh.groups.iter().map(|group| self.primitive(&mesh, group)).collect::<Vec<_>>().into()
    }

    fn primitive(&mut self, mesh: &Mesh, group: &MaterialGroup) -> Value {
        let mut attributes = self.lists(None, mesh, group);
        self.influences(mesh, group, &mut attributes);
        self.spherical(mesh, group, &mut attributes);
        self.methods(mesh, group, &mut attributes);
        let mut primitive = json!({ "attributes": attributes });
        if group.triangles.is_empty() {
            // Vertices without triangles are points.
            primitive["mode"] = 0.into();
        } else {
            let triangles = &mesh.triangles[group.triangles.start as usize..group.triangles.end as usize];
            let first = group.vertices.start;
            primitive["indices"] =
                self.push_indices(triangles.iter().flatten().map(|vertex| vertex - first)).into();
        }
        if let Some(material) = group.material {
            primitive["material"] = material.index().into();
        }
        if let Some(targets) = self.targets(&[], &[], mesh, group) {
            primitive["targets"] = targets;
        }
        primitive
    }

    /// The lists of floats of a primitive; only those that differ from `before`, if it is given.
    fn lists(&mut self, before: Option<&Mesh>, mesh: &Mesh, group: &MaterialGroup) -> Map<String, Value> {
        let mut out = Map::new();
        self.list("POSITION", before.map(|old| &old.positions[..]), &mesh.positions, group, &mut out);
        self.list("NORMAL", before.map(|old| &old.normals[..]), &mesh.normals, group, &mut out);
        self.list("TANGENT", before.map(|old| &old.tangents[..]), &mesh.tangents, group, &mut out);
        for (set, uvs) in mesh.uv_sets.iter().enumerate() {
            let old = before.map(|old| old.uv_sets.get(set).map_or(&[][..], Vec::as_slice));
            self.list(&format!("TEXCOORD_{set}"), old, uvs, group, &mut out);
        }
        self.list("COLOR_0", before.map(|old| &old.colors[..]), &mesh.colors, group, &mut out);
        out
    }

    fn list<const N: usize, T: Copy + PartialEq + Into<[f32; N]>>(
        &mut self,
        key: &str,
        before: Option<&[T]>,
        list: &[T],
        group: &MaterialGroup,
        out: &mut Map<String, Value>,
    ) {
        let is_position = key == "POSITION";
        let is_there = is_position || key.starts_with("TEXCOORD") || !list.is_empty();
        if is_there && before.is_none_or(|before| differs(before, list, group)) {
            out.insert(key.into(), self.push_floats(of(list, group), VERTICES, is_position).into());
        }
    }

    /// Joints and weights in as many sets of four as the vertices need; empty if no vertex has any.
    fn influences(&mut self, mesh: &Mesh, group: &MaterialGroup, out: &mut Map<String, Value>) {
        let range = group.vertices.start as usize..group.vertices.end as usize;
        let most = range.clone().map(|vertex| mesh.influences.of(vertex).0.len()).max().unwrap_or(0);
        for set in 0..most.div_ceil(4) {
            let mut joints = Vec::with_capacity(range.len());
            let mut weights = Vec::with_capacity(range.len());
            for vertex in range.clone() {
                let (vertex_joints, vertex_weights) = mesh.influences.of(vertex);
                joints.push(std::array::from_fn(|at| vertex_joints.get(4 * set + at).copied().unwrap_or(0)));
                weights.push(std::array::from_fn::<f32, 4, _>(|at| {
                    vertex_weights.get(4 * set + at).copied().unwrap_or(0.0)
                }));
            }
            out.insert(format!("JOINTS_{set}"), self.push_joints(&joints).into());
            out.insert(format!("WEIGHTS_{set}"), self.push_floats(&weights, VERTICES, false).into());
        }
    }

    /// The targets of a primitive: unchanged ones as `listed`, the others with their unknown members kept.
    fn targets(
        &mut self,
        listed: &[Value],
        before: &[MorphTarget],
        mesh: &Mesh,
        group: &MaterialGroup,
    ) -> Option<Value> {
        let mut targets = Vec::new();
        for (at, morph) in mesh.morphs.iter().enumerate() {
            let is_same = before.get(at).is_some_and(|old| part_of(old, group) == part_of(morph, group));
            targets.push(match listed.get(at) {
                Some(target) if is_same => target.clone(),
                listed => {
                    let mut target = listed.cloned().unwrap_or_else(|| json!({}));
                    let new = self.target(morph, group);
                    for key in DELTA_KEYS {
                        set_or_remove(&mut target, key, new.get(key).cloned());
                    }
                    target
                }
            });
        }
        (!targets.is_empty()).then(|| targets.into())
    }

    fn target(&mut self, morph: &MorphTarget, group: &MaterialGroup) -> Value {
        let (vertices, lists) = part_of(morph, group);
        let indices: Vec<u32> = vertices.iter().map(|vertex| vertex - group.vertices.start).collect();
        let count = group.vertices.len();
        let is_there = [true, !morph.normal_deltas.is_empty(), !morph.tangent_deltas.is_empty()];
        let mut target = Map::new();
        for at in (0..3).filter(|&at| is_there[at]) {
            let (values, is_position) = (lists[at], at == 0);
            // An index and a vector take a third more than a vector: sparse is smaller below two thirds.
            let is_sparse = !values.is_empty() && 3 * values.len() < 2 * count;
            let accessor = if is_sparse {
                self.push_sparse(count, &indices, values, is_position)
            } else {
                let mut dense = vec![Vec3::ZERO; count];
                for (&index, &value) in indices.iter().zip(values) {
                    dense[index as usize] = value;
                }
                self.push_floats(&dense, VERTICES, is_position)
            };
            target.insert(DELTA_KEYS[at].into(), accessor.into());
        }
        target.into()
    }
}

/// Lists of a morph target.
const DELTA_KEYS: [&str; 3] = ["POSITION", "NORMAL", "TANGENT"];

/// Whether two meshes have the same vertices and triangles in the same groups; attributes can then be replaced in place.
fn has_same_layout(before: &Mesh, mesh: &Mesh) -> bool {
    let lists = |mesh: &Mesh| {
        (mesh.normals.is_empty(), mesh.tangents.is_empty(), mesh.colors.is_empty(), mesh.uv_sets.len())
    };
    let had = lists(before);
    let has = lists(mesh);
    let none_removed = (had.0 || !has.0) && (had.1 || !has.1) && (had.2 || !has.2) && had.3 <= has.3;
    before.vertex_count() == mesh.vertex_count()
        && before.triangles == mesh.triangles
        && before.groups == mesh.groups
        && none_removed
}

fn set_morph_names(entry: &mut Value, mesh: &Mesh) {
    let has_weights = mesh.default_morph_weights.iter().any(|&weight| weight != 0.0);
    set_or_remove(entry, "weights", has_weights.then(|| json!(mesh.default_morph_weights)));
    if mesh.morphs.iter().any(|morph| !morph.name.is_empty()) {
        let names: Vec<&str> = mesh.morphs.iter().map(|morph| morph.name.as_str()).collect();
        object_in(entry, "extras")["targetNames"] = json!(names);
    }
}

/// Whether a list differs for the vertices of a group; an empty list differs from a non-empty one.
fn differs<T: PartialEq>(before: &[T], list: &[T], group: &MaterialGroup) -> bool {
    before.len() != list.len() || (!list.is_empty() && of(before, group) != of(list, group))
}

/// The part of a morph that moves a group's vertices: their indices, and its three lists of deltas.
fn part_of<'a>(morph: &'a MorphTarget, group: &MaterialGroup) -> (&'a [u32], [&'a [Vec3]; 3]) {
    let start = morph.vertices.partition_point(|&vertex| vertex < group.vertices.start);
    let end = morph.vertices.partition_point(|&vertex| vertex < group.vertices.end);
    let lists = [&morph.position_deltas, &morph.normal_deltas, &morph.tangent_deltas];
    (&morph.vertices[start..end], lists.map(|deltas| deltas.get(start..end).unwrap_or(&[])))
}

pub(super) fn of<'a, T>(list: &'a [T], group: &MaterialGroup) -> &'a [T] {
    &list[group.vertices.start as usize..group.vertices.end as usize]
}
