//! Problems of a character, with their place.

use crate::{BindId, BoneId, InstanceId, MeshId};

/// One problem of a character.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum Problem {
    #[error("bone {bone} ({name:?}) has parent {parent}, but there are only {bone_count} bones")]
    NoSuchParent { bone: BoneId, name: String, parent: BoneId, bone_count: usize },
    #[error("bone {bone} ({name:?}) is its own ancestor")]
    Cycle { bone: BoneId, name: String },
    #[error("bone {bone} ({name:?}) has a rest transform that is not finite")]
    BoneNotFinite { bone: BoneId, name: String },
    #[error("mesh {mesh} ({name:?}) has {found} {what}, expected {expected}, one per vertex")]
    ListLength { mesh: MeshId, name: String, what: &'static str, expected: usize, found: usize },
    #[error("mesh {mesh} ({name:?}): the position of vertex {vertex} is not finite")]
    PositionNotFinite { mesh: MeshId, name: String, vertex: usize },
    /// Spherical parameters with NaN or infinity.
    #[error("mesh {mesh} ({name:?}): the spherical parameters of vertex {vertex} are not finite")]
    SphericalNotFinite { mesh: MeshId, name: String, vertex: usize },
    #[error("bone {bone} {what}")]
    Logic { bone: BoneId, what: String },
    #[error("mesh {mesh}: morph {morph} ({name:?}) {what}")]
    MorphEffect { mesh: MeshId, morph: usize, name: String, what: &'static str },
    #[error("skinning: {what}")]
    Skin { what: String },
    #[error("controllers: {what}")]
    Controllers { what: String },
    #[error("springs: {what}")]
    Springs { what: String },
    /// A "triangle", "group", "morph" or "influences of vertex".
    #[error("mesh {mesh} ({name:?}): {what} {index} is out of range, {found} of {limit}")]
    OutOfRange { mesh: MeshId, name: String, what: &'static str, index: usize, found: usize, limit: usize },
    #[error("bind {bind} ({name:?}) has {matrices} inverse bind matrices for {joints} joints")]
    BindLength { bind: BindId, name: String, joints: usize, matrices: usize },
    #[error("bind {bind} ({name:?}): joint {joint} {what}")]
    BindJoint { bind: BindId, name: String, joint: usize, what: &'static str },
    #[error("mesh instance {instance}: {what}")]
    Instance { instance: InstanceId, what: String },
    #[error("the meshes use {found} bones under their binds; the maximum is {limit}")]
    TooManyBones { found: usize, limit: usize },
    #[error("material {material} ({name:?}) uses image {image}, but there are {limit}")]
    MaterialImage { material: usize, name: String, image: usize, limit: usize },
    #[error("clip {clip} ({name:?}): track {track} {what}")]
    Track { clip: usize, name: String, track: usize, what: String },
}

/// All problems of a character.
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
