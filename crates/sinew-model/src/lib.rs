//! Models on disk: opened by what they are, changed, saved by their extension; poses and motions for them.

mod baked_helpers;
#[cfg(feature = "files")]
mod convert;
mod error;
#[cfg(feature = "files")]
mod files;
mod for_gltf;
mod frames;
pub mod inspect;
#[cfg(feature = "files")]
mod job;
mod model;
pub mod motion;
mod pose_file;
pub mod rigging;
mod skin_choice;
mod skin_file;
pub mod tets;
mod written;

pub use baked_helpers::{
    HelperOutput, RotationConstraint, SettingError, bake_clips_again, baked_where_missing,
};
#[cfg(feature = "files")]
pub use convert::{ConvertOutcome, ConvertRequest, convert};
pub use error::{OpenError, SaveError, TextError};
#[cfg(feature = "files")]
pub use files::{read_limited, write_file};
pub use for_gltf::for_gltf;
pub use frames::{Frames, PoseChoice, PoseChoiceError};
#[cfg(feature = "files")]
pub use job::JobError;
pub use model::{Document, Model, SaveSettings, add_constraints, extension_of};
#[cfg(feature = "files")]
pub use model::{save_as_gltf, save_document, save_obj};
pub use pose_file::{BoneChange, Entries, PoseFile};
pub use skin_choice::{SkinChoice, SkinChoiceErrors};
pub use skin_file::SkinFile;
pub use written::{SideFile, WrittenModel};

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
