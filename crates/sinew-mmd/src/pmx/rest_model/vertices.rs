//! Vertices in rest pose, with at most four bones each.

use super::KeptBones;
use crate::pmx::tally::Tally;
use glam::{Affine3A, Mat3A, Vec2, Vec3};
use sinew_geometry::{normal_from_rest, smooth_normals};
use sinew_io::Report;
use sinew_rig::{Character, Instance, Mesh, Spherical, UvTransform};
use std::borrow::Cow;

/// A vertex in PMX form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::pmx) struct RestVertex {
    pub(in crate::pmx) position: Vec3,
    pub(in crate::pmx) normal: Vec3,
    /// Of the material's texture.
    pub(in crate::pmx) uv: Vec2,
    pub(in crate::pmx) weight: RestWeight,
}

/// Bones, weights and method of a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::pmx) struct RestWeight {
    /// Number of used entries, at least one.
    pub(in crate::pmx) count: usize,
    /// Indices in the file.
    pub(in crate::pmx) bones: [u32; 4],
    /// Sum to 1.
    pub(in crate::pmx) weights: [f32; 4],
    /// As [`Mesh::methods`]; that of the character if the vertex has none.
    pub(in crate::pmx) method: u8,
    pub(in crate::pmx) spherical: Option<Spherical>,
}

/// All vertices, and the changes made by laying them out.
pub(super) struct Layout {
    pub(super) vertices: Vec<RestVertex>,
    /// The linear map applied to each vertex; empty if none moved.
    pub(super) maps: Vec<Option<Mat3A>>,
}

/// Maximum bones per vertex in PMX.
const MOST_INFLUENCES: usize = 4;

/// Bind matrices are rounded products and inverses. A bind pose within this (of a direction; of a position in m, for bones a meter
/// away) counts as the rest pose, and vertices stay unchanged.
const SAME_POSE: f32 = 1e-5;

pub(super) fn lay_out(character: &Character, kept: &KeptBones, report: &mut Report) -> Layout {
    let mut layout = Layout { vertices: Vec::new(), maps: Vec::new() };
    let mut moved = Tally::default();
    let model_method = character.skin().method.as_deref().map_or(0, method_code);
    for instance in character.instances() {
        let mesh = cut(character.mesh(instance.mesh), report);
        let uvs = texture_coordinates(character, &mesh);
        let normals = match mesh.normals.as_slice() {
            [] => Cow::Owned(smooth_normals(&mesh.positions, &mesh.triangles)),
            normals => Cow::Borrowed(normals),
        };
        let palette = Palette::of(character, instance, kept);
        for vertex in 0..mesh.vertex_count() {
            let own_method = mesh.methods.get(vertex).copied().unwrap_or(0);
            let method = if own_method == 0 { model_method } else { own_method };
            let (weight, seen_from_rest) = palette.weight(&mesh, vertex, method);
            let mut laid = RestVertex {
                position: mesh.positions[vertex],
                normal: normals[vertex],
                uv: uvs[vertex],
                weight,
            };
            if let Some(seen_from_rest) = &seen_from_rest {
                laid.move_by(seen_from_rest);
                if instance.bind.is_some() {
                    moved.add(layout.vertices.len());
                }
            }
            if seen_from_rest.is_some() || !layout.maps.is_empty() {
                layout.maps.resize(layout.vertices.len(), None);
                layout.maps.push(seen_from_rest.map(|affine| affine.matrix3));
            }
            layout.vertices.push(laid);
        }
    }
    moved.tell(
        "vertices",
        report,
        "it was bound in another pose than its rest pose; it is written in its rest pose",
    );
    layout
}

impl RestVertex {
    fn move_by(&mut self, seen_from_rest: &Affine3A) {
        self.position = seen_from_rest.transform_point3(self.position);
        let normal: Vec3 =
            (normal_from_rest(&seen_from_rest.matrix3) * glam::Vec3A::from(self.normal)).into();
        self.normal = normal.try_normalize().unwrap_or(self.normal);
        if let Some(spherical) = &mut self.weight.spherical {
            for point in [&mut spherical.center, &mut spherical.r0, &mut spherical.r1] {
                *point = seen_from_rest.transform_point3(*point);
            }
        }
    }
}

/// The bones of one instance.
struct Palette {
    /// Index in the file, and the bone's transform in rest pose: `None` for the identity.
    joints: Vec<(u32, Option<Affine3A>)>,
    carrier: (u32, Option<Affine3A>),
    is_bound: bool,
}

