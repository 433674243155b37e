//! Linear blend skinning, in MMD's files "BDEF".
//!
//! `v' = Σ wᵢ Mᵢ v`.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | `Mᵢ` | `bones[i].posed_from_rest` | skinning matrix: posed global × inverse bind |
//! | `wᵢ` | `vertex.weights` | weights of the vertex, sum 1 |
//!
//! Limits: joints lose volume when they bend and pinch when they twist; the other methods address that.

use crate::{BoneFrame, MovedVertex, RestVertex};
use glam::{Affine3A, Mat3A, Vec3A};

/// Moves one vertex.
pub fn move_vertex(vertex: &RestVertex<'_>, bones: &[BoneFrame]) -> MovedVertex {
    let mut blended = Affine3A { matrix3: Mat3A::ZERO, translation: Vec3A::ZERO };
    for (bone, weight) in vertex.bones(bones) {
        blended.matrix3 += bone.posed_from_rest.matrix3 * weight;
        blended.translation += bone.posed_from_rest.translation * weight;
    }
    MovedVertex { position: blended.transform_point3(vertex.position), map: blended.matrix3 }
}
