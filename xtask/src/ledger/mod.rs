//! `cargo xtask ledger`: what the command line prints and writes, recorded, and compared with what it does now.
//!
//! `tests/ledger/entries.toml` lists the commands, `tests/ledger/records` holds a readable text for each entry: exit code, what was
//! printed, and every file by what is in it. Numbers agree within 1e-6 of an array's size, pictures within a few levels, words exactly.

mod array;
mod compare;
mod entries;
mod files;
mod gltf;
mod json;
mod mask;
mod number;
mod picture;
mod run;
mod text;

use anyhow::{Context, Result, bail};
use entries::Entry;
use run::Runner;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

const USAGE: &str = "usage: cargo xtask ledger list | record | check [--binary PATH] [--backend NAME] [NAME…]; a NAME is a part of an entry's name";

/// Entries that run at a time.
const WORKERS: usize = 2;

/// Entries whose time is told.
const SHOWN_SLOWEST: usize = 5;

/// What was asked for.
struct Options {
    binary: PathBuf,
    backend: String,
    names: Vec<String>,
}

/// Runs `list`, `record` or `check`.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let (action, rest) = arguments.split_first().context(USAGE)?;
    let options = options(root, rest)?;
    let is_wanted = |entry: &Entry| {
        options.names.is_empty() || options.names.iter().any(|name| entry.name.contains(name.as_str()))
    };
    let all = entries::read(root)?;
    let chosen: Vec<&Entry> = all.iter().filter(|entry| is_wanted(entry)).collect();
    if chosen.is_empty() {
        bail!("no entry has {} in its name", options.names.join(" or "));
    }
    match action.as_str() {
        "list" => {
            for entry in &chosen {
                let commands: Vec<String> = entry.commands.iter().map(|words| words.join(" ")).collect();
                println!("{}: {}", entry.name, commands.join("; "));
            }
            Ok(())
        }
        "record" => record(root, &options, &chosen),
        "check" => check(root, &options, &chosen),
        _ => bail!(USAGE),
    }
}

fn options(root: &Path, arguments: &[String]) -> Result<Options> {
    let mut options = Options {
        binary: root.join("target/release/sinew"),
        backend: "scalar".to_owned(),
        names: Vec::new(),
    };
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--binary" => options.binary = arguments.next().context("--binary needs a path")?.into(),
            "--backend" => options.backend = arguments.next().context("--backend needs a name")?.clone(),
            name if name.starts_with('-') => bail!(USAGE),
            name => options.names.push(name.to_owned()),
        }
    }
    // Entries run in folders of their own.
    options.binary = options.binary.canonicalize().with_context(|| {
        format!("{} is not there; build it with cargo build --release -p sinew-cli", options.binary.display())
    })?;
    Ok(options)
}

fn record(root: &Path, options: &Options, entries: &[&Entry]) -> Result<()> {
    for (entry, record) in entries.iter().zip(records(root, options, entries)) {
        let path = path(root, entry);
        std::fs::create_dir_all(path.parent().context("a folder")?)?;
        std::fs::write(&path, record?).with_context(|| format!("writing {}", path.display()))?;
    }
    println!("ledger: {} entries recorded", entries.len());
    Ok(())
}

fn check(root: &Path, options: &Options, entries: &[&Entry]) -> Result<()> {
    let mut differing = 0;
    for (entry, found) in entries.iter().zip(records(root, options, entries)) {
        let told = match std::fs::read_to_string(path(root, entry)) {
            Ok(recorded) => compare::differences(&recorded, &found?),
            Err(_) => vec!["it was never recorded".to_owned()],
        };
        if !told.is_empty() {
            differing += 1;
            println!("{}:", entry.name);
            told.iter().for_each(|line| println!("  {line}"));
        }
    }
    if differing > 0 {
        bail!(
            "{differing} of {} entries differ; where that is meant, cargo xtask ledger record NAME",
            entries.len()
        );
    }
    println!("ledger: {} entries are as recorded", entries.len());
    Ok(())
}

fn path(root: &Path, entry: &Entry) -> PathBuf {
    root.join("tests/ledger/records").join(format!("{}.txt", entry.name))
}

/// Runs all entries, a few at a time.
fn records(root: &Path, options: &Options, entries: &[&Entry]) -> Vec<Result<String>> {
    let start = Instant::now();
    let scratch = std::env::temp_dir().join(format!("sinew-ledger-{}", std::process::id()));
    let runner = Runner { root, binary: &options.binary, backend: &options.backend, scratch: &scratch };
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(entry) = entries.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let begin = Instant::now();
                    let record = runner.record(entry).with_context(|| entry.name.clone());
                    let mut found = found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    found.push((entry.name.clone(), record, begin.elapsed().as_secs_f64()));
                }
            });
        }
    });
    let _ = std::fs::remove_dir_all(&scratch);
    let mut found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    found.sort_by_key(|(name, _, _)| entries.iter().position(|entry| entry.name == *name));
    let mut slowest: Vec<(f64, &str)> = found.iter().map(|(name, _, secs)| (*secs, name.as_str())).collect();
    slowest.sort_by(|a, b| b.0.total_cmp(&a.0));
    let slowest: Vec<String> =
        slowest.iter().take(SHOWN_SLOWEST).map(|(secs, name)| format!("{name} {secs:.1} s")).collect();
    println!("ledger: ran in {:.0} s, the slowest: {}", start.elapsed().as_secs_f64(), slowest.join(", "));
    found.into_iter().map(|(_, record, _)| record).collect()
}
