//! From text to settings.

use super::visit::{Fields, Key, Named, Visit};
use super::{FleshTextError, FleshTextErrors};
use crate::config::{FleshPreset, FleshSettings};
use sinew_rig::nearest_names;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Reads a file: its preset, with its own values laid over.
///
/// ```
/// use sinew_flesh::config::{FleshPreset, read};
///
/// let settings = read("preset = \"heavy\"\n[simulation]\niterations = 20\n")?;
/// assert_eq!((settings.preset, settings.simulation.iterations), (FleshPreset::Heavy, 20));
/// # Ok::<(), sinew_flesh::config::FleshTextErrors>(())
/// ```
///
/// # Errors
/// Everything that is wrong, each with its line, its key and, where a key or a word is unknown, the nearest known one.
pub fn read(text: &str) -> Result<FleshSettings, FleshTextErrors> {
    let line_ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let document = DeTable::parse(text).map_err(|error| {
        let line = line_at(&line_ends, error.span().map_or(0, |span| span.start));
        FleshTextErrors(vec![FleshTextError {
            line,
            place: String::new(),
            message: error.message().to_owned(),
        }])
    })?;
    let mut reader = Reader::new(&line_ends, document.get_ref(), String::new(), 1);
    let mut settings = reader.preset().settings();
    settings.fields(&mut reader);
    let errors = reader.finish(&settings, None);
    if errors.is_empty() { Ok(settings) } else { Err(FleshTextErrors(errors)) }
}

/// A table that is being read.
struct Reader<'a> {
    /// Where lines of the text end.
    line_ends: &'a [usize],
    table: &'a DeTable<'a>,
    place: String,
    line: usize,
    asked: Vec<&'static str>,
    found: Vec<&'static str>,
    /// Tables with names, and the lines where they stand.
    named: Vec<(String, usize)>,
    errors: Vec<FleshTextError>,
}

/// A value and where it stands.
#[derive(Clone)]
struct Spot<'a> {
    value: &'a DeValue<'a>,
    place: String,
    line: usize,
}

type Found<T> = Result<T, FleshTextError>;

impl<'a> Reader<'a> {
    fn new(line_ends: &'a [usize], table: &'a DeTable<'a>, place: String, line: usize) -> Self {
        Self {
            line_ends,
            table,
            place,
            line,
            asked: Vec::new(),
            found: Vec::new(),
            named: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// The preset comes first, because all others lie over it. A wrong one is told when its key has its turn.
    fn preset(&self) -> FleshPreset {
        let value = self.table.iter().find(|(key, _)| key.get_ref() == "preset");
        match value.map(|(_, value)| value.get_ref()) {
            Some(DeValue::String(name)) => FleshPreset::find(name).unwrap_or_default(),
            _ => FleshPreset::default(),
        }
    }

    fn spot(&self, value: &'a Spanned<DeValue<'a>>, place: String) -> Spot<'a> {
        Spot { value: value.get_ref(), place, line: self.line_of(value.span().start) }
    }

    fn line_of(&self, at: usize) -> usize {
        line_at(self.line_ends, at)
    }

    fn get(&mut self, key: Key) -> Option<Spot<'a>> {
        self.asked.push(key.name);
        let (_, value) = self.table.iter().find(|(found, _)| found.get_ref() == key.name)?;
        self.found.push(key.name);
        let place =
            if self.place.is_empty() { key.name.to_owned() } else { format!("{}.{}", self.place, key.name) };
        Some(self.spot(value, place))
    }

