//! Vertices and faces, most of a file.

use super::index_sizes::IndexKind;
use super::types::{Pmx, PmxVertex, PmxWeight};
use crate::Result;
use crate::bytes::Bytes;
use crate::sink::Sink;
use crate::stored::{Count, Index, Stored};

/// Vertices, and the additional texture coordinates of all of them.
type Vertices = (Vec<PmxVertex>, Vec<[f32; 4]>);

pub(super) fn read_vertices(source: &mut Bytes<'_>, uv_count: u8) -> Result<Vertices> {
    // One loop per size: no check inside the loop.
    match source.sizes.bone {
        1 => read_sized::<1>(source, uv_count),
        2 => read_sized::<2>(source, uv_count),
        _ => read_sized::<4>(source, uv_count),
    }
}

fn read_sized<const BONE: usize>(bytes: &mut Bytes<'_>, uv_count: u8) -> Result<Vertices> {
    let uv_count = usize::from(uv_count);
    let least_bytes = 8 * 4 + uv_count * 16 + 1 + BONE + 4;
    let memory_each = size_of::<PmxVertex>() + uv_count * 16;
    let count = bytes.count(least_bytes as u64, memory_each, "vertices")?;
    let mut vertices = Vec::with_capacity(count);
    let mut additional_uvs = Vec::with_capacity(count * uv_count);
    for index in 0..count {
        bytes.enter(false, Some(("vertices", index)));
        let [x, y, z, normal_x, normal_y, normal_z, u, v] = bytes.get("position, normal and UV")?;
        for _ in 0..uv_count {
            additional_uvs.push(bytes.get("additional UV")?);
        }
        vertices.push(PmxVertex {
            position: [x, y, z],
            normal: [normal_x, normal_y, normal_z],
            uv: [u, v],
            weight: read_weight::<BONE>(bytes)?,
            edge_scale: bytes.get("edge scale")?,
        });
    }
    bytes.enter(false, None);
    Ok((vertices, additional_uvs))
}

#[inline]
fn read_weight<const BONE: usize>(bytes: &mut Bytes<'_>) -> Result<PmxWeight> {
    let offset = bytes.offset();
    Ok(match bytes.get("weight type")? {
        0u8 => PmxWeight::Bdef1(read_bone::<BONE>(bytes)?),
        1 => PmxWeight::Bdef2 { bones: read_bones::<BONE, 2>(bytes)?, weight: bytes.get("weight")? },
        2 => PmxWeight::Bdef4 { bones: read_bones::<BONE, 4>(bytes)?, weights: bytes.get("weights")? },
        3 => {
            let bones = read_bones::<BONE, 2>(bytes)?;
            let weight = bytes.get("weight")?;
            let [c, r0, r1] = [bytes.get("C")?, bytes.get("R0")?, bytes.get("R1")?];
            PmxWeight::Sdef { bones, weight, c, r0, r1 }
        }
        4 => PmxWeight::Qdef { bones: read_bones::<BONE, 4>(bytes)?, weights: bytes.get("weights")? },
        other => {
            let expected = "a weight type from 0 to 4 (the header's bone index size may be wrong)";
            return Err(bytes.unexpected(offset, "weight type", other, expected));
        }
    })
}

#[inline]
fn read_bone<const BONE: usize>(bytes: &mut Bytes<'_>) -> Result<i32> {
    Ok(match BONE {
        1 => i32::from(bytes.get::<i8>("bone")?),
        2 => i32::from(bytes.get::<i16>("bone")?),
        _ => bytes.get("bone")?,
    })
}

#[inline]
fn read_bones<const BONE: usize, const N: usize>(bytes: &mut Bytes<'_>) -> Result<[i32; N]> {
    let mut bones = [0; N];
    for bone in &mut bones {
        *bone = read_bone::<BONE>(bytes)?;
    }
    Ok(bones)
}

/// The file counts indices. A count that is not a multiple of three is an error.
pub(super) fn read_faces(bytes: &mut Bytes<'_>) -> Result<Vec<[u32; 3]>> {
    let offset = bytes.offset();
    let size = usize::from(bytes.sizes.vertex);
    let count = bytes.count(size as u64, size_of::<u32>(), "faces")?;
    if count % 3 != 0 {
        return Err(bytes.unexpected(offset, "faces", count, "a multiple of three"));
    }
    let taken = bytes.take(count * size, "faces")?;
    Ok(match size {
        1 => taken.as_chunks::<3>().0.iter().map(|face| face.map(u32::from)).collect(),
        2 => faces::<2, 6>(taken, |index| u32::from(u16::from_le_bytes(index))),
        _ => faces::<4, 12>(taken, u32::from_le_bytes),
    })
}

/// Faces of three indices of `SIZE` bytes, `FACE` bytes together.
fn faces<const SIZE: usize, const FACE: usize>(
    bytes: &[u8],
    index: impl Fn([u8; SIZE]) -> u32,
) -> Vec<[u32; 3]> {
    let (faces, _) = bytes.as_chunks::<FACE>();
    let corners = |face: &[u8; FACE]| {
        let (corners, _) = face.as_chunks::<SIZE>();
        [index(corners[0]), index(corners[1]), index(corners[2])]
    };
    faces.iter().map(corners).collect()
}

pub(super) fn write_vertices(sink: &mut Sink, pmx: &Pmx, uv_count: u8) {
    let mut additional_uvs = pmx.additional_uvs.iter();
    sink.list_count(Count::SIGNED, pmx.vertices.len());
    for vertex in &pmx.vertices {
        sink.put(vertex.position);
        sink.put(vertex.normal);
        sink.put(vertex.uv);
        for _ in 0..uv_count {
            sink.put(additional_uvs.next().copied().unwrap_or_default());
        }
        write_weight(sink, &vertex.weight);
        sink.put(vertex.edge_scale);
    }
}

#[inline]
fn write_weight(sink: &mut Sink, weight: &PmxWeight) {
    match weight {
        PmxWeight::Bdef1(bone) => write_bones(sink, 0, &[*bone]),
        PmxWeight::Bdef2 { bones, weight } => {
            write_bones(sink, 1, bones);
            sink.put(*weight);
        }
        PmxWeight::Bdef4 { bones, weights } => {
            write_bones(sink, 2, bones);
            sink.put(*weights);
        }
        PmxWeight::Sdef { bones, weight, c, r0, r1 } => {
            write_bones(sink, 3, bones);
            sink.put(*weight);
            sink.put([*c, *r0, *r1]);
        }
        PmxWeight::Qdef { bones, weights } => {
            write_bones(sink, 4, bones);
            sink.put(*weights);
        }
    }
}

#[inline]
fn write_bones(sink: &mut Sink, weight_type: u8, bones: &[i32]) {
    sink.put(weight_type);
    bones.iter().for_each(|bone| bone.write(sink, Index(IndexKind::Bone, "bone")));
}

pub(super) fn write_faces(sink: &mut Sink, faces: &[[u32; 3]]) {
    sink.list_count(Count::SIGNED, 3 * faces.len());
    let corners = faces.as_flattened().iter();
    corners.for_each(|vertex| vertex.write(sink, Index(IndexKind::Vertex, "vertex")));
}
