//! Running an entry in a folder of its own, and what it printed and wrote.

use super::entries::Entry;
use super::{files, json, mask, text};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The program and the folder that entries run in.
pub(super) struct Runner<'a> {
    pub(super) root: &'a Path,
    pub(super) binary: &'a Path,
    pub(super) backend: &'a str,
    pub(super) scratch: &'a Path,
}

/// Where a file of an entry comes from.
pub(super) fn source(root: &Path, file: &str) -> PathBuf {
    let folders = ["tests/ledger/inputs", "models", "crates/sinew-scene"];
    let mut places = folders.iter().map(|folder| root.join(folder).join(file));
    // One that is nowhere is reported where it should be added.
    places.find(|place| place.exists()).unwrap_or_else(|| root.join(folders[0]).join(file))
}

impl Runner<'_> {
    /// The record of an entry.
    pub(super) fn record(&self, entry: &Entry) -> Result<String> {
        let (mut record, files) = self.run(entry, 1)?;
        if entry.tries_threads {
            let (other, other_files) = self.run(entry, 2)?;
            if other != record {
                let told = super::compare::differences(&record, &other);
                record += &format!("two threads do something else than one\n{}\n", told.join("\n"));
            }
            for name in files.keys().filter(|name| files.get(*name) != other_files.get(*name)) {
                record += &format!("two threads write other bytes than one: {name}\n");
            }
        }
        Ok(record)
    }

    /// Runs the commands in turn; returns the record and the files at the end.
    fn run(&self, entry: &Entry, threads: usize) -> Result<(String, Contents)> {
        let folder = self.scratch.join(format!("{}-{threads}", entry.name));
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        std::fs::create_dir_all(&folder)?;
        for file in &entry.files {
            copy(&source(self.root, file), &folder.join(Path::new(file).file_name().context("a name")?))?;
        }
        for (name, content) in &entry.texts {
            std::fs::write(folder.join(name), content)?;
        }
        let mut record = String::new();
        let mut before = contents(&folder)?;
        for arguments in &entry.commands {
            record += &self.command(&folder, arguments, threads)?;
            let after = contents(&folder)?;
            record += &self.written(&folder, &before, &after)?;
            before = after;
        }
        std::fs::remove_dir_all(&folder)?;
        Ok((record, before))
    }

    /// What a command prints, and how it ends.
    fn command(&self, folder: &Path, arguments: &[String], threads: usize) -> Result<String> {
        let output = Command::new(self.binary)
            .args(["--backend", self.backend])
            .args(arguments)
            .current_dir(folder)
            .env_clear()
            .envs([("LANG", "C"), ("NO_COLOR", "1"), ("COLUMNS", "100"), ("RUST_BACKTRACE", "0")])
            // Nobody's ffmpeg is found.
            .env("PATH", "")
            .env("RAYON_NUM_THREADS", threads.to_string())
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("starting {}", self.binary.display()))?;
        let mut record = format!("$ {}\n", arguments.join(" "));
        record += &format!(
            "exit {}\n",
            output.status.code().map_or("by a signal".to_owned(), |code| code.to_string())
        );
        for (name, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
            if !bytes.is_empty() {
                record += &format!("{name}\n");
                push(&mut record, &printed(&String::from_utf8_lossy(bytes), folder));
            }
        }
        Ok(record)
    }

    /// What became of the files of a folder.
    fn written(&self, folder: &Path, before: &Contents, after: &Contents) -> Result<String> {
        let mut record = String::new();
        for (name, bytes) in after {
            if before.get(name) == Some(bytes) {
                continue;
            }
            record += &format!("file {name}\n");
            if bytes.is_some() {
                let path = folder.join(name);
                let lines = files::lines(&path, self.binary)
                    .unwrap_or_else(|error| vec![format!("unreadable: {error:#}")]);
                push(&mut record, &lines);
            }
        }
        for name in before.keys().filter(|name| !after.contains_key(*name)) {
            record += &format!("removed {name}\n");
        }
        Ok(record)
    }
}

/// Lines of what was printed: JSON by its values, all else as it is.
fn printed(output: &str, folder: &Path) -> Vec<String> {
    let is_json = output.trim_start().starts_with(['{', '[']);
    match serde_json::from_str(output).ok().filter(|_| is_json) {
        Some(value) => json::lines(&value),
        None => text::lines(&mask::text(output, folder)),
    }
}

fn push(record: &mut String, lines: &[String]) {
    for line in lines {
        *record += &format!("  {line}\n");
    }
}

/// Files of a folder by name, with their bytes; a folder that is empty has none.
type Contents = BTreeMap<String, Option<Vec<u8>>>;

fn contents(folder: &Path) -> Result<Contents> {
    let mut contents = Contents::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(inner) = open.pop() {
        let entries: Vec<PathBuf> =
            std::fs::read_dir(&inner)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
        let name = |path: &Path| path.strip_prefix(folder).unwrap_or(path).to_string_lossy().into_owned();
        if entries.is_empty() && inner != folder {
            contents.insert(format!("{}/", name(&inner)), None);
        }
        for path in entries {
            if path.is_dir() {
                open.push(path);
            } else {
                contents.insert(name(&path), Some(std::fs::read(&path)?));
            }
        }
    }
    Ok(contents)
}

/// Copies a file, or a folder with all files in it.
fn copy(from: &Path, to: &Path) -> Result<()> {
    if !from.is_dir() {
        std::fs::copy(from, to).with_context(|| format!("copying {}", from.display()))?;
        return Ok(());
    }
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        copy(&path, &to.join(path.file_name().context("a name")?))?;
    }
    Ok(())
}
