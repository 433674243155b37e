//! Surfaces whose vertices move freely, recorded frame by frame: to glTF as a moving node with morph targets, or on top of a rig, and to
//! caches.

mod eigen;
mod on_rig;
mod recording;
mod rigid;
mod save;
mod seamless;
mod shape_basis;

pub use crate::point_cache::CacheError;
pub use on_rig::{OnRigError, put_on_rig};
pub(crate) use on_rig::{delta_of as rest_delta, normal_deltas as rest_normal_deltas, widen};
pub use recording::{Recording, RecordingError};
pub use save::{MorphSummary, RecordingSummary, SaveRecordingError};
pub use seamless::SeamlessNormals;
pub use shape_basis::{BasisSettings, MorphBasis, ShapeBasis};
