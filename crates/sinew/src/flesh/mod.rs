//! Flesh inside characters: made, moved, and added to their skin.

mod rig;
mod run;
#[cfg(test)]
mod tests;

pub use rig::{FleshRig, FleshRigError, FleshRigSettings};
pub use run::{FleshFrames, FleshMotion, FleshRun, Step};
pub use sinew_flesh::config::{FleshPreset, FleshSettings, read as flesh_from_toml, write as flesh_to_toml};
pub use sinew_flesh::{anatomy, config, fibres, motion, muscles};
