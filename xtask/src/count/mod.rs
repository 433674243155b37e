//! `cargo xtask count`: how much code there is, how it is cut, and what stands in it several times.
//!
//! Production lines are lines with code on them, in `crates` and `apps`, outside `#[cfg(test)]` items and the folders `tests`, `examples` and
//! `benches`. Everything else is listed apart.

mod items;
mod lexer;
mod passages;
mod report;
mod source;

use anyhow::{Context, Result, bail};
use passages::{By, Passage};
use source::{Line, Source, module_paths};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const USAGE: &str = "usage: cargo xtask count [--json] [--passages N] [--shapes N] [--list errors|names|docs|tolerances|closed]";

/// Lines of one crate or folder.
#[derive(Debug, Default, Clone)]
struct Lines {
    production: usize,
    tests: usize,
    docs: usize,
    comments: usize,
    errors: usize,
    unwraps: usize,
}

/// A thing that was found: its name, and where.
#[derive(Debug, Clone)]
struct Found {
    name: String,
    krate: String,
    file: PathBuf,
    /// From 0.
    line: usize,
}

/// All figures.
#[derive(Debug, Default)]
struct Counts {
    crates: BTreeMap<String, Lines>,
    apart: BTreeMap<String, Lines>,
    files: Vec<PathBuf>,
    /// All lines of each file with production code, tests left out.
    file_lengths: Vec<usize>,
    function_lengths: Vec<usize>,
    errors: Vec<Found>,
    public_types: Vec<Found>,
    closed_types: Vec<Found>,
    empty_docs: Vec<Found>,
    bare_tolerances: Vec<Found>,
    passages: Vec<Passage>,
    shapes: Vec<Passage>,
}

/// Counts, and prints what the arguments ask for.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let wanted = report::Wanted::parse(arguments).context(USAGE)?;
    println!("{}", report::shown(&count(root)?, &wanted));
    Ok(())
}

fn count(root: &Path) -> Result<Counts> {
    let files = rust_files(root)?;
    let mut counts = Counts::default();
    let tests = test_files(&files);
    let (mut texts, mut shapes) = (Vec::new(), Vec::new());
    for (path, text) in &files {
        let (krate, is_crate) = owner(path);
        let is_test = tests.iter().any(|test| path.starts_with(test)) || is_test_path(path);
        let source = if is_test { Source::new(text).all_test() } else { Source::new(text) };
        let group = if is_crate { &mut counts.crates } else { &mut counts.apart };
        add_lines(group.entry(krate.clone()).or_default(), &source);
        counts
            .bare_tolerances
            .extend(items::bare_tolerances(&source).into_iter().map(|line| found("", &krate, path, line)));
        if is_crate && !is_test {
            counts.add_production(&source, &krate, path);
            counts.files.push(path.clone());
            texts.push(passages::normal_lines(&source, By::Text));
            shapes.push(passages::normal_lines(&source, By::Shape));
        }
    }
    counts.passages = passages::passages(&texts, By::Text);
    counts.shapes = passages::passages(&shapes, By::Shape);
    Ok(counts)
}

impl Counts {
    fn add_production(&mut self, source: &Source<'_>, krate: &str, path: &Path) {
        self.file_lengths.push(source.is_test.iter().filter(|test| !**test).count());
        self.function_lengths.extend(items::function_lengths(source));
        let place = |(name, line): (&str, usize)| found(name, krate, path, line);
        self.errors.extend(items::error_types(source).into_iter().map(place));
        self.empty_docs.extend(items::empty_field_docs(source).into_iter().map(place));
        for public in items::public_types(source) {
            let here = found(public.name, krate, path, public.line);
            if public.is_closed() {
                self.closed_types.push(here.clone());
            }
            self.public_types.push(here);
        }
    }

    /// Public type names that stand in more than one crate, with all their places.
    fn shared_names(&self) -> BTreeMap<&str, Vec<&Found>> {
        let mut names: BTreeMap<&str, Vec<&Found>> = BTreeMap::new();
        for found in &self.public_types {
            names.entry(&found.name).or_default().push(found);
        }
        names.retain(|_, places| places.iter().map(|place| &place.krate).collect::<BTreeSet<_>>().len() > 1);
        names
    }
}

fn found(name: &str, krate: &str, file: &Path, line: usize) -> Found {
    Found { name: name.to_owned(), krate: krate.to_owned(), file: file.to_path_buf(), line }
}

fn add_lines(lines: &mut Lines, source: &Source<'_>) {
    lines.production += source.count(Line::Code, false);
    lines.tests += source.count(Line::Code, true);
    lines.docs += source.count(Line::Doc, false);
    lines.comments += source.count(Line::Comment, false);
    lines.errors += items::error_types(source).len();
    lines.unwraps += items::unwraps(source);
}

/// Paths below the root, sorted, with their texts.
fn rust_files(root: &Path) -> Result<Vec<(PathBuf, String)>> {
    let mut paths = crate::tidy::tracked_files(root)?;
    paths.retain(|path| crate::tidy::has_extension(path, "rs"));
    paths.sort();
    if paths.is_empty() {
        bail!("git lists no Rust files in {}", root.display());
    }
    paths.into_iter().map(|path| Ok((path.clone(), crate::tidy::text(root, &path)?))).collect()
}

/// Files and folders that hold modules under `#[cfg(test)]`.
fn test_files(files: &[(PathBuf, String)]) -> Vec<PathBuf> {
    let modules = |(path, text): &(PathBuf, String)| {
        let source = Source::new(text);
        source.test_modules.iter().flat_map(|module| module_paths(path, module)).collect::<Vec<_>>()
    };
    files.iter().flat_map(modules).collect()
}

/// The crate that a file belongs to, and whether it is one of `crates` or `apps`; else its first folder.
fn owner(path: &Path) -> (String, bool) {
    let mut parts = path.iter().map(|part| part.to_string_lossy().into_owned());
    let first = parts.next().unwrap_or_default();
    match parts.next() {
        Some(second) if first == "crates" || first == "apps" => (second, true),
        _ => (first, false),
    }
}

fn is_test_path(path: &Path) -> bool {
    let folder = path.iter().nth(2).unwrap_or_default();
    owner(path).1 && ["tests", "examples", "benches"].iter().any(|test| folder == *test)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_belong_to_their_crate_or_folder() {
        assert_eq!(owner(Path::new("crates/a/src/lib.rs")), ("a".to_owned(), true), "a crate");
        assert_eq!(owner(Path::new("xtask/src/main.rs")), ("xtask".to_owned(), false), "a tool");
        assert!(is_test_path(Path::new("crates/a/tests/it/main.rs")), "tests of a crate");
        assert!(!is_test_path(Path::new("crates/a/src/tests.rs")), "a module");
    }
}
