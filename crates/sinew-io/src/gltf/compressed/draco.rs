//! Primitives that Draco compressed.

use super::bounds::set_bounds;
use super::{Decompressed, MAX_RATIO, charge, remove_extension};
use crate::gltf::json::Cursor;
use crate::gltf::{GltfDocument, ReadGltfError, Result};
use crate::limits::Budget;
use crate::{MemoryLimitError, Report};
use serde_json::{Value, json};
use sinew_draco::{DracoError, DracoMesh, DracoType};
use std::collections::HashMap;

pub(in crate::gltf) const DRACO: &str = "KHR_draco_mesh_compression";

/// Uses of a buffer view; glTF 2.0 §5.11.5.
const VERTICES: Option<u32> = Some(34962);
const INDICES: Option<u32> = Some(34963);

/// Share of the memory without bytes in the file that one stream may work with.
const SHARE_OF_UNSTORED: u64 = 8;

/// A place in the document: of a mesh, and of its primitive.
type PrimitiveId = (usize, usize);

/// A stream in use: its mesh, and the accessors that hold its parts.
struct Stream {
    mesh: DracoMesh,
    /// By the attribute's number; `None` for the indices.
    accessors: HashMap<Option<u32>, usize>,
}

impl GltfDocument {
    /// Decodes compressed primitives. One that cannot be decoded stays as it is, is reported, and is not shown.
    pub(super) fn decode_primitives(
        &mut self,
        budget: &mut Budget,
        report: &mut Report,
    ) -> Result<Option<Decompressed>> {
        let mut streams = HashMap::new();
        let mut done = Decompressed { extension: DRACO, count: 0, stored_bytes: 0, decoded_bytes: 0 };
        for id in self.draco_primitives()? {
            match self.decode_primitive(id, &mut streams, &mut done, budget) {
                Ok(()) => {
                    done.count += 1;
                    remove_extension(&mut self.json["meshes"][id.0]["primitives"][id.1], DRACO);
                }
                Err(ReadGltfError::Compressed { place, reason }) => {
                    report.warn(place, format!("{reason}; it is kept unchanged and not shown"));
                }
                Err(error) => return Err(error),
            }
        }
        Ok((done.count > 0).then_some(done))
    }

    fn draco_primitives(&self) -> Result<Vec<PrimitiveId>> {
        let mut found = Vec::new();
        for (mesh, entry) in self.root().objects("meshes")?.iter().enumerate() {
            for (at, primitive) in entry.objects("primitives")?.iter().enumerate() {
                if primitive.extension(DRACO).is_some() {
                    found.push((mesh, at));
                }
            }
        }
        Ok(found)
    }

    fn decode_primitive(
        &mut self,
        id: PrimitiveId,
        streams: &mut HashMap<usize, Stream>,
        done: &mut Decompressed,
        budget: &mut Budget,
    ) -> Result<()> {
        let json = self.json["meshes"][id.0]["primitives"][id.1].clone();
        let place = format!("meshes[{}].primitives[{}]", id.0, id.1);
        let primitive = Cursor { value: &json, place };
        if self.has_plain_copy(&primitive)? {
            return Ok(());
        }
        let Some(packed) = primitive.extension(DRACO) else { return Ok(()) };
        let view = packed.require("bufferView")?;
        let view_index = view.as_index(self.root().list_len("bufferViews"))?;
        let mut stream = match streams.remove(&view_index) {
            Some(stream) => stream,
            None => {
                let bytes = self.view(&view)?.0;
                let mesh = decode(bytes, &packed.place, budget)?;
                done.stored_bytes += bytes.len();
                done.decoded_bytes += size_of_mesh(&mesh);
                Stream { mesh, accessors: HashMap::new() }
            }
        };
        let result = self.use_stream(id, &primitive, &packed, &mut stream, budget);
        streams.insert(view_index, stream);
        result
    }

    /// Whether all that is compressed is in the file without compression too; glTF allows that for old readers.
    fn has_plain_copy(&self, primitive: &Cursor<'_>) -> Result<bool> {
        let root = self.root();
        let mut references: Vec<Cursor<'_>> = primitive.get("indices").into_iter().collect();
        let attributes = primitive.require("attributes")?;
        references.extend(attributes.get("POSITION"));
        for reference in &references {
            let accessor = root.entry("accessors", reference)?;
            if accessor.get("bufferView").is_none() && accessor.get("sparse").is_none() {
                return Ok(false);
            }
        }
        Ok(!references.is_empty())
    }

