//! Reading little-endian bytes with errors that name the place.

use sinew_io::Limits;
use sinew_io::{Budget, MemoryLimitError};
use std::fmt;

/// Why a file of MMD cannot be read: where, in which field, and what is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct MmdReadError {
    /// Bytes from the start of the file.
    pub offset: usize,
    /// The field, such as `vertices[12].weight type`.
    pub field: String,
    /// What is wrong.
    pub problem: MmdProblem,
}

impl fmt::Display for MmdReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}, {}: {}", self.offset, self.field, self.problem)
    }
}

impl std::error::Error for MmdReadError {}

/// What can be wrong with bytes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MmdProblem {
    /// The file ends too early.
    #[error("the file ends here; {needed} more bytes are needed, {left} are left")]
    Ends {
        /// For this field.
        needed: u64,
        /// In the file.
        left: u64,
    },
    /// A value that has no meaning.
    #[error("{found} is not {expected}")]
    Unexpected {
        /// The value.
        found: String,
        /// What could stand here.
        expected: &'static str,
    },
    /// More than the memory limit.
    #[error("{0}")]
    Memory(MemoryLimitError),
    /// A file of another kind or version.
    #[error("{0}")]
    NotSupported(String),
}

/// Bytes, read one after another.
pub(crate) struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
    /// What is being read: a list and the index in it.
    list: Option<(&'static str, usize)>,
    /// A list inside that entry, and the index in it.
    inner_list: Option<(&'static str, usize)>,
    budget: Budget,
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(bytes: &'a [u8], limits: &Limits) -> Self {
        Self { bytes, at: 0, list: None, inner_list: None, budget: Budget::new(limits, bytes.len()) }
    }

    /// Says that what follows is an entry of a list; for errors.
    #[inline]
    pub(crate) fn enter(&mut self, list: &'static str, index: usize) {
        self.list = Some((list, index));
    }

    /// Says that what follows is an entry of a list inside an entry; for errors.
    #[inline]
    pub(crate) fn enter_inner(&mut self, list: &'static str, index: usize) {
        self.inner_list = Some((list, index));
    }

    /// Says that what follows is no entry of an inner list.
    #[inline]
    pub(crate) fn leave_inner(&mut self) {
        self.inner_list = None;
    }

    /// Says that what follows is no entry of a list.
    #[inline]
    pub(crate) fn leave(&mut self) {
        self.list = None;
    }

    /// Goes back to an offset that was passed.
    pub(crate) fn return_to(&mut self, offset: usize) {
        debug_assert!(offset <= self.at, "only what was read is known to be there");
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

    /// The place of the field that begins at `offset`, as errors name it.
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
        found: impl fmt::Display,
        expected: &'static str,
    ) -> MmdReadError {
        self.error(offset, field, MmdProblem::Unexpected { found: found.to_string(), expected })
    }

    /// The next `count` bytes.
    #[inline]
    pub(crate) fn take(&mut self, count: usize, field: &str) -> Result<&'a [u8], MmdReadError> {
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

    /// The next `N` bytes.
    #[inline]
    pub(crate) fn array<const N: usize>(&mut self, field: &str) -> Result<[u8; N], MmdReadError> {
        let Some(&taken) = self.bytes[self.at..].first_chunk::<N>() else {
            return Err(self.ends(N as u64, field));
        };
        self.at += N;
        Ok(taken)
    }

    /// Whether `count` entries of at least `least_bytes` fit into what is left, and into memory at `bytes_each`; so that room for
    /// them can be made. A count in a file is never believed before this.
    pub(crate) fn check_count(
        &mut self,
        count: u64,
        least_bytes: u64,
        bytes_each: usize,
        field: &str,
    ) -> Result<usize, MmdReadError> {
        let needed = count.saturating_mul(least_bytes);
        if needed > self.left() as u64 {
            return Err(self.ends(needed, field));
        }
        let taken = self.budget.take(&field, count, bytes_each as u64);
        taken.map_err(|error| self.error(self.at, field, MmdProblem::Memory(error)))?;
        Ok(count as usize)
    }

    /// A count of 32 bits, checked as [`Bytes::check_count`].
    pub(crate) fn count(
        &mut self,
        least_bytes: u64,
        bytes_each: usize,
        field: &str,
    ) -> Result<usize, MmdReadError> {
        let offset = self.at;
        let count = self.i32(field)?;
        if count < 0 {
            return Err(self.unexpected(offset, field, count, "a count"));
        }
        self.check_count(count as u64, least_bytes, bytes_each, field)
    }

    #[inline]
    pub(crate) fn u8(&mut self, field: &str) -> Result<u8, MmdReadError> {
        Ok(self.array::<1>(field)?[0])
    }

    #[inline]
    pub(crate) fn u16(&mut self, field: &str) -> Result<u16, MmdReadError> {
        Ok(u16::from_le_bytes(self.array(field)?))
    }

    #[inline]
    pub(crate) fn i16(&mut self, field: &str) -> Result<i16, MmdReadError> {
        Ok(i16::from_le_bytes(self.array(field)?))
    }

    #[inline]
    pub(crate) fn u32(&mut self, field: &str) -> Result<u32, MmdReadError> {
        Ok(u32::from_le_bytes(self.array(field)?))
    }

    #[inline]
    pub(crate) fn i32(&mut self, field: &str) -> Result<i32, MmdReadError> {
        Ok(i32::from_le_bytes(self.array(field)?))
    }

    #[inline]
    pub(crate) fn f32(&mut self, field: &str) -> Result<f32, MmdReadError> {
        Ok(f32::from_le_bytes(self.array(field)?))
    }

    #[inline]
    pub(crate) fn floats<const N: usize>(&mut self, field: &str) -> Result<[f32; N], MmdReadError> {
        let bytes = self.take(4 * N, field)?;
        let (words, _) = bytes.as_chunks::<4>();
        Ok(std::array::from_fn(|at| f32::from_le_bytes(words[at])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_offset_and_field() {
        let data = [2, 0, 0, 0, 255, 255, 255, 255];
        let mut bytes = Bytes::new(&data, &Limits::default());
        assert_eq!(bytes.u32("size"), Ok(2));
        bytes.enter("bones", 7);
        let error = bytes.floats::<3>("position").expect_err("four bytes are left");
        assert_eq!(
            error.to_string(),
            "byte 4, bones[7].position: the file ends here; 12 more bytes are needed, 4 are left"
        );
        let error = bytes.count(1, 1, "links").expect_err("negative");
        assert_eq!(error.to_string(), "byte 4, bones[7].links: -1 is not a count");
    }
}
