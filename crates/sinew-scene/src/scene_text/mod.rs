//! Scene files: tables that know their lines, and what all scenes have.

mod camera_text;
mod surroundings;
mod tables;

pub use camera_text::{CameraText, FollowText, PointText};
pub(crate) use camera_text::{camera, did_you_mean, render_camera};
pub use surroundings::{GroundKind, GroundText, LightText};
pub(crate) use surroundings::{picture_size, quality, refuse_twice};
pub(crate) use tables::{Source, Spot, Table, Value};
