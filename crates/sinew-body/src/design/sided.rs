//! One value for both sides, or one for each.

use crate::template::Flank;
use serde::de::{DeserializeOwned, Deserializer, Error};
use serde::{Deserialize, Serialize};
use toml::Value;

/// A value that may differ between left and right.
///
/// In TOML it is the value itself, or a table with only `left` and `right`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Sided<T> {
    /// The same on both sides, mirrored.
    Both(T),
    /// One per side; a side without a value keeps the template's. Right values are mirrored, as on the left.
    Each {
        /// The left side's value.
        #[serde(skip_serializing_if = "Option::is_none")]
        left: Option<T>,
        /// The right side's value.
        #[serde(skip_serializing_if = "Option::is_none")]
        right: Option<T>,
    },
}

impl<T: PartialEq> Sided<T> {
    /// Whether both sides have the same value.
    pub(super) fn is_alike(&self) -> bool {
        match self {
            Sided::Both(_) => true,
            Sided::Each { left, right } => left == right,
        }
    }
}

impl<T> Sided<T> {
    /// The value for a side. The middle has only the common value.
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

    /// All values, mutable.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        let (first, second) = match self {
            Sided::Both(value) => (Some(value), None),
            Sided::Each { left, right } => (left.as_mut(), right.as_mut()),
        };
        first.into_iter().chain(second)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Sided<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let is_each = value.as_table().is_some_and(|table| {
            !table.is_empty() && table.keys().all(|side| side == "left" || side == "right")
        });
        let read =
            |value: Value| value.try_into::<T>().map_err(|error| D::Error::custom(error.message().trim()));
        if !is_each {
            return read(value).map(Sided::Both);
        }
        let side = |name: &str| value.get(name).cloned().map(read).transpose();
        Ok(Sided::Each { left: side("left")?, right: side("right")? })
    }
}

impl<T> From<T> for Sided<T> {
    fn from(value: T) -> Self {
        Sided::Both(value)
    }
}
