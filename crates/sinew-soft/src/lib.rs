//! Soft bodies by shape matching.

mod body;
mod examples;
mod kernel;
mod level;
mod regions;
#[cfg(test)]
mod tests;
mod threads;

pub use body::{SoftBody, StepSettings};
pub use examples::{ExampleError, ExampleSet, ExampleSettings, Grouping, WeightRule};
pub use examples::{Hull, HullScratch, nearest_by_sorting, source_rule};
pub use regions::{RegionMaterial, Regions, Rings};
