//! Models on disk: opened by what they are, changed, saved by their extension; poses and motions for them.

mod baked_helpers;
mod for_gltf;
mod frames;
pub mod inspect;
mod model;
pub mod motion;
mod obj;
mod pose_file;
pub mod rigging;
mod skin_choice;
mod skin_file;
pub mod tets;

pub use baked_helpers::{
    HelperOutput, RotationConstraint, SettingError, bake_clips_again, baked_where_missing,
};
pub use for_gltf::for_gltf;
pub use frames::{Frames, PoseChoice, PoseChoiceError};
pub use model::{
    Document, Model, OpenError, SaveError, add_beside, extension_of, read_limited, save_as_gltf,
    save_document,
};
pub use obj::save_obj;
pub use pose_file::{BoneChange, Entries, PoseFile, PoseFileError};
pub use skin_choice::{SkinChoice, SkinChoiceErrors};
pub use skin_file::{SkinFile, SkinFileError};

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
