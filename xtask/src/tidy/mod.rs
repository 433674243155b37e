//! Checks of the tree that no compiler makes.

mod citations;
mod dependencies;
mod documents;

use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs every check and reports all that is wrong.
pub(crate) fn run(root: &Path) -> Result<()> {
    let metadata = metadata(root)?;
    let files = tracked_files(root)?;
    let mut problems = dependencies::check(&metadata);
    problems.extend(documents::check(root, &files)?);
    problems.extend(citations::check(root, &files)?);
    if problems.is_empty() {
        println!("tidy: {} files, nothing to say", files.len());
        return Ok(());
    }
    bail!("tidy found {} problems:\n  {}", problems.len(), problems.join("\n  "))
}

pub(crate) fn metadata(root: &Path) -> Result<serde_json::Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked"])
        .current_dir(root)
        .output()?;
    if !output.status.success() {
        bail!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Files that git tracks or would track, relative to the root.
pub(crate) fn tracked_files(root: &Path) -> Result<Vec<PathBuf>> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()?;
    let listed = String::from_utf8_lossy(&output.stdout);
    Ok(listed.lines().map(PathBuf::from).filter(|path| root.join(path).is_file()).collect())
}

/// The text of a tracked file; empty for a binary one.
pub(crate) fn text(root: &Path, file: &Path) -> Result<String> {
    Ok(String::from_utf8(std::fs::read(root.join(file))?).unwrap_or_default())
}

pub(crate) fn has_extension(file: &Path, extension: &str) -> bool {
    file.extension().is_some_and(|found| found == extension)
}
