//! Vertices and their weights.
//!
//! Missing bones (including −1), weights that are not finite and weights below 0 are dropped and the rest scaled to sum to 1; a bone
//! listed twice counts once, with both weights. The single weight of two bones is clamped to 0 to 1; NaN counts as 1. A vertex without
//! weights follows bone 0. Spherical parameters are used if both bones of an SDEF vertex have weight and all nine numbers are finite;
//! otherwise they are computed when needed. A position that is not finite becomes that of the vertex's first bone.

use crate::pmx::tally::Tally;
use crate::pmx::{Pmx, PmxVertex, PmxWeight};
use crate::space::{direction, point_from_mmd, unit};
use glam::{Vec2, Vec3};
use sinew_io::Report;
use sinew_rig::{InfluencesBuilder, Mesh, Spherical};

/// Codes of [`Mesh::methods`].
pub(in crate::pmx) mod method {
    /// Linear blend, "BDEF".
    pub(in crate::pmx) const LINEAR: u8 = 1;
    /// SBS+, "SDEF".
    pub(in crate::pmx) const SPHERICAL: u8 = 3;
    /// Dual quaternions, "QDEF".
    pub(in crate::pmx) const DUAL_QUATERNION: u8 = 5;
}

/// A sum of four weights is reported if it differs from 1 by more: exporters with two digits are off by half a hundredth each.
const SUM_WITHOUT_WARNING: f32 = 0.02;

/// A normal is normalized if its squared length differs from 1 by more; single precision is within 1e-6.
const UNIT_TOLERANCE: f32 = 1e-4;

/// Reads all but normals. `bones`: positions of the bones that influences can refer to.
pub(super) fn read(pmx: &Pmx, bones: &[Vec3], mesh: &mut Mesh, report: &mut Report) {
    let count = pmx.vertices.len();
    let is_method = |method: u8| move |vertex: &PmxVertex| method_of(&vertex.weight) == method;
    let has_spherical = pmx.vertices.iter().any(is_method(method::SPHERICAL));
    let has_methods = has_spherical || pmx.vertices.iter().any(is_method(method::DUAL_QUATERNION));
    let mut weights = WeightReader::new(count, bones.len());
    let mut uvs = Vec::with_capacity(count);
    mesh.positions.reserve_exact(count);
    for (index, vertex) in pmx.vertices.iter().enumerate() {
        let spherical = weights.push(index, &vertex.weight);
        if has_spherical {
            mesh.spherical.push(spherical);
        }
        if has_methods {
            mesh.methods.push(method_of(&vertex.weight));
        }
        mesh.positions.push(point_from_mmd(vertex.position));
        uvs.push(Vec2::from(vertex.uv));
    }
    mesh.influences = weights.tell(report).build();
    if mesh.spherical.iter().all(Option::is_none) {
        mesh.spherical.clear();
    }
    let mut broken = Tally::default();
    for (index, position) in mesh.positions.iter_mut().enumerate().filter(|(_, at)| !at.is_finite()) {
        broken.add(index);
        let (joints, _) = mesh.influences.of(index);
        *position = joints.first().map_or(Vec3::ZERO, |&joint| bones[usize::from(joint)]);
    }
    broken.tell("vertices", report, "its position is not finite; it is placed at its bone");
    let mut broken = Tally::default();
    for (index, uv) in uvs.iter_mut().enumerate().filter(|(_, uv)| !uv.is_finite()) {
        broken.add(index);
        *uv = Vec2::ZERO;
    }
    broken.tell("vertices", report, "its texture coordinates are not finite; using 0");
    mesh.uv_sets = vec![uvs];
}

/// Reads normals; those without direction are computed from the triangles.
pub(super) fn read_normals(pmx: &Pmx, mesh: &mut Mesh, report: &mut Report) {
    let mut broken = Vec::new();
    let mut tally = Tally::default();
    mesh.normals.reserve_exact(pmx.vertices.len());
    for (index, vertex) in pmx.vertices.iter().enumerate() {
        let normal = direction(vertex.normal);
        let is_unit = (normal.length_squared() - 1.0).abs() <= UNIT_TOLERANCE;
        let normal = if is_unit { Some(normal) } else { unit(normal) };
        if normal.is_none() {
            broken.push(index);
            tally.add(index);
        }
        mesh.normals.push(normal.unwrap_or(Vec3::Y));
    }
    if !broken.is_empty() {
        let smooth = sinew_geometry::smooth_normals(&mesh.positions, &mesh.triangles);
        broken.into_iter().for_each(|index| mesh.normals[index] = smooth[index]);
    }
    tally.tell("vertices", report, "its normal has no direction; it is computed from the triangles");
}

