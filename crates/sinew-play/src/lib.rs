//! Frames of a surface: recorded, reduced to morph targets, and written to every format that holds them.
//!
//! A [`Recording`] holds surfaces whose vertices move freely: to glTF as a moving node with morph targets, or on top of a rig
//! ([`put_on_rig`]), and to caches. [`export`] writes what a posed character shows.

mod eigen;
mod export;
mod on_rig;
mod point_cache;
mod recording;
mod rigid;
mod save;
mod shape_basis;

pub use export::{ExportError, OnFrame, Targets, export};
pub use on_rig::{
    OnRigError, delta_of as rest_delta, normal_deltas as rest_normal_deltas, put_on_rig, widen,
};
pub use point_cache::{CacheError, PointCache};
pub use recording::{Recording, RecordingError};
pub use save::{MorphSummary, RecordingSummary, SaveRecordingError};
pub use shape_basis::{BasisSettings, MorphBasis, ShapeBasis};

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
