//! Scenes from text to film: characters, soft bodies, flesh, bodies from measures.

pub mod body;
mod choices;
pub mod elastic;
mod error;
pub mod film;
pub mod flesh;
pub mod scene_text;
pub mod tets;
mod written;

pub use choices::{Reading, SceneChoices};
pub use error::SceneError;
pub use written::Written;

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
