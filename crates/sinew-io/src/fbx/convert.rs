//! ufbx's numbers as ours.

use glam::{Affine3A, DAffine3, DQuat, DVec3, Quat, Vec2, Vec3, Vec4};
use sinew_geometry::Trs;

pub(super) fn vec2(v: ufbx::Vec2) -> Vec2 {
    Vec2::new(v.x as f32, v.y as f32)
}

pub(super) fn dvec3(v: ufbx::Vec3) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

pub(super) fn vec3(v: ufbx::Vec3) -> Vec3 {
    dvec3(v).as_vec3()
}

pub(super) fn vec4(v: ufbx::Vec4) -> Vec4 {
    Vec4::new(v.x as f32, v.y as f32, v.z as f32, v.w as f32)
}

/// Unit; no rotation where it has no length.
pub(super) fn quat(q: ufbx::Quat) -> Quat {
    let rotation = DQuat::from_xyzw(q.x, q.y, q.z, q.w);
    let is_usable = rotation.is_finite() && rotation.length_squared() > 0.0;
    if is_usable { rotation.normalize().as_quat() } else { Quat::IDENTITY }
}

pub(super) fn trs(transform: &ufbx::Transform) -> Trs {
    Trs {
        translation: vec3(transform.translation),
        rotation: quat(transform.rotation),
        scale: vec3(transform.scale),
    }
}

pub(super) fn affine(m: &ufbx::Matrix) -> DAffine3 {
    DAffine3::from_cols(
        DVec3::new(m.m00, m.m10, m.m20),
        DVec3::new(m.m01, m.m11, m.m21),
        DVec3::new(m.m02, m.m12, m.m22),
        DVec3::new(m.m03, m.m13, m.m23),
    )
}

pub(super) fn affine_f32(matrix: &DAffine3) -> Affine3A {
    Affine3A::from_cols_array(&matrix.to_cols_array().map(|entry| entry as f32))
}
