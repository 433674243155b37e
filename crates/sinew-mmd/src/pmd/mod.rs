//! PMD 1.0, MMD's first format, as the file holds it.
//!
//! All values are MMD's own (left-handed, 1 unit = 0.08 m). Texts keep all their bytes, so that a file that was read and not changed is
//! written byte for byte as it was. [`Pmd::to_pmx`] and [`Pmd::from_pmx`] go to the later format and back.

mod from_pmx;
mod read;
mod records;
mod to_pmx;
mod types;

pub use from_pmx::PmdLimitError;
pub use types::{
    Pmd, PmdBone, PmdEnglish, PmdEnglishNames, PmdIk, PmdJoint, PmdMaterial, PmdMorph, PmdRigidBody,
    PmdVertex, TOON_COUNT, bone_types,
};
