//! Settings that come from no file, checked by the same list of keys.

use super::visit::{Fields, Key, Named, Visit};
use super::{FleshTextError, FleshTextErrors};
use crate::config::FleshSettings;

impl FleshSettings {
    /// Checks every value against its range, and what belongs together.
    ///
    /// # Errors
    /// Everything that is wrong, each with its key.
    pub fn check(&self) -> Result<(), FleshTextErrors> {
        let mut checker = Checker::default();
        checker.inner(String::new(), &mut self.clone());
        if checker.errors.is_empty() { Ok(()) } else { Err(FleshTextErrors(checker.errors)) }
    }
}

#[derive(Default)]
struct Checker {
    place: String,
    errors: Vec<FleshTextError>,
}

impl Checker {
    fn place_of(&self, key: Key) -> String {
        if self.place.is_empty() { key.name.to_owned() } else { format!("{}.{}", self.place, key.name) }
    }

    fn range(&mut self, key: Key, [least, most]: [f64; 2], value: f64) {
        if !(least..=most).contains(&value) {
            let message = format!("{value} does not go; use {least} to {most}");
            self.errors.push(FleshTextError { line: 0, place: self.place_of(key), message });
        }
    }

    fn inner<T: Fields>(&mut self, place: String, value: &mut T) {
        let around = std::mem::replace(&mut self.place, place);
        let before = self.errors.len();
        value.fields(self);
        if self.errors.len() == before {
            for problem in value.problems() {
                let place = if problem.place.is_empty() { self.place.clone() } else { problem.place };
                self.errors.push(FleshTextError { line: 0, place, message: problem.message });
            }
        }
        self.place = around;
    }
}

impl Visit for Checker {
    fn number(&mut self, key: Key, range: [f64; 2], value: &mut f64) {
        self.range(key, range, *value);
    }

    fn optional_number(&mut self, key: Key, range: [f64; 2], value: &mut Option<f64>) {
        if let Some(value) = value {
            self.range(key, range, *value);
        }
    }

    fn count(&mut self, key: Key, range: [u32; 2], value: &mut u32) {
        self.range(key, range.map(f64::from), f64::from(*value));
    }

    fn switch(&mut self, _: Key, _: &mut bool) {}

    fn text(&mut self, _: Key, _: &mut String) {}

    fn word(&mut self, _: Key, _: &[&'static str], _: &mut usize) {}

    fn numbers<const COUNT: usize>(&mut self, key: Key, range: [f64; 2], value: &mut [f64; COUNT]) {
        value.iter().for_each(|&value| self.range(key, range, value));
    }

    fn points<const COUNT: usize>(&mut self, key: Key, range: [f64; 2], value: &mut Vec<[f64; COUNT]>) {
        value.iter().flatten().for_each(|&value| self.range(key, range, value));
    }

    fn by_name(&mut self, key: Key, range: [f64; 2], value: &mut Vec<(String, f64)>) {
        value.iter().for_each(|&(_, value)| self.range(key, range, value));
    }

    fn table<T: Fields>(&mut self, key: Key, value: &mut T) {
        self.inner(self.place_of(key), value);
    }

    fn tables<T: Fields + Default>(&mut self, key: Key, value: &mut Vec<T>) {
        for (index, item) in value.iter_mut().enumerate() {
            self.inner(format!("{}[{index}]", self.place_of(key)), item);
        }
    }

    fn lines<T: Fields + Default>(&mut self, key: Key, value: &mut Vec<T>) {
        self.tables(key, value);
    }

    fn named_tables<T: Named>(&mut self, key: Key, value: &mut Vec<T>) {
        for at in 0..value.len() {
            let name = value[at].name().to_owned();
            let place = format!("{} {name:?}", key.name);
            let is_twice = value[..at].iter().any(|before| before.name() == name);
            if is_twice || name.trim().is_empty() {
                let message = if is_twice { "it is there twice" } else { "a name must not be empty" };
                self.errors.push(FleshTextError {
                    line: 0,
                    place: place.clone(),
                    message: message.to_owned(),
                });
            }
            self.inner(place, &mut value[at]);
        }
    }
}
