//! What cannot be made, and what to say about what was.

use crate::build::BuildError;
use crate::survey::Measure;

/// Why no body has the measures.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MakeError {
    /// The design cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A measure that was asked for is out of reach.
    #[error(transparent)]
    Unreachable(#[from] Unreachable),
}

/// A measure that the others leave no room for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "{measure} is {} and cannot be had with the other values, the nearest is {}; use {}, or change another value",
    measure.show(*asked),
    measure.show(*nearest),
    measure.show_range(range[0], range[1])
)]
pub struct Unreachable {
    /// The key to change.
    pub measure: Measure,
    /// What was asked for, in the measure's unit.
    pub asked: f64,
    /// The nearest value that can be.
    pub nearest: f64,
    /// All values that can be with the rest as it is.
    pub range: [f64; 2],
}

/// Something that a user should be told about a body.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MakeNote {
    /// A measure that nobody gave was completed from the survey, and the body has another value.
    #[error("the survey leads to {} {}, the body has {}", measure.name(), measure.show(*expected), measure.show(*found))]
    CompletedNotMet {
        /// The measure.
        measure: Measure,
        /// What the survey says.
        expected: f64,
        /// What the body has.
        found: f64,
    },
}
