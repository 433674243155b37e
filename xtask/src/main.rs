//! Sinew's scripts, in Rust: `cargo xtask tidy` checks the tree, `cargo xtask ci` runs all that CI runs, `cargo xtask
//! ledger` compares what the command line does with what is recorded, `cargo xtask count` counts.
#![expect(clippy::print_stdout, reason = "a script talks to its user")]

mod ci;
mod count;
mod ledger;
mod slow;
mod tidy;

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

fn main() -> Result<()> {
    let root = root()?;
    let arguments: Vec<String> = std::env::args().skip(2).collect();
    match std::env::args().nth(1).as_deref() {
        Some("tidy") => tidy::run(&root),
        Some("ci") => ci::run(&root),
        Some("slow") => slow::run(&root),
        Some("ledger") => ledger::run(&root, &arguments),
        Some("count") => count::run(&root, &arguments),
        _ => bail!("usage: cargo xtask tidy | ci | slow | ledger | count"),
    }
}

/// The workspace's root: the parent of this package.
fn root() -> Result<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    Ok(here.parent().context("xtask lies in the workspace")?.to_path_buf())
}
