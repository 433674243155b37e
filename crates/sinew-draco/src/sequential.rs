//! Triangles as a list of points.

use crate::error::{DracoError, Result, damaged};
use crate::memory::Memory;
use crate::reader::Reader;
use crate::symbols::read_symbols;

/// Gives the number of points, and the triangles.
pub(crate) fn read(reader: &mut Reader<'_>, memory: &mut Memory) -> Result<(usize, Vec<[u32; 3]>)> {
    let limit = u64::from(u32::MAX / 3);
    let triangle_count = reader.count("number of triangles", limit)?;
    let point_count = reader.count("number of points", limit)?;
    let method = reader.u8("coding of triangles")?;
    memory.take::<[u32; 3]>("triangles", triangle_count)?;
    let flat = match method {
        0 => read_coded(reader, 3 * triangle_count, memory)?,
        1 => read_plain(reader, 3 * triangle_count, point_count)?,
        other => return Err(DracoError::Unsupported { what: "coding of triangles", found: other.into() }),
    };
    if flat.iter().any(|&point| point as usize >= point_count) {
        return damaged("connectivity", "a triangle names a point that does not exist");
    }
    Ok((point_count, flat.as_chunks::<3>().0.to_vec()))
}

/// Differences from the index before; the lowest bit is the sign.
fn read_coded(reader: &mut Reader<'_>, count: usize, memory: &mut Memory) -> Result<Vec<u32>> {
    let mut indices = read_symbols(reader, count, 1, memory)?;
    let mut last = 0u32;
    for index in &mut indices {
        let difference = *index >> 1;
        last = if *index & 1 == 0 { last.wrapping_add(difference) } else { last.wrapping_sub(difference) };
        *index = last;
    }
    Ok(indices)
}

/// Indices of a size that the number of points decides.
fn read_plain(reader: &mut Reader<'_>, count: usize, point_count: usize) -> Result<Vec<u32>> {
    // Every index takes a byte at least.
    if count > reader.left() {
        let (needed, left) = (count as u64, reader.left());
        return Err(DracoError::Truncated { offset: reader.offset(), what: "triangles", needed, left });
    }
    let what = "triangles";
    let mut index = || match point_count {
        0..0x100 => reader.u8(what).map(u32::from),
        0x100..0x1_0000 => reader.u16(what).map(u32::from),
        0x1_0000..0x20_0000 => reader.count(what, u32::MAX.into()).map(|index| index as u32),
        _ => reader.u32(what),
    };
    (0..count).map(|_| index()).collect()
}
