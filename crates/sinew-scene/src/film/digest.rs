//! A number that changes when anything changes that decides a film's frames.

use std::fmt::{Debug, Write};

/// FNV-1a of 128 bits, eight bytes at a time, over bytes, texts and the debug form of values. It guards against mistakes, not against
/// malice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(u128);

impl Default for Digest {
    fn default() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Digest {
    /// Takes bytes in.
    pub fn add(&mut self, bytes: &[u8]) {
        const PRIME: u128 = (1 << 88) + (1 << 8) + 0x3b;
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.0 = (self.0 ^ u128::from(u64::from_le_bytes(*word))).wrapping_mul(PRIME);
        }
        for byte in rest {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(PRIME);
        }
        // A length after each part keeps "ab" + "c" and "a" + "bc" apart.
        self.0 = (self.0 ^ bytes.len() as u128).wrapping_mul(PRIME);
    }

    /// Takes a value in by its debug form, which holds numbers to the last bit.
    pub fn add_debug(&mut self, value: &impl Debug) {
        // Writing to a digest cannot fail.
        let _ = write!(self, "{value:?}");
    }
}

impl Write for Digest {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.add(text.as_bytes());
        Ok(())
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}
