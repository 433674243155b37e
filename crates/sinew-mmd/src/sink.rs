//! Byte writer.

use crate::MmdText;
use crate::pmx::{IndexKind, IndexSizes, KINDS};
use crate::stored::{Count, Plain};
use crate::text::TextEncoding;

/// Bytes so far, with methods to add texts and indices.
pub(crate) struct Sink {
    pub(crate) out: Vec<u8>,
    pub(crate) encoding: TextEncoding,
    pub(crate) sizes: IndexSizes,
    /// For each kind: whether an index did not fit its size.
    pub(crate) misfits: [bool; KINDS.len()],
}

impl Sink {
    pub(crate) fn new(encoding: TextEncoding, sizes: IndexSizes, capacity: usize) -> Self {
        Self { out: Vec::with_capacity(capacity), encoding, sizes, misfits: [false; KINDS.len()] }
    }

    /// For a file without variable-length texts and indices of several sizes.
    pub(crate) fn plain(capacity: usize) -> Self {
        Self::new(TextEncoding::default(), IndexSizes::default(), capacity)
    }

    /// The kinds with an index that did not fit its size; the output is then unusable.
    pub(crate) fn misfits(&self) -> impl Iterator<Item = IndexKind> {
        KINDS.into_iter().filter(|&kind| self.misfits[kind as usize])
    }

    pub(crate) fn text(&mut self, text: &MmdText) {
        let bytes = text.encode(self.encoding);
        self.list_count(Count::SIGNED, bytes.len());
        self.out.extend_from_slice(&bytes);
    }

    /// Writes the count of a list and returns how many of its entries fit that count.
    pub(crate) fn list_count(&mut self, count: Count, entries: usize) -> usize {
        let written = entries.min(count.most as usize);
        self.out.extend_from_slice(&(written as u32).to_le_bytes()[..count.bytes]);
        written
    }

    #[inline]
    pub(crate) fn put(&mut self, value: impl Plain) {
        value.add_to(&mut self.out);
    }
}
