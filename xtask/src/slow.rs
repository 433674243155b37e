//! Tests that take minutes: before a release, and when their area changes.

use anyhow::{Result, bail};
use std::path::Path;
use std::process::Command;

/// Packages with a feature `slow`.
const PACKAGES: &[&str] = &["sinew-body", "sinew-soft", "sinew-tests"];

/// Runs the tests of every such package, optimized, with that feature.
pub(crate) fn run(root: &Path) -> Result<()> {
    for package in PACKAGES {
        let arguments = ["test", "--release", "--locked", "-p", package, "--features", "slow"];
        println!("slow: cargo {}", arguments.join(" "));
        let status = Command::new("cargo").current_dir(root).args(arguments).status()?;
        if !status.success() {
            bail!("the slow tests of {package} failed");
        }
    }
    Ok(())
}
