//! A whole stream.

use crate::attribute::{Descriptor, DracoAttribute, Group, KnownPositions, read_descriptors, read_group};
use crate::corners::{Corners, NONE};
use crate::edgebreaker::{self, Connectivity};
use crate::error::{DracoError, Result, damaged};
use crate::memory::Memory;
use crate::metadata;
use crate::points::Points;
use crate::prediction::Shape;
use crate::reader::Reader;
use crate::seams::SeamTable;
use crate::sequence::{Order, Sequence, sequence};
use crate::sequential;

/// A decoded mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DracoMesh {
    /// Number of points, the vertices of glTF.
    pub point_count: usize,
    /// Points of each triangle.
    pub triangles: Vec<[u32; 3]>,
    /// Attributes, in the order of the stream.
    pub attributes: Vec<DracoAttribute>,
}

/// Numbers of the geometry, the method and the flag of metadata in the header.
const TRIANGLE_MESH: u8 = 1;
const SEQUENTIAL: u8 = 0;
const EDGEBREAKER: u8 = 1;
const METADATA_FLAG: u16 = 0x8000;

/// Decodes a triangle mesh. Points have the encoder's order, to which morph targets outside of the stream refer.
///
/// # Errors
/// If the stream is damaged, is not a triangle mesh of bitstream 2.2, or takes more than about `max_memory` bytes.
pub fn decode(bytes: &[u8], max_memory: u64) -> Result<DracoMesh> {
    let mut reader = Reader::new(bytes);
    let mut memory = Memory::new(max_memory);
    let method = read_header(&mut reader)?;
    match method {
        SEQUENTIAL => decode_sequential(&mut reader, &mut memory),
        EDGEBREAKER => decode_edgebreaker(&mut reader, &mut memory),
        other => Err(DracoError::Unsupported { what: "connectivity method", found: other.into() }),
    }
}

/// Reads up to the connectivity; gives its method.
fn read_header(reader: &mut Reader<'_>) -> Result<u8> {
    if !reader.rest().starts_with(b"DRACO") {
        return Err(DracoError::NotDraco);
    }
    reader.take("the header", 5)?;
    let (major, minor) = (reader.u8("the version")?, reader.u8("the version")?);
    if (major, minor) != (2, 2) {
        return Err(DracoError::Version { major, minor });
    }
    let geometry = reader.u8("the kind of geometry")?;
    if geometry != TRIANGLE_MESH {
        return Err(DracoError::Unsupported { what: "kind of geometry", found: geometry.into() });
    }
    let method = reader.u8("the connectivity method")?;
    if reader.u16("the flags")? & METADATA_FLAG != 0 {
        metadata::skip(reader)?;
    }
    Ok(method)
}

fn decode_sequential(reader: &mut Reader<'_>, memory: &mut Memory) -> Result<DracoMesh> {
    let (point_count, triangles) = sequential::read(reader, memory)?;
    let group_count = reader.u8("number of attribute groups")?;
    let groups = (0..group_count).map(|_| read_descriptors(reader)).collect::<Result<Vec<_>>>()?;
    memory.take::<u32>("points", point_count)?;
    let value_of_point: Vec<u32> = (0..point_count as u32).collect();
    let mut attributes = Vec::new();
    for descriptors in groups {
        let group = Group {
            descriptors: &descriptors,
            value_count: point_count,
            value_of_point: &value_of_point,
            shape: None,
        };
        attributes.extend(read_group(reader, &group, memory)?.0);
    }
    Ok(DracoMesh { point_count, triangles, attributes })
}

/// A group of attributes, and the connectivity that it follows.
struct GroupHeader {
    /// Index of the attribute connectivity; `None` for that of positions.
    seams: Option<usize>,
    order: Order,
    descriptors: Vec<Descriptor>,
}

fn decode_edgebreaker(reader: &mut Reader<'_>, memory: &mut Memory) -> Result<DracoMesh> {
    let Connectivity { positions, is_at_hole, seams } = edgebreaker::read(reader, memory)?;
    let mut tables = Vec::new();
    for seams in seams {
        tables.push(SeamTable::new(&positions, seams, memory)?);
    }
    let points = Points::new(&positions, &is_at_hole, &tables, memory)?;
    let groups = read_group_headers(reader, tables.len())?;
    let mut known = KnownPositions::default();
    let mut attributes = Vec::new();
    for group in &groups {
        let mesh = AttributeMesh { points: &points, known: &known };
        let (read, found) = match group.seams {
            Some(index) => mesh.read(reader, &tables[index], group, memory)?,
            None => mesh.read(reader, &positions, group, memory)?,
        };
        attributes.extend(read);
        known = found.unwrap_or(known);
    }
    memory.take::<[u32; 3]>("triangles", points.of_corner.len() / 3)?;
    let triangles = points.of_corner.as_chunks::<3>().0.to_vec();
    Ok(DracoMesh { point_count: points.count, triangles, attributes })
}

fn read_group_headers(reader: &mut Reader<'_>, table_count: usize) -> Result<Vec<GroupHeader>> {
    let count = reader.u8("number of attribute groups")?;
    let mut groups = Vec::new();
    for _ in 0..count {
        let table = reader.i8("connectivity of a group")?;
        // Values per vertex of the positions, or per vertex between seams.
        let is_per_corner = match reader.u8("element of a group")? {
            0 => false,
            1 => true,
            other => return Err(DracoError::Unsupported { what: "element of a group", found: other.into() }),
        };
        let order = match reader.u8("order of a group")? {
            0 => Order::DepthFirst,
            1 if !is_per_corner => Order::PredictionDegree,
            other => return Err(DracoError::Unsupported { what: "order of a group", found: other.into() }),
        };
        let seams = is_per_corner.then_some(usize::try_from(table).unwrap_or(usize::MAX));
        if seams.is_some_and(|index| index >= table_count) {
            return damaged("attribute", "its connectivity does not exist");
        }
        groups.push(GroupHeader { seams, order, descriptors: Vec::new() });
    }
    for group in &mut groups {
        group.descriptors = read_descriptors(reader)?;
    }
    Ok(groups)
}

/// What the values of a group refer to.
struct AttributeMesh<'a> {
    points: &'a Points,
    known: &'a KnownPositions,
}

impl AttributeMesh<'_> {
    fn read<C: Corners>(
        &self,
        reader: &mut Reader<'_>,
        corners: &C,
        group: &GroupHeader,
        memory: &mut Memory,
    ) -> Result<(Vec<DracoAttribute>, Option<KnownPositions>)> {
        let sequence = sequence(corners, group.order, memory)?;
        let value_of_point = self.value_of_point(corners, &sequence, memory)?;
        let positions = self.known.with(&self.points.of_corner);
        let shape = Shape { corners, sequence: &sequence, positions: positions.as_ref() };
        let group = Group {
            descriptors: &group.descriptors,
            value_count: sequence.corners.len(),
            value_of_point: &value_of_point,
            shape: Some(&shape),
        };
        read_group(reader, &group, memory)
    }

    fn value_of_point<C: Corners>(
        &self,
        corners: &C,
        sequence: &Sequence,
        memory: &mut Memory,
    ) -> Result<Vec<u32>> {
        let mut values = memory.filled("values of points", NONE, self.points.count)?;
        for (corner, &point) in self.points.of_corner.iter().enumerate() {
            let vertex = corners.vertex(corner as u32) as usize;
            values[point as usize] = sequence.value_of_vertex.get(vertex).copied().unwrap_or(NONE);
        }
        // Points without triangles have no value; the encoder leaves them out, a damaged stream may not.
        Ok(values)
    }
}
