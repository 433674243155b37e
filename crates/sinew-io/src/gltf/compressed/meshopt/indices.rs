//! Lists of indices, of triangles or of anything.

use super::{MeshoptError, Result, Source};

/// First bytes of the two modes, and bytes of their tails.
const TRIANGLES: (u8, usize) = (0xe1, 16);
const INDICES: (u8, usize) = (0xd1, 4);
/// Entries that are remembered.
const FIFO: usize = 16;

/// The data between the header and the tail, and the tail.
fn split(bytes: &[u8], (header, tail): (u8, usize)) -> Result<(Source<'_>, &[u8])> {
    let first = bytes.first().copied().unwrap_or(0);
    if first != header {
        return Err(MeshoptError::Version { found: first });
    }
    let truncated = MeshoptError::Truncated { what: "the tail", length: bytes.len() };
    let (data, tail) =
        bytes.split_at_checked(bytes.len() - tail.min(bytes.len())).ok_or(truncated.clone())?;
    if data.is_empty() {
        return Err(truncated);
    }
    Ok((Source { bytes: data, at: 1 }, tail))
}

/// Writes indices of two or four bytes.
struct Output {
    bytes: Vec<u8>,
    stride: usize,
}

impl Output {
    fn new(count: usize, stride: usize) -> Result<Self> {
        if ![2, 4].contains(&stride) {
            return Err(MeshoptError::Stride { stride, what: "indices" });
        }
        Ok(Self { bytes: Vec::with_capacity(count * stride), stride })
    }

    fn push(&mut self, index: u32) {
        self.bytes.extend_from_slice(&index.to_le_bytes()[..self.stride]);
    }
}

/// A number in groups of seven bits, lowest first; bits past 32 are dropped.
fn varint(source: &mut Source<'_>) -> Result<u32> {
    let mut value = 0u64;
    for group in 0..5 {
        let byte = source.byte("an index")?;
        value |= u64::from(byte & 0x7f) << (7 * group);
        if byte < 0x80 {
            return Ok(value as u32);
        }
    }
    Err(MeshoptError::Invalid { what: "index", found: value as u32 })
}

fn unzigzag(value: u32) -> u32 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}

/// Indices as differences to the last of two sequences.
pub(super) fn decode_indices(bytes: &[u8], count: usize, stride: usize) -> Result<Vec<u8>> {
    let mut out = Output::new(count, stride)?;
    let (mut source, _) = split(bytes, INDICES)?;
    let mut last = [0u32; 2];
    for _ in 0..count {
        let value = varint(&mut source)?;
        let last = &mut last[value as usize & 1];
        *last = last.wrapping_add(unzigzag(value >> 1));
        out.push(*last);
    }
    source.finish()?;
    Ok(out.bytes)
}

/// The newest entries of a sequence, the newest first.
struct Recent<T> {
    entries: [Option<T>; FIFO],
    /// Where the next entry goes.
    next: usize,
}

impl<T: Copy> Recent<T> {
    fn new() -> Self {
        Self { entries: [None; FIFO], next: 0 }
    }

    fn push(&mut self, entry: T) {
        self.entries[self.next % FIFO] = Some(entry);
        self.next = (self.next + 1) % FIFO;
    }

    fn get(&self, back: u8) -> Result<T> {
        let entry = self.entries[(self.next + FIFO - 1 - usize::from(back)) % FIFO];
        entry.ok_or(MeshoptError::Invalid { what: "reference back by", found: back.into() })
    }
}

/// Triangles that share edges and vertices with those before.
pub(super) fn decode_triangles(bytes: &[u8], count: usize, stride: usize) -> Result<Vec<u8>> {
    if !count.is_multiple_of(3) {
        return Err(MeshoptError::TriangleCount { count });
    }
    let mut out = Output::new(count, stride)?;
    let (mut source, tail) = split(bytes, TRIANGLES)?;
    let codes = source.take(count / 3, "the codes of triangles")?;
    let mut decoder =
        TriangleDecoder { source, tail, next: 0, last: 0, edges: Recent::new(), vertices: Recent::new() };
    for &code in codes {
        decoder.triangle(code)?.into_iter().for_each(|index| out.push(index));
    }
    decoder.source.finish()?;
    Ok(out.bytes)
}

