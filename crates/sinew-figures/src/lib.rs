//! The figures of Sinew's sources, its demo and its benchmarks.

pub mod bench;
pub mod demo;
pub mod figures;

use anyhow::{Context, Result};
use sinew_io::{OutputError, PendingFile};
use std::path::Path;

fn make_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {folder:?}"))
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let mut file = PendingFile::create(path)?;
    file.write_bytes(bytes)?;
    file.commit()
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
