//! What takes minutes: before a release, and when its area changes.

use anyhow::{Result, bail};
use std::path::Path;
use std::process::Command;

/// Packages with a feature `slow`.
const PACKAGES: &[&str] = &["sinew-body", "sinew-helpers", "sinew-soft", "sinew-tests"];

/// Runs the tests of every such package, optimized, with that feature; then packages every crate that is published.
pub(crate) fn run(root: &Path) -> Result<()> {
    for package in PACKAGES {
        cargo(root, &["test", "--release", "--locked", "-p", package, "--features", "slow"])?;
    }
    let metadata = crate::tidy::metadata(root)?;
    let packages = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
    // `publish = false` is an empty list of registries there. Cargo would package these too.
    let unpublished =
        packages.iter().filter(|package| package["publish"].as_array().is_some_and(Vec::is_empty));
    let mut package = vec!["package", "--workspace", "--locked", "--allow-dirty"];
    package.extend(
        unpublished.filter_map(|package| package["name"].as_str()).flat_map(|name| ["--exclude", name]),
    );
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
