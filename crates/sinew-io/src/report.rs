//! What a reader or writer could not carry over, or had to put right.

use serde::{Serialize, Serializer};
use std::fmt;

/// One thing worth telling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Where, in the file's own terms: `meshes[2].primitives[0]`, `line 12`.
    pub place: String,
    /// What was found and what was done about it.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.place, self.message)
        }
    }
}

/// Everything worth telling about one file, in the order in which it was met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    warnings: Vec<Warning>,
    /// Warnings past [`MOST_WARNINGS`].
    left_out: usize,
}

/// A damaged file may have something wrong in every element; nobody reads past this many, and memory stays bounded.
const MOST_WARNINGS: usize = 1000;

impl Report {
    /// Adds a warning.
    pub fn warn(&mut self, place: impl fmt::Display, message: impl fmt::Display) {
        if self.warnings.len() < MOST_WARNINGS {
            self.warnings.push(Warning { place: place.to_string(), message: message.to_string() });
        } else {
            self.left_out += 1;
        }
    }

    /// All warnings, in order.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// How many warnings were counted but not kept.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Adds the warnings of another report, under a place of their own.
    pub fn take_in(&mut self, place: impl fmt::Display, other: &Self) {
        other.warnings.iter().for_each(|warning| self.warn(&place, warning));
    }

    /// Whether there was nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.warnings.is_empty()
    }
}

/// The list of its warnings, in words.
impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.warnings.iter().map(ToString::to_string))
    }
}
