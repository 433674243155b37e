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
    misfits: [bool; KINDS.len()],
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
        self.list_count(Count::Signed, bytes.len());
        self.out.extend_from_slice(&bytes);
    }

    /// Writes the count of a list and returns how many of its entries fit that count.
    pub(crate) fn list_count(&mut self, count: Count, entries: usize) -> usize {
        let most = match count {
            Count::One => u8::MAX.into(),
            Count::Two => u16::MAX.into(),
            Count::Four => u32::MAX as usize,
            Count::Signed => i32::MAX as usize,
        };
        let written = entries.min(most);
        match count {
            Count::One => self.put(written as u8),
            Count::Two => self.put(written as u16),
            Count::Four | Count::Signed => self.put(written as u32),
        }
        written
    }

    #[inline]
    pub(crate) fn put(&mut self, value: impl Plain) {
        value.add_to(&mut self.out);
    }

    /// An index that may be −1.
    #[inline]
    pub(crate) fn index(&mut self, kind: IndexKind, value: i32) {
        let size = self.sizes.of(kind);
        let fits = match size {
            1 => i8::try_from(value).is_ok(),
            2 => i16::try_from(value).is_ok(),
            _ => true,
        };
        self.sized(kind, size, value as u32, fits);
    }

    /// The index of a vertex, unsigned.
    #[inline]
    pub(crate) fn vertex(&mut self, value: u32) {
        let size = self.sizes.vertex;
        let fits = match size {
            1 => u8::try_from(value).is_ok(),
            2 => u16::try_from(value).is_ok(),
            _ => true,
        };
        self.sized(IndexKind::Vertex, size, value, fits);
    }

    #[inline]
    fn sized(&mut self, kind: IndexKind, size: u8, value: u32, fits: bool) {
        match size {
            1 => self.put(value as u8),
            2 => self.put(value as u16),
            _ => self.put(value),
        }
        self.misfits[kind as usize] |= !fits;
    }
}
