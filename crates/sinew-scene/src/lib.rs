//! Scenes from text to film: characters, soft bodies, flesh, bodies from measures.

pub mod body;
pub mod elastic;
pub mod film;
pub mod flesh;
pub mod scene_text;

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
