//! The fast kernels against this crate's plain methods, vertex by vertex.

use super::synthetic::{Kind, Model, ModelSettings, rigid_pose, stretched_pose};
use super::{Backend, FrameSettings, GroupedSkin, Tables, VertexKind};
use crate::{BoneFrame, MovedVertex, RestVertex, RotationBlend, dlb, lbs, sdef};
use glam::{Affine3A, Vec3};
use sinew_geometry::{Random, normal_from_rest};

/// Both compute in f32: twice the rounding that either is allowed.
const TOLERANCE: f32 = 2e-5;

/// Moves a vertex by the plain method of its kind.
fn move_plainly(model: &Model, vertex: usize, bones: &[BoneFrame]) -> MovedVertex {
    let (joints, weights) = model.influences.of(vertex);
    let position = model.rest.positions[vertex];
    let plain = RestVertex { position, joints, weights, center: Vec3::ZERO, anchors: &[], heads: &[] };
    match model.kinds[vertex] {
        VertexKind::Lbs => lbs::move_vertex(&plain, bones),
        VertexKind::Dlb => dlb::move_vertex(&plain, bones),
        VertexKind::Sdef { center, range, s } => {
            let anchors = [range, Vec3::ZERO];
            sdef::move_vertex(
                &RestVertex { center, anchors: &anchors, ..plain },
                bones,
                s,
                RotationBlend::default(),
            )
        }
    }
}

#[track_caller]
fn check(model: &Model, pose: &[Affine3A]) {
    let bones: Vec<BoneFrame> = pose.iter().map(BoneFrame::new).collect();
    let skin = GroupedSkin::bind(&model.rest, &model.influences, model.bone_count, &model.kinds);
    let mut tables = Tables::new(&skin);
    tables.pose(&skin, pose);
    for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
        let mut posed = model.rest.clone();
        skin.deform(&tables, FrameSettings { backend, ..FrameSettings::default() }, posed.as_mut());
        for (vertex, &rest_normal) in model.rest.normals.iter().enumerate() {
            let plain = move_plainly(model, vertex, &bones);
            let off = posed.positions[vertex].distance(plain.position);
            assert!(off <= 4.0 * TOLERANCE, "{} vertex {vertex}: off by {off:e}", backend.name());
            // Rounding turns a normal the more, the shorter it is before it is normalized.
            let normal = normal_from_rest(&plain.map) * rest_normal;
            let off = posed.normals[vertex].distance(normal.normalize()) * normal.length().min(1.0);
            assert!(off <= 4.0 * TOLERANCE, "{} vertex {vertex}: normal off by {off:e}", backend.name());
        }
    }
}

#[test]
fn fast_kernels_agree_with_the_plain_methods() {
    let mut random = Random::new(20);
    for kind in [Kind::Lbs, Kind::Dlb, Kind::Sdef] {
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
            check(&model, &rigid_pose(model.bone_count, &mut random));
            check(&model, &stretched_pose(model.bone_count, &mut random));
        }
    }
}
