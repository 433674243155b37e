//! Every backend against the scalar one and against f64, for every method, number of influences and kind of pose.

use super::synthetic::{Kind, Model, ModelSettings, near_pose, rigid_pose, stretched, unit_vector};
use super::*;
use crate::fast::reference::{self, Exact};
use crate::{BezierForm, Method, RotationBlend};
use glam::{Affine3A, Mat3A, Quat, Vec3};
use proptest::prelude::*;
use sinew_geometry::Random;
use sinew_rig::{InfluencesBuilder, Surface};
use std::f32::consts::FRAC_PI_2;

/// Largest distance from the truth and from the plain methods, relative to [`reach`]. Single rounding is 6e-8.
pub(super) const TOLERANCE: f64 = 2e-6;

/// Turns of bones from a common rotation for each number of steps to the mean, the last up to 180° from one another. Where bones are also
/// sheared or mirrored only the first keeps the mean unique.
pub(super) const TURNS_RAD: [f32; 4] = [0.5, 0.2, 1.0, FRAC_PI_2];

const NLERP: RotationBlend = RotationBlend::Nlerp;

/// Every kernel, alone and mixed with linear blending.
pub(super) const KINDS: [Kind; 10] = [
    Kind::of(Method::Lbs),
    Kind::of(Method::Dlb),
    Kind::of(Method::SBS),
    Kind::of(Method::SDEF),
    Kind::of(Method::BEZIER),
    Kind::of(Method::Cor),
    Kind::of(Method::Sdef { s: 0.9, rotation: NLERP }),
    Kind::of(Method::Bezier { rotation: NLERP, form: BezierForm::Joint }),
    Kind { method: Method::BEZIER, linear: 0.3 },
    Kind { method: Method::Sbs { rotation: NLERP }, linear: 0.6 },
];

/// Any pose; where a kernel looks for a mean rotation, one with bones turned by at most `most_rad` from a common rotation.
pub(super) fn pose_for(kind: Kind, model: &Model, most_rad: f32, random: &mut Random) -> Vec<Affine3A> {
    let is_slerp = matches!(
        kind.method,
        Method::Sbs { rotation: RotationBlend::Slerp }
            | Method::Sdef { rotation: RotationBlend::Slerp, .. }
            | Method::Bezier { rotation: RotationBlend::Slerp, .. }
    );
    let is_wide = model.influences.histogram().len() > 3;
    if is_slerp && is_wide {
        near_pose(model.bone_count, most_rad, random)
    } else {
        rigid_pose(model.bone_count, random)
    }
}

fn settings(kind: Kind, vertex_count: usize, influence_count: usize) -> ModelSettings {
    let bone_count = 4 + influence_count;
    ModelSettings { vertex_count, bone_count, influence_count, kind, is_coherent: false, has_tangents: true }
}

fn backends() -> impl Iterator<Item = Backend> {
    Backend::ALL.into_iter().filter(|backend| backend.is_available())
}

fn bind(model: &Model) -> GroupedSkin {
    GroupedSkin::bind(&model.rest, &model.influences, model.bone_count, &model.kinds, &model.folded)
}

fn deformed(skin: &GroupedSkin, model: &Model, pose: &[Affine3A], settings: FrameSettings) -> Surface {
    let mut tables = Tables::new(skin);
    tables.pose(skin, pose);
    let mut posed = model.rest.clone();
    skin.deform(&tables, settings, posed.as_mut());
    posed
}

/// What the grouped order gives, put back into the caller's.
fn deformed_grouped(
    skin: &GroupedSkin,
    model: &Model,
    pose: &[Affine3A],
    settings: FrameSettings,
) -> Surface {
    let mut tables = Tables::new(skin);
    tables.pose(skin, pose);
    let mut grouped = GroupedSurface::new(skin);
    skin.deform_grouped(&tables, settings, &mut grouped);
    let mut posed = model.rest.clone();
    let triple = |floats: &AlignedFloats, slot: usize| Vec3::from_slice(&floats.as_floats()[3 * slot..]);
    for (slot, &vertex) in skin.order().iter().enumerate() {
        posed.positions[vertex as usize] = triple(&grouped.positions, slot);
        posed.normals[vertex as usize] = triple(&grouped.normals, slot);
        if let Some(tangent) = posed.tangents.get_mut(vertex as usize) {
            *tangent = glam::Vec4::from_slice(&grouped.tangents.as_floats()[4 * slot..]);
        }
    }
    posed
}

