//! Bytes of a file that is being written.

use crate::MmdText;
use crate::pmx::{IndexKind, IndexSizes, KINDS};
use crate::stored::{Count, Plain};
use crate::text::TextEncoding;

/// Bytes so far, and how to add texts and indices to them.
pub(crate) struct Sink {
    pub(crate) out: Vec<u8>,
    pub(crate) encoding: TextEncoding,
    pub(crate) sizes: IndexSizes,
    /// By kind: whether an index did not fit its size.
    misfits: [bool; KINDS.len()],
}

impl Sink {
    pub(crate) fn new(encoding: TextEncoding, sizes: IndexSizes, capacity: usize) -> Self {
        Self { out: Vec::with_capacity(capacity), encoding, sizes, misfits: [false; KINDS.len()] }
    }

    /// Of a file whose records hold neither texts of any length nor indices of several sizes.
    pub(crate) fn plain(capacity: usize) -> Self {
        Self::new(TextEncoding::default(), IndexSizes::default(), capacity)
    }

    /// The kinds of which an index did not fit its size; what was written is useless if there are any.
    pub(crate) fn misfits(&self) -> impl Iterator<Item = IndexKind> {
        KINDS.into_iter().filter(|&kind| self.misfits[kind as usize])
    }

    pub(crate) fn text(&mut self, text: &MmdText) {
        let bytes = text.encode(self.encoding);
        self.list_count(Count::Signed, bytes.len());
        self.out.extend_from_slice(&bytes);
    }

    /// The count of a list of so many entries, and how many of them it can say.
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

    /// The index of a vertex, which has no sign.
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
