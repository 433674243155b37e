//! Soft bodies by shape matching.

mod body;
mod contact;
mod examples;
mod kernel;
mod level;
pub mod measure;
mod regions;
#[cfg(test)]
mod tests;
mod threads;

pub use body::{Momentum, SoftBody, StepSettings};
pub use contact::{Collider, ContactSettings, Shape, Touch};
pub use examples::{ExampleError, ExampleSet, ExampleSettings, Grouping, WeightRule};
pub use examples::{Hull, HullScratch, nearest_by_sorting, source_rule};
pub use regions::{RegionMaterial, Regions, Rings};
