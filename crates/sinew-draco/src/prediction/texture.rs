//! Texture coordinates: a triangle's map to the texture is taken to keep its shape.

use super::wrap::Wrap;
use super::{Positions, Shape};
use crate::corners::{next, previous};
use crate::error::{DracoError, Result, damaged};
use crate::memory::Memory;
use crate::rans::BitDecoder;
use crate::reader::Reader;

/// A value is two numbers.
type Uv = [i64; 2];

pub(super) fn restore(
    reader: &mut Reader<'_>,
    shape: &Shape<'_>,
    values: &mut [i32],
    memory: &mut Memory,
) -> Result<()> {
    let Some(positions) = shape.positions else {
        return damaged("prediction", "texture coordinates come before positions");
    };
    let mut orientations = read_orientations(reader, shape.sequence.corners.len(), memory)?;
    let wrap = Wrap::read(reader)?;
    for (at, &corner) in shape.sequence.corners.iter().enumerate() {
        let predicted = predict(shape, positions, values, at, corner, &mut orientations)?;
        wrap.restore(&predicted.map(|x| x as i32), &mut values[2 * at..2 * at + 2]);
    }
    Ok(())
}

/// On which side of its edge each value lies, the first one last. Bits say whether that is as before.
fn read_orientations(reader: &mut Reader<'_>, value_count: usize, memory: &mut Memory) -> Result<Vec<bool>> {
    let offset = reader.offset();
    let found = reader.u32("number of orientations")?;
    if found as usize > value_count {
        let (found, limit) = (found.into(), value_count as u64);
        return Err(DracoError::OutOfRange { offset, what: "number of orientations", found, limit });
    }
    let mut bits = BitDecoder::read(reader)?;
    memory.take::<bool>("orientations", found as usize)?;
    let mut last = true;
    let mut orientation = || {
        last ^= !bits.next();
        last
    };
    Ok((0..found).map(|_| orientation()).collect())
}

fn predict(
    shape: &Shape<'_>,
    positions: &Positions<'_>,
    values: &[i32],
    at: usize,
    corner: u32,
    orientations: &mut Vec<bool>,
) -> Result<Uv> {
    let uv = |value: usize| [i64::from(values[2 * value]), i64::from(values[2 * value + 1])];
    let [next_value, previous_value] = [next(corner), previous(corner)].map(|corner| shape.value_of(corner));
    if next_value < at && previous_value < at {
        let (next_uv, previous_uv) = (uv(next_value), uv(previous_value));
        if next_uv == previous_uv {
            return Ok(previous_uv);
        }
        // Values of one vertex may have other corners than this triangle's, but the same position.
        let [tip, next, previous] = [corner, next(corner), previous(corner)].map(|c| positions.of_corner(c));
        let edge = minus(previous, next);
        let edge_squared = dot(edge, edge);
        if edge_squared != 0 {
            let Some(is_left) = orientations.pop() else {
                return damaged("prediction", "it has too few orientations");
            };
            return Ok(over_edge(tip, next, edge, [next_uv, minus(previous_uv, next_uv)], is_left));
        }
    }
    Ok(match (next_value < at, at) {
        (true, _) => uv(next_value),
        (false, 0) => [0; 2],
        (false, _) => uv(at - 1),
    })
}

/// The coordinates of a tip over an edge: along the edge by its foot, across it by its height. `uvs`: of the edge's start, and along
/// the edge. All in whole numbers, as the encoder computed them.
fn over_edge(tip: [i64; 3], start: [i64; 3], edge: [i64; 3], uvs: [Uv; 2], is_left: bool) -> Uv {
    let [start_uv, edge_uv] = uvs;
    let edge_squared = dot(edge, edge);
    let along = dot(minus(tip, start), edge);
    let foot: [i64; 3] = std::array::from_fn(|axis| {
        start[axis].wrapping_add(along.wrapping_mul(edge[axis]).wrapping_div(edge_squared))
    });
    let height = minus(tip, foot);
    let across = (dot(height, height) as u64).wrapping_mul(edge_squared as u64).isqrt() as i64;
    let side = [edge_uv[1], edge_uv[0].wrapping_neg()];
    std::array::from_fn(|axis| {
        let foot = start_uv[axis].wrapping_mul(edge_squared).wrapping_add(along.wrapping_mul(edge_uv[axis]));
        let across = side[axis].wrapping_mul(across);
        let sum = if is_left { foot.wrapping_add(across) } else { foot.wrapping_sub(across) };
        sum.wrapping_div(edge_squared)
    })
}

fn minus<const N: usize>(a: [i64; N], b: [i64; N]) -> [i64; N] {
    std::array::from_fn(|axis| a[axis].wrapping_sub(b[axis]))
}

fn dot<const N: usize>(a: [i64; N], b: [i64; N]) -> i64 {
    a.iter().zip(b).fold(0, |sum, (&a, b)| sum.wrapping_add(a.wrapping_mul(b)))
}
