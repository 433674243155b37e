//! Rigs from examples.
mod examples;
mod helpers;
mod numeric;

pub use examples::{Examples, ExamplesError};
pub use helpers::*;