/// How far a model in a cube of half size 1 reaches under a pose.
pub(super) fn reach(pose: &[Affine3A]) -> f64 {
    let of = |bone: &Affine3A| bone.translation.length() + 2.0 * bone.matrix3.x_axis.length().max(1.0);
    pose.iter().map(|bone| f64::from(of(bone))).fold(2.0, f64::max)
}

#[track_caller]
fn check_vertex(exact: &Exact, model: &Model, posed: &Surface, vertex: usize, reach: f64, context: &str) {
    let off = posed.positions[vertex].as_dvec3().distance(exact.position);
    assert!(off <= TOLERANCE * reach, "{context}, vertex {vertex}: position off by {off:e}");
    // Rounding turns a direction the more, the shorter it is before it is normalized.
    let length = exact.normal.length();
    let off = posed.normals[vertex].as_dvec3().distance(exact.normal / length);
    assert!(off * length.min(1.0) <= TOLERANCE * reach, "{context}, vertex {vertex}: normal off by {off:e}");
    let Some(tangent) = posed.tangents.get(vertex) else { return };
    let rest = model.rest.tangents[vertex];
    let exact_tangent = exact.map * rest.truncate().as_dvec3();
    let length = exact_tangent.length();
    let off = tangent.truncate().as_dvec3().distance(exact_tangent / length);
    assert!(off * length.min(1.0) <= TOLERANCE * reach, "{context}, vertex {vertex}: tangent off by {off:e}");
    let determinant = exact.map.determinant();
    let is_flat = determinant.abs() < TOLERANCE;
    assert!(is_flat || tangent.w == rest.w * determinant.signum() as f32, "{context}, vertex {vertex}: sign");
}

/// Every backend, rule and order against f64, and the orders against each other.
#[track_caller]
fn check(model: &Model, pose: &[Affine3A]) {
    let skin = bind(model);
    let reach = reach(pose);
    for backend in backends() {
        for normals in [NormalRule::Cofactor, NormalRule::Blend] {
            let settings = FrameSettings { backend, normals, stores: Stores::Cached };
            let posed = deformed(&skin, model, pose, settings);
            let context = format!("{} {normals:?}", backend.name());
            for vertex in 0..model.rest.positions.len() {
                let exact = reference::move_vertex(model, vertex, pose, normals);
                check_vertex(&exact, model, &posed, vertex, reach, &context);
            }
            for stores in [Stores::Cached, Stores::Streaming] {
                let grouped = deformed_grouped(&skin, model, pose, FrameSettings { stores, ..settings });
                assert_eq!(grouped, posed, "{context}: both orders are the same");
            }
        }
    }
}

#[test]
fn rigid_bones_agree_with_f64() {
    let mut random = Random::new(1);
    for kind in KINDS {
        for influence_count in [1, 2, 3, 4, 5, 8, 11] {
            let model = Model::new(&settings(kind, 300, influence_count), &mut random);
            for most_rad in TURNS_RAD {
                check(&model, &pose_for(kind, &model, most_rad, &mut random));
            }
        }
    }
}

#[test]
fn scaled_sheared_and_mirrored_bones_agree_with_f64() {
    let mut random = Random::new(2);
    for kind in KINDS {
        for influence_count in [1, 2, 3, 4, 8] {
            let model = Model::new(&settings(kind, 300, influence_count), &mut random);
            let pose = pose_for(kind, &model, TURNS_RAD[0], &mut random);
            check(&model, &stretched(pose, &mut random));
        }
    }
}

#[test]
fn bones_that_are_nearly_rigid_agree_with_f64() {
    let mut random = Random::new(13);
    for kind in KINDS {
        for influence_count in [1, 2, 4] {
            let model = Model::new(&settings(kind, 100, influence_count), &mut random);
            let mut pose = pose_for(kind, &model, TURNS_RAD[0], &mut random);
            pose.iter_mut().for_each(|bone| bone.matrix3 *= 1.0 + 1.3e-6);
            check(&model, &pose);
        }
    }
}

#[test]
fn blocks_that_are_not_full_are_moved_whole() {
    let mut random = Random::new(3);
    for kind in KINDS {
        for vertex_count in [0, 1, 15, 16, 17, 31, 33] {
            let one_group = ModelSettings { bone_count: 5, ..settings(kind, vertex_count, 4) };
            let model = Model::new(&one_group, &mut random);
            check(&model, &pose_for(kind, &model, TURNS_RAD[0], &mut random));
        }
    }
}

