//! SBS+, in MMD's files "SDEF".
//!
//! `v' = R (v − c) + s f1 + (1−s) f2`, \[Hagihara14\] eq. 8, 14, 21 and 22, for any number of bones:
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

use crate::{BoneFrame, MovedVertex, RestVertex, RotationBlend};
use glam::{Vec3, Vec3A};

/// Moves one vertex. Without anchors (unknown soft range) it is spherical blend skinning.
pub fn move_vertex(
    vertex: &RestVertex<'_>,
    bones: &[BoneFrame],
    s: f32,
    blend: RotationBlend,
) -> MovedVertex {
    let turned = vertex.turned_about_center(bones, blend);
    MovedVertex { position: turned.position + spread(vertex, bones) * (1.0 - s), ..turned }
}

/// `Σ wᵢ Aᵢ (rᵢ − m)`.
fn spread(vertex: &RestVertex<'_>, bones: &[BoneFrame]) -> Vec3 {
    let middle = vertex.blend_anchors();
    let offsets = vertex.anchors.iter().zip(vertex.bones(bones));
    offsets.fold(Vec3::ZERO, |sum, (&anchor, (bone, weight))| {
        sum + Vec3::from(bone.posed_from_rest.matrix3 * Vec3A::from(anchor - middle)) * weight
    })
}
