//! Weighted means of rotations.
//!
//! Two rotations: slerp. More: the weighted geodesic mean, the rotation from which the weighted logarithms of the others sum to zero; for two
//! rotations it is slerp. Computed by Newton steps from the sign-aligned blend: with `q⁻¹ qᵢ = (s, c)`, `h = log(q⁻¹ qᵢ)` and `f = |h|/|s|` the
//! gradient is `Σ wᵢ hᵢ` and the Hessian `Σ wᵢ (c f I + (1 − c f) s sᵀ/|s|²)`.
//!
//! The flip at 180°: every quaternion is taken in the hemisphere of the heaviest one, the earlier of equal ones. At exactly 180° both ways are
//! equally long; the stored sign then decides, and a pose that passes through 180° switches sides there, as with every method without
//! memory of earlier frames.

use glam::{Mat3, Quat, Vec3};
use std::str::FromStr;

/// Blend of rotations.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum RotationBlend {
    /// At constant speed along the shorter arc: slerp, and the geodesic mean for more than two.
    #[default]
    Slerp,
    /// The normalized sum, as in some viewers for speed: up to 0.9° off at a bend of 90°.
    Nlerp,
}

impl FromStr for RotationBlend {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "slerp" => Ok(Self::Slerp),
            "nlerp" => Ok(Self::Nlerp),
            _ => Err(format!("unknown rotation blend {text:?}; use slerp or nlerp")),
        }
    }
}

/// Maximum Newton steps; they stop earlier when a step changes nothing.
const MOST_STEPS: usize = 12;

/// A step this small, in rad, changes nothing in f32.
const SMALL_STEP_RAD: f32 = 1e-7;

/// The mean of `rotation(i)` with weight `weights[i]`; weights are positive and sum to 1.
///
/// # Panics
/// If there is no weight.
pub fn mean_rotation(weights: &[f32], rotation: impl Fn(usize) -> Quat, blend: RotationBlend) -> Quat {
    let heaviest = heaviest(weights);
    let reference = rotation(heaviest);
    match weights.len() {
        1 => return reference,
        2 if blend == RotationBlend::Slerp => {
            let other = 1 - heaviest;
            return sinew_geometry::slerp(reference, rotation(other), weights[other]);
        }
        _ => {}
    }
    let aligned = |i: usize| {
        let q = rotation(i);
        if q.dot(reference) < 0.0 { -q } else { q }
    };
    let sum =
        (0..weights.len()).fold(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, i| sum + aligned(i) * weights[i]);
    // Opposite rotations can cancel; use the heaviest then.
    let length = sum.length();
    let mut mean = if length > 1e-6 { sum / length } else { reference };
    if blend == RotationBlend::Nlerp {
        return mean;
    }
    for _ in 0..MOST_STEPS {
        let turns = (0..weights.len()).map(|i| (mean.conjugate() * aligned(i), weights[i]));
        let step = newton_step(turns);
        mean = (mean * exp(step)).normalize();
        if step.length_squared() <= SMALL_STEP_RAD * SMALL_STEP_RAD {
            break;
        }
    }
    mean
}

/// The index of the largest weight, the first of equal ones.
pub(crate) fn heaviest(weights: &[f32]) -> usize {
    let mut best = 0;
    for (at, &weight) in weights.iter().enumerate() {
        if weight > weights[best] {
            best = at;
        }
    }
    best
}

/// Below this least eigenvalue of the Hessian a step follows the gradient alone: rotations are nearly opposite.
pub(crate) const LEAST_CURVATURE: f32 = 0.3;

/// The step, half a rotation vector, from turns relative to the present mean.
fn newton_step(turns: impl Iterator<Item = (Quat, f32)>) -> Vec3 {
    let (mut gradient, mut even, mut along) = (Vec3::ZERO, 0.0, Mat3::ZERO);
    for (turn, weight) in turns {
        // Along the shorter arc.
        let turn = if turn.w < 0.0 { -turn } else { turn };
        let axis = Vec3::new(turn.x, turn.y, turn.z);
        let sine = axis.length();
        let over_sine = if sine < 1e-12 { 1.0 } else { sine.atan2(turn.w) / sine };
        let bent = turn.w * over_sine;
        gradient += axis * (over_sine * weight);
        even += bent * weight;
        let scaled = axis * (weight * (1.0 - bent) / (sine * sine + 1e-12));
        along += Mat3::from_cols(axis * scaled.x, axis * scaled.y, axis * scaled.z);
    }
    if even < LEAST_CURVATURE {
        return gradient;
    }
    (Mat3::from_diagonal(Vec3::splat(even)) + along).inverse() * gradient
}

/// The unit quaternion of half a rotation vector.
fn exp(half: Vec3) -> Quat {
    let angle = half.length();
    let factor = if angle < 1e-6 { 1.0 } else { angle.sin() / angle };
    Quat::from_xyzw(half.x * factor, half.y * factor, half.z * factor, angle.cos())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROUNDING: f32 = 1e-6;

    fn same(a: Quat, b: Quat) -> bool {
        a.abs_diff_eq(b, ROUNDING) || a.abs_diff_eq(-b, ROUNDING)
    }

    #[test]
    fn two_rotations_are_slerp_and_three_of_which_two_are_equal_too() {
        let (a, b) =
            (Quat::from_rotation_x(0.3), Quat::from_axis_angle(Vec3::new(1.0, 1.0, 0.0).normalize(), 2.0));
        let expected = sinew_geometry::slerp(a, b, 0.7);
        assert!(same(mean_rotation(&[0.3, 0.7], |i| [a, b][i], RotationBlend::Slerp), expected));
        let three = mean_rotation(&[0.3, 0.4, 0.3], |i| [a, b, -b][i], RotationBlend::Slerp);
        assert!(same(three, expected), "{three} {expected}");
    }

    #[test]
    fn order_and_sign_do_not_matter() {
        let q = [Quat::from_rotation_x(1.0), Quat::from_rotation_y(1.2), Quat::from_rotation_z(-0.8)];
        let w = [0.5, 0.3, 0.2];
        for blend in [RotationBlend::Slerp, RotationBlend::Nlerp] {
            let forward = mean_rotation(&w, |i| q[i], blend);
            let backward = mean_rotation(&[w[2], w[1], w[0]], |i| -q[2 - i], blend);
            assert!(same(forward, backward), "{forward} {backward}");
        }
    }

    #[test]
    fn the_geodesic_mean_has_no_residual() {
        let q = [
            Quat::from_rotation_x(1.0),
            Quat::from_rotation_y(2.0),
            Quat::from_rotation_z(-0.8),
            Quat::IDENTITY,
        ];
        let w = [0.4, 0.3, 0.2, 0.1];
        let mean = mean_rotation(&w, |i| q[i], RotationBlend::Slerp);
        let turn = |i: usize| (mean.conjugate() * q[i]).to_scaled_axis() * w[i];
        let residual = (0..4).fold(Vec3::ZERO, |sum, i| sum + turn(i));
        assert!(residual.length() < ROUNDING, "{residual}");
    }

    #[test]
    fn opposite_rotations_have_a_mean() {
        let half_turn = Quat::from_rotation_y(std::f32::consts::PI);
        for weights in [[0.5, 0.5], [0.9, 0.1]] {
            let mean = mean_rotation(&weights, |i| [Quat::IDENTITY, half_turn][i], RotationBlend::Slerp);
            assert!(mean.is_normalized());
        }
    }
}
