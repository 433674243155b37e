//! The methods again, vertex by vertex in f64, by their original formulas instead of the kernels': the reference of the tests.

use super::NormalRule;
use super::VertexKind;
use super::synthetic::Model;
use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3};
use sinew_geometry::nearest_rotation;

/// A vertex moved in f64.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exact {
    pub(super) position: DVec3,
    /// Not normalized: how short it is says how much rounding may turn it.
    pub(super) normal: DVec3,
    pub(super) map: DMat3,
}

/// Moves a vertex of a model.
pub(super) fn move_vertex(model: &Model, vertex: usize, pose: &[Affine3A], rule: NormalRule) -> Exact {
    let (joints, weights) = model.influences.of(vertex);
    let bones: Vec<Bone> = joints.iter().map(|&joint| Bone::new(&pose[usize::from(joint)])).collect();
    let weights: Vec<f64> = weights.iter().map(|&weight| f64::from(weight)).collect();
    let position = model.rest.positions[vertex].as_dvec3();
    let normal = model.rest.normals[vertex].as_dvec3();
    let (position, map) = match model.kinds[vertex] {
        VertexKind::Lbs => lbs(&bones, &weights, position),
        VertexKind::Dlb => dlb(&bones, &weights, position),
        VertexKind::Sdef { center, range, s } => {
            sdef(&bones, &weights, position, center.as_dvec3(), range.as_dvec3(), f64::from(s))
        }
    };
    let is_lbs_of_rigid = model.kinds[vertex] == VertexKind::Lbs && bones.iter().all(|bone| bone.is_rigid());
    let plain = rule == NormalRule::Blend && is_lbs_of_rigid;
    let normal = if plain { map * normal } else { cofactor(&map) * normal };
    Exact { position, normal, map }
}

struct Bone {
    matrix: DAffine3,
    rotation: DMat3,
    stretch: DMat3,
}

impl Bone {
    fn new(matrix: &Affine3A) -> Self {
        let matrix = DAffine3 {
            matrix3: DMat3::from_cols_array(&matrix.matrix3.to_cols_array().map(f64::from)),
            translation: matrix.translation.as_dvec3(),
        };
        let rotation = nearest_rotation(&matrix.matrix3);
        Self { matrix, rotation, stretch: rotation.transpose() * matrix.matrix3 }
    }

    fn is_rigid(&self) -> bool {
        self.stretch.abs_diff_eq(DMat3::IDENTITY, 1e-5)
    }
}

fn lbs(bones: &[Bone], weights: &[f64], v: DVec3) -> (DVec3, DMat3) {
    let moved = sum(bones, weights, |bone| bone.matrix.transform_point3(v));
    (moved, sum_matrices(bones, weights, |bone| bone.matrix.matrix3))
}

/// Blends rigid motions as dual quaternions, \[Kavan08\] eq. 9 and 10.
fn dlb(bones: &[Bone], weights: &[f64], v: DVec3) -> (DVec3, DMat3) {
    let quats: Vec<DQuat> = bones.iter().map(|bone| DQuat::from_mat3(&bone.rotation)).collect();
    let heaviest =
        (0..weights.len()).rev().max_by(|&a, &b| weights[a].total_cmp(&weights[b])).expect("bones");
    let zero = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let (mut real, mut dual) = (zero, zero);
    for ((bone, &quat), &weight) in bones.iter().zip(&quats).zip(weights) {
        let weight = if quat.dot(quats[heaviest]) < 0.0 { -weight } else { weight };
        let t = bone.matrix.translation;
        real += quat * weight;
        dual += DQuat::from_xyzw(t.x, t.y, t.z, 0.0) * quat * (0.5 * weight);
    }
    let length = real.length();
    let (real, dual) = (real / length, dual / length);
    let shift = dual * real.conjugate() * 2.0;
    let map = DMat3::from_quat(real) * sum_matrices(bones, weights, |bone| bone.stretch);
    (map * v + DVec3::new(shift.x, shift.y, shift.z), map)
}

/// \[Hagihara14\] eq. 15 with f1 and f2 as they stand there; only r0 − r1 matters, so that r1 may lie anywhere.
fn sdef(bones: &[Bone], weights: &[f64], v: DVec3, c: DVec3, range: DVec3, s: f64) -> (DVec3, DMat3) {
    let (t, rest) = (weights[0], weights[1]);
    let r1 = DVec3::new(0.3, -0.2, 0.7);
    let r0 = r1 + range;
    let m = t * r0 + rest * r1;
    let (anchor0, anchor1) = (c + r0 - m, c + r1 - m);
    let f1 = sum(bones, weights, |bone| bone.matrix.transform_point3(c));
    let moved = [bones[0].matrix.transform_point3(anchor0), bones[1].matrix.transform_point3(anchor1)];
    let f2 = t * moved[0] + rest * moved[1];
    let relative = DQuat::from_mat3(&(bones[0].rotation.transpose() * bones[1].rotation));
    let relative = if relative.w < 0.0 { -relative } else { relative };
    let vector = DVec3::new(relative.x, relative.y, relative.z);
    let angle = 2.0 * vector.length().atan2(relative.w);
    let axis = vector.try_normalize().unwrap_or(DVec3::X);
    let rotation = bones[0].rotation * DMat3::from_axis_angle(axis, rest * angle);
    let map = rotation * sum_matrices(bones, weights, |bone| bone.stretch);
    (map * (v - c) + s * f1 + (1.0 - s) * f2, map)
}

/// The matrix for normals; the determinant's sign is kept out.
fn cofactor(map: &DMat3) -> DMat3 {
    let DMat3 { x_axis: x, y_axis: y, z_axis: z } = *map;
    let cofactor = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
    if map.determinant() < 0.0 { -cofactor } else { cofactor }
}

fn sum(bones: &[Bone], weights: &[f64], of: impl Fn(&Bone) -> DVec3) -> DVec3 {
    bones.iter().zip(weights).fold(DVec3::ZERO, |sum, (bone, &weight)| sum + of(bone) * weight)
}

fn sum_matrices(bones: &[Bone], weights: &[f64], of: impl Fn(&Bone) -> DMat3) -> DMat3 {
    bones.iter().zip(weights).fold(DMat3::ZERO, |sum, (bone, &weight)| sum + of(bone) * weight)
}
