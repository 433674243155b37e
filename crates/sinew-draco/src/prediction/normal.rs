//! Normals, predicted from the triangles around a vertex, weighted by area.

use super::octahedron::Octahedron;
use super::{Positions, Shape};
use crate::corners::{NONE, next, previous};
use crate::error::{Result, damaged};
use crate::rans::BitDecoder;
use crate::reader::Reader;

/// Larger sums are scaled down, to keep products with them in range.
const MAX_SUM: i64 = 1 << 29;

pub(super) fn restore(reader: &mut Reader<'_>, shape: &Shape<'_>, values: &mut [i32]) -> Result<()> {
    let Some(positions) = shape.positions else {
        return damaged("prediction", "normals come before positions");
    };
    let octahedron = Octahedron::read(reader)?;
    let mut flips = BitDecoder::read(reader)?;
    for (at, &corner) in shape.sequence.corners.iter().enumerate() {
        let place = octahedron.place(around(shape, positions, corner), flips.next());
        octahedron.restore(&place, &mut values[2 * at..2 * at + 2]);
    }
    Ok(())
}

/// The sum of the cross products of the triangles around a corner's vertex.
fn around(shape: &Shape<'_>, positions: &Positions<'_>, start: u32) -> [i64; 3] {
    let center = positions.of_corner(start);
    let mut sum = [0i64; 3];
    let mut add = |corner: u32| {
        let to = |corner| {
            let position = positions.of_corner(corner);
            [position[0] - center[0], position[1] - center[1], position[2] - center[2]]
        };
        let (a, b) = (to(next(corner)), to(previous(corner)));
        for (axis, sum) in sum.iter_mut().enumerate() {
            let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
            let part = a[j].wrapping_mul(b[k]).wrapping_sub(a[k].wrapping_mul(b[j]));
            *sum = sum.wrapping_add(part);
        }
    };
    let mut corner = start;
    while corner != NONE {
        add(corner);
        corner = shape.corners.swing_left(corner);
        if corner == start {
            return bounded(sum);
        }
    }
    corner = shape.corners.swing_right(start);
    while corner != NONE {
        add(corner);
        corner = shape.corners.swing_right(corner);
    }
    bounded(sum)
}

fn bounded(sum: [i64; 3]) -> [i64; 3] {
    let length = sum.iter().fold(0i64, |length, x| length.saturating_add(x.saturating_abs()));
    if length > MAX_SUM { sum.map(|x| x / (length / MAX_SUM)) } else { sum }
}
