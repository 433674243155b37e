//! Buffer views that meshopt compressed.

use super::bounds::set_bounds_of_views;
use super::meshopt::{self, Filter, Mode};
use super::{Decompressed, charge, remove_extension};
use crate::gltf::json::Cursor;
use crate::gltf::{GltfDocument, ReadGltfError, Result};
use crate::limits::Budget;
use std::collections::BTreeSet;

/// The extension as vendors wrote it, and as it was ratified.
pub(in crate::gltf) const MESHOPT: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// Smallest size of a buffer.
const MIN_BUFFER: usize = 4;

/// A decoded view.
struct DecodedView {
    bytes: Vec<u8>,
    stored_bytes: usize,
    is_filtered: bool,
    /// Where it goes.
    buffer: usize,
    offset: usize,
}

impl GltfDocument {
    /// Decodes compressed views into the buffers that stand for them. Views that have their bytes in the file keep those.
    pub(super) fn decode_views(&mut self, budget: &mut Budget) -> Result<Vec<Decompressed>> {
        let mut found =
            MESHOPT.map(|extension| Decompressed { extension, count: 0, stored_bytes: 0, decoded_bytes: 0 });
        let mut filtered = BTreeSet::new();
        for index in 0..self.root().list_len("bufferViews") {
            let Some(which) = (0..MESHOPT.len()).find(|&which| self.view_extension(index, which).is_some())
            else {
                continue;
            };
            if let Some(view) = self.decode_view(index, which, budget)? {
                found[which].stored_bytes += view.stored_bytes;
                found[which].decoded_bytes += view.bytes.len();
                let buffer = &mut self.buffers[view.buffer];
                let end = view.offset + view.bytes.len();
                buffer.resize(buffer.len().max(end), 0);
                buffer[view.offset..end].copy_from_slice(&view.bytes);
                if view.is_filtered {
                    filtered.insert(index);
                }
            }
            found[which].count += 1;
            remove_extension(&mut self.json["bufferViews"][index], MESHOPT[which]);
        }
        self.settle_placeholders();
        set_bounds_of_views(self, &filtered, budget)?;
        Ok(found.into_iter().filter(|done| done.count > 0).collect())
    }

    fn view_extension(&self, view: usize, which: usize) -> Option<Cursor<'_>> {
        let value = self.json.get("bufferViews")?.get(view)?;
        Cursor { value, place: format!("bufferViews[{view}]") }.extension(MESHOPT[which])
    }

    /// Decodes a view; `None` if its bytes are in the file.
    fn decode_view(&self, index: usize, which: usize, budget: &mut Budget) -> Result<Option<DecodedView>> {
        let value = &self.json["bufferViews"][index];
        let view = Cursor { value, place: format!("bufferViews[{index}]") };
        let buffer = view.require("buffer")?.as_index(self.buffers.len())?;
        if !self.placeholders.contains(&buffer) {
            return Ok(None);
        }
        let Some(packed) = view.extension(MESHOPT[which]) else { return Ok(None) };
        let number = |cursor: &Cursor<'_>, key: &str| {
            let number = cursor.require(key)?;
            usize::try_from(number.as_u64()?).map_err(|_| number.wrong("a number that fits memory"))
        };
        let (count, stride) = (number(&packed, "count")?, number(&packed, "byteStride")?);
        let (offset, length) = (view.u64("byteOffset")?.unwrap_or(0), number(&view, "byteLength")?);
        if count.checked_mul(stride) != Some(length) {
            let what = format!("{count} elements of {stride} bytes do not fill {length} bytes");
            return Err(ReadGltfError::Inconsistent { place: packed.place, what });
        }
        let end = offset.saturating_add(length as u64);
        let room = self.root().list("buffers")?[buffer].require("byteLength")?.as_u64()?;
        if end > room {
            let (place, length) = (view.place, room as usize);
            return Err(ReadGltfError::PastEnd { place, end, what: "its buffer", length });
        }
        let (mode, filter) = (mode(&packed)?, filter(&packed)?);
        let bytes = self.packed_bytes(&packed)?;
        // Gaps before the view are memory too.
        charge(budget, &packed.place, bytes.len(), end.max(length as u64))?;
        let stored_bytes = bytes.len();
        let bytes = meshopt::decode(bytes, count, stride, mode, filter).map_err(|error| {
            let (place, reason) = (packed.place.clone(), error.to_string());
            ReadGltfError::Compressed { place, reason }
        })?;
        let offset = offset as usize;
        Ok(Some(DecodedView { bytes, stored_bytes, is_filtered: filter != Filter::None, buffer, offset }))
    }

    /// The compressed bytes.
    fn packed_bytes(&self, packed: &Cursor<'_>) -> Result<&[u8]> {
        let buffer = packed.require("buffer")?.as_index(self.buffers.len())?;
        let offset = packed.u64("byteOffset")?.unwrap_or(0);
        let end = offset.saturating_add(packed.require("byteLength")?.as_u64()?);
        let bytes = &self.buffers[buffer];
        if self.placeholders.contains(&buffer) || end > bytes.len() as u64 {
            let (place, length) = (packed.place.clone(), bytes.len());
            return Err(ReadGltfError::PastEnd { place, end, what: "its buffer", length });
        }
        Ok(&bytes[offset as usize..end as usize])
    }

    /// Makes ordinary buffers of those that stood for decoded bytes.
    fn settle_placeholders(&mut self) {
        for index in std::mem::take(&mut self.placeholders) {
            let bytes = &mut self.buffers[index];
            if bytes.is_empty() {
                bytes.resize(MIN_BUFFER, 0);
            }
            self.json["buffers"][index]["byteLength"] = self.buffers[index].len().into();
        }
        for buffer in self.json.get_mut("buffers").and_then(|list| list.as_array_mut()).into_iter().flatten()
        {
            MESHOPT.into_iter().for_each(|extension| remove_extension(buffer, extension));
        }
    }
}

fn mode(packed: &Cursor<'_>) -> Result<Mode> {
    match packed.text("mode") {
        Some("ATTRIBUTES") => Ok(Mode::Attributes),
        Some("TRIANGLES") => Ok(Mode::Triangles),
        Some("INDICES") => Ok(Mode::Indices),
        _ => Err(packed.require("mode")?.wrong("ATTRIBUTES, TRIANGLES or INDICES")),
    }
}

fn filter(packed: &Cursor<'_>) -> Result<Filter> {
    let Some(filter) = packed.get("filter") else { return Ok(Filter::None) };
    match filter.value.as_str() {
        Some("NONE") => Ok(Filter::None),
        Some("OCTAHEDRAL") => Ok(Filter::Octahedral),
        Some("QUATERNION") => Ok(Filter::Quaternion),
        Some("EXPONENTIAL") => Ok(Filter::Exponential),
        Some("COLOR") => Ok(Filter::Color),
        _ => Err(filter.wrong("NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL or COLOR")),
    }
}
