//! PMD 1.0, MMD's first format, in raw form.
//!
//! All values are MMD's own (left-handed, 1 unit = 0.08 m). Texts keep all their bytes: an unchanged file is written back byte for
//! byte. [`Pmd::to_pmx`] and [`Pmd::from_pmx`] convert to and from the later format.

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
