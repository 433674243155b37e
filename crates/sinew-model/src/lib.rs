//! Models on disk: opened by what they are, changed, saved by their extension; poses and motions for them.

mod baked_helpers;
mod contents;
#[cfg(feature = "files")]
mod convert;
mod error;
mod file_summary;
#[cfg(feature = "files")]
mod files;
mod for_gltf;
mod frames;
pub mod inspect;
#[cfg(feature = "files")]
mod job;
mod model;
pub mod motion;
#[cfg(feature = "files")]
mod paint;
mod pose_file;
mod programs;
pub mod rigging;
mod skin_choice;
mod skin_file;
pub mod tets;
mod units;
mod vrm;
mod written;

pub use baked_helpers::{
    HelperOutput, RotationConstraint, SettingError, bake_clips_again, bake_springs_into_clips,
    baked_where_missing,
};
pub use contents::{Content, ContentKind};
#[cfg(feature = "files")]
pub use convert::{ConvertOutcome, ConvertRequest, convert};
pub use error::{OpenError, SaveError, TextError};
pub use file_summary::{FileSummary, HumanoidSummary};
#[cfg(feature = "files")]
pub use files::{read_limited, read_text, write_file};
pub use for_gltf::for_gltf;
pub use frames::{Frames, PoseChoice, PoseChoiceError};
#[cfg(feature = "files")]
pub use job::JobError;
pub use model::{Document, Model, SaveSettings, add_constraints, extension_of};
#[cfg(feature = "files")]
pub use model::{save_as_gltf, save_document, save_obj};
#[cfg(feature = "files")]
pub use paint::{PaintError, read_paint};
pub use pose_file::{BoneChange, Entries, PoseFile};
pub use programs::{ProgramNote, ProgramNotes};
pub use skin_choice::{SkinChoice, SkinChoiceErrors};
pub use skin_file::SkinFile;
pub use units::UnitGuess;
pub use vrm::{VrmMeta, vrm_document};
pub use written::{SideFile, WrittenModel, report_lost_rig};

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
