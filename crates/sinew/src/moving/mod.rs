//! Surfaces whose vertices move freely, recorded frame by frame: to glTF as a moving node with morph targets, and to caches.

mod eigen;
mod recording;
mod rigid;
mod save;
mod shape_basis;

pub use recording::{Recording, RecordingError};
pub use save::{MorphSummary, RecordingSummary, SaveRecordingError};
pub use shape_basis::{BasisSettings, ShapeBasis};
