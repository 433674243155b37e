//! Table of the measures' properties.

use super::measure::Measure;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error;
use std::sync::LazyLock;

/// A row of the table.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) measure: Measure,
    pub(super) name: &'static str,
    pub(super) column: &'static str,
    pub(super) aliases: Vec<&'static str>,
    pub(super) about: &'static str,
}

/// In the order of [`Measure`] and of the survey's data; a test checks it.
pub(super) static ROWS: LazyLock<Vec<Row>> =
    LazyLock::new(|| include_str!("../../data/measures.txt").lines().skip(1).map(Row::read).collect());

impl Row {
    fn read(line: &'static str) -> Self {
        let mut cells = line.split('|').map(str::trim);
        let mut next = || cells.next().expect("the embedded file has four columns; a test reads it");
        let (name, column, aliases, about) = (next(), next(), next(), next());
        let measure = Measure::deserialize(IntoDeserializer::<Error>::into_deserializer(name));
        Row {
            measure: measure.expect("the embedded file has the enum's names; a test reads it"),
            name,
            column,
            aliases: aliases.split_whitespace().collect(),
            about,
        }
    }

    /// The name and all aliases.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}
