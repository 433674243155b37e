//! Why a glTF file cannot be read.

use crate::{MemoryLimitError, ResourceError};
use sinew_rig::InvalidCharacter;

/// Why no character could be made of a glTF file. Every message names the place.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadGltfError {
    /// Not a glTF file of any kind.
    #[error("this is not a glTF file: it starts neither with the letters `glTF` nor with a JSON object")]
    NotGltf,
    /// A container of a version that nobody reads.
    #[error("byte 4: GLB version {found} is not supported, only 2")]
    GlbVersion {
        /// What the header says.
        found: u32,
    },
    /// A file that ends before it should.
    #[error(
        "byte {offset}: {what} needs {needed} bytes, the file has {left} left; it was cut short or is damaged"
    )]
    Truncated {
        /// Where.
        offset: usize,
        /// The part.
        what: &'static str,
        /// Its claimed size.
        needed: usize,
        /// What is there.
        left: usize,
    },
    /// The JSON chunk is not first.
    #[error("byte 12: the first chunk must be JSON, its type is {found:#010x}")]
    FirstChunk {
        /// Its type.
        found: u32,
    },
    /// The JSON is broken.
    #[error("the JSON is broken at line {line}, column {column}: {message}")]
    Json {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// The parser's words.
        message: String,
    },
    /// Another major version.
    #[error("asset.version: glTF {found} is not supported, only 2.x")]
    Version {
        /// What the file says.
        found: String,
    },
    /// Something the file cannot be read without.
    #[error("extensionsRequired: {name} is not supported; {hint}")]
    RequiredExtension {
        /// The extension.
        name: String,
        /// What to do.
        hint: &'static str,
    },
    /// A member that must be there.
    #[error("{place} is missing")]
    Missing {
        /// Where it should be.
        place: String,
    },
    /// A value of the wrong type.
    #[error("{place} must be {expected}, found {found}")]
    WrongType {
        /// Where.
        place: String,
        /// What it should be.
        expected: String,
        /// What it is, shortened.
        found: String,
    },
    /// An index past the end of its list.
    #[error("{place} is {index}, but there are only {limit}")]
    IndexOutOfRange {
        /// Where.
        place: String,
        /// What it says.
        index: u64,
        /// Entries in the list.
        limit: usize,
    },
    /// Data past the end of its buffer or view.
    #[error("{place} needs bytes up to {end}, but {what} has {length}")]
    PastEnd {
        /// Where.
        place: String,
        /// Where its data would end.
        end: u64,
        /// What it lies in.
        what: &'static str,
        /// The size of that.
        length: usize,
    },
    /// Data that contradicts itself.
    #[error("{place}: {what}")]
    Inconsistent {
        /// Where.
        place: String,
        /// What is wrong.
        what: String,
    },
    /// More memory than allowed.
    #[error(transparent)]
    Memory(#[from] MemoryLimitError),
    /// An external file that cannot or must not be read.
    #[error("{place}: {source}")]
    Resource {
        /// Where it is named.
        place: String,
        /// Why.
        source: ResourceError,
    },
    /// The parts do not make a character.
    #[error(transparent)]
    Invalid(#[from] InvalidCharacter),
}
