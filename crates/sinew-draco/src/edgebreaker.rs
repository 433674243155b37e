//! Edgebreaker: triangles in the order in which an encoder conquered them, told backward by one of five symbols each.
//!
//! The decoder keeps a stack of active corners, each opposite to the edge where its patch grows. C closes a fan around a vertex, L and
//! R add a triangle with a new vertex, E begins a patch, S joins two.

use crate::corners::{CornerTable, Corners, NONE, next, previous};
use crate::error::{DracoError, Result, damaged};
use crate::memory::Memory;
use crate::rans::BitDecoder;
use crate::reader::{Bits, Reader};
use crate::seams::{Seams, read_seams};
use crate::traversal_symbols::{Symbol, Symbols};
use std::collections::HashMap;

/// Corners that merges may relabel, as a multiple of all corners. Meshes of any shape stay below 2; a stream made to take time
/// quadratic in its size does not.
const MAX_RELABELED: usize = 64;

/// What edgebreaker gives.
#[derive(Debug)]
pub(crate) struct Connectivity {
    pub(crate) positions: CornerTable,
    /// Of each vertex.
    pub(crate) is_at_hole: Vec<bool>,
    /// Of each attribute that has a connectivity of its own.
    pub(crate) seams: Vec<Seams>,
}

/// An edge where a patch will be joined to another later.
#[derive(Clone, Copy, Debug)]
struct Split {
    source_symbol: u32,
    split_symbol: u32,
    is_right: bool,
}

/// Sizes at the start of the connectivity.
struct Header {
    triangle_count: usize,
    max_vertices: usize,
    symbol_count: usize,
    attribute_count: usize,
}

pub(crate) fn read(reader: &mut Reader<'_>, memory: &mut Memory) -> Result<Connectivity> {
    let traversal = reader.u8("traversal")?;
    let header = read_header(reader)?;
    let splits = read_splits(reader, header.symbol_count, memory)?;
    let standard = (traversal == 0).then(|| reader.sized("symbols")).transpose()?;
    let start_triangles = BitDecoder::read(reader)?;
    let seams = (0..header.attribute_count).map(|_| BitDecoder::read(reader));
    let seams = seams.collect::<Result<Vec<_>>>()?;
    let symbols = match (traversal, standard) {
        (0, Some(bytes)) => Symbols::Standard(Bits::new(bytes)),
        (2, _) => Symbols::valence(reader, header.max_vertices, header.symbol_count, memory)?,
        _ => return Err(DracoError::Unsupported { what: "edgebreaker traversal", found: traversal.into() }),
    };
    let mut builder = Builder::new(&header, splits, symbols, memory)?;
    for symbol in 0..header.symbol_count as u32 {
        builder.add(symbol)?;
    }
    builder.close(start_triangles, header.symbol_count as u32)?;
    let Builder { mut table, mut is_at_hole, unused, .. } = builder;
    if header.attribute_count == 0 {
        // Points are then vertices. Otherwise points follow from the seams, in the order of all vertices.
        table.remove(&unused, &mut is_at_hole);
    }
    let seams = read_seams(&table, seams, memory)?;
    Ok(Connectivity { positions: table, is_at_hole, seams })
}

fn read_header(reader: &mut Reader<'_>) -> Result<Header> {
    let limit = u64::from(u32::MAX / 3);
    let vertex_count = reader.count("number of vertices", limit)?;
    let triangle_count = reader.count("number of triangles", limit)?;
    let attribute_count = usize::from(reader.u8("number of attributes")?);
    let symbol_count = reader.count("number of symbols", triangle_count as u64)?;
    let split_count = reader.count("number of splits", symbol_count as u64)?;
    if vertex_count > 3 * triangle_count {
        return damaged("connectivity", "it has more vertices than corners");
    }
    // Every patch has at most one triangle without a symbol, and at least three with one.
    if triangle_count > symbol_count + symbol_count / 3 {
        return damaged("connectivity", "it has more triangles than its symbols make");
    }
    Ok(Header { triangle_count, max_vertices: vertex_count + split_count, symbol_count, attribute_count })
}

