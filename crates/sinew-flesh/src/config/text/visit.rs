//! What can be done with a list of keys.

/// A key and what it means.
#[derive(Clone, Copy)]
pub(super) struct Key {
    pub(super) name: &'static str,
    /// Unit and meaning, as written above the value.
    pub(super) about: &'static str,
}

pub(super) const fn key(name: &'static str, about: &'static str) -> Key {
    Key { name, about }
}

/// Settings that are a table of keys.
pub(super) trait Fields {
    /// Keys without which a new one means nothing.
    const REQUIRED: &'static [&'static str] = &[];

    /// Shows every key with its value to a visitor.
    fn fields<V: Visit>(&mut self, visit: &mut V);

    /// What is wrong beyond ranges of single values.
    fn problems(&self) -> Vec<Problem> {
        Vec::new()
    }
}

/// Something wrong beyond a single value.
pub(super) struct Problem {
    /// Which of the tables within, such as `bone "hips"`; empty for the table itself.
    pub(super) place: String,
    pub(super) message: String,
}

impl Problem {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { place: String::new(), message: message.into() }
    }
}

/// Settings that a user finds by name.
pub(super) trait Named: Fields + Default {
    /// The key of the name.
    const NAME_KEY: &'static str;

    fn name(&self) -> &str;

    /// One that does not exist before, of this name.
    fn named(name: &str) -> Self;
}

/// Reads, writes or checks values. Ranges hold both ends.
pub(super) trait Visit {
    fn number(&mut self, key: Key, range: [f64; 2], value: &mut f64);
    fn optional_number(&mut self, key: Key, range: [f64; 2], value: &mut Option<f64>);
    fn count(&mut self, key: Key, range: [u32; 2], value: &mut u32);
    fn switch(&mut self, key: Key, value: &mut bool);
    fn text(&mut self, key: Key, value: &mut String);
    /// One of some words, by its place among them.
    fn word(&mut self, key: Key, words: &[&'static str], value: &mut usize);
    /// A list of a fixed number of numbers.
    fn numbers<const COUNT: usize>(&mut self, key: Key, range: [f64; 2], value: &mut [f64; COUNT]);
    /// A list of such lists.
    fn points<const COUNT: usize>(&mut self, key: Key, range: [f64; 2], value: &mut Vec<[f64; COUNT]>);
    /// A table of names that are the user's own.
    fn by_name(&mut self, key: Key, range: [f64; 2], value: &mut Vec<(String, f64)>);
    fn table<T: Fields>(&mut self, key: Key, value: &mut T);
    /// Tables without names: those of a file replace all.
    fn tables<T: Fields + Default>(&mut self, key: Key, value: &mut Vec<T>);
    /// The same, each in one line.
    fn lines<T: Fields + Default>(&mut self, key: Key, value: &mut Vec<T>);
    /// Tables with names: those of a file are laid over those of the same name, or added, or with `remove = true` taken
    /// away. A file that names all of them says their order.
    fn named_tables<T: Named>(&mut self, key: Key, value: &mut Vec<T>);
}
