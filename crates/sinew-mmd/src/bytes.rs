//! Reading little-endian bytes with errors that name the offset and the field.

use crate::MmdText;
use crate::pmx::IndexSizes;
use crate::stored::{Count, Plain};
use crate::text::TextEncoding;
use sinew_io::{Budget, Limits, MemoryLimitError};
use std::fmt::Display;

/// Of reading.
pub(crate) type Result<T, E = MmdReadError> = std::result::Result<T, E>;

/// Error of reading an MMD file: offset, field and problem.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("byte {offset}, {field}: {problem}")]
pub struct MmdReadError {
    /// Bytes from the start of the file.
    pub offset: usize,
    /// The field, such as `vertices[12].weight type`.
    pub field: String,
    /// What is wrong.
    pub problem: MmdProblem,
}

/// Problem of a field.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MmdProblem {
    #[error("the file is truncated: {needed} more bytes needed, {left} left")]
    Ends { needed: u64, left: u64 },
    #[error("expected {expected}, found {found}")]
    Unexpected { found: String, expected: &'static str },
    #[error("{0}")]
    Memory(MemoryLimitError),
    #[error("{0}")]
    NotSupported(String),
}

/// Sequential reader of bytes.
pub(crate) struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The list being read, and the index in it.
    list: Option<(&'static str, usize)>,
    /// A list inside that entry, and the index in it.
    inner_list: Option<(&'static str, usize)>,
    budget: Budget,
    /// Of texts, as in the header of a PMX file.
    pub(crate) encoding: TextEncoding,
    /// Of indices, as in the header of a PMX file.
    pub(crate) sizes: IndexSizes,
}

/// Memory per byte of text: a UTF-16 unit becomes up to three bytes of UTF-8, and odd bytes are kept beside them.
const MEMORY_PER_TEXT_BYTE: usize = 3;

impl<'a> Bytes<'a> {
    pub(crate) fn new(bytes: &'a [u8], limits: &Limits) -> Self {
        let budget = Budget::new(limits, bytes.len());
        let (encoding, sizes) = Default::default();
        Self { bytes, at: 0, list: None, inner_list: None, budget, encoding, sizes }
    }

    /// Enters an entry of a list, or of a list inside an entry, or leaves it; for errors.
    #[inline]
    pub(crate) fn enter(&mut self, is_inner: bool, entry: Option<(&'static str, usize)>) {
        *(if is_inner { &mut self.inner_list } else { &mut self.list }) = entry;
    }

    /// Returns to an earlier offset.
    pub(crate) fn return_to(&mut self, offset: usize) {
        debug_assert!(offset <= self.at, "only bytes already read are known to exist");
        self.at = offset;
    }

    /// Bytes from the start.
    #[inline]
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// Bytes that are left.
    #[inline]
    pub(crate) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// All bytes that are left.
    pub(crate) fn rest(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        self.at = self.bytes.len();
        rest
    }

    /// The error of the field at `offset`.
    pub(crate) fn error(&self, offset: usize, field: &str, problem: MmdProblem) -> MmdReadError {
        let lists = self.list.iter().chain(&self.inner_list);
        let place: String = lists.map(|(list, index)| format!("{list}[{index}].")).collect();
        let field = place + field;
        MmdReadError { offset, field, problem }
    }

    /// An error about the value at `offset`.
    #[cold]
    pub(crate) fn unexpected(
        &self,
        offset: usize,
        field: &str,
        found: impl Display,
        expected: &'static str,
    ) -> MmdReadError {
        self.error(offset, field, MmdProblem::Unexpected { found: found.to_string(), expected })
    }

    /// The next `count` bytes.
    #[inline]
    pub(crate) fn take(&mut self, count: usize, field: &str) -> Result<&'a [u8]> {
        let Some(taken) = self.bytes[self.at..].get(..count) else {
            return Err(self.ends(count as u64, field));
        };
        self.at += count;
        Ok(taken)
    }

    #[cold]
    fn ends(&self, needed: u64, field: &str) -> MmdReadError {
        self.error(self.at, field, MmdProblem::Ends { needed, left: self.left() as u64 })
    }

    /// Checks that `count` entries of at least `least` bytes fit the rest of the file, and the memory limit at `each` bytes. Always
    /// called before allocating for a count from a file.
    pub(crate) fn check_count(&mut self, count: u64, least: u64, each: usize, field: &str) -> Result<usize> {
        let needed = count.saturating_mul(least);
        if needed > self.left() as u64 {
            return Err(self.ends(needed, field));
        }
        let taken = self.budget.take(&field, count, each as u64);
        taken.map_err(|error| self.error(self.at, field, MmdProblem::Memory(error)))?;
        Ok(count as usize)
    }

    /// The count of a list, not checked yet.
    pub(crate) fn list_count(&mut self, count: Count, field: &str) -> Result<u64> {
        let (offset, mut word) = (self.at, [0; 4]);
        word[..count.bytes].copy_from_slice(self.take(count.bytes, field)?);
        let found = u32::from_le_bytes(word);
        if found > count.most {
            return Err(self.unexpected(offset, field, found as i32, "a count"));
        }
        Ok(found.into())
    }

    /// A signed count, checked as [`Bytes::check_count`].
    pub(crate) fn count(&mut self, least_bytes: u64, bytes_each: usize, field: &str) -> Result<usize> {
        let count = self.list_count(Count::SIGNED, field)?;
        self.check_count(count, least_bytes, bytes_each, field)
    }

    pub(crate) fn text(&mut self, field: &str) -> Result<MmdText> {
        let length = self.count(1, MEMORY_PER_TEXT_BYTE, field)?;
        Ok(MmdText::decode(self.take(length, field)?, self.encoding))
    }

    /// A byte of 0 or 1. Any other value is an error: it would be lost, and programs disagree on its meaning.
    pub(crate) fn flag(&mut self, field: &str) -> Result<bool> {
        let offset = self.offset();
        match self.get(field)? {
            0u8 => Ok(false),
            1 => Ok(true),
            other => Err(self.unexpected(offset, field, other, "0 or 1")),
        }
    }

    #[inline]
    pub(crate) fn get<T: Plain>(&mut self, field: &str) -> Result<T> {
        self.take(T::BYTES, field).map(T::of_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_offset_and_field() {
        let data = [2, 0, 0, 0, 255, 255, 255, 255];
        let mut bytes = Bytes::new(&data, &Limits::default());
        assert_eq!(bytes.get("size"), Ok(2u32));
        bytes.enter(false, Some(("bones", 7)));
        let error = bytes.get::<[f32; 3]>("position").expect_err("four bytes are left");
        assert_eq!(
            error.to_string(),
            "byte 4, bones[7].position: the file is truncated: 12 more bytes needed, 4 left"
        );
        let error = bytes.count(1, 1, "links").expect_err("negative");
        assert_eq!(error.to_string(), "byte 4, bones[7].links: expected a count, found -1");
    }
}
