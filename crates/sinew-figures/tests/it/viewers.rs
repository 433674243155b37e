//! SBS+ against the formula that PMX viewers compute, written down again in f64 from its definition.

use glam::{DAffine3, DQuat, DVec3, Quat, Vec3};
use sinew::geometry::{Bounds, Trs};
use sinew::rig::{BoundSurface, Pose};
use sinew::skin::Method;
use sinew_figures::figures::FigureModel;

/// `R(v−c) + w0 M0 (c + r0″)/2 + w1 M1 (c + r1″)/2`.
fn viewer(v: DVec3, c: DVec3, [r0, r1]: [DVec3; 2], w: [f64; 2], m: [DAffine3; 2]) -> DVec3 {
    let middle = r0 * w[0] + r1 * w[1];
    let [far0, far1] = [c + r0 - middle, c + r1 - middle];
    let [q0, q1] = m.map(|matrix| DQuat::from_mat3(&matrix.matrix3));
    // Along the shorter arc, from the first by the weight of the second.
    let q1 = if q0.dot(q1) < 0.0 { -q1 } else { q1 };
    let angle = q0.dot(q1).clamp(-1.0, 1.0).acos();
    let rotation = if angle < 1e-9 {
        q0
    } else {
        (q0 * (w[0] * angle).sin() + q1 * (w[1] * angle).sin()) * (1.0 / angle.sin())
    };
    let moved = |matrix: DAffine3, far: DVec3, weight: f64| matrix.transform_point3((c + far) / 2.0) * weight;
    rotation * (v - c) + moved(m[0], far0, w[0]) + moved(m[1], far1, w[1])
}

/// The foot on two half lines that meet at `head`.
fn foot(point: DVec3, head: DVec3, ends: [DVec3; 2]) -> DVec3 {
    let on = |end: DVec3| {
        let axis = (end - head).normalize();
        head + axis * (point - head).dot(axis).max(0.0)
    };
    let [back, forth] = ends.map(on);
    if point.distance(back) < point.distance(forth) { back } else { forth }
}

fn double(matrix: &glam::Affine3A) -> DAffine3 {
    DAffine3::from_mat3_translation(
        glam::Mat3::from(matrix.matrix3).as_dmat3(),
        Vec3::from(matrix.translation).as_dvec3(),
    )
}

/// Of the model's size: half an ulp a term of f32, at a dozen terms.
const TOLERANCE: f64 = 1e-5;

#[track_caller]
fn check(mut model: FigureModel, turn: Quat) {
    let mut pose = Pose::rest(&model.character);
    let find = |name: &str| model.character.skeleton().find(name).expect("a bone");
    let (parent, child) = (find("parent"), find("child"));
    let motion = Trs {
        translation: Vec3::new(0.4, -0.7, 1.1),
        rotation: Quat::from_euler(glam::EulerRot::YXZ, 0.8, -0.5, 1.9),
        scale: Vec3::ONE,
    };
    pose.change(parent, &motion);
    pose.turn(child, turn);
    model.pose = pose;
    let bound = BoundSurface::of(&model.character);
    let matrices = model.matrices(&bound);
    let measured = model.measured(Method::SDEF);
    let probe = measured.joints[0].probe;
    let size = f64::from(Bounds::of(&bound.rest().positions).diagonal());
    let ends = [probe.range.begin, probe.range.end].map(|end| end.as_dvec3());
    let mut soft = 0;
    for (vertex, &rest) in bound.rest().positions.iter().enumerate() {
        let (entries, weights) = bound.influences().of(vertex);
        let (&[first, second], &[w0, w1]) = (entries, weights) else { continue };
        soft += 1;
        assert_eq!((first, second), (0, 1), "parent first");
        let center = foot(rest.as_dvec3(), probe.head.as_dvec3(), ends);
        let m = [double(&matrices[0]), double(&matrices[1])];
        let expected = viewer(rest.as_dvec3(), center, ends, [f64::from(w0), f64::from(w1)], m);
        let error = measured.surface.positions[vertex].as_dvec3().distance(expected) / size;
        assert!(error <= TOLERANCE, "vertex {vertex}: {error} of the size");
    }
    assert!(soft > 30, "the soft range has vertices: {soft}");
}

#[test]
fn sdef_is_what_viewers_compute() {
    for model in [FigureModel::wide_cylinder, FigureModel::narrow_cylinder, FigureModel::strip_bent] {
        for degrees in [30.0_f32, 90.0, 150.0] {
            check(model(), Quat::from_rotation_z(degrees.to_radians()));
            check(model(), Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), degrees.to_radians()));
        }
        check(model(), Quat::from_rotation_y(170_f32.to_radians()));
    }
}
