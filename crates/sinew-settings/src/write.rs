//! From settings to text that a person can edit.

use sinew_geometry::settings::{AnySettings, Key, Number, Settings, SettingsList, Slot};
use std::fmt::Write as _;

/// Writes a file that reads back to the same settings over `base`, with every value explained where its key stands first. `top`: comment lines to
/// begin with.
pub fn write<T: Settings + Clone>(settings: &T, base: &T, top: &str) -> String {
    let mut writer = Writer { text: top.to_owned(), ..Writer::default() };
    writer.table(&mut settings.clone(), Some(&mut base.clone()));
    writer.text
}

/// Comments are broken after this many characters.
const LINE: usize = 110;

#[derive(Default)]
struct Writer {
    text: String,
    /// The names of the tables around, joined by points.
    path: String,
    /// Tables whose keys have been explained.
    explained: Vec<String>,
    /// Whether keys of the table at hand have been explained before.
    is_known: bool,
}

impl Writer {
    fn table(&mut self, settings: &mut dyn AnySettings, mut base: Option<&mut dyn AnySettings>) {
        for field in 0..settings.field_count() {
            let base = base.as_mut().map(|base| base.slot(field));
            self.field(settings.key(field), settings.slot(field), base);
        }
    }

    fn field(&mut self, key: &Key, slot: Slot<'_>, base: Option<Slot<'_>>) {
        match slot {
            Slot::Table(table) => {
                let base = base.and_then(|base| match base {
                    Slot::Table(base) => Some(base),
                    _ => None,
                });
                self.section(key, ["[", "]"], table, base);
            }
            Slot::Tables(list) => self.sections(key, list),
            Slot::Named(list, name_key) => {
                self.sections(key, list);
                if let Some(Slot::Named(base, _)) = base {
                    self.removed(key, name_key, &list.names(name_key), &base.names(name_key));
                }
            }
            Slot::Lines(list) => self.lines(key, list),
            Slot::Optional(None, _, usual) => self.missing(key, &usual.to_string()),
            slot => {
                let Some(value) = value(slot) else { return };
                if key.is_advanced && base.and_then(self::value).as_ref() == Some(&value) {
                    return;
                }
                self.explain(key);
                let _ = writeln!(self.text, "{} = {value}", key.name);
            }
        }
    }

    /// A comment, unless the same key of a table like this has had it.
    fn explain(&mut self, key: &Key) {
        if !self.is_known {
            self.comment(key.help);
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

    /// A value that is not there, shown as a comment.
    fn missing(&mut self, key: &Key, usual: &str) {
        if !self.is_known && !key.is_advanced {
            self.comment(key.help);
            let _ = writeln!(self.text, "#{} = {usual}", key.name);
        }
    }

    /// A table under a header, `[a.b]` or `[[a.b]]`.
    fn section(
        &mut self,
        key: &Key,
        [open, close]: [&str; 2],
        settings: &mut dyn AnySettings,
        base: Option<&mut dyn AnySettings>,
    ) {
        let path =
            if self.path.is_empty() { key.name.to_owned() } else { format!("{}.{}", self.path, key.name) };
        let is_known = self.explained.contains(&path);
        self.text.push('\n');
        if !is_known {
            self.comment(key.help);
            self.explained.push(path.clone());
        }
        let _ = writeln!(self.text, "{open}{path}{close}");
        let around =
            (std::mem::replace(&mut self.path, path), std::mem::replace(&mut self.is_known, is_known));
        self.table(settings, base);
        (self.path, self.is_known) = around;
    }

    /// A list of tables; an empty one shows what a table of it would be, as a comment.
    fn sections(&mut self, key: &Key, list: &mut dyn SettingsList) {
        for at in 0..list.count() {
            let mut usual = list.example();
            self.section(key, ["[[", "]]"], list.item(at), Some(&mut *usual));
        }
        if list.count() == 0 && !self.is_known {
            let mut example = Self { path: self.path.clone(), ..Self::default() };
            example.section(key, ["[[", "]]"], &mut *list.example(), Some(&mut *list.example()));
            self.text.push('\n');
            for line in example.text.trim().lines() {
                // What could be a value has no space after its sign, so that it can be told from words.
                let is_comment = line.starts_with('#');
                let _ = writeln!(self.text, "{}{line}", if is_comment { "" } else { "#" });
            }
        }
    }

    /// A list of tables, each in one line.
    fn lines(&mut self, key: &Key, list: &mut dyn SettingsList) {
        self.explain(key);
        let _ = writeln!(self.text, "{} = [", key.name);
        for at in 0..list.count() {
            let mut line = Self { is_known: true, ..Self::default() };
            line.table(list.item(at), None);
            let values: Vec<&str> = line.text.lines().collect();
            let _ = writeln!(self.text, "    {{ {} }},", values.join(", "));
        }
        self.text.push_str("]\n");
    }

    /// What the base has and settings have not.
    fn removed(&mut self, key: &Key, name_key: &str, names: &[String], before: &[String]) {
        for name in before.iter().filter(|name| !names.contains(name)) {
            let _ = write!(self.text, "\n[[{}]]\n{name_key} = {}\nremove = true\n", key.name, quoted(name));
        }
    }
}

/// The text of a plain value that is there.
fn value(slot: Slot<'_>) -> Option<String> {
    Some(match slot {
        Slot::Number(value, _) => value.text(),
        Slot::Optional(value, _, _) => value.as_ref()?.to_string(),
        Slot::Switch(value) => value.to_string(),
        Slot::OptionalSwitch(value) => value.as_ref()?.to_string(),
        Slot::Text(value) => quoted(value),
        Slot::Choice(value) => quoted(value.word()),
        Slot::Numbers(rows, _) => rows.rows().iter().map(|row| row_text(row)).collect(),
        Slot::Rows(rows, _) => {
            let rows: Vec<String> = rows.rows().iter().map(|row| row_text(row)).collect();
            format!("[{}]", rows.join(", "))
        }
        Slot::ByName(entries, _) => {
            let entries: Vec<String> =
                entries.iter().map(|(name, number)| format!("{} = {number}", quoted(name))).collect();
            let inner = if entries.is_empty() { String::new() } else { format!(" {} ", entries.join(", ")) };
            format!("{{{inner}}}")
        }
        _ => return None,
    })
}

fn row_text(row: &[&dyn Number]) -> String {
    format!("[{}]", row.iter().map(|number| number.text()).collect::<Vec<_>>().join(", "))
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
