//! Tables and values of a file: each knows its line and its place, and a table knows which keys nobody asked for.

use crate::TextError;
use glam::DVec3;
use sinew_geometry::nearest_names;
use std::fmt::Display;
use std::ops::RangeInclusive;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The text of a file, for line numbers.
pub struct Source<'a> {
    text: &'a str,
    /// Where lines begin.
    lines: Vec<usize>,
}

impl<'a> Source<'a> {
    /// Parses a document and hands its top table to `read`.
    ///
    /// # Errors
    /// Those of `read`, or why the text is not TOML.
    pub fn read<T, E: From<TextError>>(
        text: &'a str,
        read: impl FnOnce(Table<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let newlines = text.match_indices('\n').map(|(at, _)| at + 1);
        let source = Source { text, lines: std::iter::once(0).chain(newlines).collect() };
        let document = DeTable::parse(text).map_err(|error| {
            source.spot(error.span().map_or(0, |span| span.start)).error(String::new(), error.message())
        })?;
        let start = Spot { line: 1, column: 1 };
        read(Table::new(&source, String::new(), start, document.get_ref()))
    }

    /// As [`Source::read`], and refuses keys of the top table that `read` did not ask for.
    ///
    /// # Errors
    /// Those of `read`, a key that nothing reads, or why the text is not TOML.
    pub fn read_all<T>(
        text: &'a str,
        read: impl FnOnce(&mut Table<'_>) -> Result<T, TextError>,
    ) -> Result<T, TextError> {
        Self::read(text, |table| table.read(read))
    }

    fn spot(&self, at: usize) -> Spot {
        let line = self.lines.partition_point(|&start| start <= at).max(1);
        let before = self.text.get(self.lines[line - 1]..at).unwrap_or_default();
        Spot { line, column: 1 + before.chars().count() }
    }
}

/// A place in a file, line and column from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

impl Spot {
    /// A mistake here.
    pub fn error(self, place: String, message: impl Display) -> TextError {
        TextError { line: self.line, column: self.column, place, message: message.to_string() }
    }
}

/// A table that is being read.
pub struct Table<'a> {
    source: &'a Source<'a>,
    place: String,
    spot: Spot,
    entries: &'a DeTable<'a>,
    asked: Vec<&'static str>,
    /// Asked for as well, but not suggested.
    other_spellings: Vec<&'static str>,
}

/// A value that is being read.
#[derive(Clone)]
pub struct Value<'a> {
    source: &'a Source<'a>,
    place: String,
    spot: Spot,
    value: &'a DeValue<'a>,
}

impl<'a> Table<'a> {
    fn new(source: &'a Source<'a>, place: String, spot: Spot, entries: &'a DeTable<'a>) -> Self {
        Self { source, place, spot, entries, asked: Vec::new(), other_spellings: Vec::new() }
    }

