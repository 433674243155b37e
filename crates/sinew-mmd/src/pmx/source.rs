//! Bytes of a PMX file, with what its header says about texts and indices.

use super::index_sizes::IndexKind;
use super::types::IndexSizes;
use crate::bytes::Bytes;
use crate::text::TextEncoding;
use crate::{MmdReadError, MmdText};

/// Bytes, and how to read texts and indices from them.
pub(super) struct Source<'a> {
    pub(super) bytes: Bytes<'a>,
    pub(super) encoding: TextEncoding,
    pub(super) sizes: IndexSizes,
}

/// Memory that a byte of text may take: a unit of UTF-16 makes three bytes of UTF-8, and odd bytes are kept beside them.
const MEMORY_PER_TEXT_BYTE: usize = 3;

impl Source<'_> {
    pub(super) fn text(&mut self, field: &str) -> Result<MmdText, MmdReadError> {
        let length = self.bytes.count(1, MEMORY_PER_TEXT_BYTE, field)?;
        Ok(MmdText::decode(self.bytes.take(length, field)?, self.encoding))
    }

    /// An index that may be −1.
    pub(super) fn index(&mut self, kind: IndexKind, field: &str) -> Result<i32, MmdReadError> {
        Ok(match self.sizes.of(kind) {
            1 => i32::from(self.bytes.u8(field)? as i8),
            2 => i32::from(self.bytes.i16(field)?),
            _ => self.bytes.i32(field)?,
        })
    }

    /// The index of a vertex, which has no sign.
    pub(super) fn vertex(&mut self, field: &str) -> Result<u32, MmdReadError> {
        Ok(match self.sizes.vertex {
            1 => u32::from(self.bytes.u8(field)?),
            2 => u32::from(self.bytes.u16(field)?),
            _ => self.bytes.u32(field)?,
        })
    }

    /// A byte that is 0 or 1. Any other would be lost, and programs do not agree what it means.
    pub(super) fn flag(&mut self, field: &str) -> Result<bool, MmdReadError> {
        let offset = self.bytes.offset();
        match self.bytes.u8(field)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(self.bytes.unexpected(offset, field, other, "0 or 1")),
        }
    }

    /// A list with its count. An entry takes at least `least_bytes` in the file.
    pub(super) fn list<T>(
        &mut self,
        name: &'static str,
        least_bytes: u64,
        mut read: impl FnMut(&mut Self) -> Result<T, MmdReadError>,
    ) -> Result<Vec<T>, MmdReadError> {
        let count = self.bytes.count(least_bytes, size_of::<T>(), name)?;
        let mut entries = Vec::with_capacity(count);
        for index in 0..count {
            self.bytes.enter(name, index);
            entries.push(read(self)?);
        }
        self.bytes.leave();
        Ok(entries)
    }

    /// A list inside an entry of a list.
    pub(super) fn inner_list<T>(
        &mut self,
        name: &'static str,
        least_bytes: u64,
        mut read: impl FnMut(&mut Self) -> Result<T, MmdReadError>,
    ) -> Result<Vec<T>, MmdReadError> {
        let count = self.bytes.count(least_bytes, size_of::<T>(), name)?;
        let mut entries = Vec::with_capacity(count);
        for index in 0..count {
            self.bytes.enter_inner(name, index);
            entries.push(read(self)?);
        }
        self.bytes.leave_inner();
        Ok(entries)
    }
}
