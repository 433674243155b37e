//! Helper bones of characters: examples, fits, controllers, and rigs that play anywhere.

mod fit;
mod rig;

pub use fit::*;
pub use rig::*;

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
