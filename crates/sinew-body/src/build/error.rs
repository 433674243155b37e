//! What can be wrong with a design on its template.

use crate::fill::FillError;

/// One thing in a design that cannot be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DesignProblem {
    /// The template has nothing of that name.
    #[error("{key}: the template has no {kind} of that name; it has {known}")]
    Unknown {
        /// The key in the design.
        key: String,
        /// What was looked for.
        kind: &'static str,
        /// The names there are.
        known: String,
    },
    /// A number is outside what makes sense.
    #[error("{key} is {found}, use {low} to {high}")]
    Range {
        /// The key in the design.
        key: String,
        /// Its value.
        found: f64,
        /// Least value that makes sense.
        low: f64,
        /// Greatest.
        high: f64,
    },
    /// Values contradict each other.
    #[error("{key}: {problem}")]
    Conflict {
        /// The key in the design.
        key: String,
        /// What contradicts what.
        problem: String,
    },
    /// A fill does not close. The template's numbers are wrong, not the design's.
    #[error("fill \"{name}\" does not close: {source}")]
    Fill {
        /// The fill.
        name: String,
        /// Why.
        source: FillError,
    },
}

/// Why a design cannot be built: everything found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct BuildError {
    /// At least one.
    pub problems: Vec<DesignProblem>,
}
