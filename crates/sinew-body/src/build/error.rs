//! Errors of building a design.

use crate::design::DesignError;

/// Error of building a design: all problems found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct BuildError {
    /// At least one.
    pub problems: Vec<DesignError>,
}