    /// Gives a primitive the accessors of a stream.
    fn use_stream(
        &mut self,
        (mesh, at): PrimitiveId,
        primitive: &Cursor<'_>,
        packed: &Cursor<'_>,
        stream: &mut Stream,
        budget: &mut Budget,
    ) -> Result<()> {
        let ids = packed.require("attributes")?;
        let mut names = Vec::new();
        for (name, _) in ids.value.as_object().ok_or_else(|| ids.wrong("an object"))? {
            let id = ids.require(name)?.as_index(u32::MAX as usize)? as u32;
            if !stream.mesh.attributes.iter().any(|attribute| attribute.id == id) {
                let (place, reason) = (ids.place_of(name), format!("the stream has no attribute {id}"));
                return Err(ReadGltfError::Compressed { place, reason });
            }
            names.push((name.clone(), id));
        }
        if stream.accessors.is_empty() {
            normalize_weights(&mut stream.mesh, &names);
        }
        let mut attributes = primitive.require("attributes")?.value.clone();
        for (name, id) in names {
            let stated = self.stated_accessor(&primitive.require("attributes")?, &name)?;
            let index = self.attribute_accessor(stated, id, name == "POSITION", stream, budget)?;
            attributes[&name] = index.into();
        }
        let indices = self.index_accessor(stream, budget)?;
        let target = &mut self.json["meshes"][mesh]["primitives"][at];
        target["attributes"] = attributes;
        target["indices"] = indices.into();
        // Draco turns strips into lists.
        super::set_or_remove(target, "mode", None);
        Ok(())
    }

    /// The accessor that a file states for an attribute; its name and type are kept.
    fn stated_accessor(&self, attributes: &Cursor<'_>, name: &str) -> Result<Value> {
        let Some(reference) = attributes.get(name) else { return Ok(json!({})) };
        Ok(self.root().entry("accessors", &reference)?.value.clone())
    }

    fn attribute_accessor(
        &mut self,
        stated: Value,
        id: u32,
        has_bounds: bool,
        stream: &mut Stream,
        budget: &mut Budget,
    ) -> Result<usize> {
        if let Some(&index) = stream.accessors.get(&Some(id)) {
            return Ok(index);
        }
        let Some(attribute) = stream.mesh.attributes.iter().find(|attribute| attribute.id == id) else {
            return Err(ReadGltfError::Missing { place: format!("attribute {id} of a Draco stream") });
        };
        let element = attribute.components * attribute.component_type.size();
        let (bytes, stride) = padded(&attribute.bytes, element);
        let mut accessor = stated;
        accessor["componentType"] = component_code(attribute.component_type)?.into();
        accessor["type"] = type_name(attribute.components)?.into();
        accessor["count"] = stream.mesh.point_count.into();
        let view = self.push_view(&bytes, VERTICES);
        if stride != element {
            self.json["bufferViews"][view]["byteStride"] = stride.into();
        }
        let index = self.push_accessor_in(accessor, view);
        if has_bounds {
            set_bounds(self, index, budget)?;
        }
        stream.accessors.insert(Some(id), index);
        Ok(index)
    }

    fn index_accessor(&mut self, stream: &mut Stream, budget: &mut Budget) -> Result<usize> {
        if let Some(&index) = stream.accessors.get(&None) {
            return Ok(index);
        }
        let flat = stream.mesh.triangles.as_flattened();
        budget.take(&"Draco triangles", flat.len() as u64, 4)?;
        // 65,535 itself would mean a restart.
        let (code, bytes): (_, Vec<u8>) = if stream.mesh.point_count < 0xFFFF {
            (5123, flat.iter().flat_map(|&index| (index as u16).to_le_bytes()).collect())
        } else {
            (5125, flat.iter().flat_map(|index| index.to_le_bytes()).collect())
        };
        let accessor = json!({ "componentType": code, "count": flat.len(), "type": "SCALAR" });
        let view = self.push_view(&bytes, INDICES);
        let index = self.push_accessor_in(accessor, view);
        stream.accessors.insert(None, index);
        Ok(index)
    }

