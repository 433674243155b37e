//! Bytes of a PMX file that is being written.

use super::index_sizes::{IndexKind, KINDS};
use super::types::IndexSizes;
use crate::MmdText;
use crate::text::TextEncoding;

/// Bytes so far, and how to add texts and indices to them.
pub(super) struct Sink {
    pub(super) out: Vec<u8>,
    pub(super) encoding: TextEncoding,
    pub(super) sizes: IndexSizes,
    /// By kind: whether an index did not fit its size.
    misfits: [bool; KINDS.len()],
}

impl Sink {
    pub(super) fn new(encoding: TextEncoding, sizes: IndexSizes, capacity: usize) -> Self {
        Self { out: Vec::with_capacity(capacity), encoding, sizes, misfits: [false; KINDS.len()] }
    }

    /// The kinds of which an index did not fit its size; what was written is useless if there are any.
    pub(super) fn misfits(&self) -> impl Iterator<Item = IndexKind> {
        KINDS.into_iter().filter(|&kind| self.misfits[kind as usize])
    }

    pub(super) fn text(&mut self, text: &MmdText) {
        let bytes = text.encode(self.encoding);
        self.count(bytes.len());
        self.out.extend_from_slice(&bytes);
    }

    pub(super) fn count(&mut self, count: usize) {
        // A list of more than i32::MAX entries would take more memory than there is.
        self.i32(count as i32);
    }

    #[inline]
    pub(super) fn u8(&mut self, value: u8) {
        self.out.push(value);
    }

    #[inline]
    pub(super) fn u16(&mut self, value: u16) {
        self.out.extend_from_slice(&value.to_le_bytes());
    }

    #[inline]
    pub(super) fn i32(&mut self, value: i32) {
        self.out.extend_from_slice(&value.to_le_bytes());
    }

    #[inline]
    pub(super) fn f32(&mut self, value: f32) {
        self.out.extend_from_slice(&value.to_le_bytes());
    }

    #[inline]
    pub(super) fn floats(&mut self, values: &[f32]) {
        self.out.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    }

    /// An index that may be −1.
    #[inline]
    pub(super) fn index(&mut self, kind: IndexKind, value: i32) {
        let fits = match self.sizes.of(kind) {
            1 => {
                self.out.push(value as u8);
                i8::try_from(value).is_ok()
            }
            2 => {
                self.u16(value as u16);
                i16::try_from(value).is_ok()
            }
            _ => {
                self.i32(value);
                true
            }
        };
        self.misfits[kind as usize] |= !fits;
    }

    /// The index of a vertex, which has no sign.
    #[inline]
    pub(super) fn vertex(&mut self, value: u32) {
        let fits = match self.sizes.vertex {
            1 => {
                self.out.push(value as u8);
                u8::try_from(value).is_ok()
            }
            2 => {
                self.u16(value as u16);
                u16::try_from(value).is_ok()
            }
            _ => {
                self.i32(value as i32);
                true
            }
        };
        self.misfits[IndexKind::Vertex as usize] |= !fits;
    }

    /// A list with its count.
    pub(super) fn list<T>(&mut self, entries: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.count(entries.len());
        entries.iter().for_each(|entry| write(self, entry));
    }
}
