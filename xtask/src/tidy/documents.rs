//! Documents name paths that exist, and say what they must.

use anyhow::Result;
use std::path::{Path, PathBuf};

/// First parts of paths that documents name in backticks.
const FOLDERS: [&str; 10] =
    ["crates/", "apps/", "docs/", "examples/", "tests/", "xtask/", "benches/", ".ci/", "models/", "fuzz/"];

pub(super) fn check(root: &Path, files: &[PathBuf]) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| super::has_extension(file, "md")) {
        let text = super::text(root, file)?;
        let folder = file.parent().unwrap_or(Path::new(""));
        for (number, line) in text.lines().enumerate() {
            let place = format!("{}:{}", file.display(), number + 1);
            let named = backticked(line).filter(|path| FOLDERS.iter().any(|folder| path.starts_with(folder)));
            let missing_names = named.filter(|path| !exists(root, path));
            let linked = links(line).filter(|link| {
                !link.contains("://") && !link.starts_with('#') && !link.starts_with("mailto:")
            });
            let missing_links =
                linked.filter(|link| !exists(&root.join(folder), link.split('#').next().unwrap_or_default()));
            for path in missing_names.chain(missing_links) {
                problems.push(format!("{place}: {path} does not exist"));
            }
        }
    }
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap_or_default();
    for command in ["cargo run --release", "cargo test"] {
        if !readme.contains(command) {
            problems.push(format!("README.md does not show `{command}`"));
        }
    }
    if readme.lines().count() > 200 {
        problems.push("README.md is longer than 200 lines".to_owned());
    }
    Ok(problems)
}

/// Whether a path exists; one with a `*` or `<` is a pattern and taken as right if its folder exists.
fn exists(root: &Path, path: &str) -> bool {
    match path.find(['*', '<', '{', '…']) {
        Some(at) => root.join(path[..at].rsplit_once('/').map_or("", |(folder, _)| folder)).exists(),
        None => root.join(path).exists(),
    }
}

/// Texts between backticks.
fn backticked(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2).filter(|text| !text.contains(' '))
}

/// Targets of Markdown links and HTML sources.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let markdown = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let html = line.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
    markdown.chain(html)
}
