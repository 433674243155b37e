//! Errors and notes of making a body.

use crate::build::BuildError;
use crate::survey::Measure;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Error of making a body with given measures.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MakeError {
    /// The design cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(
        "{measure} {} is not possible with the other values, the nearest is {}; use {}, or change another value",
        measure.show(*asked),
        measure.show(*nearest),
        measure.show_range(range[0], range[1])
    )]
    Unreachable { measure: Measure, asked: f64, nearest: f64, range: [f64; 2] },
}

/// Note for the user: a measure completed from the survey differs on the body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MakeNote {
    /// The measure that differs.
    pub measure: Measure,
    /// Value from the survey, in the measure's unit.
    pub expected: f64,
    /// Value of the body, in the measure's unit.
    pub found: f64,
}

impl fmt::Display for MakeNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { measure, expected, found } = *self;
        let [expected, found] = [expected, found].map(|value| measure.show(value));
        write!(f, "expected {measure} {expected} from the survey, the body has {found}")
    }
}
