//! Helper bones of characters, from examples or from any deformer of Sinew.
//!
//! [`read_exchange`] reads examples that another program made. [`fit_rig`] takes them from a deformer: the character is cut into
//! neighborhoods of joints ([`regions`]), each is sampled over the [`joint_ranges`] and fitted alone, and all are joined into one
//! [`FittedRig`].

mod drivers;
mod error;
mod example_set;
mod exchange;
mod fitted_rig;
mod joint_range;
mod posing;
mod region;
mod rig_fit;
mod sampling;

#[cfg(test)]
mod tests;

pub use drivers::{Drivers, DriversError};
pub use error::FitError;
pub use example_set::ExampleSet;
pub use exchange::{ExchangeError, ExchangeFolder, read_exchange};
pub use fitted_rig::{FittedPart, FittedRig, JoinError};
pub use joint_range::{Freedom, JointRange, joint_ranges};
pub use posing::{Poser, Scope, Turns};
pub use region::{Region, regions};
pub use rig_fit::{HeldOut, OnProgress, RegionReport, RigFit, RigFitSettings, RigProgress, fit_rig};
pub use sampling::{Sampling, random_shares, shares};
pub use sinew_fit as solver;
