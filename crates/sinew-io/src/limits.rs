//! Memory limits of the readers.

use std::fmt::Display;
use std::str::FromStr;

/// Limits on the memory that reading one file may use, and its unit of length: what a user says about reading. Readers check limits
/// before they allocate, because a valid file of a hundred bytes can claim any amount.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Maximum bytes of the file and everything decoded from it. Default 4 GiB.
    pub max_memory: u64,
    /// Maximum bytes of values that the file claims without storing them (accessors without a view), and of everything made from
    /// them. Default: 256 MiB or four times the file size, whichever is larger. `None`: only `max_memory` applies.
    pub max_unstored: Option<u64>,
    /// The unit of models. Readers of a format ignore it; whoever opens a model as a whole applies it. Default: guessed.
    pub scale: ScaleChoice,
}

/// What the lengths of a model are multiplied by to be meters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ScaleChoice {
    /// Guessed by the height of a human.
    #[default]
    Auto,
    /// Said by the user; above 0.
    Factor(f32),
}

/// Error of a scale that is neither a unit nor a factor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown scale {text:?}; use auto, m, cm, in, or a factor above 0 such as 0.01")]
pub struct UnknownScale {
    /// As the user wrote it.
    pub text: String,
}

impl FromStr for ScaleChoice {
    type Err = UnknownScale;

    fn from_str(text: &str) -> Result<Self, UnknownScale> {
        let factor = match text {
            "auto" => return Ok(Self::Auto),
            "m" => 1.0,
            "cm" => 0.01,
            "in" => 0.0254,
            _ => text.parse().unwrap_or(0.0),
        };
        let is_usable = factor > 0.0 && f32::is_finite(factor);
        if is_usable { Ok(Self::Factor(factor)) } else { Err(UnknownScale { text: text.into() }) }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_memory: 4 << 30, max_unstored: Some(256 << 20), scale: ScaleChoice::Auto }
    }
}

impl Limits {
    /// A limit chosen by the user: no other limit applies.
    pub fn with_max_memory(max_memory: u64) -> Self {
        Self { max_memory, max_unstored: None, scale: ScaleChoice::Auto }
    }
}

/// Error of a file that needs more memory than its limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{place}: needs {needed_bytes} bytes of memory, but the limit leaves {left_bytes}; raise --max-memory if the file is valid"
)]
pub struct MemoryLimitError {
    /// The part of the file that needs it.
    pub place: String,
    /// Bytes needed at this place.
    pub needed_bytes: u64,
    /// Bytes left of the limit.
    pub left_bytes: u64,
}

/// Memory left while a file is read; for readers of other formats.
#[derive(Clone, Debug)]
pub struct Budget {
    left: u64,
    unstored_left: u64,
}

impl Budget {
    /// The full `limits`, for a file of `file_bytes` bytes.
    pub fn new(limits: &Limits, file_bytes: usize) -> Self {
        let unstored_left = limits.max_unstored.map_or(u64::MAX, |most| most.max(4 * file_bytes as u64));
        Self { left: limits.max_memory, unstored_left }
    }

    /// Bytes left.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Bytes left that a file may claim without storing them.
    pub fn unstored_left(&self) -> u64 {
        self.unstored_left
    }

    /// Takes `count` times `bytes_each`.
    ///
    /// # Errors
    /// If less is left; the budget is then unchanged.
    pub fn take(&mut self, place: &dyn Display, count: u64, bytes_each: u64) -> Result<(), MemoryLimitError> {
        take_from(&mut self.left, place, count.saturating_mul(bytes_each))
    }

    /// Counts `count` times `bytes_each` as memory that the file claims but does not store.
    ///
    /// # Errors
    /// If the total exceeds `max_unstored`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_factors_are_scales() {
        let check = |text: &str, expected: Option<ScaleChoice>| {
            assert_eq!(text.parse::<ScaleChoice>().ok(), expected, "{text}");
        };
        check("auto", Some(ScaleChoice::Auto));
        check("cm", Some(ScaleChoice::Factor(0.01)));
        check("in", Some(ScaleChoice::Factor(0.0254)));
        check("1", Some(ScaleChoice::Factor(1.0)));
        check("2.5", Some(ScaleChoice::Factor(2.5)));
        for wrong in ["0", "-1", "nan", "inf", "feet", ""] {
            check(wrong, None);
        }
    }
}
