//! Flesh inside characters: made, moved, and added to their skin.

mod artist;
mod contact_pose;
mod inside;
mod muscle_pose;
mod outputs;
mod places;
mod report;
mod rig;
mod run;
mod skin;
#[cfg(test)]
mod tests;
mod touch;
pub mod tune;

pub use artist::{FleshArtist, FleshPicture, FleshShow};
pub use inside::cut_plane;
pub use outputs::{FleshOutput, FleshOutputError, FleshWriting, FleshWritten, OnWritten, PlayedFlesh};
pub use report::{FleshReport, FleshSizes, FleshTimes};
pub use rig::{FleshRig, FleshRigError};
pub use run::{FleshFrames, FleshMotion, FleshMotionError, FleshRun, Step};
pub use sinew_flesh::config::{FleshPreset, FleshSettings, read as flesh_from_toml, write as flesh_to_toml};
pub use sinew_flesh::{anatomy, config, contact, fibers, motion, muscles};
pub use skin::FleshSkin;
