//! Reading a scene file's tables: every value knows its line and its place, every key that nobody asks for is refused.

use crate::SceneError;
use glam::DVec3;
use sinew_rig::nearest_names;
use std::fmt::Display;
use std::ops::RangeInclusive;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The text of a file, for line numbers.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    text: &'a str,
}

impl<'a> Source<'a> {
    /// Parses a document and hands its top table to `read`.
    pub(crate) fn read<T>(
        text: &'a str,
        read: impl FnOnce(&mut Table<'_>) -> Result<T, SceneError>,
    ) -> Result<T, SceneError> {
        let source = Source { text };
        let document = DeTable::parse(text).map_err(|error| {
            let spot = source.spot(error.span().map_or(0, |span| span.start));
            spot.error(String::new(), error.message())
        })?;
        let mut table = Table::new(source, String::new(), Spot { line: 1, column: 1 }, document.get_ref());
        let found = read(&mut table)?;
        table.finish()?;
        Ok(found)
    }

    fn spot(&self, at: usize) -> Spot {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Spot {
            line: 1 + before.bytes().filter(|byte| *byte == b'\n').count(),
            column: 1 + before[line_start..].chars().count(),
        }
    }
}

/// A place in a file, line and column from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Spot {
    /// Something wrong here.
    pub(crate) fn error(self, place: String, message: impl Display) -> SceneError {
        SceneError::Text { line: self.line, column: self.column, place, message: message.to_string() }
    }
}

/// A table that is being read.
pub(crate) struct Table<'a> {
    source: Source<'a>,
    place: String,
    spot: Spot,
    entries: &'a DeTable<'a>,
    asked: Vec<&'static str>,
}

/// A value that is being read.
#[derive(Clone)]
pub(crate) struct Value<'a> {
    source: Source<'a>,
    place: String,
    spot: Spot,
    value: &'a DeValue<'a>,
}

impl<'a> Table<'a> {
    fn new(source: Source<'a>, place: String, spot: Spot, entries: &'a DeTable<'a>) -> Self {
        Self { source, place, spot, entries, asked: Vec::new() }
    }