fn method_of(weight: &PmxWeight) -> u8 {
    match weight {
        PmxWeight::Bdef1(_) | PmxWeight::Bdef2 { .. } | PmxWeight::Bdef4 { .. } => method::LINEAR,
        PmxWeight::Sdef { .. } => method::SPHERICAL,
        PmxWeight::Qdef { .. } => method::DUAL_QUATERNION,
    }
}

struct WeightReader {
    joint_count: usize,
    influences: InfluencesBuilder,
    missing_bones: Tally,
    broken_weights: Tally,
    odd_sums: Tally,
    without_bones: Tally,
    broken_spherical: Tally,
}

impl WeightReader {
    fn new(vertex_count: usize, joint_count: usize) -> Self {
        Self {
            joint_count,
            influences: InfluencesBuilder::with_capacity(vertex_count, 2 * vertex_count),
            missing_bones: Tally::default(),
            broken_weights: Tally::default(),
            odd_sums: Tally::default(),
            without_bones: Tally::default(),
            broken_spherical: Tally::default(),
        }
    }

    /// Adds the influences of the next vertex; returns its spherical parameters, if valid.
    fn push(&mut self, index: usize, weight: &PmxWeight) -> Option<Spherical> {
        let count = match *weight {
            PmxWeight::Bdef1(bone) => self.push_listed(index, &[(bone, 1.0)]),
            PmxWeight::Bdef2 { bones: [first, second], weight }
            | PmxWeight::Sdef { bones: [first, second], weight, .. } => {
                let held = if weight.is_nan() { 1.0 } else { weight.clamp(0.0, 1.0) };
                if held != weight {
                    self.broken_weights.add(index);
                }
                self.push_listed(index, &[(first, held), (second, 1.0 - held)])
            }
            PmxWeight::Bdef4 { bones, weights } | PmxWeight::Qdef { bones, weights } => {
                if !weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0) {
                    self.broken_weights.add(index);
                }
                self.push_listed(index, &std::array::from_fn::<_, 4, _>(|at| (bones[at], weights[at])))
            }
        };
        let PmxWeight::Sdef { c, r0, r1, .. } = *weight else { return None };
        let spherical =
            Spherical { center: point_from_mmd(c), r0: point_from_mmd(r0), r1: point_from_mmd(r1) };
        if count < 2 {
            return None;
        }
        if !spherical.is_finite() {
            self.broken_spherical.add(index);
            return None;
        }
        Some(spherical)
    }

    /// Adds influences by the rules of this module; returns their number.
    fn push_listed(&mut self, index: usize, listed: &[(i32, f32)]) -> usize {
        let mut kept = [(0u16, 0.0f32); 4];
        let mut count = 0;
        let (mut listed_sum, mut is_missing) = (0.0, false);
        for &(bone, weight) in listed.iter().filter(|(_, weight)| *weight > 0.0 && weight.is_finite()) {
            listed_sum += weight;
            let joint = usize::try_from(bone).ok().filter(|&bone| bone < self.joint_count);
            let Some(joint) = joint.and_then(|joint| u16::try_from(joint).ok()) else {
                is_missing = true;
                continue;
            };
            if let Some((_, known)) = kept[..count].iter_mut().find(|(known, _)| *known == joint) {
                *known += weight;
            } else {
                kept[count] = (joint, weight);
                count += 1;
            }
        }
        if is_missing {
            self.missing_bones.add(index);
        } else if count > 0 && (listed_sum - 1.0).abs() > SUM_WITHOUT_WARNING {
            self.odd_sums.add(index);
        }
        if count == 0 {
            self.without_bones.add(index);
            kept[0] = (0, 1.0);
            count = 1;
        }
        self.influences.push(kept[..count].iter().copied());
        count
    }

    fn tell(self, report: &mut Report) -> InfluencesBuilder {
        self.missing_bones.tell(
            "vertices",
            report,
            "one of its bones does not exist; the others get its weight",
        );
        self.broken_weights.tell("vertices", report, "one of its weights is out of range; clamped to 0 to 1");
        self.odd_sums.tell("vertices", report, "its weights do not sum to 1; they are normalized");
        self.without_bones.tell("vertices", report, "it has no bones; it follows bone 0");
        self.broken_spherical.tell(
            "vertices",
            report,
            "its c, r0 or r1 is not finite; they are computed instead",
        );
        self.influences
    }
}