    /// The value of a key, if it is there.
    pub fn get(&mut self, key: &'static str) -> Option<Value<'a>> {
        if !self.asked.contains(&key) {
            self.asked.push(key);
        }
        self.find(key)
    }

    /// The value of a key under another spelling, which is never suggested.
    pub fn get_alias(&mut self, key: &'static str) -> Option<Value<'a>> {
        self.other_spellings.push(key);
        self.find(key)
    }

    fn find(&self, key: &str) -> Option<Value<'a>> {
        let (_, value) = self.entries.iter().find(|(found, _)| found.get_ref() == key)?;
        let place = if self.place.is_empty() { key.to_owned() } else { format!("{}.{key}", self.place) };
        Some(Value::new(self.source, place, value))
    }

    /// The value of a key that must be there.
    ///
    /// # Errors
    /// It is missing.
    pub fn need(&mut self, key: &'static str) -> Result<Value<'a>, TextError> {
        self.get(key).ok_or_else(|| self.error(format!("`{key}` is missing")))
    }

    /// The tables of a key: one, several, or none.
    ///
    /// # Errors
    /// The value is something else.
    pub fn tables(&mut self, key: &'static str) -> Result<Vec<Table<'a>>, TextError> {
        let Some(value) = self.get(key) else { return Ok(Vec::new()) };
        match value.value {
            DeValue::Table(_) => Ok(vec![value.table()?]),
            _ => value.array()?.iter().map(Value::table).collect(),
        }
    }

    /// Reads the tables of a key, each with its number from 0, and refuses keys that `read` did not ask for.
    ///
    /// # Errors
    /// Those of `read`, a key that nothing reads, or the value is something else.
    pub fn list<T>(
        &mut self,
        key: &'static str,
        read: impl Fn(&mut Self, usize) -> Result<T, TextError>,
    ) -> Result<Vec<T>, TextError> {
        let numbered = self.tables(key)?.into_iter().enumerate();
        numbered.map(|(number, table)| table.read(|table| read(table, number))).collect()
    }

    /// Reads the table, and refuses keys that `read` did not ask for.
    ///
    /// # Errors
    /// Those of `read`, or a key that nothing reads.
    pub fn read<T>(mut self, read: impl FnOnce(&mut Self) -> Result<T, TextError>) -> Result<T, TextError> {
        let found = read(&mut self)?;
        self.finish()?;
        Ok(found)
    }

    /// Reads the value of a key over `place`, which stays as it is where the key is not there.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn set<T>(
        &mut self,
        key: &'static str,
        place: &mut T,
        read: impl FnOnce(&Value<'a>) -> Result<T, TextError>,
    ) -> Result<(), TextError> {
        if let Some(value) = self.get(key) {
            *place = read(&value)?;
        }
        Ok(())
    }

    /// All keys with their values, for tables whose keys are the user's own.
    pub fn all(&self) -> impl Iterator<Item = (&'a str, Value<'a>)> {
        self.entries.iter().map(|(key, value)| {
            let place = format!("{}.{}", self.place, key.get_ref());
            (key.get_ref().as_ref(), Value::new(self.source, place, value))
        })
    }

    /// Names the table by what a user calls it.
    pub fn rename(&mut self, place: String) {
        self.place = place;
    }

    /// What it is called in messages.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Where it begins.
    pub fn spot(&self) -> Spot {
        self.spot
    }

    /// Something wrong with the table as a whole.
    pub fn error(&self, message: impl Display) -> TextError {
        self.spot.error(self.place.clone(), message)
    }

    /// Every key that was not asked for.
    pub fn unknown(&self) -> impl Iterator<Item = TextError> {
        let is_known = |key: &str| self.asked.contains(&key) || self.other_spellings.contains(&key);
        self.entries.iter().filter(move |(key, _)| !is_known(key.get_ref())).map(|(key, _)| {
            let mut known = self.asked.clone();
            known.sort_unstable();
            let message = unknown_word("key", key.get_ref(), &known);
            self.source.spot(key.span().start).error(self.place.clone(), message)
        })
    }

    /// Refuses keys that were not asked for.
    ///
    /// # Errors
    /// The first of them.
    pub fn finish(self) -> Result<(), TextError> {
        self.unknown().next().map_or(Ok(()), Err)
    }
}

impl<'a> Value<'a> {
    fn new(source: &'a Source<'a>, place: String, value: &'a Spanned<DeValue<'a>>) -> Self {
        Self { source, place, spot: source.spot(value.span().start), value: value.get_ref() }
    }

    /// Where it stands.
    pub fn spot(&self) -> Spot {
        self.spot
    }

    /// Something wrong with the value.
    pub fn error(&self, message: impl Display) -> TextError {
        self.spot.error(self.place.clone(), message)
    }

    /// It should be something else.
    pub fn is_not(&self, wanted: &str) -> TextError {
        let found = match self.value {
            DeValue::String(_) => "a text",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        self.error(format_args!("expected {wanted}, found {found}"))
    }

    /// A number; it may be infinite or not a number.
    fn any_number(&self) -> Result<f64, TextError> {
        let number = match self.value {
            DeValue::Float(float) => float.as_str().replace('_', "").parse().ok(),
            DeValue::Integer(integer) => {
                let digits = integer.as_str().replace('_', "");
                i64::from_str_radix(&digits, integer.radix()).ok().map(|integer| integer as f64)
            }
            _ => return Err(self.is_not("a number")),
        };
        number.ok_or_else(|| self.error("invalid number"))
    }

    /// A finite number.
    ///
    /// # Errors
    /// It is something else.
    pub fn number(&self) -> Result<f64, TextError> {
        let number = self.any_number()?;
        if number.is_finite() { Ok(number) } else { Err(self.error("the number must be finite")) }
    }

    /// A number within a range.
    ///
    /// # Errors
    /// It is something else.
    pub fn number_in(&self, range: RangeInclusive<f64>) -> Result<f64, TextError> {
        let number = self.any_number()?;
        if range.contains(&number) {
            return Ok(number);
        }
        Err(self.error(out_of_range(number, [*range.start(), *range.end()])))
    }

    /// A text.
    ///
    /// # Errors
    /// It is something else.
    pub fn text(&self) -> Result<&'a str, TextError> {
        match self.value {
            DeValue::String(text) => Ok(text.as_ref()),
            _ => Err(self.is_not("a text")),
        }
    }

    /// True or false.
    ///
    /// # Errors
    /// It is something else.
    pub fn boolean(&self) -> Result<bool, TextError> {
        match self.value {
            DeValue::Boolean(found) => Ok(*found),
            _ => Err(self.is_not("true or false")),
        }
    }

    /// One of some words.
    ///
    /// # Errors
    /// It is something else.
    pub fn word<T: Copy>(&self, words: &[(&str, T)]) -> Result<T, TextError> {
        let text = self.text()?;
        let found = words.iter().find(|(word, _)| *word == text);
        found.map(|(_, meaning)| *meaning).ok_or_else(|| {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.error(format_args!("unknown value {text:?}; use {}", known.join(", ")))
        })
    }

    /// One of some words, as it stands.
    ///
    /// # Errors
    /// It is something else.
    pub fn one_of<'w>(&self, words: &[&'w str]) -> Result<&'w str, TextError> {
        self.word(&words.iter().map(|word| (*word, *word)).collect::<Vec<_>>())
    }

