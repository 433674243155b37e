//! Settings as tables of fields.
//!
//! A settings struct lists its fields once, with name, unit, range and help: [`Settings::FIELDS`]. Readers, writers, checks, `--help` texts and
//! sliders walk that list, so they cannot differ in what they know. A field's default is that of the struct.
//!
//! ```
//! use sinew_geometry::settings::{AnySettings, Field, Settings, Slot};
//!
//! #[derive(Default)]
//! struct Floor {
//!     height_m: f64,
//! }
//!
//! impl Settings for Floor {
//!     const FIELDS: &'static [Field<Self>] = &[Field::new("height_m", "Above the origin, metres.", |floor: &mut Self| {
//!         Slot::Number(&mut floor.height_m, [-10.0, 10.0])
//!     })
//!     .in_unit("m")];
//! }
//!
//! let mut floor = Floor::default();
//! let Slot::Number(height, [_, most]) = floor.slot(0) else { panic!("a number") };
//! height.set(most);
//! assert_eq!((floor.height_m, floor.key(0).unit), (10.0, "m"));
//! ```

mod number;

pub use number::{Number, Rows};

/// Name and meaning of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Key {
    /// As in files.
    pub name: &'static str,
    /// Other spellings that files may have.
    pub aliases: &'static [&'static str],
    /// A symbol such as `m` or `1/s`; empty without one.
    pub unit: &'static str,
    /// Full sentences, written above the value in a file.
    pub help: &'static str,
    /// Whether a new table without it is incomplete.
    pub is_required: bool,
    /// Whether files show it only where it differs from the default.
    pub is_advanced: bool,
}

/// A field of a settings struct.
pub struct Field<T> {
    /// Name, unit and help.
    pub key: Key,
    slot: fn(&mut T) -> Slot<'_>,
}

impl<T> Field<T> {
    /// A field without unit or other spellings.
    pub const fn new(name: &'static str, help: &'static str, slot: fn(&mut T) -> Slot<'_>) -> Self {
        let key = Key { name, aliases: &[], unit: "", help, is_required: false, is_advanced: false };
        Self { key, slot }
    }

    /// With a unit.
    pub const fn in_unit(mut self, unit: &'static str) -> Self {
        self.key.unit = unit;
        self
    }

    /// With other spellings.
    pub const fn or(mut self, aliases: &'static [&'static str]) -> Self {
        self.key.aliases = aliases;
        self
    }

    /// One that a new table must have.
    pub const fn required(mut self) -> Self {
        self.key.is_required = true;
        self
    }

    /// One that files show only where it differs from the default.
    pub const fn advanced(mut self) -> Self {
        self.key.is_advanced = true;
        self
    }
}

