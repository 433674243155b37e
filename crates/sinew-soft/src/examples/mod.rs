//! Shapes that a body may take without being pulled back.

mod check;
mod curve;
mod driven;
#[cfg(test)]
mod driver_tests;
mod drivers;
mod hull;
mod local;
mod set;
mod shared;
mod transfer;

pub use check::{BlendFault, BlendWarning, CheckSettings};
pub use curve::{Curve, CurveError};
pub(crate) use driven::Driven;
pub use drivers::{Drive, Driver, DriverError, Drivers, Measure, Part, Place};
pub use hull::{Hull, HullScratch, nearest_by_sorting, source_rule};
pub use set::{ExampleError, ExampleSet, ExampleSettings, Grouping, WeightRule};
pub use transfer::{Anchors, TransferError, TransferSettings, Transferred, transfer};
