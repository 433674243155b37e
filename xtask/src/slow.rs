//! What takes minutes: before a release, and when its area changes.

use crate::ci::step;
use anyhow::{Result, bail};
use std::path::Path;
use std::process::Command;

/// Packages with a feature `slow`.
const PACKAGES: &[&str] = &["sinew-body", "sinew-helpers", "sinew-soft", "sinew-tests"];

/// Runs the tests of every such package, optimized, with that feature, and the slow tests against other programs; then packages every crate that is published.
pub(crate) fn run(root: &Path) -> Result<()> {
    for package in PACKAGES {
        cargo(root, &["test", "--release", "--locked", "-p", package, "--features", "slow"])?;
    }
    crate::ci::slow(root)?;
    match crate::ci::corpus(root) {
        Some(corpus) => everywhere(root, &corpus)?,
        None => println!("slow: SINEW_CORPUS is not set; no files are opened in other programs"),
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

/// The Blender that is supported longest, beside the newest of `tests/oracles/requirements.txt`.
const OLDER_BLENDER: [&str; 2] = ["bpy==4.5.*", "numpy==1.26.4"];

/// Opens every file that every command writes in every program, in both Blenders and under eight hash seeds.
fn everywhere(root: &Path, corpus: &str) -> Result<()> {
    let older = root.join("target/oracles-4.5");
    let (python, pip) = (older.join("bin/python"), older.join("bin/pip"));
    if !python.exists() {
        step(root, "python3", &["-m", "venv", &older.to_string_lossy()], &[])?;
    }
    step(root, &pip.to_string_lossy(), &[&["install", "--quiet"], &OLDER_BLENDER[..]].concat(), &[])?;
    let release = ["build", "--release", "--locked", "-p", "sinew-cli"];
    step(root, "cargo", &release, &[])?;
    let newer = root.join("target/oracles/bin/python").to_string_lossy().into_owned();
    let older = python.to_string_lossy().into_owned();
    let open =
        ["tests/oracles/open_everywhere.py", "--sinew", "target/release/sinew", "--all", "--seeds", "8"];
    let blenders = ["--blender", newer.as_str(), "--blender", older.as_str()];
    step(root, &newer, &[&open[..], &blenders].concat(), &[("SINEW_CORPUS", corpus)])
}

fn cargo(root: &Path, arguments: &[&str]) -> Result<()> {
    let shown = arguments.join(" ");
    println!("slow: cargo {shown}");
    if !Command::new("cargo").current_dir(root).args(arguments).status()?.success() {
        bail!("cargo {shown} failed");
    }
    Ok(())
}
