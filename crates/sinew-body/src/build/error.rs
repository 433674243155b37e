//! Why a design cannot be built.

use crate::design::DesignError;

/// Why a design cannot be built: everything found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct BuildError {
    /// At least one.
    pub problems: Vec<DesignError>,
}