/// A value of a settings struct. Ranges hold both ends; in lists they are those of every number.
#[non_exhaustive]
pub enum Slot<'a> {
    /// A number, whole or not.
    Number(&'a mut dyn Number, [f64; 2]),
    /// A number that may be left out, its range, and a usual value.
    Optional(&'a mut Option<f64>, [f64; 2], f64),
    /// True or false.
    Switch(&'a mut bool),
    /// True, false, or left to the program.
    OptionalSwitch(&'a mut Option<bool>),
    /// Any text.
    Text(&'a mut String),
    /// One of some words.
    Choice(&'a mut dyn AnyChoice),
    /// A fixed number of numbers.
    Numbers(&'a mut dyn Rows, [f64; 2]),
    /// Any number of rows of numbers, each row as long as the others.
    Rows(&'a mut dyn Rows, [f64; 2]),
    /// Numbers by names of the user's own.
    ByName(&'a mut Vec<(String, f64)>, [f64; 2]),
    /// Settings within.
    Table(&'a mut dyn AnySettings),
    /// Tables without names: those of a file replace all.
    Tables(&'a mut dyn SettingsList),
    /// The same, each written in one line.
    Lines(&'a mut dyn SettingsList),
    /// Tables with names, and the key of the name: those of a file are laid over those of the same name, or added, or with `remove = true`
    /// taken away. A file that names all of them also gives their order.
    Named(&'a mut dyn SettingsList, &'static str),
}

/// A settings struct.
pub trait Settings: Sized + 'static {
    /// Plain values first, then tables, as TOML needs it.
    const FIELDS: &'static [Field<Self>];

    /// Problems beyond ranges of single values. Called only if all single values are valid.
    fn problems(&self) -> Vec<Problem> {
        Vec::new()
    }
}

/// Something wrong beyond a single value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The inner table, such as `bone "hips"`; empty for the table itself.
    pub place: String,
    /// What is wrong and what to do.
    pub message: String,
}

impl Problem {
    /// One of the table itself.
    pub fn new(message: impl Into<String>) -> Self {
        Self { place: String::new(), message: message.into() }
    }
}

/// Any settings struct, for code that walks its fields by number.
pub trait AnySettings {
    /// Number of fields.
    fn field_count(&self) -> usize;
    /// Name and meaning of a field.
    ///
    /// # Panics
    /// If the field does not exist.
    fn key(&self, field: usize) -> &'static Key;
    /// The value of a field.
    ///
    /// # Panics
    /// If the field does not exist.
    fn slot(&mut self, field: usize) -> Slot<'_>;
    /// As [`Settings::problems`].
    fn problems(&self) -> Vec<Problem>;
}

impl<T: Settings> AnySettings for T {
    fn field_count(&self) -> usize {
        T::FIELDS.len()
    }

    fn key(&self, field: usize) -> &'static Key {
        &T::FIELDS[field].key
    }

    fn slot(&mut self, field: usize) -> Slot<'_> {
        (T::FIELDS[field].slot)(self)
    }

    fn problems(&self) -> Vec<Problem> {
        Settings::problems(self)
    }
}

impl dyn AnySettings + '_ {
    /// The text of a field by its name; empty if it has none.
    pub fn text_of(&mut self, name: &str) -> &str {
        self.text_mut(name).map_or("", |text| text)
    }

    /// The text of a field by its name, if there is one.
    pub fn text_mut(&mut self, name: &str) -> Option<&mut String> {
        let field = (0..self.field_count()).find(|&field| self.key(field).name == name)?;
        match self.slot(field) {
            Slot::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// A list of settings.
pub trait SettingsList {
    /// Number of items.
    fn count(&self) -> usize;
    /// One of them.
    ///
    /// # Panics
    /// If the item does not exist.
    fn item(&mut self, at: usize) -> &mut dyn AnySettings;
    /// Adds one with default values, as the last.
    fn add(&mut self);
    /// Takes one away.
    ///
    /// # Panics
    /// If the item does not exist.
    fn take(&mut self, at: usize);
    /// Exchanges two.
    ///
    /// # Panics
    /// If the item does not exist.
    fn exchange(&mut self, a: usize, b: usize);
    /// One with default values, apart from the list.
    fn example(&self) -> Box<dyn AnySettings>;
}

impl<T: Settings + Default> SettingsList for Vec<T> {
    fn count(&self) -> usize {
        self.len()
    }

    fn item(&mut self, at: usize) -> &mut dyn AnySettings {
        &mut self[at]
    }

    fn add(&mut self) {
        self.push(T::default());
    }

    fn take(&mut self, at: usize) {
        self.remove(at);
    }

    fn exchange(&mut self, a: usize, b: usize) {
        self.swap(a, b);
    }

    fn example(&self) -> Box<dyn AnySettings> {
        Box::new(T::default())
    }
}

impl dyn SettingsList + '_ {
    /// The names of all items, which have them under this key.
    pub fn names(&mut self, name_key: &str) -> Vec<String> {
        (0..self.count()).map(|at| self.item(at).text_of(name_key).to_owned()).collect()
    }
}

/// A value that is one of some words.
pub trait Choice: Copy + PartialEq + 'static {
    /// All values.
    const ALL: &'static [Self];

    /// The word in files.
    fn name(self) -> &'static str;
}

/// Any [`Choice`].
pub trait AnyChoice {
    /// The words of all values.
    fn words(&self) -> Vec<&'static str>;
    /// The word of this one.
    fn word(&self) -> &'static str;
    /// Becomes the value of a word; whether there is such a value.
    fn set_word(&mut self, word: &str) -> bool;
}

impl<T: Choice> AnyChoice for T {
    fn words(&self) -> Vec<&'static str> {
        T::ALL.iter().map(|choice| choice.name()).collect()
    }

    fn word(&self) -> &'static str {
        self.name()
    }

    fn set_word(&mut self, word: &str) -> bool {
        let found = T::ALL.iter().find(|choice| choice.name() == word);
        found.is_some_and(|found| {
            *self = *found;
            true
        })
    }
}
