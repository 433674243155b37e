//! Soft bodies by shape matching.

mod body;
mod kernel;
mod level;
mod regions;
mod threads;

pub use body::{SoftBody, StepSettings};
pub use regions::{RegionMaterial, Regions, Rings};
