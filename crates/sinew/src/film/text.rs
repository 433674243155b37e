//! Reading a scene file's tables: every value knows its line and its place, every key that nobody asks for is refused.

use glam::DVec3;
use sinew_rig::nearest_names;
use std::fmt::Display;
use std::ops::RangeInclusive;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Why a scene file means nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {}{message}", if .place.is_empty() { String::new() } else { format!("{}: ", .place) })]
pub struct SceneError {
    /// Where, from 1.
    pub line: usize,
    /// Which table or key, such as `camera "wide".eye`; may be empty.
    pub place: String,
    /// What is wrong and what to do.
    pub message: String,
}

/// The text of a file, for line numbers.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    text: &'a str,
}

impl<'a> Source<'a> {
    /// Parses a document and hands its top table to `read`.
    pub(super) fn read<T>(
        text: &'a str,
        read: impl FnOnce(&mut Table<'_>) -> Result<T, SceneError>,
    ) -> Result<T, SceneError> {
        let source = Source { text };
        let document = DeTable::parse(text).map_err(|error| SceneError {
            line: source.line(error.span().map_or(0, |span| span.start)),
            place: String::new(),
            message: error.message().to_owned(),
        })?;
        let mut table = Table::new(source, String::new(), 1, document.get_ref());
        let found = read(&mut table)?;
        table.finish()?;
        Ok(found)
    }

    fn line(&self, at: usize) -> usize {
        1 + self.text.bytes().take(at).filter(|byte| *byte == b'\n').count()
    }
}

/// A table that is being read.
pub(super) struct Table<'a> {
    source: Source<'a>,
    place: String,
    line: usize,
    entries: &'a DeTable<'a>,
    asked: Vec<&'static str>,
}

/// A value that is being read.
#[derive(Clone)]
pub(super) struct Value<'a> {
    source: Source<'a>,
    place: String,
    line: usize,
    value: &'a DeValue<'a>,
}

impl<'a> Table<'a> {
    fn new(source: Source<'a>, place: String, line: usize, entries: &'a DeTable<'a>) -> Self {
        Self { source, place, line, entries, asked: Vec::new() }
    }

