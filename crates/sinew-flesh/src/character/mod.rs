//! Flesh inside characters: made, moved, and added to their skin.

mod contact_pose;
mod covered;
mod muscle_pose;
mod places;
mod rig;
mod run;
mod skin;
#[cfg(test)]
mod tests;
mod touch;

pub use covered::{CoveredCharacter, cover_surface, rest_surface};
pub use places::FleshPlaces;
pub use rig::{FleshRig, FleshRigError};
pub use run::{FleshFrames, FleshMotion, FleshMotionError, FleshRun};
pub use skin::FleshSkin;
