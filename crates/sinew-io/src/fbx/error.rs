//! Errors of reading FBX.

use crate::MemoryLimitError;
use sinew_rig::InvalidCharacter;

/// Error of reading an FBX file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ReadFbxError {
    #[error("the file is empty (0 bytes)")]
    Empty,
    #[error("byte 0: not an FBX file: it has neither the binary header nor the text of one")]
    NotFbx,
    #[error("byte 0: this version of FBX is not supported ({what}); export it as FBX 7.4 or 7.5")]
    Version { what: String },
    #[error("after byte {byte} of {total}: {what}; the file is truncated or damaged")]
    Damaged { byte: u64, total: usize, what: String },
    #[error("animation {name:?}: {what}")]
    Animation { name: String, what: String },
    #[error("mesh {name:?} has {found} corners; the maximum is {limit}")]
    TooManyCorners { name: String, found: usize, limit: u32 },
    /// More memory than allowed.
    #[error(transparent)]
    Memory(#[from] MemoryLimitError),
    /// The parts do not make a character.
    #[error(transparent)]
    Invalid(#[from] InvalidCharacter),
}

impl ReadFbxError {
    /// The error of loading `total` bytes, of which `byte` were read with at most `allowed` bytes of memory.
    pub(super) fn of_load(error: &ufbx::Error, byte: u64, total: usize, allowed: u64) -> Self {
        let what = error.description.to_string();
        match error.type_ {
            ufbx::ErrorType::UnrecognizedFileFormat => Self::NotFbx,
            ufbx::ErrorType::UnsupportedVersion => Self::Version { what },
            kind if is_memory(kind) => Self::Memory(out_of_memory(format!("after byte {byte}"), allowed)),
            _ => Self::Damaged { byte, total, what: lower_case_first(&what) },
        }
    }

    /// The error of sampling an animation.
    pub(super) fn of_animation(error: &ufbx::Error, name: &str, allowed: u64) -> Self {
        match is_memory(error.type_) {
            true => Self::Memory(out_of_memory(format!("animation {name:?}"), allowed)),
            false => Self::Animation { name: name.into(), what: lower_case_first(&error.description) },
        }
    }
}

fn is_memory(kind: ufbx::ErrorType) -> bool {
    use ufbx::ErrorType::{AllocationLimit, MemoryLimit, OutOfMemory};
    matches!(kind, MemoryLimit | AllocationLimit | OutOfMemory)
}

/// ufbx does not say how much it asked for, only that it was more than allowed.
fn out_of_memory(place: String, allowed: u64) -> MemoryLimitError {
    MemoryLimitError { place, needed_bytes: allowed.saturating_add(1), left_bytes: allowed }
}

fn lower_case_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
