//! The fast kernels against this crate's plain methods, vertex by vertex.

use super::synthetic::{Model, ModelSettings, rigid_pose, stretched};
use super::tests::{KINDS, TOLERANCE, TURNS_RAD, pose_for, reach};
use super::{Backend, FrameSettings, GroupedSkin, Tables};
use crate::{BoneFrame, Method, MovedVertex, bezier, cor, dlb, lbs, sbs, sdef};
use glam::{Affine3A, Mat3A, Vec3};
use sinew_geometry::{Random, normal_from_rest};

/// Moves a vertex by its plain methods.
fn move_plainly(model: &Model, vertex: usize, bones: &[BoneFrame]) -> MovedVertex {
    let rest = model.rest_vertex(vertex);
    let move_by = |method: Method| match method {
        Method::Lbs | Method::DeltaMush { .. } => lbs::move_vertex(&rest, bones),
        Method::Dlb => dlb::move_vertex(&rest, bones),
        Method::Sbs { rotation } => sbs::move_vertex(&rest, bones, rotation),
        Method::Sdef { s, rotation } => sdef::move_vertex(&rest, bones, s, rotation),
        Method::Bezier { rotation, form } => bezier::move_vertex(&rest, bones, rotation, form),
        Method::Cor => cor::move_vertex(&rest, bones),
    };
    let mut sum = MovedVertex { position: Vec3::ZERO, map: Mat3A::ZERO };
    for &(method, share) in &model.plain[vertex].methods {
        let moved = move_by(method);
        sum.position += moved.position * share;
        sum.map += moved.map * share;
    }
    sum
}

#[track_caller]
fn check(model: &Model, pose: &[Affine3A]) {
    let reach = reach(pose);
    let bones: Vec<BoneFrame> = pose.iter().map(BoneFrame::new).collect();
    let skin =
        GroupedSkin::bind(&model.rest, &model.influences, model.bone_count, &model.kinds, &model.folded);
    let mut tables = Tables::new(&skin);
    tables.pose(&skin, pose);
    for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
        let mut posed = model.rest.clone();
        skin.deform(&tables, FrameSettings { backend, ..FrameSettings::default() }, posed.as_mut());
        for (vertex, &rest_normal) in model.rest.normals.iter().enumerate() {
            let plain = move_plainly(model, vertex, &bones);
            let off = posed.positions[vertex].distance(plain.position);
            assert!(
                f64::from(off) <= TOLERANCE * reach,
                "{} vertex {vertex}: off by {off:e}",
                backend.name()
            );
            // Rounding turns a normal the more, the shorter it is before it is normalized.
            let normal = normal_from_rest(&plain.map) * rest_normal;
            let off = posed.normals[vertex].distance(normal.normalize()) * normal.length().min(1.0);
            assert!(
                f64::from(off) <= TOLERANCE * reach,
                "{} vertex {vertex}: normal off by {off:e}",
                backend.name()
            );
        }
    }
}

#[test]
fn fast_kernels_agree_with_the_plain_methods() {
    let mut random = Random::new(20);
    for kind in KINDS {
        for influence_count in [1, 2, 3, 4, 8] {
            let settings = ModelSettings {
                vertex_count: 200,
                bone_count: 12,
                influence_count,
                kind,
                is_coherent: true,
                has_tangents: false,
            };
            let model = Model::new(&settings, &mut random);
            for most_rad in TURNS_RAD {
                check(&model, &pose_for(kind, &model, most_rad, &mut random));
            }
            // Any turns: of several means both find the same.
            check(&model, &rigid_pose(model.bone_count, &mut random));
            let pose = pose_for(kind, &model, TURNS_RAD[0], &mut random);
            check(&model, &stretched(pose, &mut random));
        }
    }
}
