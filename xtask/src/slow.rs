//! What takes minutes: before a release, and when its area changes.

use anyhow::{Result, bail};
use std::path::Path;
use std::process::Command;

/// Packages with a feature `slow`.
const PACKAGES: &[&str] = &["sinew-body", "sinew-soft", "sinew-tests"];
/// Packages that are not for crates.io.
const UNPUBLISHED: &[&str] = &["sinew-tests", "sinew-examples", "xtask"];

/// Runs the tests of every such package, optimized, with that feature; then packages every crate that is published.
pub(crate) fn run(root: &Path) -> Result<()> {
    for package in PACKAGES {
        cargo(root, &["test", "--release", "--locked", "-p", package, "--features", "slow"])?;
    }
    // Crates with `publish = false` are left out by cargo only if they are named.
    let mut package = vec!["package", "--workspace", "--locked", "--allow-dirty"];
    package.extend(UNPUBLISHED.iter().flat_map(|name| ["--exclude", name]));
    cargo(root, &package)
}

fn cargo(root: &Path, arguments: &[&str]) -> Result<()> {
    let shown = arguments.join(" ");
    println!("slow: cargo {shown}");
    if !Command::new("cargo").current_dir(root).args(arguments).status()?.success() {
        bail!("cargo {shown} failed");
    }
    Ok(())
}
