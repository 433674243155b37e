//! What all scene files have.

mod camera_text;
mod surroundings;

pub use camera_text::{CameraText, FollowText, PointText};
pub(crate) use camera_text::{camera, did_you_mean, render_camera};
pub use sinew_settings::TextError;
pub(crate) use sinew_settings::{Source, Spot, Table, Value};
pub use surroundings::{GroundKind, GroundText, LightText};
pub(crate) use surroundings::{name_of, picture_size, quality, refuse_twice};
