//! PMX 2.0 and 2.1, as the file holds it.
//!
//! All values are MMD's own (left-handed, 1 unit = 0.08 m). Indices are as in the file: −1 is none; whether they point at something
//! is not looked at here. A file that was read and not changed is written byte for byte as it was.
//!
//! Each list has a module of its own in which the function that reads it stands beside the one that writes it.

mod bones;
mod check;
mod color;
mod document;
mod frames;
mod from_character;
mod index_sizes;
mod materials;
mod morphs;
mod physics;
mod read;
mod rest_model;
mod shares;
mod sink;
mod soft_bodies;
mod source;
mod tally;
#[cfg(test)]
mod test_models;
mod to_character;
mod types;
mod update;
mod version;
mod vertices;
mod write;

pub use super::text::TextEncoding;
pub use check::PmxProblem;
pub use document::{PmxDocument, PmxResources, ReadPmxError};
pub use from_character::PmxWriteSettings;
pub use types::{
    IndexSizes, Pmx, PmxBone, PmxFrame, PmxHeader, PmxIk, PmxIkLink, PmxImpulse, PmxJoint, PmxMaterial,
    PmxMaterialMorph, PmxMorph, PmxMorphKind, PmxRigidBody, PmxSection, PmxSoftBody, PmxTail, PmxToon,
    PmxTruncation, PmxVertex, PmxWeight, bone_flags, material_flags,
};
pub use update::WritePmxError;
