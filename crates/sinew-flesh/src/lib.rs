//! Flesh inside rigged characters: what lies between bones and skin, which way it runs, and what it does when joints bend.
//!
//! ```
//! use sinew_flesh::config::{FleshPreset, read, ring_hz, write};
//!
//! // Settings are plain data, with a text that explains every value.
//! let settings = FleshPreset::Natural.settings();
//! assert_eq!(read(&write(&settings))?, settings);
//! // Soft tissue of 3 kPa, 5 cm thick, rings at about 6 Hz.
//! assert!((3.0..8.0).contains(&ring_hz(3_000.0, 0.05)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod anatomy;
mod character;
pub mod config;
pub mod contact;
pub mod fibers;
mod field;
pub mod motion;
pub mod muscles;

pub use character::{
    CoveredCharacter, FleshFrames, FleshMotion, FleshMotionError, FleshPlaces, FleshRig, FleshRigError,
    FleshRun, FleshSkin, cover_surface, rest_surface,
};
pub use config::{FleshPreset, FleshSettings};
pub use field::FieldError;

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
