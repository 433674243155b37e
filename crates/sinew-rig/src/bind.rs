//! The rest pose a mesh was bound in.

use crate::BoneId;
use glam::Affine3A;

/// The joints of a mesh and their transforms when the mesh was bound; glTF calls it a skin.
///
/// Invariant (checked by [`crate::Character::new`]): as many matrices as joints, all finite, every joint a bone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bind {
    /// As in the file; may be empty.
    pub name: String,
    /// The bones; influences refer to them by their index in this list.
    pub joints: Vec<BoneId>,
    /// Inverse bind matrices, one per joint: joint space from rest space, the space of the mesh's positions.
    pub joint_from_rest: Vec<Affine3A>,
}
