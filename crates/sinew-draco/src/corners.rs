//! Triangles as corners: the corners of triangle `t` are `3t`, `3t + 1` and `3t + 2`.
//!
//! Two corners are opposite if an edge of two triangles lies between them. Corners turn around a vertex by `swing_left` and
//! `swing_right`. Pairs are only ever joined when both are free. Being opposite is therefore its own inverse, and a walk around a
//! vertex either ends or comes back to its first corner, whatever the stream says.

use crate::error::{Result, damaged};
use crate::memory::Memory;

/// No corner, no vertex.
pub(crate) const NONE: u32 = u32::MAX;

/// The next corner of the same triangle.
pub(crate) fn next(corner: u32) -> u32 {
    match corner {
        NONE => NONE,
        _ if corner % 3 == 2 => corner - 2,
        _ => corner + 1,
    }
}

/// The previous corner of the same triangle.
pub(crate) fn previous(corner: u32) -> u32 {
    match corner {
        NONE => NONE,
        _ if corner.is_multiple_of(3) => corner + 2,
        _ => corner - 1,
    }
}

/// Connectivity: of positions, or of an attribute with seams.
pub(crate) trait Corners {
    fn vertex(&self, corner: u32) -> u32;
    /// `NONE` at a border or seam.
    fn opposite(&self, corner: u32) -> u32;
    fn vertex_count(&self) -> usize;
    fn corner_count(&self) -> usize;
    /// Whether a vertex is at a border or seam.
    fn is_on_border(&self, vertex: u32) -> bool;

    fn swing_left(&self, corner: u32) -> u32 {
        next(self.opposite(next(corner)))
    }

    fn swing_right(&self, corner: u32) -> u32 {
        previous(self.opposite(previous(corner)))
    }

    /// The corner across the edge to the left of a corner.
    fn left(&self, corner: u32) -> u32 {
        self.opposite(previous(corner))
    }

    /// The corner across the edge to the right of a corner.
    fn right(&self, corner: u32) -> u32 {
        self.opposite(next(corner))
    }
}

/// Connectivity of positions.
#[derive(Debug)]
pub(crate) struct CornerTable {
    vertices: Vec<u32>,
    opposites: Vec<u32>,
    /// Of each vertex; `NONE` for vertices without triangles.
    leftmost: Vec<u32>,
}

impl CornerTable {
    pub(crate) fn new(triangle_count: usize, max_vertices: usize, memory: &mut Memory) -> Result<Self> {
        let corner_count = triangle_count * 3;
        Ok(Self {
            vertices: memory.filled("corners", NONE, corner_count)?,
            opposites: memory.filled("corners", NONE, corner_count)?,
            leftmost: memory.with_room("vertices", max_vertices)?,
        })
    }

    pub(crate) fn add_vertex(&mut self) -> u32 {
        self.leftmost.push(NONE);
        self.leftmost.len() as u32 - 1
    }

    pub(crate) fn set_vertex(&mut self, corner: u32, vertex: u32) {
        self.vertices[corner as usize] = vertex;
    }

    pub(crate) fn leftmost(&self, vertex: u32) -> u32 {
        self.leftmost.get(vertex as usize).copied().unwrap_or(NONE)
    }

    pub(crate) fn set_leftmost(&mut self, vertex: u32, corner: u32) {
        if let Some(leftmost) = self.leftmost.get_mut(vertex as usize) {
            *leftmost = corner;
        }
    }

    /// Joins two triangles at the edges opposite to these corners.
    pub(crate) fn join(&mut self, first: u32, second: u32) -> Result<()> {
        let is_free = |corner: u32| corner != NONE && self.opposites[corner as usize] == NONE;
        if first == second || !is_free(first) || !is_free(second) {
            return damaged("connectivity", "it joins an edge twice");
        }
        self.opposites[first as usize] = second;
        self.opposites[second as usize] = first;
        Ok(())
    }

    /// Removes vertices without triangles: the last vertices take their places. `is_at_hole` follows.
    pub(crate) fn remove(&mut self, unused: &[u32], is_at_hole: &mut [bool]) {
        for &free in unused {
            while self.leftmost.last() == Some(&NONE) {
                self.leftmost.pop();
            }
            let Some(last) = self.leftmost.len().checked_sub(1).filter(|&last| last as u32 > free) else {
                continue;
            };
            let start = self.leftmost[last];
            self.relabel_all(start, free);
            self.leftmost[free as usize] = start;
            is_at_hole.swap(free as usize, last);
            self.leftmost.pop();
        }
    }

    /// Gives all corners around a corner another vertex, to the left and to the right.
    fn relabel_all(&mut self, start: u32, vertex: u32) {
        let mut corner = start;
        while corner != NONE {
            self.set_vertex(corner, vertex);
            corner = self.swing_left(corner);
            if corner == start {
                return;
            }
        }
        corner = self.swing_right(start);
        while corner != NONE {
            self.set_vertex(corner, vertex);
            corner = self.swing_right(corner);
        }
    }
}

impl Corners for CornerTable {
    fn vertex(&self, corner: u32) -> u32 {
        self.vertices.get(corner as usize).copied().unwrap_or(NONE)
    }

    fn opposite(&self, corner: u32) -> u32 {
        self.opposites.get(corner as usize).copied().unwrap_or(NONE)
    }

    fn vertex_count(&self) -> usize {
        self.leftmost.len()
    }

    fn corner_count(&self) -> usize {
        self.vertices.len()
    }

    fn is_on_border(&self, vertex: u32) -> bool {
        self.swing_left(self.leftmost(vertex)) == NONE
    }
}
