//! Materials, textures and images: new ones, or taken over whole from another document.

use super::{Writer, named};
use crate::gltf::GltfDocument;
use serde_json::{Value, json};
use sinew_rig::{AlphaMode, Character, Filter, Material, TextureSlot, UvTransform, Wrap};

impl Writer {
    /// Adds images and materials that the original does not have and rewrites the drawn part of those that changed.
    pub(super) fn update_looks(&mut self, original: &Character, character: &Character) {
        let in_document = |writer: &Self, list: &str| writer.document.root().list_len(list);
        let first_new_image = original.images().len().max(in_document(self, "images"));
        for image in character.images().iter().skip(first_new_image) {
            let view = self.document.push_view(&image.bytes, None);
            let mut entry = named(&image.name);
            entry["mimeType"] = image.mime_type.as_str().into();
            entry["bufferView"] = view.into();
            self.push_json("images", entry);
            self.document.images.push(None);
        }
        let first_new_material = original.materials().len().max(in_document(self, "materials"));
        for (index, material) in character.materials().iter().enumerate() {
            match original.materials().get(index) {
                Some(before) if before == material => {}
                Some(_) => {
                    let mut entry = self.document.json["materials"][index].take();
                    self.write_material(material, &mut entry);
                    self.document.json["materials"][index] = entry;
                }
                None if index < first_new_material => {}
                None => {
                    let mut entry = named(&material.name);
                    self.write_material(material, &mut entry);
                    self.push_json("materials", entry);
                }
            }
        }
    }

    /// Takes over all materials with everything that they point at.
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
                ["KHR_materials_", "KHR_texture_", "EXT_texture_"]
                    .iter()
                    .any(|prefix| name.starts_with(prefix))
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

    fn write_material(&mut self, material: &Material, entry: &mut Value) {
        if !entry["pbrMetallicRoughness"].is_object() {
            entry["pbrMetallicRoughness"] = json!({});
        }
        let pbr = &mut entry["pbrMetallicRoughness"];
        pbr["baseColorFactor"] = json!(material.base_color.to_array());
        pbr["metallicFactor"] = json!(material.metallic);
        pbr["roughnessFactor"] = json!(material.roughness);
        let texture = material.base_color_texture.map(|slot| self.texture(&slot));
        super::set_or_remove(&mut entry["pbrMetallicRoughness"], "baseColorTexture", texture);
        let (mode, cutoff) = match material.alpha_mode {
            AlphaMode::Opaque => (None, None),
            AlphaMode::Mask(cutoff) => (Some("MASK"), Some(cutoff)),
            AlphaMode::Blend => (Some("BLEND"), None),
        };
        super::set_or_remove(entry, "alphaMode", mode.map(Value::from));
        super::set_or_remove(entry, "alphaCutoff", cutoff.map(|cutoff| json!(cutoff)));
        super::set_or_remove(entry, "doubleSided", material.is_double_sided.then(|| true.into()));
        if material.is_unlit {
            self.use_extension("KHR_materials_unlit");
            entry["extensions"]["KHR_materials_unlit"] = json!({});
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
            self.use_extension("KHR_texture_transform");
            let UvTransform { offset, rotation_rad, scale } = slot.uv_transform;
            reference["extensions"]["KHR_texture_transform"] =
                json!({ "offset": offset.to_array(), "rotation": rotation_rad, "scale": scale.to_array() });
        }
        reference
    }

    fn use_extension(&mut self, name: &str) {
        let used = self.document.list_mut("extensionsUsed");
        if !used.iter().any(|known| known == name) {
            used.push(name.into());
        }
    }
}
