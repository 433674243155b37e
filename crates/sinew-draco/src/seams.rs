//! Connectivity of an attribute: that of positions, cut along seams.

use crate::corners::{CornerTable, Corners, NONE, next, previous};
use crate::error::Result;
use crate::memory::Memory;
use crate::rans::BitDecoder;

/// The connectivity of an attribute.
#[derive(Debug)]
pub(crate) struct SeamTable<'a> {
    positions: &'a CornerTable,
    seams: Seams,
    vertices: Vec<u32>,
    leftmost: Vec<u32>,
}

/// The seams of an attribute.
#[derive(Debug)]
pub(crate) struct Seams {
    /// Of each corner: whether the edge opposite to it is a seam or border.
    is_edge: Vec<bool>,
    /// Of each vertex of the positions.
    is_vertex: Vec<bool>,
}

impl Seams {
    fn add(&mut self, positions: &CornerTable, corner: u32) {
        self.is_edge[corner as usize] = true;
        for end in [next(corner), previous(corner)] {
            if let Some(is_seam) = self.is_vertex.get_mut(positions.vertex(end) as usize) {
                *is_seam = true;
            }
        }
    }
}

/// Reads which edges are seams: a bit per attribute for every edge between two triangles, at the first of them.
pub(crate) fn read_seams(
    positions: &CornerTable,
    mut coded: Vec<BitDecoder<'_>>,
    memory: &mut Memory,
) -> Result<Vec<Seams>> {
    let mut attributes = Vec::with_capacity(coded.len());
    for _ in &coded {
        attributes.push(Seams {
            is_edge: memory.filled("seams", false, positions.corner_count())?,
            is_vertex: memory.filled("seams", false, positions.vertex_count())?,
        });
    }
    for corner in 0..positions.corner_count() as u32 {
        let opposite = positions.opposite(corner);
        if opposite == NONE {
            attributes.iter_mut().for_each(|seams| seams.add(positions, corner));
        } else if opposite / 3 >= corner / 3 {
            for (seams, bits) in attributes.iter_mut().zip(&mut coded) {
                if bits.next() {
                    seams.add(positions, corner);
                    seams.add(positions, opposite);
                }
            }
        }
    }
    Ok(attributes)
}

impl<'a> SeamTable<'a> {
    /// Splits the vertices of positions along the seams.
    pub(crate) fn new(positions: &'a CornerTable, seams: Seams, memory: &mut Memory) -> Result<Self> {
        let vertices = memory.filled("corners of an attribute", NONE, positions.corner_count())?;
        // Every corner may begin a vertex.
        let leftmost = memory.with_room("vertices of an attribute", positions.corner_count())?;
        let mut table = Self { positions, seams, vertices, leftmost };
        for vertex in 0..positions.vertex_count() as u32 {
            let start = positions.leftmost(vertex);
            if start != NONE {
                table.split(table.first_corner(vertex, start));
            }
        }
        Ok(table)
    }

    /// The corner right of a seam where a vertex's walk to the right begins; any corner for vertices without seams.
    fn first_corner(&self, vertex: u32, start: u32) -> u32 {
        let mut first = start;
        if self.seams.is_vertex[vertex as usize] {
            let mut corner = self.swing_left(first);
            while corner != NONE && corner != start {
                first = corner;
                corner = self.swing_left(corner);
            }
        }
        first
    }

    /// Gives the corners around a vertex of positions their vertices, from `first` to the right.
    fn split(&mut self, first: u32) {
        let mut corner = first;
        loop {
            let begins = corner == first || self.seams.is_edge[next(corner) as usize];
            if begins {
                self.leftmost.push(corner);
            }
            self.vertices[corner as usize] = self.leftmost.len() as u32 - 1;
            corner = self.positions.swing_right(corner);
            if corner == NONE || corner == first {
                return;
            }
        }
    }

    /// Whether a corner's vertex of positions is on a seam of this attribute.
    pub(crate) fn is_corner_on_seam(&self, corner: u32) -> bool {
        self.seams.is_vertex.get(self.positions.vertex(corner) as usize).copied().unwrap_or(true)
    }
}

impl Corners for SeamTable<'_> {
    fn vertex(&self, corner: u32) -> u32 {
        self.vertices.get(corner as usize).copied().unwrap_or(NONE)
    }

    fn opposite(&self, corner: u32) -> u32 {
        match self.seams.is_edge.get(corner as usize) {
            Some(false) => self.positions.opposite(corner),
            _ => NONE,
        }
    }

    fn vertex_count(&self) -> usize {
        self.leftmost.len()
    }

    fn corner_count(&self) -> usize {
        self.vertices.len()
    }

    fn is_on_border(&self, vertex: u32) -> bool {
        self.leftmost.get(vertex as usize).is_none_or(|&corner| self.is_corner_on_seam(corner))
    }
}