    fn push_accessor_in(&mut self, mut accessor: Value, view: usize) -> usize {
        accessor["bufferView"] = view.into();
        super::set_or_remove(&mut accessor, "byteOffset", None);
        let accessors = self.list_mut("accessors");
        accessors.push(accessor);
        accessors.len() - 1
    }
}

/// Decodes a stream within the memory that is left.
fn decode(bytes: &[u8], place: &str, budget: &mut Budget) -> Result<DracoMesh> {
    let unstored = budget.unstored_left() / SHARE_OF_UNSTORED;
    let limit = budget.left().min(unstored.saturating_add(MAX_RATIO * bytes.len() as u64));
    let mesh = sinew_draco::decode(bytes, limit).map_err(|error| match error {
        DracoError::Memory { needed, left, .. } => {
            MemoryLimitError { place: place.to_owned(), needed_bytes: needed, left_bytes: left }.into()
        }
        error => ReadGltfError::Compressed { place: place.to_owned(), reason: error.to_string() },
    })?;
    charge(budget, place, bytes.len(), size_of_mesh(&mesh) as u64)?;
    Ok(mesh)
}

/// Makes the weights of each vertex sum to 1 again, as glTF requires; Draco rounds them one by one.
fn normalize_weights(mesh: &mut DracoMesh, names: &[(String, u32)]) {
    let is_weights = |id: u32| names.iter().any(|(name, other)| *other == id && name.starts_with("WEIGHTS_"));
    let mut sets: Vec<_> = mesh
        .attributes
        .iter_mut()
        .filter(|set| set.component_type == DracoType::F32 && set.components == 4 && is_weights(set.id))
        .map(|set| set.bytes.as_chunks_mut::<16>().0)
        .collect();
    for point in 0..mesh.point_count {
        let numbers = |set: &[[u8; 16]]| {
            let (four, _) = set[point].as_chunks::<4>();
            four.iter().map(|&bytes| f32::from_le_bytes(bytes)).sum::<f32>()
        };
        let sum: f32 = sets.iter().map(|set| numbers(set)).sum();
        if sum > 0.0 && sum.is_finite() {
            for bytes in sets.iter_mut().flat_map(|set| set[point].as_chunks_mut::<4>().0) {
                *bytes = (f32::from_le_bytes(*bytes) / sum).to_le_bytes();
            }
        }
    }
}

fn size_of_mesh(mesh: &DracoMesh) -> usize {
    let attributes: usize = mesh.attributes.iter().map(|attribute| attribute.bytes.len()).sum();
    attributes + size_of_val(mesh.triangles.as_slice())
}

/// Elements a multiple of four bytes apart, as glTF requires for vertices.
fn padded(bytes: &[u8], element: usize) -> (std::borrow::Cow<'_, [u8]>, usize) {
    let stride = element.next_multiple_of(4);
    if stride == element {
        return (bytes.into(), stride);
    }
    let mut out = Vec::with_capacity(bytes.len() / element * stride);
    for element in bytes.chunks_exact(element) {
        out.extend_from_slice(element);
        out.resize(out.len().next_multiple_of(4), 0);
    }
    (out.into(), stride)
}

fn component_code(component: DracoType) -> Result<u32> {
    Ok(match component {
        DracoType::I8 => 5120,
        DracoType::U8 => 5121,
        DracoType::I16 => 5122,
        DracoType::U16 => 5123,
        DracoType::U32 => 5125,
        DracoType::F32 => 5126,
        DracoType::I32 => return unsupported("an attribute of signed 32-bit numbers"),
    })
}

fn type_name(components: usize) -> Result<&'static str> {
    match components {
        1 => Ok("SCALAR"),
        2 => Ok("VEC2"),
        3 => Ok("VEC3"),
        4 => Ok("VEC4"),
        _ => unsupported("an attribute of more than four components"),
    }
}

fn unsupported<T>(what: &str) -> Result<T> {
    let reason = format!("{what} has no place in glTF");
    Err(ReadGltfError::Compressed { place: "a Draco stream".to_owned(), reason })
}
