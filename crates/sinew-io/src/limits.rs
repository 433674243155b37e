//! How much memory a file may claim.

use std::fmt::Display;

/// Limits on what reading one file may take. Checked before memory is taken, because a legal file of a hundred bytes can claim
/// any amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes that the file and all that is decoded from it may take together. Default 4 GiB.
    pub max_memory: u64,
    /// The most bytes that may be taken for values that the file claims without storing them (accessors without a view), with all
    /// that is made of them. Default: 64 MiB, or four times the file where that is more. `None` leaves `max_memory` alone to
    /// decide.
    pub max_unstored: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_memory: 4 << 30, max_unstored: Some(64 << 20) }
    }
}

impl Limits {
    /// The limit a user asked for: it alone decides.
    pub fn with_max_memory(max_memory: u64) -> Self {
        Self { max_memory, max_unstored: None }
    }
}

/// A file that claims more memory than it may.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{place}: needs {needed_bytes} bytes of memory, the limit leaves {left_bytes}; raise it with --max-memory if the file is right"
)]
pub struct MemoryLimitError {
    /// What claims it.
    pub place: String,
    /// Claimed here.
    pub needed_bytes: u64,
    /// What was left of the limit.
    pub left_bytes: u64,
}

/// What is left of the limits while a file is read: for readers of other formats.
#[derive(Clone, Debug)]
pub struct Budget {
    left: u64,
    unstored_left: u64,
}

impl Budget {
    /// All of `limits`, for a file of so many bytes.
    pub fn new(limits: &Limits, file_bytes: usize) -> Self {
        let unstored_left = limits.max_unstored.map_or(u64::MAX, |most| most.max(4 * file_bytes as u64));
        Self { left: limits.max_memory, unstored_left }
    }

    /// What may still be taken.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Takes `count` times `bytes_each`.
    ///
    /// # Errors
    /// If less is left; nothing is taken then.
    pub fn take(&mut self, place: &dyn Display, count: u64, bytes_each: u64) -> Result<(), MemoryLimitError> {
        take_from(&mut self.left, place, count.saturating_mul(bytes_each))
    }

    /// Notes that the `count` times `bytes_each` about to be taken are not stored in the file.
    ///
    /// # Errors
    /// If the file may not claim that much without storing it.
    pub fn note_unstored(
        &mut self,
        place: &dyn Display,
        count: u64,
        bytes_each: u64,
    ) -> Result<(), MemoryLimitError> {
        take_from(&mut self.unstored_left, place, count.saturating_mul(bytes_each))
    }
}

fn take_from(left: &mut u64, place: &dyn Display, needed_bytes: u64) -> Result<(), MemoryLimitError> {
    let refused = || MemoryLimitError { place: place.to_string(), needed_bytes, left_bytes: *left };
    *left = left.checked_sub(needed_bytes).ok_or_else(refused)?;
    Ok(())
}
