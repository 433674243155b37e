//! SBS+, in MMD's files "SDEF".
//!
//! `v' = R (v − c) + s f1 + (1−s) f2`, \[Hagihara14\] eq. 15, for any number of bones:
//!
//! `f1 = Σ wᵢ Mᵢ c`, `f2 = Σ wᵢ Mᵢ rᵢ″`, `rᵢ″ = c + rᵢ − Σ wⱼ rⱼ`.
//!
//! Closed form, which this computes: with `Aᵢ = lin(Mᵢ)`, `Mᵢ rᵢ″ = Mᵢ c + Aᵢ (rᵢ − m)` and `m = Σ wⱼ rⱼ`, so that
//! `s f1 + (1−s) f2 = Σ wᵢ Mᵢ c + (1−s) Σ wᵢ Aᵢ (rᵢ − m)`; for two bones the last sum is `t (1−t) (A0 − A1)(r0 − r1)`.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | `c` | `vertex.center` | projection of the vertex onto the axis |
//! | `r0`, `r1` | `vertex.anchors` | start and end of the soft range, one per bone |
//! | `s` | `s` | share of linear blending |
//!
//! Departures: the printed eq. 19 and 20 give the absolute point rᵢ″ while 17 and 18 add c again; the offset is rᵢ − m.
//! At s = 0.5 this equals the viewers saba, nanoem, babylon-mmd and mmd_tools for a PMX file.
//! Limits: kinks where the soft range is uneven or the bones are bent in rest; see `docs/methods/sdef.md`.

use crate::rotation_mean::mean_rotation;
use crate::{BoneFrame, MovedVertex, RestVertex, RotationBlend};
use glam::{Mat3A, Vec3, Vec3A};

/// Moves one vertex. Without anchors (unknown soft range) it is spherical blend skinning.
pub fn move_vertex(
    vertex: &RestVertex<'_>,
    bones: &[BoneFrame],
    s: f32,
    blend: RotationBlend,
) -> MovedVertex {
    let rotation = mean_rotation(vertex.weights, |i| bones[usize::from(vertex.joints[i])].rotation, blend);
    let map = Mat3A::from_quat(rotation) * vertex.blend_stretch(bones);
    let turned: Vec3 = (map * Vec3A::from(vertex.position - vertex.center)).into();
    let position = turned + vertex.blend_point(vertex.center, bones) + spread(vertex, bones) * (1.0 - s);
    MovedVertex { position, map }
}

/// `Σ wᵢ Aᵢ (rᵢ − m)`.
fn spread(vertex: &RestVertex<'_>, bones: &[BoneFrame]) -> Vec3 {
    let middle = vertex
        .anchors
        .iter()
        .zip(vertex.weights)
        .fold(Vec3::ZERO, |sum, (&anchor, &weight)| sum + anchor * weight);
    let offsets = vertex.anchors.iter().zip(vertex.bones(bones));
    offsets.fold(Vec3::ZERO, |sum, (&anchor, (bone, weight))| {
        sum + Vec3::from(bone.posed_from_rest.matrix3 * Vec3A::from(anchor - middle)) * weight
    })
}
