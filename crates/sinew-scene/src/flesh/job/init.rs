//! Settings with every value explained, to be edited.

use super::{FleshJobError, check_settings_file};
use crate::body::standard_body;
use serde::{Deserialize, Serialize};
use sinew_flesh::FleshPreset;
use sinew_io::{Limits, Report};
use sinew_model::motion::humanoid_map;
use sinew_model::{Model, write_file};
use std::fmt::Write;
use std::path::PathBuf;

/// Settings to be written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FleshInitRequest {
    /// The model whose bones are listed. Default: Sinew's human.
    pub model: Option<PathBuf>,
    /// The kind of flesh.
    pub preset: FleshPreset,
    /// The file: .toml.
    pub output: PathBuf,
}

/// Writes settings, with the bones of the model in a comment.
///
/// # Errors
/// A model that cannot be read, a file that cannot be written.
pub fn init_flesh(
    request: &FleshInitRequest,
    limits: &Limits,
    report: &mut Report,
) -> Result<(), FleshJobError> {
    check_settings_file(&request.output)?;
    let model = match &request.model {
        Some(path) => {
            Model::open(path, limits, report).map_err(|error| FleshJobError::at(path)(error.into()))?
        }
        None => standard_body()?,
    };
    let text = sinew_flesh::config::write(&request.preset.settings()) + &bones(&model, report);
    Ok(write_file(&request.output, text.as_bytes())?)
}

fn bones(model: &Model, report: &mut Report) -> String {
    let (map, _) = humanoid_map(model, report);
    let mut text = "\n# Bones of the model, for [[bone]]; those of a human can be named by the word behind the arrow, too:\n".to_owned();
    let skeleton = model.character.skeleton();
    for bone in model.character.joints() {
        let human = map.iter().find(|(_, id)| *id == bone);
        let arrow = human.map_or(String::new(), |(human, _)| format!("  → {}", human.name()));
        // Writing to a String cannot fail.
        let _ = writeln!(text, "#   {:?}{arrow}", skeleton.bone(bone).name);
    }
    text
}
