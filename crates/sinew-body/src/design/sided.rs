//! One value for both sides, or one for each.

use crate::template::Flank;

/// A value that may differ between left and right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sided<T> {
    /// The same on both sides, mirrored.
    Both(T),
    /// Each side for itself; a side without a value keeps the template's. Right values are written as on the left, mirrored.
    Each {
        /// The left side's value.
        left: Option<T>,
        /// The right side's value.
        right: Option<T>,
    },
}

impl<T> Sided<T> {
    /// The value for a side. The middle takes the common value only.
    pub fn on(&self, flank: Flank) -> Option<&T> {
        match (self, flank) {
            (Sided::Both(value), _) => Some(value),
            (Sided::Each { left, .. }, Flank::Left) => left.as_ref(),
            (Sided::Each { right, .. }, Flank::Right) => right.as_ref(),
            (Sided::Each { .. }, Flank::Middle) => None,
        }
    }

    /// All values in it.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        let (first, second) = match self {
            Sided::Both(value) => (Some(value), None),
            Sided::Each { left, right } => (left.as_ref(), right.as_ref()),
        };
        first.into_iter().chain(second)
    }

    /// All values in it, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        let (first, second) = match self {
            Sided::Both(value) => (Some(value), None),
            Sided::Each { left, right } => (left.as_mut(), right.as_mut()),
        };
        first.into_iter().chain(second)
    }
}

impl<T> From<T> for Sided<T> {
    fn from(value: T) -> Self {
        Sided::Both(value)
    }
}
