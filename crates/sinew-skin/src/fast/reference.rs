//! The methods again, vertex by vertex in f64, by their original formulas instead of the kernels': the reference of the tests.

use super::NormalRule;
use super::VertexKind;
use super::synthetic::Model;
use crate::{BezierForm, Method, RestVertex, RotationBlend};
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
        VertexKind::Folded(_) => {
            let methods = &model.plain[vertex].methods;
            let start = (DVec3::ZERO, DMat3::ZERO);
            methods.iter().fold(start, |(place, map), &(method, share)| {
                let (moved, moved_map) = spherical(&bones, &weights, method, &model.rest_vertex(vertex));
                let share = f64::from(share);
                (place + moved * share, map + moved_map * share)
            })
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
        self.stretch.abs_diff_eq(DMat3::IDENTITY, 1.5e-6)
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

/// The spherical methods with their curves as they stand in \[Hagihara14\], eq. 15 and 26, for any number of bones.
fn spherical(bones: &[Bone], weights: &[f64], method: Method, vertex: &RestVertex<'_>) -> (DVec3, DMat3) {
    let (v, c) = (vertex.position.as_dvec3(), vertex.center.as_dvec3());
    let place = |bone: usize, point: DVec3| bones[bone].matrix.transform_point3(point);
    let anchor = |bone: usize| vertex.anchors[bone].as_dvec3();
    let m = (0..bones.len()).fold(DVec3::ZERO, |sum, bone| sum + anchor(bone) * weights[bone]);
    let is_joint_form = matches!(method, Method::Bezier { form: BezierForm::Joint, .. });
    let end = |bone: usize| if is_joint_form { anchor(bone) } else { c + anchor(bone) - m };
    let linear = |point: DVec3| sum(bones, weights, |bone| bone.matrix.transform_point3(point));
    let (center, moved, blend) = match method {
        Method::Lbs => return lbs(bones, weights, v),
        Method::Sbs { rotation } => (c, linear(c), rotation),
        Method::Cor => (c, linear(c), RotationBlend::Nlerp),
        Method::Sdef { s, rotation } => {
            let f2 = (0..bones.len()).fold(DVec3::ZERO, |sum, i| sum + place(i, end(i)) * weights[i]);
            let s = f64::from(s);
            (c, s * linear(c) + (1.0 - s) * f2, rotation)
        }
        Method::Bezier { rotation, .. } => {
            let (mut rest, mut posed) = (DVec3::ZERO, DVec3::ZERO);
            let mut heads = vertex.heads.iter();
            for i in 0..bones.len() {
                rest += end(i) * weights[i].powi(2);
                posed += place(i, end(i)) * weights[i].powi(2);
                for j in i + 1..bones.len() {
                    let head = heads.next().expect("one per pair");
                    let b = head.rest.as_dvec3();
                    rest += b * (2.0 * weights[i] * weights[j]);
                    let carrier = vertex.joints.iter().position(|&joint| Some(joint) == head.parent);
                    let moved = carrier.map_or_else(
                        || (place(i, b) * weights[i] + place(j, b) * weights[j]) / (weights[i] + weights[j]),
                        |carrier| place(carrier, b),
                    );
                    posed += moved * (2.0 * weights[i] * weights[j]);
                }
            }
            (rest, posed, rotation)
        }
        Method::Dlb | Method::DeltaMush { .. } => unreachable!("{method} has no folded form"),
    };
    let map = mean(bones, weights, blend) * sum_matrices(bones, weights, |bone| bone.stretch);
    (map * (v - center) + moved, map)
}

/// The blend of rotations: for two the slerp, for more the geodesic mean by many small steps.
fn mean(bones: &[Bone], weights: &[f64], blend: RotationBlend) -> DMat3 {
    let heaviest =
        (0..weights.len()).rev().max_by(|&a, &b| weights[a].total_cmp(&weights[b])).expect("bones");
    let reference = DQuat::from_mat3(&bones[heaviest].rotation);
    let quats = bones.iter().map(|bone| DQuat::from_mat3(&bone.rotation));
    let quats: Vec<DQuat> = quats.map(|q| if q.dot(reference) < 0.0 { -q } else { q }).collect();
    let zero = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let mut mean = quats.iter().zip(weights).fold(zero, |sum, (&q, &weight)| sum + q * weight).normalize();
    let steps = if blend == RotationBlend::Nlerp { 0 } else { 200 };
    for _ in 0..steps {
        let step = quats.iter().zip(weights).fold(DVec3::ZERO, |step, (&q, &weight)| {
            let turn = mean.conjugate() * q;
            let turn = if turn.w < 0.0 { -turn } else { turn };
            step + turn.to_scaled_axis() * weight
        });
        mean = (mean * DQuat::from_scaled_axis(step)).normalize();
    }
    DMat3::from_quat(mean)
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
