//! Points: corners of the same vertex that agree in all attributes.

use crate::corners::{CornerTable, Corners, NONE};
use crate::error::{Result, damaged};
use crate::memory::Memory;
use crate::seams::SeamTable;

/// The points of a mesh, in the encoder's order.
#[derive(Debug)]
pub(crate) struct Points {
    pub(crate) count: usize,
    pub(crate) of_corner: Vec<u32>,
}

impl Points {
    pub(crate) fn new(
        positions: &CornerTable,
        is_at_hole: &[bool],
        attributes: &[SeamTable<'_>],
        memory: &mut Memory,
    ) -> Result<Self> {
        let mut of_corner = memory.filled("points", NONE, positions.corner_count())?;
        let mut count = 0;
        if attributes.is_empty() {
            of_corner = (0..positions.corner_count() as u32).map(|corner| positions.vertex(corner)).collect();
            count = positions.vertex_count();
        } else {
            for vertex in 0..positions.vertex_count() as u32 {
                let start = positions.leftmost(vertex);
                if start != NONE {
                    let is_closed = !is_at_hole[vertex as usize];
                    let first = if is_closed { first_corner(positions, attributes, start) } else { start };
                    walk(positions, attributes, first, &mut of_corner, &mut count);
                }
            }
        }
        if of_corner.iter().any(|&point| point as usize >= count) {
            return damaged("connectivity", "a corner has no vertex");
        }
        Ok(Self { count, of_corner })
    }
}

/// The first corner to the right of `start` behind a seam of any attribute; `start` where there is none.
fn first_corner(positions: &CornerTable, attributes: &[SeamTable<'_>], start: u32) -> u32 {
    for attribute in attributes.iter().filter(|attribute| attribute.is_corner_on_seam(start)) {
        let mut corner = positions.swing_right(start);
        while corner != NONE && corner != start {
            if attribute.vertex(corner) != attribute.vertex(start) {
                return corner;
            }
            corner = positions.swing_right(corner);
        }
    }
    start
}

/// Gives corners their points, from `first` to the right around a vertex.
fn walk(
    positions: &CornerTable,
    attributes: &[SeamTable<'_>],
    first: u32,
    of_corner: &mut [u32],
    count: &mut usize,
) {
    let (mut corner, mut before) = (first, NONE);
    while corner != NONE {
        let is_same = before != NONE
            && attributes.iter().all(|attribute| attribute.vertex(corner) == attribute.vertex(before));
        *count += usize::from(!is_same);
        of_corner[corner as usize] = *count as u32 - 1;
        before = corner;
        corner = positions.swing_right(corner);
        if corner == first {
            return;
        }
    }
}
