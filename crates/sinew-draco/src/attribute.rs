//! The values of attributes.

use crate::corners::NONE;
use crate::error::{DracoError, Result, damaged};
use crate::memory::Memory;
use crate::prediction::{Octahedron, Positions, Scheme, Shape};
use crate::reader::Reader;
use crate::symbols::{read_symbols, signed};

/// The type of an attribute's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of Rust's types")]
pub enum DracoType {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
}

impl DracoType {
    fn from_code(code: u8) -> Result<Self> {
        Ok(match code {
            1 => Self::I8,
            2 => Self::U8,
            3 => Self::I16,
            4 => Self::U16,
            5 => Self::I32,
            6 => Self::U32,
            9 => Self::F32,
            _ => return Err(DracoError::Unsupported { what: "attribute of type", found: code.into() }),
        })
    }

    /// Bytes of a number.
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
        }
    }
}

/// An attribute of all points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DracoAttribute {
    /// The number by which glTF names it.
    pub id: u32,
    /// Numbers per point.
    pub components: usize,
    /// Type of the numbers.
    pub component_type: DracoType,
    /// The numbers of all points, little-endian, without gaps.
    pub bytes: Vec<u8>,
}

/// How the values of an attribute are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coding {
    Bytes,
    Integers,
    Quantized,
    Normals,
}

/// What a stream says about an attribute before its values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Descriptor {
    id: u32,
    components: usize,
    component_type: DracoType,
    is_position: bool,
    coding: Coding,
}

/// Maximum attributes; formats on top of Draco use a dozen.
const MAX_ATTRIBUTES: u64 = 255;
/// Number of the kind that predictions use.
const POSITION_KIND: u8 = 0;

/// Reads the descriptions of one group of attributes.
pub(crate) fn read_descriptors(reader: &mut Reader<'_>) -> Result<Vec<Descriptor>> {
    let count = reader.count("number of attributes", MAX_ATTRIBUTES)?;
    let mut descriptors = Vec::new();
    for _ in 0..count {
        let kind = reader.u8("kind of an attribute")?;
        let component_type = DracoType::from_code(reader.u8("type of an attribute")?)?;
        let components = usize::from(reader.u8("components of an attribute")?);
        // Whether numbers are normalized is up to the file around the stream.
        reader.u8("type of an attribute")?;
        let id = reader.count("number of an attribute", u32::MAX.into())? as u32;
        if components == 0 {
            return damaged("attribute", "it has no components");
        }
        let (is_position, coding) = (kind == POSITION_KIND, Coding::Bytes);
        descriptors.push(Descriptor { id, components, component_type, is_position, coding });
    }
    for descriptor in &mut descriptors {
        descriptor.coding = match reader.u8("coding of an attribute")? {
            0 => Coding::Bytes,
            1 if descriptor.component_type != DracoType::F32 => Coding::Integers,
            2 if descriptor.component_type == DracoType::F32 => Coding::Quantized,
            3 if (descriptor.component_type, descriptor.components) == (DracoType::F32, 3) => Coding::Normals,
            other => {
                return Err(DracoError::Unsupported { what: "coding of an attribute", found: other.into() });
            }
        };
    }
    Ok(descriptors)
}

/// Whole-number positions, kept for the predictions of later attributes.
#[derive(Debug, Default)]
pub(crate) struct KnownPositions {
    values: Vec<i32>,
    value_of_point: Vec<u32>,
}

impl KnownPositions {
    pub(crate) fn with<'a>(&'a self, point_of_corner: &'a [u32]) -> Option<Positions<'a>> {
        (!self.values.is_empty()).then_some(Positions {
            values: &self.values,
            value_of_point: &self.value_of_point,
            point_of_corner,
        })
    }
}

/// The values of a group of attributes, which share an order.
pub(crate) struct Group<'a> {
    pub(crate) descriptors: &'a [Descriptor],
    pub(crate) value_count: usize,
    /// The value of each point.
    pub(crate) value_of_point: &'a [u32],
    pub(crate) shape: Option<&'a Shape<'a>>,
}

/// Values of one attribute in their order: bytes, or whole numbers that stand for something.
enum Stored<'a> {
    Bytes(&'a [u8]),
    Numbers(Vec<i32>),
}

