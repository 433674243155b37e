//! The table of what is recorded: `tests/ledger/entries.toml`.

use anyhow::{Context, Result, bail};
use std::path::Path;

/// One line of the ledger: a folder with files, and commands that run in it one after the other.
pub(super) struct Entry {
    pub(super) name: String,
    /// Files of `tests/ledger/inputs`, `models` and `crates/sinew-scene`, copied into the folder.
    pub(super) files: Vec<String>,
    /// Names and contents of texts that are written into the folder.
    pub(super) texts: Vec<(String, String)>,
    /// Arguments of each command.
    pub(super) commands: Vec<Vec<String>>,
    /// Whether the commands run with one thread and with two, and must do the same.
    pub(super) tries_threads: bool,
}

/// Reads the table. Texts that several entries use stand in `[texts]`, by name.
pub(super) fn read(root: &Path) -> Result<Vec<Entry>> {
    let path = root.join("tests/ledger/entries.toml");
    let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let table: toml::Table = text.parse()?;
    let shared = table.get("texts").and_then(toml::Value::as_table).context("a table [texts]")?;
    let entries = table.get("entry").and_then(toml::Value::as_array).context("a list [[entry]]")?;
    let entries: Vec<Entry> = entries.iter().map(|entry| one(entry, shared)).collect::<Result<_>>()?;
    for (at, entry) in entries.iter().enumerate() {
        if entries[..at].iter().any(|other| other.name == entry.name) {
            bail!("two entries are named {}", entry.name);
        }
    }
    Ok(entries)
}

fn one(entry: &toml::Value, shared: &toml::Table) -> Result<Entry> {
    let name = entry.get("name").and_then(toml::Value::as_str).context("an entry without a name")?.to_owned();
    let strings = |key: &str| -> Vec<String> {
        let list = entry.get(key).and_then(toml::Value::as_array).map_or(&[][..], Vec::as_slice);
        list.iter().filter_map(toml::Value::as_str).map(str::to_owned).collect()
    };
    let (texts, files) =
        strings("files").into_iter().partition::<Vec<String>, _>(|file| shared.contains_key(file));
    let text = |name: String| {
        let content = shared.get(&name).and_then(toml::Value::as_str).unwrap_or_default().to_owned();
        (name, content)
    };
    let commands = strings("run")
        .iter()
        .map(|command| words(command))
        .collect::<Result<Vec<_>>>()
        .with_context(|| name.clone())?;
    if commands.is_empty() {
        bail!("{name} runs nothing");
    }
    let tries_threads = entry.get("threads").and_then(toml::Value::as_bool).unwrap_or(false);
    Ok(Entry { name, files, texts: texts.into_iter().map(text).collect(), commands, tries_threads })
}

/// The words of a command; `'…'` is one word.
fn words(command: &str) -> Result<Vec<String>> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), None::<String>, false);
    for c in command.chars() {
        match c {
            '\'' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            ' ' if !is_quoted => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if is_quoted {
        bail!("a quote without its end: {command}");
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_words_keep_their_spaces() {
        assert_eq!(
            words("render a --camera 'eye=1 fov=3' ''").expect("words"),
            ["render", "a", "--camera", "eye=1 fov=3", ""]
        );
        assert!(words("a 'b").is_err());
    }

    #[test]
    fn the_table_covers_enough_and_its_files_are_there() {
        let root = crate::root().expect("a root");
        let entries = read(&root).expect("a table");
        assert!(entries.len() >= 70, "{}", entries.len());
        for file in entries.iter().flat_map(|entry| &entry.files) {
            assert!(super::super::run::source(&root, file).exists(), "{file}");
        }
    }
}
