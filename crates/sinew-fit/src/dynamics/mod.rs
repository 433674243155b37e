//! Helpers that lag and swing: a filter on what the controllers say.

mod filter;
mod fit;

pub use filter::{FollowFilter, FollowState};
pub use fit::{DynamicFit, DynamicsError, fit_dynamics};
