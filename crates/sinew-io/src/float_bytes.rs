//! Lists of floats as little-endian bytes, converted in pieces to avoid a second copy of a frame.

use glam::Vec3;
use std::io::{self, Read, Write};

/// Floats converted at a time: 16 KiB, large enough to make the cost of write calls negligible.
const FLOATS_PER_PIECE: usize = 4096;

/// A kind of number in a binary file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    F32,
    F64,
    I32,
    U32,
    I64,
}

impl Number {
    pub(crate) fn size(self) -> usize {
        match self {
            Self::F32 | Self::I32 | Self::U32 => 4,
            Self::F64 | Self::I64 => 8,
        }
    }

    /// The value of the first of `bytes`, little-endian.
    #[inline]
    pub(crate) fn value(self, bytes: &[u8]) -> f64 {
        let word = || bytes.first_chunk().copied().unwrap_or_default();
        let long = || bytes.first_chunk().copied().unwrap_or_default();
        match self {
            Self::F32 => f64::from(f32::from_le_bytes(word())),
            Self::F64 => f64::from_le_bytes(long()),
            Self::I32 => f64::from(i32::from_le_bytes(word())),
            Self::U32 => f64::from(u32::from_le_bytes(word())),
            Self::I64 => i64::from_le_bytes(long()) as f64,
        }
    }
}

/// Writes floats, little-endian.
pub(crate) fn write_floats(out: &mut impl Write, values: &[f32]) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(values.len().min(FLOATS_PER_PIECE) * 4);
    for piece in values.chunks(FLOATS_PER_PIECE) {
        bytes.clear();
        bytes.extend(piece.iter().flat_map(|value| value.to_le_bytes()));
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// Writes x, y and z of each point, little-endian.
pub(crate) fn write_points(out: &mut impl Write, points: &[Vec3]) -> io::Result<()> {
    let points_per_piece = FLOATS_PER_PIECE / 3;
    let mut bytes = Vec::with_capacity(points.len().min(points_per_piece) * 12);
    for piece in points.chunks(points_per_piece) {
        bytes.clear();
        bytes.extend(piece.iter().flat_map(|point| point.to_array()).flat_map(f32::to_le_bytes));
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// Reads `size` bytes in pieces of whole points, of 4 or 8 bytes a number.
pub(crate) fn read_pieces(input: &mut impl Read, size: usize, mut take: impl FnMut(&[u8])) -> io::Result<()> {
    let mut piece = vec![0; (24 * 1024).min(size)];
    let mut left = size;
    while left > 0 {
        let size = piece.len().min(left);
        input.read_exact(&mut piece[..size])?;
        take(&piece[..size]);
        left -= size;
    }
    Ok(())
}

/// The floats in little-endian `bytes`; ignores up to three trailing bytes.
pub(crate) fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> + '_ {
    bytes.chunks_exact(4).map(|word| f32::from_le_bytes([word[0], word[1], word[2], word[3]]))
}

/// The points in little-endian `bytes`; ignores an incomplete last point.
pub(crate) fn points(bytes: &[u8]) -> impl Iterator<Item = Vec3> + '_ {
    let number = |word: &[u8]| f32::from_le_bytes([word[0], word[1], word[2], word[3]]);
    bytes
        .chunks_exact(12)
        .map(move |point| Vec3::new(number(&point[..4]), number(&point[4..8]), number(&point[8..])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_longer_than_a_piece_come_back() {
        let values: Vec<f32> = (0..FLOATS_PER_PIECE * 2 + 7).map(|index| index as f32 * 0.5).collect();
        let mut bytes = Vec::new();
        write_floats(&mut bytes, &values).unwrap();
        assert_eq!(floats(&bytes).collect::<Vec<_>>(), values);

        let list: Vec<Vec3> = values.chunks_exact(3).map(Vec3::from_slice).collect();
        let mut bytes = Vec::new();
        write_points(&mut bytes, &list).unwrap();
        assert_eq!(points(&bytes).collect::<Vec<_>>(), list);
        assert_eq!(bytes.len(), list.len() * 12);
    }
}
