//! PMX 2.0 and 2.1, in raw form.
//!
//! All values are MMD's own (left-handed, 1 unit = 0.08 m). Indices are as in the file: −1 is none; their range is not checked here.
//! An unchanged file is written back byte for byte.
//!
//! `records.rs` lists the fields of every record once, for reading and writing; `vertices.rs` handles most of the bytes.

mod check;
mod color;
mod document;
mod from_character;
mod index_sizes;
mod read;
mod records;
mod rest_model;
mod standard_bones;
mod tally;
#[cfg(test)]
mod test_models;
mod to_character;
mod types;
mod update;
mod vertices;
mod write;

pub use super::text::TextEncoding;
pub use check::PmxProblem;
pub use document::{PmxDocument, PmxResources, ReadPmxError};
pub use from_character::PmxWriteSettings;
pub(crate) use index_sizes::{IndexKind, KINDS};
pub use types::{
    IndexSizes, MmdBody, Pmx, PmxBone, PmxFrame, PmxHeader, PmxIk, PmxIkLink, PmxImpulse, PmxJoint,
    PmxMaterial, PmxMaterialMorph, PmxMorph, PmxMorphKind, PmxRigidBody, PmxSection, PmxSoftBody, PmxTail,
    PmxToon, PmxTruncation, PmxVertex, PmxWeight, bone_flags, material_flags,
};
pub use update::WritePmxError;