/// Reads a group of attributes: the numbers of all, then what makes values of them. Also gives the positions, if they are in it.
pub(crate) fn read_group(
    reader: &mut Reader<'_>,
    group: &Group<'_>,
    memory: &mut Memory,
) -> Result<(Vec<DracoAttribute>, Option<KnownPositions>)> {
    let stored = group.descriptors.iter().map(|descriptor| read_stored(reader, descriptor, group, memory));
    let stored = stored.collect::<Result<Vec<_>>>()?;
    let mut attributes = Vec::new();
    let mut positions = None;
    for (descriptor, stored) in group.descriptors.iter().zip(stored) {
        let &Descriptor { id, components, component_type, is_position, .. } = descriptor;
        let size = components * component_type.size();
        memory.take::<u8>("values of points", group.value_of_point.len().saturating_mul(size))?;
        memory.take::<u8>("values", group.value_count.saturating_mul(size))?;
        let values = match stored {
            Stored::Bytes(bytes) => bytes.to_vec(),
            Stored::Numbers(numbers) => {
                let values = to_bytes(reader, descriptor, &numbers)?;
                if is_position && components == 3 {
                    memory.take::<u32>("positions", group.value_of_point.len())?;
                    positions = Some(KnownPositions {
                        values: numbers,
                        value_of_point: group.value_of_point.to_vec(),
                    });
                }
                values
            }
        };
        let bytes = spread(&values, size, group.value_of_point)?;
        attributes.push(DracoAttribute { id, components, component_type, bytes });
    }
    Ok((attributes, positions))
}

fn read_stored<'a>(
    reader: &mut Reader<'a>,
    descriptor: &Descriptor,
    group: &Group<'_>,
    memory: &mut Memory,
) -> Result<Stored<'a>> {
    if descriptor.coding == Coding::Bytes {
        let size = descriptor.components * descriptor.component_type.size();
        return reader
            .take("values", (group.value_count as u64).saturating_mul(size as u64))
            .map(Stored::Bytes);
    }
    let components = if descriptor.coding == Coding::Normals { 2 } else { descriptor.components };
    let scheme = Scheme::read(reader, group.shape.is_some())?;
    let count = group.value_count * components;
    let symbols = if reader.u8("compression of values")? == 0 {
        read_plain(reader, count, memory)?
    } else {
        read_symbols(reader, count, components, memory)?
    };
    let number = if scheme.is_positive() { |symbol: u32| symbol as i32 } else { signed };
    let mut numbers: Vec<i32> = symbols.into_iter().map(number).collect();
    scheme.restore(reader, components, group.shape, &mut numbers, memory)?;
    Ok(Stored::Numbers(numbers))
}

/// Whole numbers of one to four bytes each.
fn read_plain(reader: &mut Reader<'_>, count: usize, memory: &mut Memory) -> Result<Vec<u32>> {
    let size = reader.u8("bytes of a value")?;
    if !(1..=4).contains(&size) {
        return Err(DracoError::Unsupported { what: "a value of bytes", found: size.into() });
    }
    memory.take::<u32>("values", count)?;
    let bytes = reader.take("values", count as u64 * u64::from(size))?;
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0u32, |word, &byte| word << 8 | u32::from(byte));
    Ok(bytes.chunks_exact(size.into()).map(number).collect())
}

/// The bytes of values, from the numbers that stand for them.
fn to_bytes(reader: &mut Reader<'_>, descriptor: &Descriptor, numbers: &[i32]) -> Result<Vec<u8>> {
    let size = descriptor.component_type.size();
    Ok(match descriptor.coding {
        Coding::Bytes | Coding::Integers => {
            numbers.iter().flat_map(|number| number.to_le_bytes().into_iter().take(size)).collect()
        }
        Coding::Quantized => {
            let mut lowest = Vec::new();
            for _ in 0..descriptor.components {
                lowest.push(reader.f32("bounds of values")?);
            }
            let range = reader.f32("bounds of values")?;
            let bits = reader.u8("bits of a value")?;
            if !(1..=30).contains(&bits) {
                return Err(DracoError::Unsupported { what: "quantization to bits", found: bits.into() });
            }
            let step = range / ((1u32 << bits) - 1) as f32;
            let value = |(number, lowest): (&i32, &f32)| (*number as f32 * step + lowest).to_le_bytes();
            numbers.iter().zip(lowest.iter().cycle()).flat_map(value).collect()
        }
        Coding::Normals => {
            let octahedron = Octahedron::of_bits(reader.u8("bits of a normal")?.into())?;
            let (places, _) = numbers.as_chunks::<2>();
            let vector = |&place: &[i32; 2]| octahedron.unit_vector(place).map(f32::to_le_bytes);
            places.iter().flat_map(vector).flatten().collect()
        }
    })
}

/// The values of points, from values in their order.
fn spread(values: &[u8], size: usize, value_of_point: &[u32]) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(value_of_point.len() * size);
    for &value in value_of_point {
        let start = value as usize * size;
        match values.get(start..start + size).filter(|_| value != NONE) {
            Some(value) => bytes.extend_from_slice(value),
            None => return damaged("attribute", "a point has no value"),
        }
    }
    Ok(bytes)
}
