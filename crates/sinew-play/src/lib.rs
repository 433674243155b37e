//! Frames of a surface: recorded, reduced to morph targets, and written to every format that holds them.
//!
//! A [`Take`] is frames of a surface, whatever moves it: a posed character ([`PosedTake`]), a [`Recording`] whose vertices move freely
//! ([`RecordedTake`]), or flesh over a rig. [`write_take`] writes any of them: to caches, or to a model with morph targets, alone or
//! on top of a rig ([`put_on_rig`]). A [`Subject`] is a model in the poses that a user asks for. [`patches`] moves a model by the body of
//! patches that its file carries.

mod eigen;
mod error;
mod morphs;
mod on_rig;
pub mod patches;
mod recording;
mod rigid;
mod shape_basis;
mod subject;
mod take;
mod write;

pub use error::TakeError;
pub use morphs::MorphSummary;
pub use on_rig::{delta_of as rest_delta, normal_deltas as rest_normal_deltas, put_on_rig, widen};
pub use recording::Recording;
pub use shape_basis::{BasisSettings, MorphBasis, ShapeBasis};
pub use subject::{Subject, SubjectRequest, TakeOutcome, motion_choice};
pub use take::{ModelFile, PosedTake, RecordedTake, Take, TakeKind, Topology, all_frames};
pub use write::{Targets, write_take};

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
