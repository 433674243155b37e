//! What is told of an output.

use serde::Serialize;
use sinew_play::MorphSummary;
use std::path::PathBuf;

/// What is told of an output.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Written {
    /// The file.
    pub file: PathBuf,
    /// Morph targets of each mesh and how far they are from the motion, for models.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub morphs: Vec<MorphSummary>,
}
