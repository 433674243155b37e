//! Interpolation of rotations.

use glam::{DQuat, Quat};

/// The rotation a share `t` of the way from `a` to `b`, both unit, turning evenly along the shorter arc.
///
/// glam's own slerp uses a fast arc cosine that is off by 1e-5 of the angle, which shows in comparisons with other programs.
///
/// # Accuracy
/// Rounding of f32: it is computed in f64. `t` = 0 and 1 give `a` and `±b` exactly.
///
/// # Degenerate input
/// Opposite rotations (180° apart) turn in the direction of `b` as given.
pub fn slerp(a: Quat, b: Quat, t: f32) -> Quat {
    let (a, b) = (a.as_dquat(), b.as_dquat());
    let b = if a.dot(b) < 0.0 { -b } else { b };
    // Half the angle between them on the unit sphere, exact for near and for far; Kahan's form of the arc cosine.
    let half_angle = (a - b).length().atan2((a + b).length());
    let (from_a, from_b) = slerp_weights(2.0 * half_angle, f64::from(t));
    DQuat::normalize(a * from_a + b * from_b).as_quat()
}

/// Weights of the ends at a share `t` of an arc of `angle_rad`.
fn slerp_weights(angle_rad: f64, t: f64) -> (f64, f64) {
    // Below this the chord is the arc to f64 rounding, and the quotient of sines would lose digits.
    if angle_rad < 1e-7 {
        return (1.0 - t, t);
    }
    let sine = angle_rad.sin();
    (((1.0 - t) * angle_rad).sin() / sine, (t * angle_rad).sin() / sine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use proptest::prelude::*;

    /// A few roundings of f32.
    const ROUNDING: f32 = 3e-7;

    #[test]
    fn turns_evenly_about_a_fixed_axis() {
        for (from, to) in [(0.0f32, 0.3), (0.2, 3.0), (0.0, 1e-4), (-1.5, 1.5)] {
            for t in [0.0, 0.1, 0.5, 0.9, 1.0] {
                let turned = slerp(Quat::from_rotation_y(from), Quat::from_rotation_y(to), t);
                let expected = Quat::from_rotation_y(from + (to - from) * t);
                assert!(turned.abs_diff_eq(expected, ROUNDING), "{from} {to} {t}: {turned} {expected}");
            }
        }
    }

    proptest! {
        #[test]
        fn the_sign_of_a_quaternion_does_not_matter(
            axes in prop::array::uniform2(prop::array::uniform3(-1.0f32..1.0)), angles in prop::array::uniform2(-3.0f32..3.0), t in 0.0f32..1.0,
        ) {
            let rotation = |at: usize| Quat::from_axis_angle(Vec3::from(axes[at]).try_normalize().unwrap_or(Vec3::X), angles[at]);
            let (a, b) = (rotation(0), rotation(1));
            let turned = slerp(a, b, t);
            prop_assert!(turned.is_normalized());
            prop_assert!(a.dot(b).abs() < 1e-3 || turned.abs_diff_eq(slerp(a, -b, t), ROUNDING));
        }
    }
}
