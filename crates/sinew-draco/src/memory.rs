//! Memory that a stream may still take.

use crate::error::{DracoError, Result};

/// The rest of the limit. Charged before each allocation whose size the stream decides.
#[derive(Debug)]
pub(crate) struct Memory {
    left: u64,
}

impl Memory {
    pub(crate) fn new(limit: u64) -> Self {
        Self { left: limit }
    }

    /// Takes the memory of `count` values.
    pub(crate) fn take<T>(&mut self, what: &'static str, count: usize) -> Result<()> {
        let needed = (count as u64).saturating_mul(size_of::<T>() as u64);
        let refused = DracoError::Memory { what, needed, left: self.left };
        self.left = self.left.checked_sub(needed).ok_or(refused)?;
        Ok(())
    }

    /// A list of `count` equal values.
    pub(crate) fn filled<T: Clone>(&mut self, what: &'static str, value: T, count: usize) -> Result<Vec<T>> {
        self.take::<T>(what, count)?;
        Ok(vec![value; count])
    }

    /// An empty list with room for `count` values.
    pub(crate) fn with_room<T>(&mut self, what: &'static str, count: usize) -> Result<Vec<T>> {
        self.take::<T>(what, count)?;
        Ok(Vec::with_capacity(count))
    }
}