    /// The value of a key, if it is there.
    pub(super) fn get(&mut self, key: &'static str) -> Option<Value<'a>> {
        self.asked.push(key);
        let (_, value) = self.entries.iter().find(|(found, _)| found.get_ref() == key)?;
        let place = if self.place.is_empty() { key.to_owned() } else { format!("{}.{key}", self.place) };
        Some(Value::new(self.source, place, value))
    }

    /// The value of a key that must be there.
    pub(super) fn need(&mut self, key: &'static str) -> Result<Value<'a>, SceneError> {
        self.get(key).ok_or_else(|| self.error(format!("`{key}` is missing")))
    }

    /// The tables of a key: one, several, or none.
    pub(super) fn tables(&mut self, key: &'static str) -> Result<Vec<Table<'a>>, SceneError> {
        let Some(value) = self.get(key) else { return Ok(Vec::new()) };
        match value.value {
            DeValue::Table(_) => Ok(vec![value.table()?]),
            _ => value.array()?.iter().map(Value::table).collect(),
        }
    }

    /// All keys with their values, for tables whose keys are the user's own.
    pub(super) fn all(&self) -> impl Iterator<Item = (&'a str, Value<'a>)> {
        self.entries.iter().map(|(key, value)| {
            let place = format!("{}.{}", self.place, key.get_ref());
            (key.get_ref().as_ref(), Value::new(self.source, place, value))
        })
    }

    /// Names the table by what a user calls it.
    pub(super) fn rename(&mut self, place: String) {
        self.place = place;
    }

    /// Something wrong with the table as a whole.
    pub(super) fn error(&self, message: impl Display) -> SceneError {
        SceneError { line: self.line, place: self.place.clone(), message: message.to_string() }
    }

    /// Refuses keys that were not asked for.
    pub(super) fn finish(self) -> Result<(), SceneError> {
        let unknown = self.entries.iter().find(|(key, _)| !self.asked.contains(&key.get_ref().as_ref()));
        let Some((key, _)) = unknown else { return Ok(()) };
        let nearest = nearest_names(key.get_ref(), self.asked.iter().copied());
        let mut known = self.asked.clone();
        known.sort_unstable();
        known.dedup();
        let hint = if nearest.is_empty() {
            format!("known are {}", known.join(", "))
        } else {
            format!("did you mean `{}`?", nearest.join("` or `"))
        };
        let line = self.source.line(key.span().start);
        let message = format!("there is no key `{}`; {hint}", key.get_ref());
        Err(SceneError { line, place: self.place, message })
    }
}

impl<'a> Value<'a> {
    fn new(source: Source<'a>, place: String, value: &'a Spanned<DeValue<'a>>) -> Self {
        Self { source, place, line: source.line(value.span().start), value: value.get_ref() }
    }

    /// Something wrong with the value.
    pub(super) fn error(&self, message: impl Display) -> SceneError {
        SceneError { line: self.line, place: self.place.clone(), message: message.to_string() }
    }

    fn is_not(&self, wanted: &str) -> SceneError {
        let found = match self.value {
            DeValue::String(_) => "a text",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        self.error(format_args!("{wanted} is wanted, this is {found}"))
    }

    /// A finite number.
    pub(super) fn number(&self) -> Result<f64, SceneError> {
        let number = match self.value {
            DeValue::Float(float) => float.as_str().replace('_', "").parse().ok(),
            DeValue::Integer(integer) => {
                i64::from_str_radix(integer.as_str(), integer.radix()).ok().map(|integer| integer as f64)
            }
            _ => return Err(self.is_not("a number")),
        };
        number
            .filter(|number: &f64| number.is_finite())
            .ok_or_else(|| self.error("the number must be finite"))
    }

    /// A number within a range.
    pub(super) fn number_in(&self, range: RangeInclusive<f64>) -> Result<f64, SceneError> {
        let number = self.number()?;
        if range.contains(&number) {
            return Ok(number);
        }
        Err(self.error(format_args!("{number} does not go; use {} to {}", range.start(), range.end())))
    }

    /// A text.
    pub(super) fn text(&self) -> Result<&'a str, SceneError> {
        match self.value {
            DeValue::String(text) => Ok(text.as_ref()),
            _ => Err(self.is_not("a text")),
        }
    }

    /// True or false.
    pub(super) fn boolean(&self) -> Result<bool, SceneError> {
        match self.value {
            DeValue::Boolean(found) => Ok(*found),
            _ => Err(self.is_not("true or false")),
        }
    }

    /// One of some words.
    pub(super) fn word<T: Copy>(&self, words: &[(&str, T)]) -> Result<T, SceneError> {
        let text = self.text()?;
        let found = words.iter().find(|(word, _)| *word == text);
        found.map(|(_, meaning)| *meaning).ok_or_else(|| {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.error(format_args!("{text:?} means nothing here; use {}", known.join(", ")))
        })
    }

    /// A text that a type can read.
    pub(super) fn parsed<T: std::str::FromStr<Err: Display>>(&self) -> Result<T, SceneError> {
        self.text()?.parse().map_err(|error| self.error(error))
    }

    /// A list.
    pub(super) fn array(&self) -> Result<Vec<Value<'a>>, SceneError> {
        let DeValue::Array(values) = self.value else { return Err(self.is_not("a list")) };
        let place = |index: usize| format!("{}[{index}]", self.place);
        Ok(values
            .iter()
            .enumerate()
            .map(|(index, value)| Value::new(self.source, place(index), value))
            .collect())
    }

    /// Whether it is a list.
    pub(super) fn is_array(&self) -> bool {
        matches!(self.value, DeValue::Array(_))
    }

    /// Whether it is a number.
    pub(super) fn is_number(&self) -> bool {
        matches!(self.value, DeValue::Integer(_) | DeValue::Float(_))
    }

    /// A list of some numbers.
    pub(super) fn numbers<const COUNT: usize>(&self) -> Result<[f64; COUNT], SceneError> {
        let values = self.array()?;
        if values.len() != COUNT {
            return Err(self.error(format_args!("{COUNT} numbers are wanted, these are {}", values.len())));
        }
        let mut numbers = [0.0; COUNT];
        for (number, value) in numbers.iter_mut().zip(&values) {
            *number = value.number()?;
        }
        Ok(numbers)
    }

    /// A point or a direction.
    pub(super) fn vector(&self) -> Result<DVec3, SceneError> {
        self.numbers::<3>().map(DVec3::from)
    }

    /// A table.
    pub(super) fn table(&self) -> Result<Table<'a>, SceneError> {
        match self.value {
            DeValue::Table(entries) => Ok(Table::new(self.source, self.place.clone(), self.line, entries)),
            _ => Err(self.is_not("a table")),
        }
    }
}
