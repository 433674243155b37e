//! Lists of whole numbers, entropy coded.

use crate::error::{DracoError, Result};
use crate::memory::Memory;
use crate::rans::SymbolDecoder;
use crate::reader::{Bits, Reader};

/// Values under a tag of their length in bits.
const TAGGED: u8 = 0;
/// Values that are symbols themselves.
const RAW: u8 = 1;
/// Bits of a tag.
const TAG_BITS: u32 = 5;
/// Maximum bits of a symbol.
const MAX_SYMBOL_BITS: u8 = 18;

/// Reads `count` values. Of tagged values, `components` share a tag.
pub(crate) fn read_symbols(
    reader: &mut Reader<'_>,
    count: usize,
    components: usize,
    memory: &mut Memory,
) -> Result<Vec<u32>> {
    let mut values = memory.with_room("symbols", count)?;
    if count == 0 {
        return Ok(values);
    }
    match reader.u8("coding of symbols")? {
        TAGGED => read_tagged(reader, count, components, memory, &mut values)?,
        RAW => {
            let bits = reader.u8("bits of a symbol")?;
            if bits == 0 || bits > MAX_SYMBOL_BITS {
                return Err(DracoError::Unsupported { what: "symbols of bits", found: bits.into() });
            }
            let mut decoder = SymbolDecoder::read(reader, bits.into(), memory)?;
            values.extend((0..count).map(|_| decoder.next()));
        }
        other => return Err(DracoError::Unsupported { what: "coding of symbols", found: other.into() }),
    }
    Ok(values)
}

fn read_tagged(
    reader: &mut Reader<'_>,
    count: usize,
    components: usize,
    memory: &mut Memory,
    values: &mut Vec<u32>,
) -> Result<()> {
    let mut tags = SymbolDecoder::read(reader, TAG_BITS, memory)?;
    let mut bits = Bits::new(reader.rest());
    while values.len() < count {
        let length = tags.next();
        if length > u32::BITS {
            return Err(DracoError::Unsupported { what: "a value of bits", found: length.into() });
        }
        for _ in 0..components.min(count - values.len()) {
            values.push(bits.read(length)?);
        }
    }
    reader.skip_bits(&bits);
    Ok(())
}

/// The signed number of a symbol: 0, −1, 1, −2, 2, …
pub(crate) fn signed(symbol: u32) -> i32 {
    let magnitude = (symbol >> 1) as i32;
    if symbol & 1 == 0 { magnitude } else { -magnitude - 1 }
}
