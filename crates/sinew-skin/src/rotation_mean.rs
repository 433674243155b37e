//! Weighted means of rotations.
//!
//! Two rotations: slerp. More: the weighted geodesic mean m, from which the weighted logarithms of the others sum to zero; for two rotations
//! it is slerp. With `cᵢ = m · qᵢ` and `f(c) = acos(c)/√(1 − c²)` the logarithm of `m⁻¹ qᵢ` is the vector part of `f(cᵢ) m⁻¹ qᵢ`: the mean is
//! the direction of `s = Σ wᵢ f(cᵢ) qᵢ`. Each step from the sign-aligned blend moves m along `s + k (1 − s·m) m`.
//!
//! Why k: across m, s is the gradient g, and the Hessian's eigenvalues lie between s·m and 1. So `g/(s·m)`, the step of k = 0, is too long and
//! g, that of k = 1, too short. 0.6 was the best of those tried: a step gains two digits if rotations are at most 60° apart, one if at
//! most 150°. No step is longer than g/0.6, less than the 2 g up to which the sum of squares falls.
//!
//! The flip at 180°: every quaternion is taken in the hemisphere of the heaviest one, the earlier of equal ones. At exactly 180° both ways are
//! equally long; the stored sign then decides, and a pose that passes through 180° switches sides there, as with every method without
//! memory of earlier frames.

use glam::Quat;
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

/// k.
pub(crate) const KEPT: f32 = 0.6;

/// Maximum steps; they stop earlier when a step changes nothing.
const MOST_STEPS: usize = 24;

/// A step this small changes nothing in f32.
const SMALL_STEP: f32 = 1e-7;

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
    // Never zero: along the reference no term is negative, and the reference's own is at least 1 / n.
    let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let mut mean = (0..weights.len()).fold(zero, |sum, i| sum + aligned(i) * weights[i]).normalize();
    if blend == RotationBlend::Nlerp {
        return mean;
    }
    for _ in 0..MOST_STEPS {
        let sum = (0..weights.len()).fold(zero, |sum, i| sum + pull(mean, aligned(i)) * weights[i]);
        let next = (sum + mean * (KEPT * (1.0 - sum.dot(mean)))).normalize();
        let step = (next - mean).length_squared();
        mean = next;
        if step <= SMALL_STEP * SMALL_STEP {
            break;
        }
    }
    mean
}

/// `f(c) q`, with the sign of q on the mean's side: along the shorter arc.
fn pull(mean: Quat, q: Quat) -> Quat {
    let turn = mean.conjugate() * q;
    let sine = turn.xyz().length();
    let factor = if sine < 1e-12 { 1.0 } else { sine.atan2(turn.w.abs()) / sine };
    q * factor.copysign(turn.w)
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

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

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
