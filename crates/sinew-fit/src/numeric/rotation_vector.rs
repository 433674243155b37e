//! Log-quaternions: half the angle along the axis.

use glam::{DMat3, DQuat, DVec3};

/// Angles below this, in radians, use the first terms of their series.
const SMALL_ANGLE: f64 = 1e-6;

/// The logarithm of a unit quaternion along the shorter arc.
pub(crate) fn log_quaternion(rotation: DQuat) -> DVec3 {
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    let (vector, sine) = (rotation.xyz(), rotation.xyz().length());
    // atan(s)/s tends to 1 with s.
    if sine < SMALL_ANGLE { vector } else { vector * (sine.atan2(rotation.w) / sine) }
}

/// The rotation of a log-quaternion.
pub(crate) fn exp_log_quaternion(log: DVec3) -> DMat3 {
    let half_angle = log.length();
    let (sine, cosine) = half_angle.sin_cos();
    let ratio = if half_angle < SMALL_ANGLE { 1.0 } else { sine / half_angle };
    let vector = log * ratio;
    DMat3::from_quat(DQuat::from_xyzw(vector.x, vector.y, vector.z, cosine).normalize())
}

/// The matrix of `v ×`.
pub(crate) fn skew(v: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, v.z, -v.y), DVec3::new(-v.z, 0.0, v.x), DVec3::new(v.y, -v.x, 0.0))
}

/// How a change of the rotation vector (twice the log-quaternion) turns the rotation, from the left:
/// `exp(v + dv) ≈ exp(J dv) exp(v)` with J = I + (1 − cos θ)/θ² [v]× + (θ − sin θ)/θ³ [v]×².
pub(crate) fn left_jacobian(rotation_vector: DVec3) -> DMat3 {
    let angle = rotation_vector.length();
    let cross = skew(rotation_vector);
    let (first, second) = if angle < 1e-4 {
        (0.5, 1.0 / 6.0)
    } else {
        ((1.0 - angle.cos()) / (angle * angle), (angle - angle.sin()) / (angle * angle * angle))
    };
    DMat3::IDENTITY + cross * first + cross * cross * second
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROUNDING: f64 = 1e-12;

    #[test]
    fn log_and_exp_are_inverse_also_near_no_turn_and_a_half_turn() {
        for angle in [0.0, 1e-9, 1e-5, 0.3, 2.0, 3.1] {
            let axis = DVec3::new(1.0, -2.0, 0.5).normalize();
            let log = log_quaternion(-DQuat::from_axis_angle(axis, angle));
            assert!((log - axis * (angle / 2.0)).length() < ROUNDING, "{angle}: {log}");
            let back = log_quaternion(DQuat::from_mat3(&exp_log_quaternion(log)));
            assert!((back - log).length() < 1e-8, "{angle}: {back}");
        }
    }

    #[test]
    fn jacobian_is_the_slope_of_exp() {
        let step = 1e-6;
        for vector in [DVec3::ZERO, DVec3::new(0.3, -0.8, 1.1)] {
            let rotation = exp_log_quaternion(vector * 0.5);
            for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                let turned = exp_log_quaternion((vector + axis * step) * 0.5) * rotation.transpose();
                let slope = log_quaternion(DQuat::from_mat3(&turned)) * (2.0 / step);
                assert!((slope - left_jacobian(vector) * axis).length() < 1e-5, "{vector} {axis}: {slope}");
            }
        }
    }
}
