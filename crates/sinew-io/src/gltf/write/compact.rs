//! Removes what an edit made unused: old accessors, views and their bytes.

use crate::gltf::GltfDocument;
use crate::gltf::json::whole_number;
use serde_json::Value;
use std::collections::HashMap;

/// Prefixes of extensions known to have no accessor index outside the places below, and no buffer view index except under that
/// key.
const SAFE_EXTENSIONS: [&str; 8] = [
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_punctual",
    "KHR_mesh_quantization",
    "KHR_animation_pointer",
    "EXT_texture_",
    "VRM",
    "SINEW_",
];

impl GltfDocument {
    /// Removes unused accessors and views, and bytes that no view covers. Does nothing if an unknown extension might use them.
    pub(in crate::gltf) fn compact(&mut self) {
        let used = self.json.get("extensionsUsed").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let is_safe = |name: &Value| {
            SAFE_EXTENSIONS.iter().any(|safe| name.as_str().is_some_and(|name| name.starts_with(safe)))
        };
        if !used.iter().all(is_safe) {
            return;
        }
        let mut accessors = Renumbering::of(&self.json, "accessors");
        self.visit_accessor_references(&mut |index| accessors.mark(index));
        let mut views = Renumbering::of(&self.json, "bufferViews");
        visit_members(&mut self.json, "bufferView", &mut |index| views.mark(index));
        if !accessors.is_sound || !views.is_sound {
            return;
        }
        accessors.keep_marked(&mut self.json, "accessors");
        self.visit_accessor_references(&mut |index| accessors.renumber(index));

        // Again, because views of removed accessors are now unused.
        let mut views = Renumbering::of(&self.json, "bufferViews");
        visit_members(&mut self.json, "bufferView", &mut |index| views.mark(index));
        views.keep_marked(&mut self.json, "bufferViews");
        visit_members(&mut self.json, "bufferView", &mut |index| views.renumber(index));
        self.repack();
    }

    /// Calls `visit` with every index of an accessor in the document.
    fn visit_accessor_references(&mut self, visit: &mut dyn FnMut(&mut Value)) {
        for mesh in items(&mut self.json, "meshes") {
            for primitive in items(mesh, "primitives") {
                primitive.get_mut("indices").map(&mut *visit);
                let attributes = primitive.get_mut("attributes").and_then(Value::as_object_mut);
                attributes.into_iter().flat_map(|members| members.values_mut()).for_each(&mut *visit);
                let targets = items(primitive, "targets").filter_map(Value::as_object_mut);
                targets.flat_map(|members| members.values_mut()).for_each(&mut *visit);
            }
        }
        for skin in items(&mut self.json, "skins") {
            skin.get_mut("inverseBindMatrices").map(&mut *visit);
        }
        for animation in items(&mut self.json, "animations") {
            for sampler in items(animation, "samplers") {
                sampler.get_mut("input").map(&mut *visit);
                sampler.get_mut("output").map(&mut *visit);
            }
        }
    }

    /// Moves the bytes of all views into one buffer, if that is smaller and breaks no reference.
    fn repack(&mut self) {
        if !self.can_join_buffers() {
            return;
        }
        let mut packed: Vec<u8> = Vec::new();
        let mut moved: HashMap<(u64, u64, u64), usize> = HashMap::new();
        let limit: usize = self.buffers.iter().map(|buffer| buffer.len() + 4).sum();
        let mut offsets = Vec::new();
        for view in items(&mut self.json.clone(), "bufferViews") {
            let number = |key: &str| view.get(key).and_then(whole_number);
            let (Some(buffer), offset, Some(length)) =
                (number("buffer"), number("byteOffset").unwrap_or(0), number("byteLength"))
            else {
                return;
            };
            if view.get("byteOffset").is_some() && number("byteOffset").is_none() {
                return;
            }
            let end = offset.saturating_add(length);
            let Some(bytes) =
                self.buffers.get(buffer as usize).and_then(|b| b.get(offset as usize..end as usize))
            else {
                return;
            };
            let start = *moved.entry((buffer, offset, length)).or_insert_with(|| {
                packed.resize(packed.len().next_multiple_of(4), 0);
                packed.extend_from_slice(bytes);
                packed.len() - bytes.len()
            });
            offsets.push(start);
            if packed.len() > limit {
                // Overlapping views would be stored several times: keep the buffers.
                return;
            }
        }
        for (view, offset) in items(&mut self.json, "bufferViews").zip(offsets) {
            view["buffer"] = 0.into();
            view["byteOffset"] = offset.into();
        }
        if packed.is_empty() {
            self.buffers.clear();
            super::set_or_remove(&mut self.json, "buffers", None);
            super::set_or_remove(&mut self.json, "bufferViews", None);
        } else {
            self.json["buffers"] = serde_json::json!([{ "byteLength": packed.len() }]);
            self.buffers = vec![packed];
        }
        self.own_buffer = None;
    }
}

/// The used entries of a list and their new indices after the others are removed.
struct Renumbering {
    used: Vec<bool>,
    new_index: Vec<usize>,
    /// Whether every index so far is a whole number inside the list. Unknown members may contain anything.
    is_sound: bool,
}

impl Renumbering {
    fn of(json: &Value, key: &str) -> Self {
        let count = json.get(key).and_then(Value::as_array).map_or(0, Vec::len);
        Self { used: vec![false; count], new_index: Vec::new(), is_sound: true }
    }

    fn mark(&mut self, index: &mut Value) {
        let index = index.as_u64().and_then(|index| usize::try_from(index).ok());
        match index.and_then(|index| self.used.get_mut(index)) {
            Some(is_used) => *is_used = true,
            None => self.is_sound = false,
        }
    }

    fn keep_marked(&mut self, json: &mut Value, key: &str) {
        let Some(list) = json.get_mut(key).and_then(Value::as_array_mut) else { return };
        let mut kept = 0;
        self.new_index = self
            .used
            .iter()
            .map(|&is_used| {
                kept += usize::from(is_used);
                kept.saturating_sub(1)
            })
            .collect();
        let mut is_used = self.used.iter();
        list.retain(|_| is_used.next() == Some(&true));
        if list.is_empty() {
            super::set_or_remove(json, key, None);
        }
    }

    fn renumber(&self, index: &mut Value) {
        if let Some(&new) = index.as_u64().and_then(|old| self.new_index.get(old as usize)) {
            *index = new.into();
        }
    }
}

/// The entries of an array member.
fn items<'a>(value: &'a mut Value, key: &str) -> std::slice::IterMut<'a, Value> {
    value.get_mut(key).and_then(Value::as_array_mut).map_or(&mut [][..], Vec::as_mut_slice).iter_mut()
}

/// Calls `visit` with every number under `key`, anywhere.
fn visit_members(value: &mut Value, key: &str, visit: &mut dyn FnMut(&mut Value)) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if name == key && member.is_number() {
                    visit(member)
                } else {
                    visit_members(member, key, visit)
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| visit_members(item, key, visit)),
        _ => {}
    }
}
