//! Sinew's scripts, in Rust: `cargo xtask tidy` checks the tree, `cargo xtask ci` runs all that CI runs.
#![expect(clippy::print_stdout, reason = "a script talks to its user")]

mod ci;
mod slow;
mod tidy;

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

fn main() -> Result<()> {
    let root = root()?;
    match std::env::args().nth(1).as_deref() {
        Some("tidy") => tidy::run(&root),
        Some("ci") => ci::run(&root),
        Some("slow") => slow::run(&root),
        _ => bail!("usage: cargo xtask tidy | ci | slow"),
    }
}

/// The workspace's root: the parent of this package.
fn root() -> Result<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    Ok(here.parent().context("xtask lies in the workspace")?.to_path_buf())
}
