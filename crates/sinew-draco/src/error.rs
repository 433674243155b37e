//! Errors of decoding.

/// Of decoding.
pub(crate) type Result<T, E = DracoError> = std::result::Result<T, E>;

/// Error of decoding a Draco stream.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum DracoError {
    #[error("not a Draco stream: it does not start with the letters `DRACO`")]
    NotDraco,
    #[error("Draco bitstream {major}.{minor} is not supported; glTF uses 2.2")]
    Version { major: u8, minor: u8 },
    #[error("{what} {found} is not supported")]
    Unsupported { what: &'static str, found: i64 },
    #[error("byte {offset}: {what} needs {needed} bytes, but the stream has {left} left")]
    Truncated { offset: usize, what: &'static str, needed: u64, left: usize },
    #[error("byte {offset}: {what} is {found}; the maximum is {limit}")]
    OutOfRange { offset: usize, what: &'static str, found: u64, limit: u64 },
    #[error("the {part} is damaged: {reason}")]
    Damaged { part: &'static str, reason: &'static str },
    #[error("{what} needs {needed} bytes of memory, but the limit leaves {left}")]
    Memory { what: &'static str, needed: u64, left: u64 },
}

/// A damaged part.
pub(crate) fn damaged<T>(part: &'static str, reason: &'static str) -> Result<T> {
    Err(DracoError::Damaged { part, reason })
}
