//! The symbols of edgebreaker: three bits at most each, or by the valence of the vertex where a patch grows.

use crate::error::{DracoError, Result, damaged};
use crate::memory::Memory;
use crate::reader::{Bits, Reader};
use crate::symbols::read_symbols;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Symbol {
    C,
    S,
    L,
    R,
    E,
}

/// Symbols by their number.
const SYMBOLS: [Symbol; 5] = [Symbol::C, Symbol::S, Symbol::L, Symbol::R, Symbol::E];

/// Valences that have symbols of their own; others count as the nearer of the two.
const VALENCES: (u32, u32) = (2, 7);
const CONTEXT_COUNT: usize = (VALENCES.1 - VALENCES.0 + 1) as usize;

#[derive(Debug)]
pub(crate) enum Symbols<'a> {
    Standard(Bits<'a>),
    Valence {
        /// The symbols of each valence, the next one last.
        contexts: [Vec<u32>; CONTEXT_COUNT],
        /// Edges so far of each vertex.
        valences: Vec<u32>,
        active: Option<usize>,
    },
}

impl<'a> Symbols<'a> {
    pub(crate) fn valence(
        reader: &mut Reader<'a>,
        max_vertices: usize,
        symbol_count: usize,
        memory: &mut Memory,
    ) -> Result<Self> {
        let mut contexts: [Vec<u32>; CONTEXT_COUNT] = Default::default();
        for context in &mut contexts {
            let count = reader.count("number of symbols of a valence", symbol_count as u64)?;
            *context = read_symbols(reader, count, 1, memory)?;
        }
        let valences = memory.filled("valences", 0, max_vertices)?;
        Ok(Self::Valence { contexts, valences, active: None })
    }

    pub(crate) fn next(&mut self) -> Result<Symbol> {
        match self {
            Self::Standard(bits) => Ok(match bits.read(1)? {
                0 => Symbol::C,
                _ => SYMBOLS[bits.read(2)? as usize + 1],
            }),
            Self::Valence { contexts, active: Some(context), .. } => match contexts[*context].pop() {
                Some(id) => SYMBOLS
                    .get(id as usize)
                    .copied()
                    .ok_or(DracoError::Unsupported { what: "edgebreaker symbol", found: id.into() }),
                None => damaged("connectivity", "a valence has too few symbols"),
            },
            // The first triangle begins a patch.
            Self::Valence { active: None, .. } => Ok(Symbol::E),
        }
    }

    /// Counts the edges of a new triangle. `vertices`: of its first corner, the next and the previous.
    pub(crate) fn reached(&mut self, symbol: Symbol, vertices: [usize; 3]) {
        let Self::Valence { valences, active, .. } = self else { return };
        let edges = match symbol {
            Symbol::C | Symbol::S => [0, 1, 1],
            Symbol::R => [1, 1, 2],
            Symbol::L => [1, 2, 1],
            Symbol::E => [2, 2, 2],
        };
        for (vertex, edges) in vertices.into_iter().zip(edges) {
            if let Some(valence) = valences.get_mut(vertex) {
                *valence = valence.saturating_add(edges);
            }
        }
        let valence = valences.get(vertices[1]).copied().unwrap_or(0).clamp(VALENCES.0, VALENCES.1);
        *active = Some((valence - VALENCES.0) as usize);
    }

    /// Counts the edges of a vertex that became another.
    pub(crate) fn merged(&mut self, kept: usize, gone: usize) {
        let Self::Valence { valences, .. } = self else { return };
        if kept < valences.len() && gone < valences.len() {
            valences[kept] = valences[kept].saturating_add(valences[gone]);
        }
    }
}