    /// A text that a type can read.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn parsed<T: std::str::FromStr<Err: Display>>(&self) -> Result<T, TextError> {
        self.text()?.parse().map_err(|error| self.error(error))
    }

    /// A list.
    ///
    /// # Errors
    /// It is something else.
    pub fn array(&self) -> Result<Vec<Value<'a>>, TextError> {
        let DeValue::Array(values) = self.value else { return Err(self.is_not("a list")) };
        let place = |index: usize| format!("{}[{index}]", self.place);
        let values = values.iter().enumerate();
        Ok(values.map(|(index, value)| Value::new(self.source, place(index), value)).collect())
    }

    /// Whether it is a list.
    pub fn is_array(&self) -> bool {
        matches!(self.value, DeValue::Array(_))
    }

    /// Whether it is a number.
    pub fn is_number(&self) -> bool {
        matches!(self.value, DeValue::Integer(_) | DeValue::Float(_))
    }

    /// Whether it is a table.
    pub fn is_table(&self) -> bool {
        matches!(self.value, DeValue::Table(_))
    }

    /// A list of some numbers, each read by `number`.
    ///
    /// # Errors
    /// It is something else.
    pub fn row(
        &self,
        count: usize,
        number: impl Fn(&Value<'a>) -> Result<f64, TextError>,
    ) -> Result<Vec<f64>, TextError> {
        let values = self.array()?;
        if values.len() != count {
            return Err(self.error(format_args!("expected {count} numbers, found {}", values.len())));
        }
        values.iter().map(number).collect()
    }

    /// A list of some finite numbers.
    ///
    /// # Errors
    /// It is something else.
    pub fn numbers<const COUNT: usize>(&self) -> Result<[f64; COUNT], TextError> {
        let row = self.row(COUNT, Value::number)?;
        Ok(std::array::from_fn(|at| row[at]))
    }

    /// A point or a direction.
    ///
    /// # Errors
    /// It is something else.
    pub fn vector(&self) -> Result<DVec3, TextError> {
        self.numbers::<3>().map(DVec3::from)
    }

    /// A table.
    ///
    /// # Errors
    /// It is something else.
    pub fn table(&self) -> Result<Table<'a>, TextError> {
        match self.value {
            DeValue::Table(entries) => Ok(Table::new(self.source, self.place.clone(), self.spot, entries)),
            _ => Err(self.is_not("a table")),
        }
    }

    /// Reads a table, as [`Table::read`].
    ///
    /// # Errors
    /// Those of `read`, a key that nothing reads, or it is something else.
    pub fn read<T>(&self, read: impl FnOnce(&mut Table<'a>) -> Result<T, TextError>) -> Result<T, TextError> {
        self.table()?.read(read)
    }

    /// Reads a list of tables, each as [`Table::read`].
    ///
    /// # Errors
    /// Those of `read`, a key that nothing reads, or it is something else.
    pub fn each<T>(
        &self,
        mut read: impl FnMut(&mut Table<'a>) -> Result<T, TextError>,
    ) -> Result<Vec<T>, TextError> {
        self.array()?.iter().map(|value| value.read(&mut read)).collect()
    }
}

pub(crate) fn out_of_range(number: f64, [least, most]: [f64; 2]) -> String {
    format!("{number} is out of range; use {least} to {most}")
}

pub(crate) fn unknown_word(kind: &str, word: &str, known: &[&str]) -> String {
    let nearest = nearest_names(word, known.iter().copied());
    let hint = if nearest.is_empty() {
        format!("known are {}", known.join(", "))
    } else {
        format!("did you mean `{}`?", nearest.join("` or `"))
    };
    format!("unknown {kind} `{word}`; {hint}")
}
