//! The Bézier improvement of SBS+: the center runs on a curve that leaves both bones without a kink.
//!
//! `v' = R (v − ĉ) + f_B`, \[Hagihara14\] eq. 26, for any number of bones on the quadratic Bézier simplex over the weights:
//!
//! `ĉ = Σ wᵢ² rᵢ″ + Σ_{i<j} 2 wᵢ wⱼ bᵢⱼ`, `f_B = Σ wᵢ² Mᵢ rᵢ″ + Σ_{i<j} 2 wᵢ wⱼ b′ᵢⱼ`, `rᵢ″ = c + rᵢ − Σ wⱼ rⱼ`.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | `b` | `vertex.heads` | head of the child in rest, the curve's control point |
//! | `b′` | `M0 b` | the same, posed |
//! | `r0`, `r1` | `vertex.anchors` | ends of the soft range |
//!
//! Departures: eq. 25 and 26 print b′ in the rest center; it is the rest head b. For a pair without a common joint, b is the
//! midpoint of the two heads' nearest points and `b′ = (wᵢ Mᵢ b + wⱼ Mⱼ b) / (wᵢ + wⱼ)`.

use crate::rotation_mean::mean_rotation;
use crate::{BoneFrame, MovedVertex, RestVertex, RotationBlend};
use glam::{Mat3A, Vec3, Vec3A};

/// Moves one vertex. Without anchors it is spherical blend skinning.
pub fn move_vertex(vertex: &RestVertex<'_>, bones: &[BoneFrame], blend: RotationBlend) -> MovedVertex {
    let rotation = mean_rotation(vertex.weights, |i| bones[usize::from(vertex.joints[i])].rotation, blend);
    let map = Mat3A::from_quat(rotation) * vertex.blend_stretch(bones);
    let (center, moved_center) = if vertex.anchors.is_empty() {
        (vertex.center, vertex.blend_point(vertex.center, bones))
    } else {
        curve_points(vertex, bones)
    };
    let turned = map * Vec3A::from(vertex.position - center);
    MovedVertex { position: moved_center + Vec3::from(turned), map }
}

/// ĉ and f_B.
fn curve_points(vertex: &RestVertex<'_>, bones: &[BoneFrame]) -> (Vec3, Vec3) {
    let point = |bone: &BoneFrame, rest: Vec3| bone.posed_from_rest.transform_point3(rest);
    let middle = vertex
        .anchors
        .iter()
        .zip(vertex.weights)
        .fold(Vec3::ZERO, |sum, (&anchor, &weight)| sum + anchor * weight);
    let (mut rest, mut posed) = (Vec3::ZERO, Vec3::ZERO);
    let mut heads = vertex.heads.iter();
    for (i, (bone, weight)) in vertex.bones(bones).enumerate() {
        let end = vertex.center + vertex.anchors[i] - middle;
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
