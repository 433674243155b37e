//! Asymmetric numeral systems: symbols of any probabilities, and bits of one probability. The bytes are read from their end.

use crate::error::{DracoError, Result, damaged};
use crate::memory::Memory;
use crate::reader::Reader;

/// Base of the bytes that refill the state.
const IO_BASE: u32 = 256;
/// Smallest state of the bit decoder before it is refilled.
const BIT_BASE: u32 = 4096;
/// Sum of the probabilities of a bit.
const BIT_PRECISION: u32 = 256;
/// Bits of the sum of a table's probabilities: at least, at most.
const PRECISION_BITS: (u32, u32) = (12, 20);

/// The state, and the bytes that are left.
#[derive(Debug)]
struct State<'a> {
    bytes: &'a [u8],
    state: u32,
}

impl<'a> State<'a> {
    /// The last byte's upper two bits say how many bytes hold the first state.
    fn new(bytes: &'a [u8], base: u32) -> Result<Self> {
        let Some(&last) = bytes.last() else { return damaged("entropy coder", "it has no bytes") };
        let length = usize::from(last >> 6) + 1;
        let Some(start) = bytes.len().checked_sub(length) else {
            return damaged("entropy coder", "its state is truncated");
        };
        let word = bytes[start..].iter().rev().fold(0u32, |word, &byte| word << 8 | u32::from(byte));
        let state = (word & ((1u32 << (8 * length - 2)) - 1)).saturating_add(base);
        if u64::from(state) >= u64::from(base) * u64::from(IO_BASE) {
            return damaged("entropy coder", "its state is out of range");
        }
        Ok(Self { bytes: &bytes[..start], state })
    }

    /// Takes bytes while the state is below `base`.
    fn refill(&mut self, base: u32) {
        while self.state < base
            && let Some((&last, rest)) = self.bytes.split_last()
        {
            self.state = self.state * IO_BASE + u32::from(last);
            self.bytes = rest;
        }
    }
}

/// A symbol's share of the table.
#[derive(Clone, Copy, Debug)]
struct Share {
    probability: u32,
    /// Sum of the probabilities before it.
    start: u32,
}

/// Decodes symbols.
#[derive(Debug)]
pub(crate) struct SymbolDecoder<'a> {
    state: State<'a>,
    shares: Vec<Share>,
    /// The symbol at every place of the table.
    symbol_at: Vec<u32>,
    precision_bits: u32,
}

impl<'a> SymbolDecoder<'a> {
    /// Reads the table of symbols of up to `symbol_bits` bits, and the bytes.
    pub(crate) fn read(reader: &mut Reader<'a>, symbol_bits: u32, memory: &mut Memory) -> Result<Self> {
        let precision_bits = (3 * symbol_bits / 2).clamp(PRECISION_BITS.0, PRECISION_BITS.1);
        let shares = read_shares(reader, memory)?;
        let mut symbol_at = memory.with_room("a table of symbols", 1 << precision_bits)?;
        for (symbol, share) in shares.iter().enumerate() {
            let end = u64::from(share.start) + u64::from(share.probability);
            if end > 1 << precision_bits {
                return damaged("table of symbols", "its probabilities exceed their sum");
            }
            symbol_at.resize(end as usize, symbol as u32);
        }
        if symbol_at.len() != 1 << precision_bits {
            return damaged("table of symbols", "its probabilities do not reach their sum");
        }
        let state = State::new(reader.sized("coded symbols")?, 4 << precision_bits)?;
        Ok(Self { state, shares, symbol_at, precision_bits })
    }

    pub(crate) fn next(&mut self) -> u32 {
        self.state.refill(4 << self.precision_bits);
        let (quotient, rest) =
            (self.state.state >> self.precision_bits, self.state.state & ((1 << self.precision_bits) - 1));
        let symbol = self.symbol_at[rest as usize];
        let share = self.shares[symbol as usize];
        self.state.state = quotient * share.probability + rest - share.start;
        symbol
    }
}

/// Probabilities: two bits say how many more bytes a probability has, or that a number of symbols has none.
fn read_shares(reader: &mut Reader<'_>, memory: &mut Memory) -> Result<Vec<Share>> {
    // A byte stands for at most 64 symbols.
    let count = reader.count("number of symbols", 64 * reader.left() as u64)?;
    let mut shares = memory.with_room("a table of symbols", count)?;
    let mut start = 0u32;
    while shares.len() < count {
        let first = reader.u8("a probability")?;
        if first & 3 == 3 {
            let end = shares.len() + usize::from(first >> 2) + 1;
            if end > count {
                return damaged("table of symbols", "it has more entries than symbols");
            }
            shares.resize(end, Share { probability: 0, start });
            continue;
        }
        let mut probability = u32::from(first >> 2);
        for extra in 0..u32::from(first & 3) {
            probability |= u32::from(reader.u8("a probability")?) << (8 * (extra + 1) - 2);
        }
        shares.push(Share { probability, start });
        start = start.saturating_add(probability);
    }
    Ok(shares)
}

/// Decodes bits.
#[derive(Debug)]
pub(crate) struct BitDecoder<'a> {
    state: State<'a>,
    /// Share of ones.
    ones: u32,
}

impl<'a> BitDecoder<'a> {
    pub(crate) fn read(reader: &mut Reader<'a>) -> Result<Self> {
        let zeros = u32::from(reader.u8("a probability")?);
        let bytes = reader.sized("coded bits")?;
        if bytes.last().is_some_and(|last| last >> 6 == 3) {
            return Err(DracoError::Unsupported { what: "state of coded bits", found: 3 });
        }
        Ok(Self { state: State::new(bytes, BIT_BASE)?, ones: BIT_PRECISION - zeros })
    }

    pub(crate) fn next(&mut self) -> bool {
        if self.state.state < BIT_BASE
            && let Some((&last, rest)) = self.state.bytes.split_last()
        {
            self.state.state = self.state.state * IO_BASE + u32::from(last);
            self.state.bytes = rest;
        }
        let state = self.state.state;
        let (quotient, rest) = (state / BIT_PRECISION, state % BIT_PRECISION);
        let scaled = quotient * self.ones;
        let is_one = rest < self.ones;
        self.state.state = if is_one { scaled + rest } else { state - scaled - self.ones };
        is_one
    }
}
