//! Shapes that a body may take without being pulled back.

mod hull;
mod local;
mod set;

pub use hull::{Hull, HullScratch, nearest_by_sorting, source_rule};
pub use set::{ExampleError, ExampleSet, ExampleSettings, Grouping, WeightRule};