impl Palette {
    fn of(character: &Character, instance: &Instance, kept: &KeptBones) -> Self {
        let bind = instance.bind.map(|bind| character.bind(bind));
        let joints = bind.iter().flat_map(|bind| bind.joints.iter().zip(&bind.joint_from_rest));
        let joints = joints.map(|(&bone, joint_from_rest)| {
            let stands = kept.model_from_bone[bone.index()];
            (kept.index_of(bone), unless_same_pose(stands * *joint_from_rest, stands.translation.length()))
        });
        let stands = kept.model_from_bone[instance.bone.index()];
        Self {
            joints: joints.collect(),
            carrier: (kept.index_of(instance.bone), unless_same_pose(stands, 0.0)),
            is_bound: bind.is_some(),
        }
    }

    /// The weight of a vertex, and its transform in rest pose.
    fn weight(&self, mesh: &Mesh, vertex: usize, method: u8) -> (RestWeight, Option<Affine3A>) {
        let (joints, weights) = mesh.influences.of(vertex);
        let mut weight = RestWeight {
            count: 1,
            bones: [self.carrier.0, 0, 0, 0],
            weights: [1.0, 0.0, 0.0, 0.0],
            method,
            spherical: None,
        };
        if !self.is_bound || joints.is_empty() {
            return (weight, self.carrier.1);
        }
        weight.count = joints.len();
        weight.spherical = mesh.spherical.get(vertex).copied().flatten().filter(|_| joints.len() > 1);
        for (at, (&joint, &share)) in joints.iter().zip(weights).enumerate() {
            (weight.bones[at], weight.weights[at]) = (self.joints[usize::from(joint)].0, share);
        }
        let maps = || joints.iter().map(|&joint| self.joints[usize::from(joint)].1);
        if maps().all(|map| map.is_none()) {
            return (weight, None);
        }
        let zero = Affine3A { matrix3: Mat3A::ZERO, translation: glam::Vec3A::ZERO };
        let blended = maps().zip(weights).fold(zero, |sum, (map, &share)| {
            let map = map.unwrap_or(Affine3A::IDENTITY);
            Affine3A {
                matrix3: sum.matrix3 + map.matrix3 * share,
                translation: sum.translation + map.translation * share,
            }
        });
        (weight, Some(blended))
    }
}

/// The map, unless it is the identity; `distance_m`: the bone's distance from the origin.
fn unless_same_pose(map: Affine3A, distance_m: f32) -> Option<Affine3A> {
    let is_same = map.matrix3.abs_diff_eq(Mat3A::IDENTITY, SAME_POSE)
        && map.translation.abs().max_element() <= SAME_POSE * distance_m.max(1.0);
    (!is_same).then_some(map)
}

/// The mesh with at most four influences per vertex.
fn cut<'a>(mesh: &'a Mesh, report: &mut Report) -> Cow<'a, Mesh> {
    if mesh.influences.histogram().len() <= MOST_INFLUENCES + 1 {
        return Cow::Borrowed(mesh);
    }
    let mut mesh = mesh.clone();
    let cut = mesh.cut_influences(MOST_INFLUENCES);
    report.warn(
        format!("mesh {:?}", mesh.name),
        format!(
            "{} influences of {} vertices beyond the four heaviest are left out, at most {:.1} % of a vertex's weight",
            cut.dropped_influences,
            cut.changed_vertices,
            100.0 * cut.largest_dropped_weight
        ),
    );
    Cow::Owned(mesh)
}

/// Texture coordinates, one per vertex, with the set and transform of each group's material.
fn texture_coordinates(character: &Character, mesh: &Mesh) -> Vec<Vec2> {
    let mut uvs = mesh.uv_sets.first().cloned().unwrap_or_else(|| vec![Vec2::ZERO; mesh.vertex_count()]);
    for group in &mesh.groups {
        let material = group.material.map(|material| &character.materials()[material.index()]);
        let Some(slot) = material.and_then(|material| material.base_color_texture) else { continue };
        if slot.uv_set == 0 && slot.uv_transform == UvTransform::default() {
            continue;
        }
        let Some(set) = mesh.uv_sets.get(slot.uv_set as usize) else { continue };
        let own = &mesh.triangles[group.triangles.start as usize..group.triangles.end as usize];
        for &vertex in own.iter().flatten() {
            uvs[vertex as usize] = slot.uv_transform.apply(set[vertex as usize]);
        }
    }
    uvs
}

/// The code of a method name, such as `sdef:s=0.3`; 0 for one that vertices cannot have.
fn method_code(method: &str) -> u8 {
    let name = method.split(':').next().unwrap_or_default().trim();
    let names = ["lbs", "sbs", "sdef", "bezier", "dlb", "cor"];
    names.iter().position(|known| *known == name).map_or(0, |at| at as u8 + 1)
}
