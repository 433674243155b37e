//! What cannot be made, and what to say about what was.

use crate::build::BuildError;
use crate::survey::Measure;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Why no body has the measures.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MakeError {
    /// The design cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A measure that was asked for, and that the others leave no room for.
    #[error(
        "{measure} is {} and cannot be had with the other values, the nearest is {}; use {}, or change another value",
        measure.show(*asked),
        measure.show(*nearest),
        measure.show_range(range[0], range[1])
    )]
    Unreachable {
        /// The key to change.
        measure: Measure,
        /// What was asked for, in the measure's unit.
        asked: f64,
        /// The nearest value that can be.
        nearest: f64,
        /// All values that can be with the rest as it is.
        range: [f64; 2],
    },
}

/// A measure that nobody gave was completed from the survey, and the body has another value. A user should be told.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MakeNote {
    /// Which one.
    pub measure: Measure,
    /// What the survey leads to, in the measure's unit.
    pub expected: f64,
    /// What the body has.
    pub found: f64,
}

impl fmt::Display for MakeNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { measure, expected, found } = *self;
        let [expected, found] = [expected, found].map(|value| measure.show(value));
        write!(f, "the survey leads to {measure} {expected}, the body has {found}")
    }
}
