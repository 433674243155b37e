//! Shapes that a body may take without being pulled back.

mod check;
mod driven;
#[cfg(test)]
mod driver_tests;
mod drivers;
mod error;
mod hull;
mod local;
mod set;
mod shared;
mod transfer;

pub use check::{BlendFault, BlendWarning, CheckSettings};
pub(crate) use driven::Driven;
pub use drivers::{Drive, Driver, Drivers, Measure, Part, Place};
pub use error::ExampleError;
pub use hull::{Hull, HullScratch, nearest_by_sorting, source_rule};
pub use set::{ExampleSet, ExampleSettings, Grouping, WeightRule};
pub use transfer::{Anchors, TransferSettings, Transferred, transfer};
