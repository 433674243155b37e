//! The binary container of glTF: a header, a JSON chunk, a binary chunk, and other chunks.

use super::{ReadGltfError, Result, WriteGltfError};
use crate::Report;

/// `glTF`, little-endian.
pub(crate) const MAGIC: u32 = 0x4654_6C67;
/// `JSON`, little-endian.
pub(crate) const JSON_CHUNK: u32 = 0x4E4F_534A;
/// `BIN\0`, little-endian.
pub(crate) const BIN_CHUNK: u32 = 0x004E_4942;

/// Its type, and its bytes.
pub(crate) type Chunk = (u32, Vec<u8>);

/// The parts of a file.
pub(crate) struct Container {
    /// The JSON text.
    pub(crate) json: Vec<u8>,
    /// The binary chunk, if any.
    pub(crate) bin: Option<Vec<u8>>,
    /// Chunks of other types, kept for writing back.
    pub(crate) other_chunks: Vec<Chunk>,
}

/// Splits a `.glb` or `.gltf` file, distinguished by its first bytes.
pub(crate) fn split(bytes: Vec<u8>, report: &mut Report) -> Result<Container> {
    if word(&bytes, 0) != Some(MAGIC) {
        let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace() && !BYTE_ORDER_MARK.contains(byte));
        return match first {
            Some(b'{') => Ok(Container { json: bytes, bin: None, other_chunks: Vec::new() }),
            _ => Err(ReadGltfError::NotGltf),
        };
    }
    let truncated =
        |offset, what, needed| ReadGltfError::Truncated { offset, what, needed, left: bytes.len() - offset };
    let (Some(version), Some(length)) = (word(&bytes, 4), word(&bytes, 8)) else {
        return Err(truncated(0, "the header", 12));
    };
    if version != 2 {
        return Err(ReadGltfError::GlbVersion { found: version });
    }
    let length = length as usize;
    if length > bytes.len() {
        return Err(truncated(0, "the whole file", length));
    }
    if length < bytes.len() {
        report.warn(
            "byte 8",
            format!(
                "the header declares {length} bytes; the {} bytes after them are ignored",
                bytes.len() - length
            ),
        );
    }
    split_chunks(&bytes[..length], report)
}

fn split_chunks(bytes: &[u8], report: &mut Report) -> Result<Container> {
    let mut json = None;
    let mut bin = None;
    let mut other_chunks = Vec::new();
    let mut offset = 12;
    while offset < bytes.len() {
        let truncated =
            |what, needed| ReadGltfError::Truncated { offset, what, needed, left: bytes.len() - offset };
        let (Some(size), Some(kind)) = (word(bytes, offset), word(bytes, offset + 4)) else {
            return Err(truncated("a chunk's header", 8));
        };
        let start = offset + 8;
        let Some(chunk) = start.checked_add(size as usize).and_then(|end| bytes.get(start..end)) else {
            return Err(truncated("a chunk", size as usize + 8));
        };
        match kind {
            JSON_CHUNK if json.is_none() => json = Some(chunk.to_vec()),
            _ if json.is_none() => return Err(ReadGltfError::FirstChunk { found: kind }),
            BIN_CHUNK if bin.is_none() => bin = Some(chunk.to_vec()),
            JSON_CHUNK | BIN_CHUNK => {
                report.warn(format!("byte {offset}"), "a second chunk of the same type is ignored")
            }
            _ => other_chunks.push((kind, chunk.to_vec())),
        }
        offset = start + size as usize;
    }
    let json =
        json.ok_or(ReadGltfError::Truncated { offset: 12, what: "the JSON chunk", needed: 8, left: 0 })?;
    Ok(Container { json, bin, other_chunks })
}

/// Joins parts into a `.glb` file, each chunk padded to four bytes as required.
pub(crate) fn join(json: &[u8], bin: Option<&[u8]>, others: &[Chunk]) -> Result<Vec<u8>, WriteGltfError> {
    let mut bytes = Vec::with_capacity(28 + json.len() + bin.map_or(0, <[u8]>::len) + 8);
    bytes.extend([MAGIC, 2, 0].into_iter().flat_map(u32::to_le_bytes));
    push_chunk(&mut bytes, JSON_CHUNK, json, b' ')?;
    if let Some(bin) = bin {
        push_chunk(&mut bytes, BIN_CHUNK, bin, 0)?;
    }
    for (kind, chunk) in others {
        push_chunk(&mut bytes, *kind, chunk, 0)?;
    }
    let length = u32::try_from(bytes.len()).map_err(|_| WriteGltfError::TooLarge)?;
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    Ok(bytes)
}

/// Windows editors write these three bytes before the JSON of a `.gltf`.
const BYTE_ORDER_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

fn push_chunk(bytes: &mut Vec<u8>, kind: u32, chunk: &[u8], padding: u8) -> Result<(), WriteGltfError> {
    let padded = chunk.len().next_multiple_of(4);
    bytes.extend(u32::try_from(padded).map_err(|_| WriteGltfError::TooLarge)?.to_le_bytes());
    bytes.extend(kind.to_le_bytes());
    bytes.extend_from_slice(chunk);
    bytes.resize(bytes.len() + padded - chunk.len(), padding);
    Ok(())
}

fn word(bytes: &[u8], offset: usize) -> Option<u32> {
    let four = bytes.get(offset..offset.checked_add(4)?)?;
    Some(u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_and_splitting_gives_the_chunks_back() {
        let other = vec![(0x1234_5678, vec![1, 2, 3, 4])];
        let bytes = join(b"{}", Some(&[9; 5]), &other).expect("small");
        assert_eq!(bytes.len() % 4, 0);
        let parts = split(bytes, &mut Report::default()).expect("just written");
        assert_eq!(parts.json, b"{}  ");
        assert_eq!(parts.bin.as_deref(), Some(&[9, 9, 9, 9, 9, 0, 0, 0][..]));
        assert_eq!(parts.other_chunks, other);
    }

    #[test]
    fn every_truncation_is_an_error_that_names_the_place() {
        let bytes = join(b"{\"asset\":{}}", Some(&[7; 16]), &[]).expect("small");
        for length in 0..bytes.len() {
            let error = split(bytes[..length].to_vec(), &mut Report::default()).err();
            let error = error.expect("truncated").to_string();
            assert!(length < 4 || error.starts_with("byte "), "{length}: {error}");
        }
    }
}
