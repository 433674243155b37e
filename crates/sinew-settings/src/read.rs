//! From text to settings.

use crate::tables::{Source, Spot, Table, Value, unknown_word};
use crate::{TextError, TextErrors};
use sinew_geometry::nearest_names;
use sinew_geometry::settings::{AnySettings, Key, Settings, SettingsList, Slot};

/// Reads a file: the settings that `start` makes, with the file's values laid over. `start` may look into the file, for the name of a preset.
///
/// # Errors
/// Everything that is wrong, each with its line, its key and, where a key or a word is unknown, the nearest known one.
pub fn read<T: Settings>(text: &str, start: impl FnOnce(&mut Table<'_>) -> T) -> Result<T, TextErrors> {
    Source::read(text, |mut table| {
        let mut settings = start(&mut table);
        let mut errors = Vec::new();
        fill(table, &mut settings, &mut errors);
        TextErrors::none_or(errors, settings)
    })
}

/// Lays the values of a table over settings and adds what is wrong to `errors`.
pub fn fill(table: Table<'_>, settings: &mut dyn AnySettings, errors: &mut Vec<TextError>) {
    Filler::new(table).fill(settings, errors, false);
}

impl From<TextError> for TextErrors {
    fn from(error: TextError) -> Self {
        Self(vec![error])
    }
}

/// A table that is being read.
struct Filler<'a> {
    table: Table<'a>,
    /// Tables with names that were read from it, and where they stand.
    named: Vec<(String, Spot)>,
    missing: Vec<&'static str>,
    errors: Vec<TextError>,
}

impl<'a> Filler<'a> {
    fn new(table: Table<'a>) -> Self {
        Self { table, named: Vec::new(), missing: Vec::new(), errors: Vec::new() }
    }

    fn fill(mut self, settings: &mut dyn AnySettings, errors: &mut Vec<TextError>, is_new: bool) {
        for field in 0..settings.field_count() {
            let key = settings.key(field);
            let read = match self.get(key) {
                Ok(Some(value)) => self.field(key, &value, settings.slot(field)),
                Ok(None) => {
                    self.missing.extend((is_new && key.is_required).then_some(key.name));
                    Ok(())
                }
                Err(error) => Err(error),
            };
            self.errors.extend(read.err());
        }
        self.errors.extend(self.table.unknown());
        let missing = self.missing.iter().map(|name| self.table.error(format_args!("`{name}` is missing")));
        self.errors.extend(missing);
        // What is wrong with the whole may follow from a part that is.
        if self.errors.is_empty() {
            for problem in settings.problems() {
                let named = self.named.iter().find(|(place, _)| *place == problem.place);
                self.errors.push(match named {
                    Some((place, spot)) => spot.error(place.clone(), problem.message),
                    None => self.table.error(problem.message),
                });
            }
        }
        errors.append(&mut self.errors);
    }

