//! The codecs of `EXT_meshopt_compression` and `KHR_meshopt_compression`, after the text of those extensions.

mod attributes;
mod filters;
mod indices;

pub(super) use filters::Filter;

/// Error of decoding a view.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum MeshoptError {
    #[error("unknown version: the first byte is {found:#04x}")]
    Version { found: u8 },
    #[error("the data ends at byte {length}, inside {what}")]
    Truncated { what: &'static str, length: usize },
    #[error("{count} bytes are left over before the tail")]
    LeftOver { count: usize },
    #[error("a byteStride of {stride} is invalid for {what}")]
    Stride { stride: usize, what: &'static str },
    #[error("a count of {count} is invalid for triangles")]
    TriangleCount { count: usize },
    #[error("{what} {found} is invalid")]
    Invalid { what: &'static str, found: u32 },
}

type Result<T, E = MeshoptError> = std::result::Result<T, E>;

/// How a view is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Attributes,
    Triangles,
    Indices,
}

/// Decodes `count` elements of `stride` bytes each.
pub(super) fn decode(
    bytes: &[u8],
    count: usize,
    stride: usize,
    mode: Mode,
    filter: Filter,
) -> Result<Vec<u8>> {
    let mut decoded = match mode {
        Mode::Attributes => attributes::decode(bytes, count, stride)?,
        Mode::Triangles => indices::decode_triangles(bytes, count, stride)?,
        Mode::Indices => indices::decode_indices(bytes, count, stride)?,
    };
    filter.apply(&mut decoded, stride)?;
    Ok(decoded)
}

/// Bytes in order.
struct Source<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Source<'a> {
    fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8]> {
        let taken = self.bytes.get(self.at..).and_then(|rest| rest.get(..count));
        self.at += count;
        taken.ok_or(MeshoptError::Truncated { what, length: self.bytes.len() })
    }

    fn byte(&mut self, what: &'static str) -> Result<u8> {
        Ok(self.take(1, what)?[0])
    }

    /// Fails unless all bytes were read.
    fn finish(&self) -> Result<()> {
        match self.bytes.len() - self.at {
            0 => Ok(()),
            count => Err(MeshoptError::LeftOver { count }),
        }
    }
}