fn read_splits(reader: &mut Reader<'_>, symbol_count: usize, memory: &mut Memory) -> Result<Vec<Split>> {
    let count = reader.count("number of joins", symbol_count as u64)?;
    let mut splits = memory.with_room::<Split>("joins", count)?;
    let mut source_symbol = 0u32;
    for _ in 0..count {
        let source = u64::from(source_symbol) + reader.varint("a join")?;
        let split = source.checked_sub(reader.varint("a join")?);
        let (Ok(source), Some(split)) = (u32::try_from(source), split) else {
            return damaged("connectivity", "a join names a symbol before the first");
        };
        source_symbol = source;
        splits.push(Split { source_symbol, split_symbol: split as u32, is_right: false });
    }
    let mut bits = Bits::new(reader.rest());
    for split in &mut splits {
        split.is_right = bits.read(1)? == 1;
    }
    reader.skip_bits(&bits);
    Ok(splits)
}

struct Builder<'a> {
    table: CornerTable,
    max_vertices: usize,
    is_at_hole: Vec<bool>,
    symbols: Symbols<'a>,
    symbol_count: u32,
    splits: Vec<Split>,
    /// Corners where a symbol to come will join a patch.
    joins: HashMap<u32, u32>,
    active: Vec<u32>,
    unused: Vec<u32>,
    relabels_left: usize,
}

impl<'a> Builder<'a> {
    fn new(header: &Header, splits: Vec<Split>, symbols: Symbols<'a>, memory: &mut Memory) -> Result<Self> {
        memory.take::<[u32; 4]>("active edges", header.symbol_count.min(header.max_vertices))?;
        Ok(Self {
            table: CornerTable::new(header.triangle_count, header.max_vertices, memory)?,
            max_vertices: header.max_vertices,
            is_at_hole: memory.filled("vertices", true, header.max_vertices)?,
            symbols,
            symbol_count: header.symbol_count as u32,
            splits,
            joins: HashMap::new(),
            active: Vec::new(),
            unused: Vec::new(),
            relabels_left: MAX_RELABELED * 3 * header.triangle_count,
        })
    }

    /// Adds the triangle of a symbol.
    fn add(&mut self, id: u32) -> Result<()> {
        let corner = 3 * id;
        let symbol = self.symbols.next()?;
        match symbol {
            Symbol::C => self.close_fan(corner)?,
            Symbol::L => self.grow(corner, [corner, corner + 1, corner + 2])?,
            Symbol::R => self.grow(corner, [corner + 1, corner + 2, corner])?,
            Symbol::S => self.merge(corner, id)?,
            Symbol::E => self.begin(corner)?,
        }
        let of = |corner| self.table.vertex(corner) as usize;
        self.symbols.reached(symbol, [of(corner), of(corner + 1), of(corner + 2)]);
        if matches!(symbol, Symbol::L | Symbol::R | Symbol::E) {
            self.note_joins(id)?;
        }
        Ok(())
    }

    fn top(&self) -> Result<u32> {
        self.active.last().copied().ok_or(DracoError::Damaged {
            part: "connectivity",
            reason: "a triangle joins a patch that does not exist",
        })
    }

    fn replace_top(&mut self, corner: u32) {
        if let Some(top) = self.active.last_mut() {
            *top = corner;
        }
    }

    fn new_vertex(&mut self, corner: u32) -> Result<()> {
        if self.table.vertex_count() >= self.max_vertices {
            return damaged("connectivity", "it has more vertices than stated");
        }
        let vertex = self.table.add_vertex();
        self.table.set_vertex(corner, vertex);
        self.table.set_leftmost(vertex, corner);
        Ok(())
    }

    fn close_fan(&mut self, corner: u32) -> Result<()> {
        let first = self.top()?;
        let center = self.table.vertex(next(first));
        let second = next(self.table.leftmost(center));
        self.table.join(first, corner + 1)?;
        self.table.join(second, corner + 2)?;
        let before = self.table.vertex(previous(first));
        let after = self.table.vertex(next(second));
        if center == before || center == after {
            return damaged("connectivity", "a triangle has a vertex twice");
        }
        self.table.set_vertex(corner, center);
        self.table.set_vertex(corner + 1, after);
        self.table.set_vertex(corner + 2, before);
        self.table.set_leftmost(before, corner + 2);
        self.set_inside(center);
        self.replace_top(corner);
        Ok(())
    }

    /// Adds a triangle with a new vertex. `corners`: left, opposite to the active corner, right.
    fn grow(&mut self, corner: u32, [left, opposite, right]: [u32; 3]) -> Result<()> {
        let active = self.top()?;
        self.table.join(opposite, active)?;
        self.new_vertex(opposite)?;
        let vertex = self.table.vertex(previous(active));
        self.table.set_vertex(right, vertex);
        self.table.set_leftmost(vertex, right);
        self.table.set_vertex(left, self.table.vertex(next(active)));
        self.replace_top(corner);
        Ok(())
    }

