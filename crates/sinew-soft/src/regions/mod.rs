//! Which particles are matched together.

mod bind;
mod clustered;
mod rings;
mod tables;

pub use bind::{RegionMaterial, Regions};
pub use rings::Rings;
pub(crate) use tables::{FiberTables, FollowTables, RegionTables};
