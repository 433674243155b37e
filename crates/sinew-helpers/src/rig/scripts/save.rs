//! Scripts as files.

use super::{ScriptTarget, SheetError, script};
use sinew_io::{OutputError, OutputSet};
use sinew_model::extension_of;
use sinew_rig::Character;
use std::path::{Path, PathBuf};

/// Why a script cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum SaveScriptError {
    /// The controllers.
    #[error(transparent)]
    Sheet(#[from] SheetError),
    /// A file of another kind.
    #[error("{found:?} is no file for it; write to .{expected}")]
    Extension {
        /// As given.
        found: String,
        /// As needed.
        expected: &'static str,
    },
    /// The file.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Writes a script, and the reference table beside it as `.reference.json`. Returns all files.
///
/// # Errors
/// Nothing is written then.
pub fn save_script(
    character: &Character,
    target: ScriptTarget,
    path: &Path,
) -> Result<Vec<PathBuf>, SaveScriptError> {
    let (found, expected) = (extension_of(path), target.extension());
    if found != expected {
        return Err(SaveScriptError::Extension { found: format!(".{found}"), expected });
    }
    let (text, table) = script(character, target)?;
    let mut files = vec![path.to_owned()];
    let mut output = OutputSet::new(path)?;
    output.main().write_bytes(text.as_bytes())?;
    if let Some(table) = table {
        let beside = path.with_extension("reference.json");
        output.add_side(&beside)?.write_bytes(table.as_bytes())?;
        files.push(beside);
    }
    output.commit()?;
    Ok(files)
}
