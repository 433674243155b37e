//! Scene files: tables that know their lines, and what all scenes have.

mod camera_text;
mod surroundings;
mod tables;

pub(crate) use camera_text::camera;
pub use camera_text::{CameraText, FollowText, PointText};
pub use surroundings::{GroundKind, GroundText, LightText};
pub(crate) use surroundings::{picture_size, refuse_twice};
pub use tables::SceneError;
pub(crate) use tables::{Source, Spot, Table, Value};
