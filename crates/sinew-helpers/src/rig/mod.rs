//! Rigs with helper bones: from a fit to a character that plays anywhere.
//!
//! [`DriverBinds`] says what a character's bones are to a fit: one rest space for all meshes, skinning matrices and rotations of a pose.
//! [`put_helpers_on`] takes what [`sinew_fit`] found to a new [`Character`](sinew_rig::Character): helper joints in the skin, weights, controllers,
//! and every clip baked, so that a player that knows nothing of helpers shows them. [`add_correctives`] adds morphs for what bones cannot reach.
//! [`constrain_helpers`] finds what VRM's rotation constraints can do of it. [`scripts`] writes the controllers for other programs.

mod constraints;
mod convert;
mod correctives;
mod drivers;
mod put_on;
pub mod scripts;

pub use constraints::{ConstraintLoss, constrain_helpers};
pub(crate) use correctives::wanted_deltas;
pub use correctives::{CorrectiveError, CorrectiveSettings, CorrectiveSummary, add_correctives};
pub use drivers::{DriverBinds, DriverBindsError};
pub use put_on::{FittedHelpers, HelperOutputError, put_helpers_on};