#[test]
fn a_model_of_all_kinds_agrees_with_f64() {
    let mut random = Random::new(4);
    let mut model = Model::new(&settings(Kind::of(Method::SDEF), 500, 2), &mut random);
    for vertex in 0..500 {
        let methods = [(Method::SDEF, 1.0), (Method::Dlb, 1.0), (Method::Lbs, 1.0)];
        model.plain[vertex].methods = vec![methods[vertex % 3]];
        model.kinds[vertex] = [model.kinds[vertex], VertexKind::Dlb, VertexKind::Lbs][vertex % 3];
    }
    model.fold();
    let pose = rigid_pose(model.bone_count, &mut random);
    check(&model, &stretched(pose, &mut random));
    check(&model, &rigid_pose(model.bone_count, &mut random));
}

/// Two bones: the second turned by `angle` about `axis` relative to the first, both carried along by a parent.
fn joint_pose(axis: Vec3, angle: f32, parent: &Affine3A) -> Vec<Affine3A> {
    let pivot = Vec3::new(0.1, 0.3, -0.2);
    let turn = Affine3A::from_translation(pivot)
        * Affine3A::from_quat(Quat::from_axis_angle(axis, angle))
        * Affine3A::from_translation(-pivot);
    vec![*parent, *parent * turn]
}

#[test]
fn twists_bends_and_moving_parents_agree_with_f64() {
    let mut random = Random::new(5);
    let parents = [
        Affine3A::IDENTITY,
        Affine3A::from_rotation_translation(Quat::from_rotation_y(2.9), Vec3::new(3.0, -1.0, 2.0)),
        Affine3A::from_rotation_translation(Quat::from_rotation_z(-3.1), Vec3::new(0.0, 9.0, 0.0)),
    ];
    for kind in KINDS {
        let two_bones = ModelSettings { bone_count: 3, ..settings(kind, 64, 2) };
        let mut model = Model::new(&two_bones, &mut random);
        model.bone_count = 2;
        for parent in &parents {
            for degrees in [0.0f32, 1e-3, 0.1, 45.0, 90.0, 170.0, 179.0, -170.0, 350.0] {
                for axis in [Vec3::X, Vec3::Y, Vec3::new(1.0, 2.0, -0.5).normalize()] {
                    check(&model, &joint_pose(axis, degrees.to_radians(), parent));
                }
            }
        }
    }
}

#[test]
fn the_sign_of_a_quaternion_does_not_matter() {
    // Turns of 200° and 160° the other way have quaternions on opposite sides of the sphere.
    let mut random = Random::new(6);
    let model =
        Model::new(&ModelSettings { bone_count: 4, ..settings(Kind::of(Method::Dlb), 64, 3) }, &mut random);
    let turn = |degrees: f32| Affine3A::from_axis_angle(Vec3::Z, degrees.to_radians());
    check(&model, &[turn(175.0), turn(185.0), turn(-170.0), turn(190.0)]);
}

#[test]
fn one_bone_moves_every_kind_alike() {
    let mut random = Random::new(7);
    let lbs = Model::new(&settings(Kind::of(Method::Lbs), 40, 1), &mut random);
    let pose = rigid_pose(lbs.bone_count, &mut random);
    let pose = stretched(pose, &mut random);
    let mut others = lbs.clone();
    let folded = VertexKind::Folded(RotationBlend::Slerp);
    for (vertex, kind) in others.kinds.iter_mut().enumerate() {
        *kind = if vertex % 2 == 0 { VertexKind::Dlb } else { folded };
    }
    let settings = FrameSettings::default();
    let expected = deformed(&bind(&lbs), &lbs, &pose, settings);
    assert_eq!(deformed(&bind(&others), &others, &pose, settings), expected);
}

#[test]
fn vertices_without_bones_stay_at_rest() {
    let mut random = Random::new(8);
    let mut model = Model::new(&settings(Kind::of(Method::Lbs), 20, 2), &mut random);
    model.influences = sinew_rig::Influences::none(20);
    let pose = rigid_pose(model.bone_count, &mut random);
    for backend in backends() {
        let settings = FrameSettings { backend, ..FrameSettings::default() };
        let posed = deformed(&bind(&model), &model, &pose, settings);
        assert_eq!(posed.positions, model.rest.positions);
    }
}

