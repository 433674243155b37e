//! Byte reader with the text encoding and index sizes of a PMX header.

use crate::bytes::Bytes;
use crate::pmx::{IndexKind, IndexSizes};
use crate::text::TextEncoding;
use crate::{MmdText, Result};

/// Bytes, with methods to read texts and indices.
pub(crate) struct Source<'a> {
    pub(crate) bytes: Bytes<'a>,
    pub(crate) encoding: TextEncoding,
    pub(crate) sizes: IndexSizes,
}

/// Memory per byte of text: a UTF-16 unit becomes up to three bytes of UTF-8, and odd bytes are kept beside them.
const MEMORY_PER_TEXT_BYTE: usize = 3;

impl<'a> Source<'a> {
    /// For a file without variable-length texts and indices of several sizes.
    pub(crate) fn plain(bytes: Bytes<'a>) -> Self {
        Self { bytes, encoding: TextEncoding::default(), sizes: IndexSizes::default() }
    }

    pub(crate) fn text(&mut self, field: &str) -> Result<MmdText> {
        let length = self.bytes.count(1, MEMORY_PER_TEXT_BYTE, field)?;
        Ok(MmdText::decode(self.bytes.take(length, field)?, self.encoding))
    }

    /// An index that may be −1.
    pub(crate) fn index(&mut self, kind: IndexKind, field: &str) -> Result<i32> {
        Ok(match self.sizes.of(kind) {
            1 => i32::from(self.bytes.get::<u8>(field)? as i8),
            2 => i32::from(self.bytes.get::<i16>(field)?),
            _ => self.bytes.get(field)?,
        })
    }

    /// The index of a vertex, unsigned.
    pub(crate) fn vertex(&mut self, field: &str) -> Result<u32> {
        Ok(match self.sizes.vertex {
            1 => u32::from(self.bytes.get::<u8>(field)?),
            2 => u32::from(self.bytes.get::<u16>(field)?),
            _ => self.bytes.get(field)?,
        })
    }

    /// A byte of 0 or 1. Any other value is an error: it would be lost, and programs disagree on its meaning.
    pub(crate) fn flag(&mut self, field: &str) -> Result<bool> {
        let offset = self.bytes.offset();
        match self.bytes.get(field)? {
            0u8 => Ok(false),
            1 => Ok(true),
            other => Err(self.bytes.unexpected(offset, field, other, "0 or 1")),
        }
    }
}
