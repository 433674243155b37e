//! Dual quaternion linear blending.
//!
//! After \[Kavan08\] Alg. 1: blend unit dual quaternions, divide by the length of the real part, transform by the result.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | `q̂ᵢ` | `bone.rotation`, `bone.dual` | rigid motion of bone i, posed from rest |
//! | `b̂` | `real`, `dual` | weighted sum before normalizing |
//!
//! Departures: the sign reference is the heaviest bone, the first of equal ones, so the result does not depend on bone order. Scale and
//! shear are split off by polar decomposition and blended linearly; the paper has only rigid bones.
//! Limits: bulges at bends near 180°; see `docs/methods/dlb.md`.

use crate::rotation_mean::heaviest;
use crate::{BoneFrame, MovedVertex, RestVertex};
use glam::{Mat3A, Quat, Vec3, Vec3A};

/// Moves one vertex.
pub fn move_vertex(vertex: &RestVertex<'_>, bones: &[BoneFrame]) -> MovedVertex {
    let reference = bones[usize::from(vertex.joints[heaviest(vertex.weights)])].rotation;
    let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let (mut real, mut dual) = (zero, zero);
    for (bone, weight) in vertex.bones(bones) {
        let signed = if bone.rotation.dot(reference) < 0.0 { -weight } else { weight };
        real += bone.rotation * signed;
        dual += bone.dual * signed;
    }
    let length = real.length();
    // Opposite rotations can cancel; then only the heaviest bone moves the vertex.
    if length < 1e-6 {
        let bone = &bones[usize::from(vertex.joints[heaviest(vertex.weights)])];
        return MovedVertex {
            position: bone.posed_from_rest.transform_point3(vertex.position),
            map: bone.posed_from_rest.matrix3,
        };
    }
    let (real, dual) = (real / length, dual / length);
    let map = Mat3A::from_quat(real) * vertex.blend_stretch(bones);
    // t = 2 q_d q_r*; only the vector part is left after normalizing.
    let moved = dual * real.conjugate();
    let translation = Vec3::new(moved.x, moved.y, moved.z) * 2.0;
    MovedVertex { position: translation + Vec3::from(map * Vec3A::from(vertex.position)), map }
}
