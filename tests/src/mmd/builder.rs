//! Bytes, and where in them the counts are.

use crate::Prng;

/// A file in memory.
#[derive(Clone, Debug)]
pub struct MmdFile {
    /// What is in it.
    pub name: String,
    /// The file.
    pub bytes: Vec<u8>,
    /// Where counts and lengths stand, and how many bytes each has.
    pub counts: Vec<(usize, usize)>,
    /// Where each list begins.
    pub sections: Vec<usize>,
}

/// Puts a file together. Floats count up from 1, so that tests can tell the order in which they were read.
pub(super) struct FileBuilder {
    pub(super) file: MmdFile,
    next_float: f32,
    /// Where there is one, floats are any bits at all, and texts are not always good.
    pub(super) random: Option<Prng>,
}

impl FileBuilder {
    pub(super) fn new(name: String, seed: Option<u64>) -> Self {
        let file = MmdFile { name, bytes: Vec::new(), counts: Vec::new(), sections: Vec::new() };
        Self { file, next_float: 0.0, random: seed.map(Prng::new) }
    }

    pub(super) fn section(&mut self) {
        self.file.sections.push(self.file.bytes.len());
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.file.bytes.extend_from_slice(bytes);
    }

    /// A little-endian number of `size` bytes.
    pub(super) fn number(&mut self, value: i64, size: usize) {
        self.bytes(&value.to_le_bytes()[..size]);
    }

    pub(super) fn byte(&mut self, value: u8) {
        self.bytes(&[value]);
    }

    /// A count of `size` bytes.
    pub(super) fn count(&mut self, value: usize, size: usize) {
        self.file.counts.push((self.file.bytes.len(), size));
        self.number(value as i64, size);
    }

    pub(super) fn floats(&mut self, count: usize) {
        for _ in 0..count {
            self.next_float += 1.0;
            let plain = self.next_float.to_bits();
            let odd = self.random.as_mut().and_then(|random| random.one_in(4).then(|| random.bits() as u32));
            let bits = odd.unwrap_or(plain);
            self.bytes(&bits.to_le_bytes());
        }
    }
}
