//! Flesh inside rigged characters: what lies between bones and skin, which way it runs, and what it does when joints bend.

pub mod anatomy;
mod character;
pub mod config;
pub mod contact;
pub mod fibres;
mod field;
pub mod motion;
pub mod muscles;

pub use character::{
    CoveredCharacter, FleshFrames, FleshMotion, FleshMotionError, FleshPlaces, FleshRig, FleshRigError,
    FleshRun, FleshSkin, Step, cover_surface, rest_surface,
};
pub use config::{FleshPreset, FleshSettings};
pub use field::SolveError;