    /// The value of a key under any of its spellings.
    fn get(&mut self, key: &Key) -> Result<Option<Value<'a>>, TextError> {
        let named = if key.is_advanced { self.table.get_alias(key.name) } else { self.table.get(key.name) };
        let mut spelled = named.map(|value| (key.name, value));
        for &alias in key.aliases {
            let Some(value) = self.table.get_alias(alias) else { continue };
            if let Some((name, _)) = spelled {
                return Err(value.error(format_args!("also given as `{name}`; keep one")));
            }
            spelled = Some((alias, value));
        }
        Ok(spelled.map(|(_, value)| value))
    }

    fn field(&mut self, key: &Key, value: &Value<'a>, slot: Slot<'_>) -> Result<(), TextError> {
        let number = |value: &Value<'a>, [least, most]: [f64; 2]| value.number_in(least..=most);
        match slot {
            Slot::Number(field, range) => {
                let found = number(value, range)?;
                if field.is_whole() && found.fract() != 0.0 {
                    return Err(value.error(format_args!("{found} is not a whole number")));
                }
                field.set(found);
            }
            Slot::Optional(field, range, _) => *field = Some(number(value, range)?),
            Slot::Switch(field) => *field = value.boolean()?,
            Slot::OptionalSwitch(field) => *field = Some(value.boolean()?),
            Slot::Text(field) => *field = value.text()?.to_owned(),
            Slot::Choice(field) => {
                let word = value.text()?;
                if !field.set_word(word) {
                    return Err(value.error(unknown_word(key.name, word, &field.words())));
                }
            }
            Slot::Numbers(field, range) => {
                let row = value.row(field.width(), |value| number(value, range))?;
                field.set_rows(&[row]);
            }
            Slot::Rows(field, range) => {
                let rows = value.array()?.into_iter();
                let rows: Result<Vec<_>, _> =
                    rows.map(|row| row.row(field.width(), |value| number(value, range))).collect();
                field.set_rows(&rows?);
            }
            Slot::ByName(field, range) => {
                let table = value.table().map_err(|_| value.is_not("a table of numbers"))?;
                let entry = |(name, value): (&str, Value<'a>)| Ok((name.to_owned(), number(&value, range)?));
                *field = table.all().map(entry).collect::<Result<_, TextError>>()?;
            }
            Slot::Table(field) => Filler::new(value.table()?).fill(field, &mut self.errors, false),
            Slot::Tables(field) | Slot::Lines(field) => self.tables(value, field)?,
            Slot::Named(field, name_key) => self.named_tables(key, name_key, value, field)?,
            _ => return Err(value.error("this kind of value cannot be set in files")),
        }
        Ok(())
    }

    /// Those of the file replace all.
    fn tables(&mut self, value: &Value<'a>, list: &mut dyn SettingsList) -> Result<(), TextError> {
        (0..list.count()).rev().for_each(|at| list.take(at));
        for value in one_or_more(value)? {
            list.add();
            match value.table() {
                Ok(table) => {
                    Filler::new(table).fill(list.item(list.count() - 1), &mut self.errors, true);
                }
                Err(error) => self.errors.push(error),
            }
        }
        Ok(())
    }

    fn named_tables(
        &mut self,
        key: &Key,
        name_key: &'static str,
        value: &Value<'a>,
        list: &mut dyn SettingsList,
    ) -> Result<(), TextError> {
        let mut order: Vec<String> = Vec::new();
        for value in one_or_more(value)? {
            let (name, table) = match named(key, name_key, &value) {
                Ok(found) => found,
                Err(error) => {
                    self.errors.push(error);
                    continue;
                }
            };
            if order.contains(&name) {
                self.errors.push(table.error("given twice; merge the two tables"));
                continue;
            }
            self.named.push((table.place().to_owned(), table.spot()));
            self.overlay(table, name_key, &name, list);
            order.push(name);
        }
        // A file that names all of them also gives their order.
        let names = list.names(name_key);
        if names.iter().all(|name| order.contains(name)) {
            sort_by_names(list, names, &order);
        }
        Ok(())
    }

    /// Lays one table of a list over the item of its name.
    fn overlay(
        &mut self,
        mut table: Table<'a>,
        name_key: &'static str,
        name: &str,
        list: &mut dyn SettingsList,
    ) {
        let names = list.names(name_key);
        let known = names.iter().position(|known| known == name);
        let is_removed = table.get("remove").map_or(Ok(false), |value| value.boolean());
        let is_removed = is_removed.unwrap_or_else(|error| {
            self.errors.push(error);
            false
        });
        let at = match (is_removed, known) {
            (true, Some(at)) => return list.take(at),
            (true, None) => {
                let nearest = nearest_names(name, names.iter().map(String::as_str));
                let hint = nearest.first().map_or(String::new(), |near| format!("; did you mean {near:?}?"));
                return self.errors.push(table.error(format_args!("unknown name, nothing to remove{hint}")));
            }
            (false, Some(at)) => at,
            (false, None) => {
                list.add();
                if let Some(field) = list.item(names.len()).text_mut(name_key) {
                    *field = name.to_owned();
                }
                names.len()
            }
        };
        Filler::new(table).fill(list.item(at), &mut self.errors, false);
    }
}

/// A table, or the items of a list.
fn one_or_more<'a>(value: &Value<'a>) -> Result<Vec<Value<'a>>, TextError> {
    if value.is_table() {
        return Ok(vec![value.clone()]);
    }
    value.array().map_err(|_| value.is_not("a list of tables"))
}

/// The name of a table in a list, and the table under that name.
fn named<'a>(key: &Key, name_key: &'static str, value: &Value<'a>) -> Result<(String, Table<'a>), TextError> {
    let named = value.table()?.need(name_key)?;
    let name = named.text()?.to_owned();
    if name.trim().is_empty() {
        return Err(named.error("a name must not be empty"));
    }
    let mut table = value.table()?;
    table.rename(format!("{} {name:?}", key.name));
    Ok((name, table))
}

fn sort_by_names(list: &mut dyn SettingsList, mut names: Vec<String>, order: &[String]) {
    let mut done = 0;
    for name in order {
        if let Some(at) = names.iter().position(|known| known == name) {
            names.swap(done, at);
            list.exchange(done, at);
            done += 1;
        }
    }
}
