//! Access to the raw JSON that keeps the place of every value.

use super::{ReadGltfError, Result};
use serde_json::Value;

/// A JSON value and its place, such as `meshes[2].primitives[0]`.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    pub(crate) value: &'a Value,
    pub(crate) place: String,
}

impl<'a> Cursor<'a> {
    /// The document itself.
    pub(crate) fn root(value: &'a Value) -> Self {
        Self { value, place: String::new() }
    }

    /// The place of a member, whether it exists or not.
    pub(crate) fn place_of(&self, key: &str) -> String {
        if self.place.is_empty() { key.to_owned() } else { format!("{}.{key}", self.place) }
    }

    /// A member; `None` where it is missing or null.
    pub(crate) fn get(&self, key: &str) -> Option<Self> {
        let value = self.value.get(key)?;
        (!value.is_null()).then(|| Self { value, place: self.place_of(key) })
    }

    /// A member that must exist.
    pub(crate) fn require(&self, key: &str) -> Result<Self> {
        self.get(key).ok_or_else(|| ReadGltfError::Missing { place: self.place_of(key) })
    }

    /// The entries of an array member; none where it is missing.
    pub(crate) fn list(&self, key: &str) -> Result<Vec<Self>> {
        let Some(list) = self.get(key) else { return Ok(Vec::new()) };
        list.items()
    }

    /// The entries of this value, which must be an array.
    pub(crate) fn items(&self) -> Result<Vec<Self>> {
        let array = self.value.as_array().ok_or_else(|| self.wrong("a list"))?;
        let item = |(index, value)| Self { value, place: format!("{}[{index}]", self.place) };
        Ok(array.iter().enumerate().map(item).collect())
    }

    /// The entries of an array member, which must be objects; none where it is missing.
    pub(crate) fn objects(&self, key: &str) -> Result<Vec<Self>> {
        let list = self.list(key)?;
        match list.iter().find(|entry| !entry.value.is_object()) {
            Some(entry) => Err(entry.wrong("an object")),
            None => Ok(list),
        }
    }

    /// The entry of the document's list `key` with the index `reference` in the JSON; `self` must be the document.
    pub(crate) fn entry(&self, key: &str, reference: &Self) -> Result<Self> {
        let index = reference.as_index(self.list_len(key))?;
        Ok(Self { value: &self.value[key][index], place: format!("{key}[{index}]") })
    }

    /// Number of entries of an array member.
    pub(crate) fn list_len(&self, key: &str) -> usize {
        self.value.get(key).and_then(Value::as_array).map_or(0, Vec::len)
    }

    /// A whole number.
    pub(crate) fn as_u64(&self) -> Result<u64> {
        whole_number(self.value).ok_or_else(|| self.wrong("a whole number from 0"))
    }

    /// A whole number member.
    pub(crate) fn u64(&self, key: &str) -> Result<Option<u64>> {
        self.get(key).map(|member| member.as_u64()).transpose()
    }

    /// An index member, checked against the length of the list that it points into.
    pub(crate) fn index(&self, key: &str, limit: usize) -> Result<Option<usize>> {
        self.get(key).map(|member| member.as_index(limit)).transpose()
    }

    /// This value as an index, checked against the length of the list that it points into.
    pub(crate) fn as_index(&self, limit: usize) -> Result<usize> {
        let index = self.as_u64()?;
        match usize::try_from(index) {
            Ok(index) if index < limit => Ok(index),
            _ => Err(ReadGltfError::IndexOutOfRange { place: self.place.clone(), index, limit }),
        }
    }

    /// A finite number member.
    pub(crate) fn f32(&self, key: &str) -> Result<Option<f32>> {
        self.get(key).map(|member| member.as_f32()).transpose()
    }

    pub(crate) fn as_f32(&self) -> Result<f32> {
        let number = self.value.as_f64().map(|x| x as f32).filter(|x| x.is_finite());
        number.ok_or_else(|| self.wrong("a number that fits 32 bits"))
    }

    /// A member of exactly `N` finite numbers.
    pub(crate) fn f32s<const N: usize>(&self, key: &str) -> Result<Option<[f32; N]>> {
        let Some(member) = self.get(key) else { return Ok(None) };
        let items = self.list(key)?;
        if items.len() != N {
            return Err(member.wrong(&format!("a list of {N} numbers")));
        }
        let mut numbers = [0.0; N];
        for (number, item) in numbers.iter_mut().zip(&items) {
            *number = item.as_f32()?;
        }
        Ok(Some(numbers))
    }

    /// A text member; `None` where it is missing or something else.
    pub(crate) fn text(&self, key: &str) -> Option<&'a str> {
        self.value.get(key)?.as_str()
    }

    /// A name: the text member `name`, or nothing.
    pub(crate) fn name(&self) -> String {
        self.text("name").unwrap_or_default().to_owned()
    }

    /// A member of `extensions`.
    pub(crate) fn extension(&self, name: &str) -> Option<Self> {
        self.get("extensions")?.get(name)
    }

    /// The error of a value of the wrong type.
    pub(crate) fn wrong(&self, expected: &str) -> ReadGltfError {
        let mut found: String = self.value.to_string().chars().take(LONGEST_QUOTE + 1).collect();
        if found.chars().count() > LONGEST_QUOTE {
            found.pop();
            found.push('…');
        }
        ReadGltfError::WrongType { place: self.place.clone(), expected: expected.to_owned(), found }
    }
}

/// A whole number; some writers print counts as 3.0.
pub(crate) fn whole_number(value: &Value) -> Option<u64> {
    let from_float =
        || value.as_f64().filter(|x| x.fract() == 0.0 && *x >= 0.0 && *x < 9e15).map(|x| x as u64);
    value.as_u64().or_else(from_float)
}

/// Characters of a wrong value that an error quotes.
const LONGEST_QUOTE: usize = 40;
