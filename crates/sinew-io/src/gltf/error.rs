//! Errors of reading glTF.

use crate::{MemoryLimitError, ResourceError};
use sinew_rig::InvalidCharacter;

/// Of reading.
pub(crate) type Result<T, E = ReadGltfError> = std::result::Result<T, E>;

/// Error of reading a glTF file. Every message names the place; lines and columns count from 1; long values are shortened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ReadGltfError {
    #[error("not a glTF file: it starts neither with the letters `glTF` nor with a JSON object")]
    NotGltf,
    #[error("byte 4: GLB version {found} is not supported; use version 2")]
    GlbVersion { found: u32 },
    #[error(
        "byte {offset}: {what} needs {needed} bytes, but the file has {left} left; it is truncated or damaged"
    )]
    Truncated { offset: usize, what: &'static str, needed: usize, left: usize },
    #[error("byte 12: the first chunk must be JSON, found type {found:#010x}")]
    FirstChunk { found: u32 },
    #[error("invalid JSON at line {line}, column {column}: {message}")]
    Json { line: usize, column: usize, message: String },
    #[error("asset.version: glTF {found} is not supported; use 2.x")]
    Version { found: String },
    #[error("{place} is missing")]
    Missing { place: String },
    #[error("{place} must be {expected}, found {found}")]
    WrongType { place: String, expected: String, found: String },
    #[error("{place}: index {index} is out of range; there are {limit}")]
    IndexOutOfRange { place: String, index: u64, limit: usize },
    #[error("{place} ends at byte {end}, but {what} has {length} bytes")]
    PastEnd { place: String, end: u64, what: &'static str, length: usize },
    #[error("{place}: {what}")]
    Inconsistent { place: String, what: String },
    #[error("{place} cannot be decoded: {reason}")]
    Compressed { place: String, reason: String },
    /// More memory than allowed.
    #[error(transparent)]
    Memory(#[from] MemoryLimitError),
    #[error("{place}: {source}")]
    Resource { place: String, source: ResourceError },
    /// The parts do not make a character.
    #[error(transparent)]
    Invalid(#[from] InvalidCharacter),
}
