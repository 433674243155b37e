//! Whole jobs on flesh: a request that can be stored, one function, an outcome that can be stored.

mod error;
mod init;
mod paints;
mod play;
mod source;
mod tune;

pub use error::FleshJobError;
pub use init::{FleshInitRequest, init_flesh};
pub use play::{FleshOutcome, FleshRequest, play_flesh};
pub use source::FleshSource;
pub use tune::{FleshTuneRequest, FleshTuned, tune_from_files};

use sinew_io::{OutputError, Report};
use std::path::Path;

/// Settings are written under one extension.
fn check_settings_file(path: &Path) -> Result<(), FleshJobError> {
    if sinew_model::extension_of(path) != "toml" {
        return Err(FleshJobError::NotToml { path: path.into() });
    }
    Ok(())
}

/// Refuses a name that cannot be written to before anything is worked out.
fn check_folder(path: &Path) -> Result<(), OutputError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.is_dir()) {
        Some(folder) => Err(OutputError::MissingFolder { path: path.into(), folder: folder.into() }),
        None => Ok(()),
    }
}

fn warnings(report: &Report) -> Vec<String> {
    report.warnings().iter().map(ToString::to_string).collect()
}
