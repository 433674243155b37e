//! Compressed geometry, decoded when a file is read: `KHR_draco_mesh_compression`, `EXT_meshopt_compression` and
//! `KHR_meshopt_compression`. The document then is as if it had never been compressed.

mod bounds;
mod draco;
mod meshopt;
#[cfg(test)]
mod tests;
mod views;

pub(super) use draco::DRACO;
pub(super) use views::MESHOPT;

use super::write::set_or_remove;
use super::{GltfDocument, Result};
use crate::limits::Budget;
use crate::{MemoryLimitError, Report};
use serde_json::Value;

/// Bytes that a compressed byte may stand for before `max_unstored` limits it. Draco takes a smooth surface of a million triangles to
/// a thirtieth; working memory is three times the result.
const MAX_RATIO: u64 = 256;
/// Memory of everything made of decoded values, relative to their own size, as for accessors without a view.
const MADE_OF_IT: u64 = 24;

/// A compression that a file had before it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decompressed {
    /// Name of the extension.
    pub extension: &'static str,
    /// Number of decoded primitives (Draco) or buffer views (meshopt).
    pub count: usize,
    /// Bytes in the file.
    pub stored_bytes: usize,
    /// Bytes now.
    pub decoded_bytes: usize,
}

impl Decompressed {
    /// What is counted.
    pub fn unit(&self) -> &'static str {
        match (self.extension == DRACO, self.count == 1) {
            (true, true) => "primitive",
            (true, false) => "primitives",
            (false, true) => "buffer view",
            (false, false) => "buffer views",
        }
    }
}

impl GltfDocument {
    /// The compressions that the file had; they were undone when it was read.
    pub fn decompressed(&self) -> &[Decompressed] {
        &self.decompressed
    }

    /// Decodes all compressed geometry. Reports what was decoded, and what stays compressed because it cannot be.
    ///
    /// # Errors
    /// If a view cannot be decoded, or more memory is needed than allowed.
    pub(super) fn decompress(&mut self, budget: &mut Budget, report: &mut Report) -> Result<()> {
        let mut found = self.decode_views(budget)?;
        found.extend(self.decode_primitives(budget, report)?);
        for done in &found {
            let Decompressed { extension, count, stored_bytes, decoded_bytes } = done;
            let sizes = format!("{count} {} decoded, {stored_bytes} to {decoded_bytes} bytes", done.unit());
            report.warn(extension, format!("{sizes}; written back uncompressed"));
        }
        for extension in MESHOPT.into_iter().chain([DRACO]) {
            if !self.uses(extension) {
                self.forget_extension(extension);
            }
        }
        if !found.is_empty() {
            self.compact();
        }
        self.decompressed = found;
        Ok(())
    }

    /// Whether a view or primitive still has an extension of this name.
    fn uses(&self, extension: &str) -> bool {
        let has = |value: &Value| value["extensions"].get(extension).is_some();
        let list = |key: &str| self.json.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let primitives = |mesh: &Value| mesh["primitives"].as_array().is_some_and(|all| all.iter().any(has));
        list("bufferViews").iter().any(has) || list("meshes").iter().any(primitives)
    }

    /// Removes a name from the lists of extensions.
    fn forget_extension(&mut self, extension: &str) {
        for key in ["extensionsUsed", "extensionsRequired"] {
            let Some(names) = self.json.get_mut(key).and_then(Value::as_array_mut) else { continue };
            names.retain(|name| name != extension);
            if names.is_empty() {
                set_or_remove(&mut self.json, key, None);
            }
        }
    }
}

/// Removes an extension of an object, and the list of its extensions with the last.
fn remove_extension(object: &mut Value, extension: &str) {
    let Some(extensions) = object.get_mut("extensions") else { return };
    set_or_remove(extensions, extension, None);
    if extensions.as_object().is_some_and(serde_json::Map::is_empty) {
        set_or_remove(object, "extensions", None);
    }
}

/// Charges the memory of bytes that were decoded from `stored` bytes.
fn charge(budget: &mut Budget, place: &str, stored: usize, decoded: u64) -> Result<(), MemoryLimitError> {
    budget.take(&place, decoded, 1)?;
    budget.note_unstored(&place, decoded.saturating_sub(MAX_RATIO * stored as u64), MADE_OF_IT)
}
