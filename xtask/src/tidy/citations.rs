//! Citations such as `[Kavan08]` have an entry in the bibliography; unfinished work names its issue.

use anyhow::Result;
use std::path::{Path, PathBuf};

const BIBLIOGRAPHY: &str = "docs/bibliography.bib";

pub(super) fn check(root: &Path, files: &[PathBuf]) -> Result<Vec<String>> {
    let bibliography = std::fs::read_to_string(root.join(BIBLIOGRAPHY)).unwrap_or_default();
    let keys: Vec<&str> = bibliography
        .lines()
        .filter_map(|line| line.strip_prefix('@')?.split_once('{')?.1.split(',').next())
        .collect();
    let mut problems = Vec::new();
    for file in
        files.iter().filter(|file| super::has_extension(file, "rs") || super::has_extension(file, "md"))
    {
        for (number, line) in super::text(root, file)?.lines().enumerate() {
            let place = format!("{}:{}", file.display(), number + 1);
            for key in citations(line).filter(|key| !keys.contains(key)) {
                problems.push(format!("{place}: [{key}] is not in {BIBLIOGRAPHY}"));
            }
            // Split, so that this line does not find itself.
            let unfinished = concat!("TO", "DO");
            if super::has_extension(file, "rs")
                && line.contains(unfinished)
                && !line.contains(&format!("{unfinished}(#"))
            {
                problems.push(format!("{place}: {unfinished} without an issue"));
            }
        }
    }
    Ok(problems)
}

/// Bracketed words of a name and a two-digit year, in comments; rustdoc wants the brackets escaped.
fn citations(line: &str) -> impl Iterator<Item = &str> {
    let comment = line.find("//").map_or("", |at| &line[at..]);
    comment
        .split('[')
        .skip(1)
        .filter_map(|rest| Some(rest.split(']').next()?.trim_end_matches('\\')))
        .filter(|word| is_key(word))
}

fn is_key(word: &str) -> bool {
    let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_name = name.len() >= 2
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(char::is_alphabetic);
    is_name && word.len() - name.len() == 2
}
