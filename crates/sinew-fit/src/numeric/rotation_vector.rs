//! How rotations change with their log-quaternions.

use glam::{DMat3, DVec3};

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
    use sinew_rig::{exp_quaternion, log_quaternion};

    #[test]
    fn jacobian_is_the_slope_of_exp() {
        let step = 1e-6;
        for vector in [DVec3::ZERO, DVec3::new(0.3, -0.8, 1.1)] {
            let rotation = exp_quaternion(vector * 0.5);
            for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                let turned = exp_quaternion((vector + axis * step) * 0.5) * rotation.conjugate();
                let slope = log_quaternion(turned) * (2.0 / step);
                assert!((slope - left_jacobian(vector) * axis).length() < 1e-5, "{vector} {axis}: {slope}");
            }
        }
    }
}