#[test]
fn the_order_of_bones_does_not_matter() {
    let mut random = Random::new(9);
    for kind in KINDS {
        let model = Model::new(&settings(kind, 100, 3), &mut random);
        let mut turned = model.clone();
        let mut builder = InfluencesBuilder::with_capacity(100, 300);
        for vertex in 0..100 {
            let (joints, weights) = model.influences.of(vertex);
            builder.push(joints.iter().copied().zip(weights.iter().copied()).rev());
            turned.plain[vertex].anchors.reverse();
            turned.plain[vertex].heads.reverse();
        }
        turned.influences = builder.build();
        turned.fold();
        let pose = pose_for(kind, &model, TURNS_RAD[0], &mut random);
        let settings = FrameSettings::default();
        let expected = deformed(&bind(&model), &model, &pose, settings);
        let found = deformed(&bind(&turned), &turned, &pose, settings);
        if matches!(model.kinds[0], VertexKind::Folded(_)) {
            // Terms are sums over bones, rounded when bound.
            for (found, expected) in found.positions.iter().zip(&expected.positions) {
                let off = f64::from(found.distance(*expected));
                assert!(off <= TOLERANCE * reach(&pose), "{found} {expected}");
            }
        } else {
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn another_rest_shape_gives_what_binding_to_it_gives() {
    let mut random = Random::new(10);
    for kind in KINDS {
        let model = Model::new(&settings(kind, 100, 3), &mut random);
        let mut morphed = model.clone();
        morphed.rest.positions.iter_mut().for_each(|position| *position += random.vector() * 0.1);
        morphed.rest.normals.iter_mut().for_each(|normal| *normal = unit_vector(&mut random));
        let pose = rigid_pose(model.bone_count, &mut random);
        let mut skin = bind(&model);
        skin.update_rest(&morphed.rest);
        let settings = FrameSettings::default();
        let expected = deformed(&bind(&morphed), &morphed, &pose, settings);
        assert_eq!(deformed(&skin, &morphed, &pose, settings), expected);
    }
}

#[test]
fn flattened_bones_leave_finite_unit_normals() {
    let mut random = Random::new(11);
    for kind in KINDS {
        let model = Model::new(&settings(kind, 50, 2), &mut random);
        let mut pose = rigid_pose(model.bone_count, &mut random);
        for (at, bone) in pose.iter_mut().enumerate() {
            let flat = if at % 2 == 0 { Vec3::ZERO } else { Vec3::new(1.0, 0.0, 1.0) };
            bone.matrix3 *= Mat3A::from_diagonal(flat);
        }
        for backend in backends() {
            let settings = FrameSettings { backend, ..FrameSettings::default() };
            let posed = deformed(&bind(&model), &model, &pose, settings);
            assert!(posed.positions.iter().all(|position| position.is_finite()));
            assert!(posed.normals.iter().all(|normal| (normal.length() - 1.0).abs() < 1e-3));
        }
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let mut random = Random::new(12);
    for kind in KINDS {
        let model = Model::new(&settings(kind, 20_000, 4), &mut random);
        let pose = rigid_pose(model.bone_count, &mut random);
        let skin = bind(&model);
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a small pool");
            pool.install(|| {
                let settings = FrameSettings::default();
                (deformed(&skin, &model, &pose, settings), deformed_grouped(&skin, &model, &pose, settings))
            })
        };
        assert_eq!(on(1), on(5));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn one_rigid_motion_of_all_bones_moves_the_skin_by_it(seed in any::<u64>(), kind in 0..10usize, influences in 1..9usize) {
        let mut random = Random::new(seed);
        let model = Model::new(&settings(KINDS[kind], 40, influences), &mut random);
        let motion = rigid_pose(1, &mut random)[0];
        let pose = vec![motion; model.bone_count];
        for backend in backends() {
            let settings = FrameSettings { backend, ..FrameSettings::default() };
            let posed = deformed(&bind(&model), &model, &pose, settings);
            for (posed, rest) in posed.positions.iter().zip(&model.rest.positions) {
                let off = posed.distance(motion.transform_point3(*rest));
                prop_assert!(f64::from(off) <= TOLERANCE * reach(&pose));
            }
        }
    }
}
