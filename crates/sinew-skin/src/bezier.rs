//! The Bézier improvement of SBS+: the center moves on a curve that leaves both bones without a kink.
//!
//! `v' = R (v − ĉ) + f_B`, \[Hagihara14\] eq. 26, for any number of bones on the quadratic Bézier simplex over the weights:
//!
//! `ĉ = Σ wᵢ² rᵢ″ + Σ_{i<j} 2 wᵢ wⱼ bᵢⱼ`, `f_B = Σ wᵢ² Mᵢ rᵢ″ + Σ_{i<j} 2 wᵢ wⱼ b′ᵢⱼ`, `rᵢ″ = c + rᵢ − Σ wⱼ rⱼ`.
//!
//! With [`BezierForm::Joint`] it is eq. 25: rᵢ″ is rᵢ itself.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | `b` | `vertex.heads` | head of the child in rest, the curve's control point |
//! | `b′` | `M0 b` | the same, posed |
//! | `r0`, `r1` | `vertex.anchors` | ends of the soft range |
//!
//! Departures: eq. 25 and 26 print b′ in the rest center; it is the rest head b. For a pair without a common joint, b is the
//! midpoint of the two heads' nearest points and `b′ = (wᵢ Mᵢ b + wⱼ Mⱼ b) / (wᵢ + wⱼ)`.

use crate::{BezierForm, BoneFrame, MovedVertex, RestVertex, RotationBlend};
use glam::{Vec3, Vec3A};

/// Moves one vertex. Without anchors it is spherical blend skinning.
pub fn move_vertex(
    vertex: &RestVertex<'_>,
    bones: &[BoneFrame],
    blend: RotationBlend,
    form: BezierForm,
) -> MovedVertex {
    let map = vertex.blend_map(bones, blend);
    let (center, moved_center) = if vertex.anchors.is_empty() {
        (vertex.center, vertex.blend_point(vertex.center, bones))
    } else {
        curve_points(vertex, bones, form)
    };
    let turned = map * Vec3A::from(vertex.position - center);
    MovedVertex { position: moved_center + Vec3::from(turned), map }
}

/// ĉ and f_B.
fn curve_points(vertex: &RestVertex<'_>, bones: &[BoneFrame], form: BezierForm) -> (Vec3, Vec3) {
    let point = |bone: &BoneFrame, rest: Vec3| bone.posed_from_rest.transform_point3(rest);
    let middle = vertex.blend_anchors();
    let (mut rest, mut posed) = (Vec3::ZERO, Vec3::ZERO);
    let mut heads = vertex.heads.iter();
    for (i, (bone, weight)) in vertex.bones(bones).enumerate() {
        let end = match form {
            BezierForm::Vertex => vertex.center + vertex.anchors[i] - middle,
            BezierForm::Joint => vertex.anchors[i],
        };
        rest += end * (weight * weight);
        posed += point(bone, end) * (weight * weight);
        for (j, head) in (i + 1..vertex.joints.len()).zip(&mut heads) {
            let (other, other_weight) = (&bones[usize::from(vertex.joints[j])], vertex.weights[j]);
            let share = 2.0 * weight * other_weight;
            let posed_head = match head.parent {
                Some(parent) => point(&bones[usize::from(parent)], head.rest),
                None => {
                    (point(bone, head.rest) * weight + point(other, head.rest) * other_weight)
                        / (weight + other_weight)
                }
            };
            rest += head.rest * share;
            posed += posed_head * share;
        }
    }
    (rest, posed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::JointHead;
    use glam::{Affine3A, Quat};

    /// Largest distance of the two forms' images of the axis, the child turned by 90°, ranges of 1 on both sides.
    fn largest_difference(rest_bend_rad: f32) -> f32 {
        let forth = Quat::from_rotation_x(rest_bend_rad) * Vec3::Y;
        let anchors = [Vec3::NEG_Y, forth];
        let turned = Affine3A::from_quat(Quat::from_rotation_x(std::f32::consts::FRAC_PI_2));
        let bones = [BoneFrame::IDENTITY, BoneFrame::new(&turned)];
        let heads = [JointHead { rest: Vec3::ZERO, parent: Some(0) }];
        let difference = |step: u16| {
            let along = f32::from(step) / 100.0 - 1.0;
            let center = if along < 0.0 { Vec3::Y * along } else { forth * along };
            let t = (1.0 - along) / 2.0;
            let weights = [t, 1.0 - t];
            let vertex = RestVertex {
                position: center,
                joints: &[0, 1],
                weights: &weights,
                center,
                anchors: &anchors,
                heads: &heads,
            };
            let image = |form| move_vertex(&vertex, &bones, RotationBlend::Slerp, form).position;
            image(BezierForm::Vertex).distance(image(BezierForm::Joint))
        };
        (1..200).map(difference).fold(0.0, f32::max)
    }

    #[test]
    fn the_two_forms_differ_only_for_bones_bent_in_rest() {
        assert!(largest_difference(0.0) < 1e-6, "{}", largest_difference(0.0));
        let bent = largest_difference(0.5);
        assert!((0.02..0.1).contains(&bent), "{bent}");
    }
}
