//! Extensions of the document: their content and the list `extensionsUsed`.

use super::{Writer, set_or_remove};
use crate::gltf::document::object_in;
use serde_json::{Value, json};

impl Writer {
    /// The content of the document's extension; an empty object if it has none.
    pub(super) fn document_extension(&self, name: &str) -> Value {
        let entry = self.document.json.get("extensions").and_then(|extensions| extensions.get(name));
        entry.filter(|entry| entry.is_object()).cloned().unwrap_or_else(|| json!({}))
    }

    /// Sets or removes an extension of the document and updates `extensionsUsed`.
    pub(super) fn set_document_extension(&mut self, name: &str, entry: Option<Value>) {
        let is_used = entry.is_some();
        let root = &mut self.document.json;
        set_or_remove(object_in(root, "extensions"), name, entry);
        if is_used {
            return self.document.use_extension(name);
        }
        if root["extensions"].as_object().is_some_and(serde_json::Map::is_empty) {
            set_or_remove(root, "extensions", None);
        }
        if let Some(used) = root.get_mut("extensionsUsed").and_then(Value::as_array_mut) {
            used.retain(|used| used != name);
            if used.is_empty() {
                set_or_remove(root, "extensionsUsed", None);
            }
        }
    }
}
