//! What can be wrong with a character, said so that a person can find the place.

use crate::{BindId, BoneId, InstanceId, MeshId};

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum Problem {
    /// A parent that does not exist.
    #[error("bone {bone} ({name:?}) has parent {parent}, but there are only {bone_count} bones")]
    NoSuchParent { bone: BoneId, name: String, parent: BoneId, bone_count: usize },
    /// A bone that is reached from itself by going up.
    #[error("bone {bone} ({name:?}) is its own ancestor")]
    Cycle {
        /// A bone on the cycle or below it.
        bone: BoneId,
        name: String,
    },
    /// A rest transform with NaN or infinity.
    #[error("bone {bone} ({name:?}) has a rest transform that is not finite")]
    BoneNotFinite { bone: BoneId, name: String },
    /// A per-vertex list of the wrong length.
    #[error("mesh {mesh} ({name:?}) has {found} {what} for {expected} vertices")]
    ListLength { mesh: MeshId, name: String, what: &'static str, expected: usize, found: usize },
    /// A position with NaN or infinity.
    #[error("mesh {mesh} ({name:?}): the position of vertex {vertex} is not finite")]
    PositionNotFinite { mesh: MeshId, name: String, vertex: usize },
    /// Spherical parameters with NaN or infinity.
    #[error("mesh {mesh} ({name:?}): the spherical parameters of vertex {vertex} are not finite")]
    SphericalNotFinite { mesh: MeshId, name: String, vertex: usize },
    /// Something wrong with what a bone does by itself.
    #[error("bone {bone} {what}")]
    Logic { bone: BoneId, what: String },
    /// Something wrong with what a morph does beside moving vertices.
    #[error("mesh {mesh}: morph {morph} ({name:?}) {what}")]
    MorphEffect { mesh: MeshId, morph: usize, name: String, what: &'static str },
    /// Something wrong with what the file says about skinning.
    #[error("skinning: {what}")]
    Skin { what: String },
    /// Something wrong with the controllers of helpers.
    #[error("controllers: {what}")]
    Controllers { what: String },
    /// A triangle or group outside its lists.
    #[error("mesh {mesh} ({name:?}): {what} {index} goes past the end, {found} of {limit}")]
    OutOfRange {
        mesh: MeshId,
        name: String,
        /// "triangle", "group", "morph" or "influences of vertex".
        what: &'static str,
        index: usize,
        found: usize,
        limit: usize,
    },
    /// A bind whose lists do not match.
    #[error("bind {bind} ({name:?}) has {matrices} inverse bind matrices for {joints} joints")]
    BindLength { bind: BindId, name: String, joints: usize, matrices: usize },
    /// A bind with a joint that is no bone, or a matrix with NaN or infinity.
    #[error("bind {bind} ({name:?}): joint {joint} {what}")]
    BindJoint { bind: BindId, name: String, joint: usize, what: &'static str },
    /// An instance that names what does not exist, or has the wrong number of morph weights.
    #[error("mesh instance {instance}: {what}")]
    Instance { instance: InstanceId, what: String },
    /// More bones than an influence can name.
    #[error("the meshes use {found} bones under their binds, more than {limit}")]
    TooManyBones { found: usize, limit: usize },
    /// A material with an image that does not exist.
    #[error("material {material} ({name:?}) uses image {image} of {limit}")]
    MaterialImage { material: usize, name: String, image: usize, limit: usize },
    /// A track that cannot be sampled.
    #[error("clip {clip} ({name:?}): track {track} {what}")]
    Track { clip: usize, name: String, track: usize, what: String },
}

/// Everything that is wrong with a character.
#[derive(Clone, Debug, PartialEq)]
pub struct InvalidCharacter {
    /// At least one.
    pub problems: Vec<Problem>,
}

impl std::fmt::Display for InvalidCharacter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shown = 8;
        for (index, problem) in self.problems.iter().take(shown).enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{problem}")?;
        }
        match self.problems.len().saturating_sub(shown) {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}

impl std::error::Error for InvalidCharacter {}