    fn begin(&mut self, corner: u32) -> Result<()> {
        for corner in corner..corner + 3 {
            self.new_vertex(corner)?;
        }
        self.active.push(corner);
        Ok(())
    }

    /// Joins two patches; one of two vertices that meet is no longer used.
    fn merge(&mut self, corner: u32, id: u32) -> Result<()> {
        let second = self.top()?;
        self.active.pop();
        self.active.extend(self.joins.remove(&id));
        let first = self.top()?;
        self.table.join(first, corner + 2)?;
        self.table.join(second, corner + 1)?;
        let kept = self.table.vertex(previous(first));
        self.table.set_vertex(corner, kept);
        self.table.set_vertex(corner + 1, self.table.vertex(next(first)));
        let before = self.table.vertex(previous(second));
        self.table.set_vertex(corner + 2, before);
        self.table.set_leftmost(before, corner + 2);

        let start = next(second);
        let gone = self.table.vertex(start);
        if kept == gone {
            return damaged("connectivity", "a triangle joins a patch to itself");
        }
        self.symbols.merged(kept as usize, gone as usize);
        self.table.set_leftmost(kept, self.table.leftmost(gone));
        self.relabel(start, kept)?;
        self.table.set_leftmost(gone, NONE);
        self.unused.push(gone);
        self.replace_top(corner);
        Ok(())
    }

    /// Gives the corners from `start` to the left another vertex.
    fn relabel(&mut self, start: u32, vertex: u32) -> Result<()> {
        let mut corner = start;
        while corner != NONE {
            let Some(left) = self.relabels_left.checked_sub(1) else {
                return damaged("connectivity", "its patches are joined too often");
            };
            self.relabels_left = left;
            self.table.set_vertex(corner, vertex);
            corner = self.table.swing_left(corner);
            if corner == start {
                return damaged("connectivity", "a triangle joins a closed fan");
            }
        }
        Ok(())
    }

    /// Notes corners of the newest triangle that later symbols will join. The encoder counted its symbols from the other end.
    fn note_joins(&mut self, id: u32) -> Result<()> {
        let encoder_id = self.symbol_count - id - 1;
        while let Some(split) = self.splits.pop_if(|split| split.source_symbol == encoder_id) {
            let top = self.top()?;
            let corner = if split.is_right { next(top) } else { previous(top) };
            let Some(join) = self.symbol_count.checked_sub(split.split_symbol + 1) else {
                return damaged("connectivity", "a join names a symbol after the last");
            };
            self.joins.insert(join, corner);
        }
        match self.splits.last() {
            Some(split) if split.source_symbol > encoder_id => {
                damaged("connectivity", "a join names a symbol that joins nothing")
            }
            _ => Ok(()),
        }
    }

    fn set_inside(&mut self, vertex: u32) {
        if let Some(is_at_hole) = self.is_at_hole.get_mut(vertex as usize) {
            *is_at_hole = false;
        }
    }

    /// Closes patches whose first triangle has no symbol of its own.
    fn close(&mut self, mut start_triangles: BitDecoder<'_>, symbol_count: u32) -> Result<()> {
        let mut corner = 3 * symbol_count;
        while let Some(first) = self.active.pop() {
            if !start_triangles.next() {
                continue;
            }
            if corner as usize >= self.table.corner_count() {
                return damaged("connectivity", "it has more triangles than stated");
            }
            let vertex_after = self.table.vertex(next(first));
            let second = next(self.table.leftmost(vertex_after));
            let vertex_across = self.table.vertex(next(second));
            let third = next(self.table.leftmost(vertex_across));
            let vertex_before = self.table.vertex(next(third));
            self.table.join(corner, first)?;
            self.table.join(corner + 1, second)?;
            self.table.join(corner + 2, third)?;
            let vertices = [vertex_across, vertex_before, vertex_after];
            for (corner, vertex) in (corner..).zip(vertices) {
                self.table.set_vertex(corner, vertex);
                self.set_inside(vertex);
            }
            corner += 3;
        }
        if corner as usize != self.table.corner_count() {
            return damaged("connectivity", "it has fewer triangles than stated");
        }
        Ok(())
    }
}
