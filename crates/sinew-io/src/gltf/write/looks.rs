//! Materials, textures and images: new ones, or copied from another document.

use super::{Writer, named};
use crate::Report;
use crate::gltf::document::object_in;
use crate::gltf::{GltfDocument, images};
use serde_json::{Value, json};
use sinew_rig::{AlphaMode, Character, Filter, Image, Material, TextureSlot, UvTransform, Wrap};
use std::borrow::Cow;

impl Writer {
    /// Adds images and materials that the original does not have and rewrites the changed properties that Sinew draws.
    pub(super) fn update_looks(&mut self, original: &Character, character: &Character, report: &mut Report) {
        let in_document = |writer: &Self, list: &str| writer.document.root().list_len(list);
        for (index, (before, image)) in original.images().iter().zip(character.images()).enumerate() {
            if before != image {
                self.update_image(index, before, image, report);
            }
        }
        let first_new_image = original.images().len().max(in_document(self, "images"));
        for (index, image) in character.images().iter().enumerate().skip(first_new_image) {
            let (bytes, mime_type) = self.storable(index, image, report);
            let view = self.document.push_view(&bytes, None);
            let mut entry = named(&image.name);
            entry["mimeType"] = mime_type.into();
            entry["bufferView"] = view.into();
            self.push_json("images", entry);
            self.document.images.push(None);
        }
        let first_new_material = original.materials().len().max(in_document(self, "materials"));
        for (index, material) in character.materials().iter().enumerate() {
            match original.materials().get(index) {
                Some(before) if before == material => {}
                Some(before) => {
                    let mut entry = self.document.json["materials"][index].take();
                    if before.name != material.name {
                        super::set_name(&mut entry, &material.name);
                    }
                    self.write_material(Some(before), material, &mut entry);
                    self.document.json["materials"][index] = entry;
                }
                None if index < first_new_material => {}
                None => {
                    let mut entry = named(&material.name);
                    self.write_material(None, material, &mut entry);
                    self.push_json("materials", entry);
                }
            }
        }
    }

    /// Copies all materials with everything they refer to.
    pub(super) fn copy_looks(&mut self, source: &GltfDocument) {
        for key in ["materials", "textures", "samplers"] {
            if let Some(list) = source.json.get(key) {
                self.document.json[key] = list.clone();
            }
        }
        for key in ["extensionsUsed", "extensionsRequired"] {
            let Some(names) = source.json.get(key).and_then(Value::as_array) else { continue };
            let of_looks = |name: &&Value| {
                let name = name.as_str().unwrap_or_default();
                let prefixes = ["KHR_materials_", "KHR_texture_", "EXT_texture_"];
                prefixes.iter().any(|prefix| name.starts_with(prefix))
            };
            let names: Vec<Value> = names.iter().filter(of_looks).cloned().collect();
            if !names.is_empty() {
                self.document.json[key] = names.into();
            }
        }
        for (index, image) in source.root().list("images").unwrap_or_default().iter().enumerate() {
            let mut entry = image.value.clone();
            let external = source.images.get(index).cloned().flatten();
            if let Some(view) = image.get("bufferView") {
                let bytes = source.view(&view).map_or(&[][..], |(bytes, _)| bytes).to_vec();
                entry["bufferView"] = self.document.push_view(&bytes, None).into();
            }
            self.push_json("images", entry);
            self.document.images.push(external);
        }
    }

    /// Replaces what differs in an image.
    fn update_image(&mut self, index: usize, before: &Image, image: &Image, report: &mut Report) {
        let is_same = (&before.bytes, &before.mime_type) == (&image.bytes, &image.mime_type);
        let stored = (!is_same).then(|| self.storable(index, image, report));
        // A BMP that an earlier write converted to this PNG is not a change.
        let stored = stored
            .filter(|(bytes, mime_type)| (&before.bytes[..], &before.mime_type[..]) != (bytes, mime_type));
        let view = stored.as_ref().map(|(bytes, _)| self.document.push_view(bytes, None));
        let entry = &mut self.document.json["images"][index];
        if before.name != image.name {
            super::set_name(entry, &image.name);
        }
        if let (Some(view), Some((_, mime_type))) = (view, stored) {
            super::set_or_remove(entry, "uri", None);
            super::set_or_remove(entry, "mimeType", Some(mime_type.into()));
            super::set_or_remove(entry, "bufferView", Some(view.into()));
            self.document.images[index] = None;
        }
    }

