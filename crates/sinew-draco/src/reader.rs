//! Bytes and bits of a stream, in order.

use crate::error::{DracoError, Result};

/// A place in the stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0 }
    }

    pub(crate) fn offset(&self) -> usize {
        self.offset
    }

    /// Number of bytes left.
    pub(crate) fn left(&self) -> usize {
        self.bytes.len() - self.offset
    }

    /// All bytes from here on.
    pub(crate) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.offset..]
    }

    pub(crate) fn take(&mut self, what: &'static str, count: u64) -> Result<&'a [u8]> {
        let left = self.left();
        if count > left as u64 {
            return Err(DracoError::Truncated { offset: self.offset, what, needed: count, left });
        }
        let start = self.offset;
        self.offset += count as usize;
        Ok(&self.bytes[start..self.offset])
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N]> {
        let bytes = self.take(what, N as u64)?;
        Ok(std::array::from_fn(|at| bytes[at]))
    }

    pub(crate) fn u8(&mut self, what: &'static str) -> Result<u8> {
        Ok(self.array::<1>(what)?[0])
    }

    pub(crate) fn i8(&mut self, what: &'static str) -> Result<i8> {
        Ok(self.u8(what)? as i8)
    }

    pub(crate) fn u16(&mut self, what: &'static str) -> Result<u16> {
        self.array(what).map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self, what: &'static str) -> Result<u32> {
        self.array(what).map(u32::from_le_bytes)
    }

    pub(crate) fn i32(&mut self, what: &'static str) -> Result<i32> {
        self.array(what).map(i32::from_le_bytes)
    }

    pub(crate) fn f32(&mut self, what: &'static str) -> Result<f32> {
        self.array(what).map(f32::from_le_bytes)
    }

    /// A number in groups of seven bits, lowest first.
    pub(crate) fn varint(&mut self, what: &'static str) -> Result<u64> {
        let mut value = 0;
        for group in 0..u64::BITS.div_ceil(7) {
            let byte = self.u8(what)?;
            value |= u64::from(byte & 0x7f) << (7 * group);
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(DracoError::OutOfRange { offset: self.offset, what, found: value, limit: u64::MAX >> 1 })
    }

    /// A count of at most `limit`.
    pub(crate) fn count(&mut self, what: &'static str, limit: u64) -> Result<usize> {
        let offset = self.offset;
        let found = self.varint(what)?;
        if found > limit.min(u64::from(u32::MAX)) {
            return Err(DracoError::OutOfRange { offset, what, found, limit });
        }
        Ok(found as usize)
    }

    /// Bytes behind their number.
    pub(crate) fn sized(&mut self, what: &'static str) -> Result<&'a [u8]> {
        let size = self.varint(what)?;
        self.take(what, size)
    }

    /// Goes past the bytes that `bits`, which began here, has touched.
    pub(crate) fn skip_bits(&mut self, bits: &Bits<'_>) {
        self.offset += bits.used.div_ceil(8).min(self.left());
    }
}

/// Bits of bytes, lowest first.
#[derive(Debug)]
pub(crate) struct Bits<'a> {
    bytes: &'a [u8],
    /// Number of bits read.
    used: usize,
}

impl<'a> Bits<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, used: 0 }
    }

    /// The next `count` bits, at most 32.
    pub(crate) fn read(&mut self, count: u32) -> Result<u32> {
        let end = self.used + count as usize;
        if end > self.bytes.len() * 8 {
            let (offset, left) = (self.used / 8, self.bytes.len() - self.used / 8);
            let needed = u64::from(count).div_ceil(8);
            return Err(DracoError::Truncated { offset, what: "a bit field", needed, left });
        }
        // 32 bits touch at most 5 bytes.
        let first = self.used / 8;
        let touched = &self.bytes[first..end.div_ceil(8)];
        let word = touched.iter().rev().fold(0u64, |word, &byte| word << 8 | u64::from(byte));
        let value = word >> (self.used % 8) & ((1u64 << count) - 1);
        self.used = end;
        Ok(value as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_length_are_read() {
        let mut reader = Reader::new(&[0x7f, 0x81, 0x04, 0xff, 0xa0, 0x05]);
        let read: Vec<u64> = (0..3).map(|_| reader.varint("a number").unwrap()).collect();
        assert_eq!(read, [0x7f, 0x201, 0x1_5000 | 0x7f]);
        assert!(matches!(reader.varint("a number"), Err(DracoError::Truncated { .. })));
        assert!(Reader::new(&[0xff; 20]).varint("a number").is_err(), "it never ends");
    }

    #[test]
    fn bits_come_lowest_first_across_bytes() {
        let mut bits = Bits::new(&[0b1011_0101, 0xff, 0, 0, 0, 1]);
        assert_eq!((bits.read(3), bits.read(0), bits.read(7)), (Ok(0b101), Ok(0), Ok(0b111_0110)));
        assert_eq!(bits.read(32), Ok(0x4000_003f | 0x3f));
        assert!(bits.read(32).is_err(), "six bits are left");
    }
}