    /// The value of a key, if it is there.
    pub(crate) fn get(&mut self, key: &'static str) -> Option<Value<'a>> {
        self.asked.push(key);
        let (_, value) = self.entries.iter().find(|(found, _)| found.get_ref() == key)?;
        let place = if self.place.is_empty() { key.to_owned() } else { format!("{}.{key}", self.place) };
        Some(Value::new(self.source, place, value))
    }

    /// The value of a key that must be there.
    pub(crate) fn need(&mut self, key: &'static str) -> Result<Value<'a>, SceneError> {
        self.get(key).ok_or_else(|| self.error(format!("`{key}` is missing")))
    }

    /// The tables of a key: one, several, or none.
    pub(crate) fn tables(&mut self, key: &'static str) -> Result<Vec<Table<'a>>, SceneError> {
        let Some(value) = self.get(key) else { return Ok(Vec::new()) };
        match value.value {
            DeValue::Table(_) => Ok(vec![value.table()?]),
            _ => value.array()?.iter().map(Value::table).collect(),
        }
    }

    /// Reads the tables of a key, each with its number from 0.
    pub(crate) fn list<T>(
        &mut self,
        key: &'static str,
        read: impl Fn(Table<'a>, usize) -> Result<T, SceneError>,
    ) -> Result<Vec<T>, SceneError> {
        self.tables(key)?.into_iter().enumerate().map(|(number, table)| read(table, number)).collect()
    }

    /// Reads the value of a key over `place`, which stays as it is where the key is not there.
    pub(crate) fn set<T>(
        &mut self,
        key: &'static str,
        place: &mut T,
        read: impl FnOnce(&Value<'a>) -> Result<T, SceneError>,
    ) -> Result<(), SceneError> {
        if let Some(value) = self.get(key) {
            *place = read(&value)?;
        }
        Ok(())
    }

    /// All keys with their values, for tables whose keys are the user's own.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&'a str, Value<'a>)> {
        self.entries.iter().map(|(key, value)| {
            let place = format!("{}.{}", self.place, key.get_ref());
            (key.get_ref().as_ref(), Value::new(self.source, place, value))
        })
    }

    /// Names the table by what a user calls it.
    pub(crate) fn rename(&mut self, place: String) {
        self.place = place;
    }

    /// Where it begins.
    pub(crate) fn spot(&self) -> Spot {
        self.spot
    }

    /// Something wrong with the table as a whole.
    pub(crate) fn error(&self, message: impl Display) -> SceneError {
        self.spot.error(self.place.clone(), message)
    }

    /// Refuses keys that were not asked for.
    pub(crate) fn finish(self) -> Result<(), SceneError> {
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
        let spot = self.source.spot(key.span().start);
        Err(spot.error(self.place, format_args!("there is no key `{}`; {hint}", key.get_ref())))
    }
}

impl<'a> Value<'a> {
    fn new(source: Source<'a>, place: String, value: &'a Spanned<DeValue<'a>>) -> Self {
        Self { source, place, spot: source.spot(value.span().start), value: value.get_ref() }
    }

    /// Where it stands.
    pub(crate) fn spot(&self) -> Spot {
        self.spot
    }

    /// Something wrong with the value.
    pub(crate) fn error(&self, message: impl Display) -> SceneError {
        self.spot.error(self.place.clone(), message)
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
    pub(crate) fn number(&self) -> Result<f64, SceneError> {
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
    pub(crate) fn number_in(&self, range: RangeInclusive<f64>) -> Result<f64, SceneError> {
        let number = self.number()?;
        if range.contains(&number) {
            return Ok(number);
        }
        Err(self.error(format_args!("{number} does not go; use {} to {}", range.start(), range.end())))
    }

    /// A text.
    pub(crate) fn text(&self) -> Result<&'a str, SceneError> {
        match self.value {
            DeValue::String(text) => Ok(text.as_ref()),
            _ => Err(self.is_not("a text")),
        }
    }

    /// True or false.
    pub(crate) fn boolean(&self) -> Result<bool, SceneError> {
        match self.value {
            DeValue::Boolean(found) => Ok(*found),
            _ => Err(self.is_not("true or false")),
        }
    }

    /// One of some words.
    pub(crate) fn word<T: Copy>(&self, words: &[(&str, T)]) -> Result<T, SceneError> {
        let text = self.text()?;
        let found = words.iter().find(|(word, _)| *word == text);
        found.map(|(_, meaning)| *meaning).ok_or_else(|| {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.error(format_args!("{text:?} means nothing here; use {}", known.join(", ")))
        })
    }

    /// A text that a type can read.
    pub(crate) fn parsed<T: std::str::FromStr<Err: Display>>(&self) -> Result<T, SceneError> {
        self.text()?.parse().map_err(|error| self.error(error))
    }

    /// A list.
    pub(crate) fn array(&self) -> Result<Vec<Value<'a>>, SceneError> {
        let DeValue::Array(values) = self.value else { return Err(self.is_not("a list")) };
        let place = |index: usize| format!("{}[{index}]", self.place);
        Ok(values
            .iter()
            .enumerate()
            .map(|(index, value)| Value::new(self.source, place(index), value))
            .collect())
    }

    /// Whether it is a list.
    pub(crate) fn is_array(&self) -> bool {
        matches!(self.value, DeValue::Array(_))
    }

    /// Whether it is a number.
    pub(crate) fn is_number(&self) -> bool {
        matches!(self.value, DeValue::Integer(_) | DeValue::Float(_))
    }

    /// A list of some numbers.
    pub(crate) fn numbers<const COUNT: usize>(&self) -> Result<[f64; COUNT], SceneError> {
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
    pub(crate) fn vector(&self) -> Result<DVec3, SceneError> {
        self.numbers::<3>().map(DVec3::from)
    }

    /// A table.
    pub(crate) fn table(&self) -> Result<Table<'a>, SceneError> {
        match self.value {
            DeValue::Table(entries) => Ok(Table::new(self.source, self.place.clone(), self.spot, entries)),
            _ => Err(self.is_not("a table")),
        }
    }
}