    fn set<T>(&mut self, key: Key, value: &mut T, parse: impl FnOnce(&Self, &Spot<'a>) -> Found<T>) {
        let Some(spot) = self.get(key) else { return };
        match parse(self, &spot) {
            Ok(found) => *value = found,
            Err(error) => self.errors.push(error),
        }
    }

    /// Tells of keys that nobody asked for, of what a new table lacks, and of what is wrong with it as a whole.
    fn finish<T: Fields>(mut self, of: &T, required: Option<&[&'static str]>) -> Vec<FleshTextError> {
        let unknown = self.table.iter().filter(|(key, _)| !self.asked.contains(&key.get_ref().as_ref()));
        let unknown: Vec<FleshTextError> = unknown
            .map(|(key, _)| FleshTextError {
                line: self.line_of(key.span().start),
                place: self.place.clone(),
                message: unknown_text("key", key.get_ref(), &self.asked),
            })
            .collect();
        self.errors.extend(unknown);
        for needed in required.unwrap_or_default() {
            if !self.found.contains(needed) {
                self.errors.push(self.error(format!("`{needed}` is missing")));
            }
        }
        // What is wrong with the whole may follow from a part that is.
        if self.errors.is_empty() {
            for problem in of.problems() {
                let named = self.named.iter().find(|(place, _)| *place == problem.place);
                let (place, line) = named.cloned().unwrap_or_else(|| (self.place.clone(), self.line));
                self.errors.push(FleshTextError { line, place, message: problem.message });
            }
        }
        self.errors
    }

    fn error(&self, message: String) -> FleshTextError {
        FleshTextError { line: self.line, place: self.place.clone(), message }
    }

    /// Reads a table of its own.
    fn inner<T: Fields>(&mut self, spot: &Spot<'a>, value: &mut T, required: Option<&[&'static str]>) {
        let DeValue::Table(table) = spot.value else {
            self.errors.push(spot.is_not("a table"));
            return;
        };
        let mut reader = Reader::new(self.line_ends, table, spot.place.clone(), spot.line);
        value.fields(&mut reader);
        self.errors.extend(reader.finish(value, required));
    }

    /// The tables of a key: one, several, or none.
    fn spots(&mut self, spot: &Spot<'a>) -> Vec<Spot<'a>> {
        match spot.value {
            DeValue::Table(_) => vec![spot.clone()],
            DeValue::Array(values) => values
                .iter()
                .enumerate()
                .map(|(index, value)| self.spot(value, format!("{}[{index}]", spot.place)))
                .collect(),
            _ => {
                self.errors.push(spot.is_not("a list of tables"));
                Vec::new()
            }
        }
    }

    /// Takes `remove` out of a table: whether it is there and true.
    fn is_removed(&mut self, spot: &Spot<'a>) -> bool {
        let DeValue::Table(table) = spot.value else { return false };
        let Some((_, value)) = table.iter().find(|(key, _)| key.get_ref() == "remove") else { return false };
        let spot = self.spot(value, format!("{}.remove", spot.place));
        match spot.value {
            DeValue::Boolean(is_removed) => *is_removed,
            _ => {
                self.errors.push(spot.is_not("true or false"));
                false
            }
        }
    }

    /// The name of a table in a list, and the table under that name.
    fn name_of<T: Named>(&mut self, key: Key, spot: &Spot<'a>) -> Option<(String, Spot<'a>)> {
        let DeValue::Table(table) = spot.value else {
            self.errors.push(spot.is_not("a table"));
            return None;
        };
        let Some((_, value)) = table.iter().find(|(found, _)| found.get_ref() == T::NAME_KEY) else {
            self.errors.push(spot.error(format!("`{}` is missing", T::NAME_KEY)));
            return None;
        };
        let named = self.spot(value, format!("{}.{}", spot.place, T::NAME_KEY));
        match named.text() {
            Ok(name) if !name.trim().is_empty() => {
                let place = format!("{} {name:?}", key.name);
                Some((name.to_owned(), Spot { place, ..spot.clone() }))
            }
            Ok(_) => {
                self.errors.push(named.error("a name must not be empty".to_owned()));
                None
            }
            Err(error) => {
                self.errors.push(error);
                None
            }
        }
    }

    /// Lays one table of a list over what is there.
    fn overlay<T: Named>(&mut self, spot: &Spot<'a>, name: &str, list: &mut Vec<T>) {
        let known = list.iter().position(|item| item.name() == name);
        if self.is_removed(spot) {
            match known {
                Some(at) => drop(list.remove(at)),
                None => {
                    let nearest = nearest_names(name, list.iter().map(Named::name));
                    let hint =
                        nearest.first().map_or(String::new(), |near| format!("; did you mean {near:?}?"));
                    self.errors.push(spot.error(format!("there is none of that name to remove{hint}")));
                }
            }
            return;
        }
        let DeValue::Table(table) = spot.value else { return };
        let mut reader = Reader::new(self.line_ends, table, spot.place.clone(), spot.line);
        reader.asked.push("remove");
        let at = known.unwrap_or_else(|| {
            list.push(T::named(name));
            list.len() - 1
        });
        list[at].fields(&mut reader);
        self.errors.extend(reader.finish(&list[at], None));
    }
}

impl Visit for Reader<'_> {
    fn number(&mut self, key: Key, range: [f64; 2], value: &mut f64) {
        self.set(key, value, |_, spot| spot.number_in(range));
    }

    fn optional_number(&mut self, key: Key, range: [f64; 2], value: &mut Option<f64>) {
        self.set(key, value, |_, spot| spot.number_in(range).map(Some));
    }

    fn count(&mut self, key: Key, [least, most]: [u32; 2], value: &mut u32) {
        self.set(key, value, |_, spot| {
            let number = spot.number_in([f64::from(least), f64::from(most)])?;
            let is_whole = number.fract() == 0.0;
            if is_whole {
                Ok(number as u32)
            } else {
                Err(spot.error(format!("{number} is not a whole number")))
            }
        });
    }

    fn switch(&mut self, key: Key, value: &mut bool) {
        self.set(key, value, |_, spot| match spot.value {
            DeValue::Boolean(is_on) => Ok(*is_on),
            _ => Err(spot.is_not("true or false")),
        });
    }

    fn text(&mut self, key: Key, value: &mut String) {
        self.set(key, value, |_, spot| spot.text().map(str::to_owned));
    }

    fn word(&mut self, key: Key, words: &[&'static str], value: &mut usize) {
        self.set(key, value, |_, spot| {
            let word = spot.text()?;
            let place = words.iter().position(|known| *known == word);
            place.ok_or_else(|| spot.error(unknown_text(key.name, word, words)))
        });
    }

    fn numbers<const COUNT: usize>(&mut self, key: Key, range: [f64; 2], value: &mut [f64; COUNT]) {
        self.set(key, value, |reader, spot| spot.numbers(reader, range));
    }

    fn points<const COUNT: usize>(&mut self, key: Key, range: [f64; 2], value: &mut Vec<[f64; COUNT]>) {
        self.set(key, value, |reader, spot| {
            spot.list(reader)?.iter().map(|point| point.numbers(reader, range)).collect()
        });
    }

    fn by_name(&mut self, key: Key, range: [f64; 2], value: &mut Vec<(String, f64)>) {
        self.set(key, value, |reader, spot| {
            let DeValue::Table(table) = spot.value else { return Err(spot.is_not("a table of numbers")) };
            let entry = |(name, value): (&Spanned<_>, _)| {
                let name: &std::borrow::Cow<'_, str> = name.get_ref();
                let number = reader.spot(value, format!("{}.{name}", spot.place)).number_in(range)?;
                Ok((name.to_string(), number))
            };
            table.iter().map(entry).collect()
        });
    }

    fn table<T: Fields>(&mut self, key: Key, value: &mut T) {
        if let Some(spot) = self.get(key) {
            self.inner(&spot, value, None);
        }
    }

    fn tables<T: Fields + Default>(&mut self, key: Key, value: &mut Vec<T>) {
        let Some(spot) = self.get(key) else { return };
        value.clear();
        for spot in self.spots(&spot) {
            let mut item = T::default();
            self.inner(&spot, &mut item, Some(T::REQUIRED));
            value.push(item);
        }
    }

    fn lines<T: Fields + Default>(&mut self, key: Key, value: &mut Vec<T>) {
        self.tables(key, value);
    }

    fn named_tables<T: Named>(&mut self, key: Key, value: &mut Vec<T>) {
        let Some(spot) = self.get(key) else { return };
        let mut names: Vec<String> = Vec::new();
        for spot in self.spots(&spot) {
            let Some((name, spot)) = self.name_of::<T>(key, &spot) else { continue };
            if names.contains(&name) {
                self.errors.push(spot.error("it is there twice; make one table of both".to_owned()));
                continue;
            }
            self.overlay(&spot, &name, value);
            self.named.push((spot.place, spot.line));
            names.push(name);
        }
        // A file that names all of them says their order, too.
        let order = |item: &T| names.iter().position(|name| name == item.name());
        if value.iter().all(|item| order(item).is_some()) {
            value.sort_by_key(order);
        }
    }
}

impl<'a> Spot<'a> {
    fn error(&self, message: String) -> FleshTextError {
        FleshTextError { line: self.line, place: self.place.clone(), message }
    }

    fn is_not(&self, wanted: &str) -> FleshTextError {
        let found = match self.value {
            DeValue::String(_) => "a text",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        self.error(format!("{wanted} is wanted, this is {found}"))
    }

    fn text(&self) -> Found<&'a str> {
        match self.value {
            DeValue::String(text) => Ok(text),
            _ => Err(self.is_not("a text")),
        }
    }

    fn number_in(&self, [least, most]: [f64; 2]) -> Found<f64> {
        let number = match self.value {
            DeValue::Float(float) => float.as_str().replace('_', "").parse::<f64>().ok(),
            DeValue::Integer(integer) => {
                let digits = integer.as_str().replace('_', "");
                i64::from_str_radix(&digits, integer.radix()).ok().map(|integer| integer as f64)
            }
            _ => return Err(self.is_not("a number")),
        };
        let Some(number) = number else { return Err(self.error("this number cannot be read".to_owned())) };
        let is_in = (least..=most).contains(&number);
        if is_in {
            Ok(number)
        } else {
            Err(self.error(format!("{number} does not go; use {least} to {most}")))
        }
    }

    fn list(&self, reader: &Reader<'a>) -> Found<Vec<Spot<'a>>> {
        let DeValue::Array(values) = self.value else { return Err(self.is_not("a list")) };
        let spot = |(index, value)| reader.spot(value, format!("{}[{index}]", self.place));
        Ok(values.iter().enumerate().map(spot).collect())
    }

    fn numbers<const COUNT: usize>(&self, reader: &Reader<'a>, range: [f64; 2]) -> Found<[f64; COUNT]> {
        let values = self.list(reader)?;
        if values.len() != COUNT {
            return Err(self.error(format!("{COUNT} numbers are wanted, these are {}", values.len())));
        }
        let mut numbers = [0.0; COUNT];
        for (number, value) in numbers.iter_mut().zip(&values) {
            *number = value.number_in(range)?;
        }
        Ok(numbers)
    }
}

/// The line of a place in the text, from 1.
fn line_at(line_ends: &[usize], at: usize) -> usize {
    1 + line_ends.partition_point(|&end| end < at)
}

fn unknown_text(kind: &str, word: &str, known: &[&str]) -> String {
    let nearest = nearest_names(word, known.iter().copied());
    let hint = if nearest.is_empty() {
        format!("known are {}", known.join(", "))
    } else {
        format!("did you mean `{}`?", nearest.join("` or `"))
    };
    format!("there is no {kind} `{word}`; {hint}")
}
