//! Names and values beside the mesh, which glTF does not use: passed over.

use crate::error::{Result, damaged};
use crate::reader::Reader;

/// Levels of nested metadata; a deeper stream is refused rather than followed.
const MAX_DEPTH: u32 = 32;

pub(crate) fn skip(reader: &mut Reader<'_>) -> Result<()> {
    // An entry takes a byte at least.
    let attribute_count = reader.count("number of metadata", reader.left() as u64)?;
    for _ in 0..attribute_count {
        reader.varint("metadata of an attribute")?;
        skip_element(reader, 0)?;
    }
    skip_element(reader, 0)
}

fn skip_element(reader: &mut Reader<'_>, depth: u32) -> Result<()> {
    if depth > MAX_DEPTH {
        return damaged("metadata", "it is nested too deep");
    }
    let entry_count = reader.count("number of metadata", reader.left() as u64)?;
    for _ in 0..entry_count {
        skip_name(reader)?;
        reader.sized("a value of metadata")?;
    }
    let nested_count = reader.count("number of metadata", reader.left() as u64)?;
    for _ in 0..nested_count {
        skip_name(reader)?;
        skip_element(reader, depth + 1)?;
    }
    Ok(())
}

fn skip_name(reader: &mut Reader<'_>) -> Result<()> {
    let length = reader.u8("a name of metadata")?;
    reader.take("a name of metadata", length.into())?;
    Ok(())
}
