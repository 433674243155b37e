//! Scripts as files.

use super::{ScriptTarget, script, unity};
use serde::Serialize;
use sinew_io::{OutputError, OutputSet};
use sinew_model::extension_of;
use sinew_rig::{BoneId, Character};
use std::path::Path;

/// Why controllers cannot be written for another program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ScriptError {
    /// Nothing to write.
    #[error("the model has no helper controllers")]
    NoControllers,
    /// A bone that scripts could not find.
    #[error("bone {bone} is named {name:?}, {problem}; scripts find bones by name; give it a unique one")]
    Name { bone: BoneId, name: String, problem: &'static str },
    /// A driver that slides, which scripts do not read.
    #[error(
        "bone {name:?} drives helpers by sliding, which scripts do not read; use --for json, or baked clips"
    )]
    Shifts { name: String },
    /// A file of another kind.
    #[error("cannot write {found:?}; use .{expected}")]
    Extension { found: String, expected: &'static str },
    /// The file.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// What was written.
#[derive(Clone, Debug, Serialize)]
pub struct SavedScript {
    /// All files.
    pub outputs: Vec<String>,
    /// Helpers that follow.
    pub helpers: usize,
    /// Morphs that follow.
    pub correctives: usize,
    /// Numbers of all controllers.
    pub coefficients: usize,
    /// Unity's class, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
}

/// Writes a script, and the reference table beside it as `.reference.json`.
///
/// # Errors
/// Nothing is written then.
pub fn save_script(
    character: &Character,
    target: ScriptTarget,
    path: &Path,
) -> Result<SavedScript, ScriptError> {
    let (found, expected) = (extension_of(path), target.extension());
    if found != expected {
        return Err(ScriptError::Extension { found: format!(".{found}"), expected });
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let (text, table) = script(character, target, &stem)?;
    let mut outputs = vec![path.display().to_string()];
    let mut output = OutputSet::new(path)?;
    output.main().write_bytes(text.as_bytes())?;
    if let Some(table) = table {
        let beside = path.with_extension("reference.json");
        output.add_side(&beside)?.write_bytes(table.as_bytes())?;
        outputs.push(beside.display().to_string());
    }
    output.commit()?;
    let controllers = character.controllers();
    Ok(SavedScript {
        outputs,
        helpers: controllers.helpers.len(),
        correctives: controllers.morphs.len(),
        coefficients: controllers.coefficient_count(),
        class: (target == ScriptTarget::Unity).then(|| unity::class_name(&stem)),
    })
}