    /// The bytes and the type of a written image: BMP and TGA, which glTF does not allow, as PNG.
    fn storable<'a>(&self, index: usize, image: &'a Image, report: &mut Report) -> (Cow<'a, [u8]>, &'a str) {
        match images::converted(&image.bytes, self.document.limits.max_memory) {
            Ok(Some(png)) => (png.into(), "image/png"),
            Ok(None) => (image.bytes.as_slice().into(), &image.mime_type),
            Err(error) => {
                let message = format!("glTF allows only PNG and JPEG, but {error}; written unchanged");
                report.warn(format_args!("images[{index}] {:?}", image.name), message);
                (image.bytes.as_slice().into(), &image.mime_type)
            }
        }
    }

    /// Writes the properties of a material that Sinew draws, or only those that differ from `before`.
    fn write_material(&mut self, before: Option<&Material>, material: &Material, entry: &mut Value) {
        let differs = |is_same: fn(&Material, &Material) -> bool| {
            before.is_none_or(|before| !is_same(before, material))
        };
        let had_pbr = entry["pbrMetallicRoughness"].is_object();
        let pbr = object_in(entry, "pbrMetallicRoughness");
        if differs(|a, b| a.base_color == b.base_color) {
            pbr["baseColorFactor"] = json!(material.base_color.to_array());
        }
        if differs(|a, b| a.metallic == b.metallic) {
            pbr["metallicFactor"] = json!(material.metallic);
        }
        if differs(|a, b| a.roughness == b.roughness) {
            pbr["roughnessFactor"] = json!(material.roughness);
        }
        if differs(|a, b| a.base_color_texture == b.base_color_texture) {
            let texture = material.base_color_texture.map(|slot| self.texture(&slot));
            super::set_or_remove(&mut entry["pbrMetallicRoughness"], "baseColorTexture", texture);
        }
        if !had_pbr && entry["pbrMetallicRoughness"] == json!({}) {
            super::set_or_remove(entry, "pbrMetallicRoughness", None);
        }
        if differs(|a, b| a.alpha_mode == b.alpha_mode) {
            let (mode, cutoff) = match material.alpha_mode {
                AlphaMode::Opaque => (None, None),
                AlphaMode::Mask(cutoff) => (Some("MASK"), Some(cutoff)),
                AlphaMode::Blend => (Some("BLEND"), None),
            };
            super::set_or_remove(entry, "alphaMode", mode.map(Value::from));
            super::set_or_remove(entry, "alphaCutoff", cutoff.map(|cutoff| json!(cutoff)));
        }
        if differs(|a, b| a.is_double_sided == b.is_double_sided) {
            super::set_or_remove(entry, "doubleSided", material.is_double_sided.then(|| true.into()));
        }
        if differs(|a, b| a.is_unlit == b.is_unlit) {
            self.write_unlit(material.is_unlit, entry);
        }
    }

    fn write_unlit(&mut self, is_unlit: bool, entry: &mut Value) {
        if is_unlit {
            self.document.use_extension("KHR_materials_unlit");
            object_in(entry, "extensions")["KHR_materials_unlit"] = json!({});
        } else if let Some(extensions) = entry.get_mut("extensions") {
            super::set_or_remove(extensions, "KHR_materials_unlit", None);
        }
    }

    fn texture(&mut self, slot: &TextureSlot) -> Value {
        let wrap = |wrap: Wrap| match wrap {
            Wrap::Repeat => 10497,
            Wrap::Mirror => 33648,
            Wrap::Clamp => 33071,
        };
        let filter = if slot.filter == Filter::Nearest { 9728 } else { 9729 };
        let sampler = json!({ "magFilter": filter, "wrapS": wrap(slot.wrap_u), "wrapT": wrap(slot.wrap_v) });
        let sampler = self.push_json("samplers", sampler);
        let texture = self.push_json("textures", json!({ "sampler": sampler, "source": slot.image.index() }));
        let mut reference = json!({ "index": texture });
        if slot.uv_set != 0 {
            reference["texCoord"] = slot.uv_set.into();
        }
        if slot.uv_transform != UvTransform::default() {
            self.document.use_extension("KHR_texture_transform");
            let UvTransform { offset, rotation_rad, scale } = slot.uv_transform;
            reference["extensions"]["KHR_texture_transform"] =
                json!({ "offset": offset.to_array(), "rotation": rotation_rad, "scale": scale.to_array() });
        }
        reference
    }
}