struct TriangleDecoder<'a> {
    source: Source<'a>,
    /// Frequent second bytes.
    tail: &'a [u8],
    /// The lowest index that was not used yet.
    next: u32,
    /// The last index that was stored as a difference.
    last: u32,
    edges: Recent<(u32, u32)>,
    vertices: Recent<u32>,
}

impl TriangleDecoder<'_> {
    fn triangle(&mut self, code: u8) -> Result<[u32; 3]> {
        let (high, low) = (code >> 4, code & 0xf);
        match (high, low) {
            (0xf, 0xe | 0xf) => {
                let pair = self.source.byte("a triangle")?;
                if pair == 0 {
                    self.next = 0;
                }
                let first = if low == 0xe { 0 } else { 0xf };
                self.free_triangle([first, pair >> 4, pair & 0xf])
            }
            (0xf, _) => {
                let pair = self.tail[usize::from(low)];
                self.free_triangle([0, pair >> 4, pair & 0xf])
            }
            _ => self.edge_triangle(high, low),
        }
    }

    /// A triangle at a known edge.
    fn edge_triangle(&mut self, edge: u8, code: u8) -> Result<[u32; 3]> {
        let (a, b) = self.edges.get(edge)?;
        let c = match code {
            0 => self.new_index(),
            0xd => self.step(u32::MAX),
            0xe => self.step(1),
            0xf => self.stored_index()?,
            back => self.vertices.get(back)?,
        };
        self.edges.push((c, b));
        self.edges.push((a, c));
        if code == 0 || code >= 0xd {
            self.vertices.push(c);
        }
        Ok([a, b, c])
    }

    /// A triangle of three vertices, each new (0), known (1 to 14) or stored (15).
    fn free_triangle(&mut self, codes: [u8; 3]) -> Result<[u32; 3]> {
        let mut triangle = [0; 3];
        for (index, code) in triangle.iter_mut().zip(codes) {
            *index = match code {
                0 => self.new_index(),
                0xf => self.stored_index()?,
                back => self.vertices.get(back - 1)?,
            };
        }
        let [a, b, c] = triangle;
        for edge in [(b, a), (c, b), (a, c)] {
            self.edges.push(edge);
        }
        for (index, code) in triangle.into_iter().zip(codes) {
            if code == 0 || code == 0xf {
                self.vertices.push(index);
            }
        }
        Ok(triangle)
    }

    fn new_index(&mut self) -> u32 {
        let index = self.next;
        self.next = self.next.wrapping_add(1);
        index
    }

    fn step(&mut self, by: u32) -> u32 {
        self.last = self.last.wrapping_add(by);
        self.last
    }

    fn stored_index(&mut self) -> Result<u32> {
        let difference = unzigzag(varint(&mut self.source)?);
        Ok(self.step(difference))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_triangles_share_an_edge() {
        // Three new vertices by the tail's first entry, then an edge and a new vertex.
        let mut bytes = vec![0xe1, 0xf0, 0x00];
        bytes.extend([0; 16]);
        let decoded = decode_triangles(&bytes, 6, 2).unwrap();
        let indices: Vec<u16> =
            decoded.as_chunks().0.iter().map(|&bytes| u16::from_le_bytes(bytes)).collect();
        // The newest edge is (first, third); the new triangle runs along it the other way round the new vertex.
        assert_eq!(indices, [0, 1, 2, 0, 2, 3]);
    }

    #[test]
    fn sequences_take_turns() {
        // Differences +1 to sequence 0, +100 to sequence 1, −1 to sequence 0.
        let bytes = [0xd1, 0b100, 0x91, 0x03, 0b010, 0, 0, 0, 0];
        let decoded = decode_indices(&bytes, 3, 4).unwrap();
        assert_eq!(decoded, [1, 0, 0, 0, 100, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn what_was_never_stored_is_refused() {
        let mut bytes = vec![0xe1, 0x00];
        bytes.extend([0; 16]);
        let error = decode_triangles(&bytes, 3, 2).unwrap_err();
        assert_eq!(error, MeshoptError::Invalid { what: "reference back by", found: 0 });
        assert_eq!(decode_triangles(&bytes, 4, 2), Err(MeshoptError::TriangleCount { count: 4 }));
        assert_eq!(decode_indices(&bytes, 3, 4), Err(MeshoptError::Version { found: 0xe1 }));
    }
}
