//! From settings to text that a person can edit.

use super::visit::{Fields, Key, Named, Visit};
use crate::config::FleshSettings;
use std::fmt::{Display, Write as _};

/// Writes a file that reads back to the same settings, with every value explained where its key stands first.
///
/// ```
/// use sinew_flesh::config::{FleshPreset, read, write};
///
/// let settings = FleshPreset::Heavy.settings();
/// assert_eq!(read(&write(&settings))?, settings);
/// # Ok::<(), sinew_flesh::config::FleshTextErrors>(())
/// ```
pub fn write(settings: &FleshSettings) -> String {
    let mut settings = settings.clone();
    let mut writer = Writer { text: TOP.to_owned(), removed: removed(&settings), ..Writer::default() };
    settings.fields(&mut writer);
    writer.text
}

const TOP: &str = "# How flesh moves. A value that is taken out goes back to the preset's.\n";
/// Comments are broken after this many characters.
const LINE: usize = 110;

/// What the preset has and settings have not, by the key of the list.
fn removed(settings: &FleshSettings) -> Vec<(&'static str, Vec<String>)> {
    fn missing<T: Named>(before: &[T], now: &[T]) -> Vec<String> {
        let is_gone = |item: &&T| now.iter().all(|other| other.name() != item.name());
        before.iter().filter(is_gone).map(|item| item.name().to_owned()).collect()
    }
    let preset = settings.preset.settings();
    vec![
        ("layer", missing(&preset.layers, &settings.layers)),
        ("muscle", missing(&preset.muscles.list, &settings.muscles.list)),
    ]
}

/// Tables follow plain values in every list of keys, as TOML wants it.
#[derive(Default)]
struct Writer {
    text: String,
    /// The names of the tables around, joined by points.
    path: String,
    /// Tables whose keys have been explained.
    explained: Vec<String>,
    /// Whether keys of the table at hand have been explained before.
    is_known: bool,
    removed: Vec<(&'static str, Vec<String>)>,
}

impl Writer {
    fn value(&mut self, key: Key, value: impl Display) {
        self.explain(key.about);
        let _ = writeln!(self.text, "{} = {value}", key.name);
    }

    /// A comment, unless the same key of a table like this has had it.
    fn explain(&mut self, about: &str) {
        if !self.is_known {
            self.comment(about);
        }
    }

    fn comment(&mut self, about: &str) {
        let mut length = 0;
        for word in about.split_whitespace() {
            let is_first = length == 0;
            if !is_first && length + 1 + word.len() > LINE {
                self.text.push('\n');
                length = 0;
            }
            self.text.push_str(if length == 0 { "# " } else { " " });
            self.text.push_str(word);
            length += word.chars().count() + if length == 0 { 2 } else { 1 };
        }
        self.text.push('\n');
    }

    /// A table under a header, `[a.b]` or `[[a.b]]`.
    fn section<T: Fields>(&mut self, key: Key, open: &str, close: &str, value: &mut T) {
        let path =
            if self.path.is_empty() { key.name.to_owned() } else { format!("{}.{}", self.path, key.name) };
        let is_known = self.explained.contains(&path);
        self.text.push('\n');
        if !is_known {
            self.comment(key.about);
            self.explained.push(path.clone());
        }
        let _ = writeln!(self.text, "{open}{path}{close}");
        let around =
            (std::mem::replace(&mut self.path, path), std::mem::replace(&mut self.is_known, is_known));
        value.fields(self);
        (self.path, self.is_known) = around;
    }

    /// A list of tables; an empty one shows what a table of it would be, as a comment.
    fn sections<T: Fields + Default>(&mut self, key: Key, value: &mut [T]) {
        for item in value.iter_mut() {
            self.section(key, "[[", "]]", item);
        }
        if value.is_empty() && !self.is_known {
            let mut example = Self { path: self.path.clone(), ..Self::default() };
            example.section(key, "[[", "]]", &mut T::default());
            self.text.push('\n');
            for line in example.text.trim().lines() {
                // What could be a value has no space after its sign, so that it can be told from words.
                let is_comment = line.starts_with('#');
                let _ = writeln!(self.text, "{}{line}", if is_comment { "" } else { "#" });
            }
        }
    }
}

impl Visit for Writer {
    fn number(&mut self, key: Key, _: [f64; 2], value: &mut f64) {
        self.value(key, *value);
    }

    fn optional_number(&mut self, key: Key, _: [f64; 2], value: &mut Option<f64>) {
        match value {
            Some(value) => self.value(key, *value),
            None if !self.is_known => {
                self.comment(key.about);
                let _ = writeln!(self.text, "#{} = 0.05", key.name);
            }
            None => {}
        }
    }

    fn count(&mut self, key: Key, _: [u32; 2], value: &mut u32) {
        self.value(key, *value);
    }

    fn switch(&mut self, key: Key, value: &mut bool) {
        self.value(key, *value);
    }

    fn text(&mut self, key: Key, value: &mut String) {
        self.value(key, quoted(value));
    }

    fn word(&mut self, key: Key, words: &[&'static str], value: &mut usize) {
        self.value(key, quoted(words[*value]));
    }

    fn numbers<const COUNT: usize>(&mut self, key: Key, _: [f64; 2], value: &mut [f64; COUNT]) {
        self.value(key, list(value));
    }

    fn points<const COUNT: usize>(&mut self, key: Key, _: [f64; 2], value: &mut Vec<[f64; COUNT]>) {
        let points: Vec<String> = value.iter().map(|point| list(point)).collect();
        self.value(key, format!("[{}]", points.join(", ")));
    }

    fn by_name(&mut self, key: Key, _: [f64; 2], value: &mut Vec<(String, f64)>) {
        let entries: Vec<String> =
            value.iter().map(|(name, number)| format!("{} = {number}", quoted(name))).collect();
        let inner = if entries.is_empty() { String::new() } else { format!(" {} ", entries.join(", ")) };
        self.value(key, format!("{{{inner}}}"));
    }

    fn table<T: Fields>(&mut self, key: Key, value: &mut T) {
        self.section(key, "[", "]", value);
    }

    fn tables<T: Fields + Default>(&mut self, key: Key, value: &mut Vec<T>) {
        self.sections(key, value);
    }

    fn lines<T: Fields + Default>(&mut self, key: Key, value: &mut Vec<T>) {
        self.explain(key.about);
        let _ = writeln!(self.text, "{} = [", key.name);
        for item in value {
            let mut line = Self { is_known: true, ..Self::default() };
            item.fields(&mut line);
            let values: Vec<&str> = line.text.lines().collect();
            let _ = writeln!(self.text, "    {{ {} }},", values.join(", "));
        }
        self.text.push_str("]\n");
    }

    fn named_tables<T: Named>(&mut self, key: Key, value: &mut Vec<T>) {
        self.sections(key, value);
        let removed = self.removed.iter().find(|(list, _)| *list == key.name).map(|(_, names)| names.clone());
        for name in removed.unwrap_or_default() {
            let _ =
                write!(self.text, "\n[[{}]]\n{} = {}\nremove = true\n", key.name, T::NAME_KEY, quoted(&name));
        }
    }
}

fn list(numbers: &[f64]) -> String {
    format!("[{}]", numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(", "))
}

/// A TOML string; what cannot stand in one is escaped.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            letter if letter.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
