//! Sinew's scripts, in Rust: `cargo xtask tidy` checks the tree, `cargo xtask ci` runs all that CI runs, `cargo xtask count` counts.
#![expect(clippy::print_stdout, reason = "a script talks to its user")]

mod ci;
mod count;
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
        Some("count") => count::run(&root, &std::env::args().skip(2).collect::<Vec<_>>()),
        _ => bail!("usage: cargo xtask tidy | ci | slow | count"),
    }
}

/// The workspace's root: the parent of this package.
fn root() -> Result<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    Ok(here.parent().context("xtask lies in the workspace")?.to_path_buf())
}
