//! Materials and textures as the renderer takes them.

use glam::Vec2;
use sinew_io::{ImageLimits, Report, decode_image};
use sinew_render::{Group, Material, Texture};
use sinew_rig::{Character, Mesh, TextureSlot};
use std::sync::Arc;

/// The renderer's materials of a character, its images decoded once.
pub(super) struct Looks {
    materials: Vec<Material>,
    /// The uv set and transform of each material.
    slots: Vec<Option<TextureSlot>>,
}

impl Looks {
    /// Decodes the images that materials use; those that cannot be are reported and drawn without.
    pub(super) fn of(character: &Character, report: &mut Report) -> Self {
        let slots: Vec<_> =
            character.materials().iter().map(|material| material.base_color_texture).collect();
        let mut decoded: Vec<(TextureSlot, Option<Arc<Texture>>)> = Vec::new();
        let mut texture_of = |slot: &TextureSlot| {
            let is_same = |known: &TextureSlot| {
                (known.image, known.wrap_u, known.wrap_v, known.filter)
                    == (slot.image, slot.wrap_u, slot.wrap_v, slot.filter)
            };
            if let Some((_, texture)) = decoded.iter().find(|(known, _)| is_same(known)) {
                return texture.clone();
            }
            let texture = decode(character, slot, report).map(Arc::new);
            decoded.push((*slot, texture.clone()));
            texture
        };
        let materials = character
            .materials()
            .iter()
            .map(|material| Material {
                base_color: material.base_color,
                texture: material.base_color_texture.as_ref().and_then(&mut texture_of),
                alpha: material.alpha_mode,
                double_sided: material.is_double_sided,
                // Materials without light are drawn as matt surfaces: flat color shows an outline, not a shape.
                roughness: if material.is_unlit { 1.0 } else { material.roughness },
                unlit: false,
            })
            .collect();
        Self { materials, slots }
    }

    /// The groups of a mesh.
    pub(super) fn groups(&self, mesh: &Mesh) -> Vec<Group> {
        mesh.groups
            .iter()
            .map(|group| Group {
                first: group.triangles.start,
                count: group.triangles.len() as u32,
                material: group.material.map(|id| self.materials[id.index()].clone()).unwrap_or_default(),
            })
            .collect()
    }

    /// The texture coordinates of a mesh, each group's with the set and transform of its material; empty where no group has a
    /// texture.
    pub(super) fn uvs(&self, mesh: &Mesh) -> Vec<Vec2> {
        let slot_of =
            |material: Option<sinew_rig::MaterialId>| material.and_then(|id| self.slots[id.index()]);
        if !mesh.groups.iter().any(|group| slot_of(group.material).is_some()) {
            return Vec::new();
        }
        let mut uvs = vec![Vec2::ZERO; mesh.vertex_count()];
        for group in &mesh.groups {
            let Some(slot) = slot_of(group.material) else { continue };
            let Some(set) = mesh.uv_sets.get(slot.uv_set as usize) else { continue };
            for vertex in group.vertices.start as usize..group.vertices.end as usize {
                uvs[vertex] = slot.uv_transform.apply(set[vertex]);
            }
        }
        uvs
    }
}

fn decode(character: &Character, slot: &TextureSlot, report: &mut Report) -> Option<Texture> {
    let image = &character.images()[slot.image.index()];
    let place = format!("image {} {:?}", slot.image, image.name);
    if image.bytes.is_empty() {
        // The reader said that it is missing.
        return None;
    }
    let read = || -> Result<Texture, Box<dyn std::error::Error>> {
        let decoded = decode_image(&image.bytes, &ImageLimits::default())?;
        Ok(Texture::new(decoded.width, decoded.height, &decoded.rgba)?)
    };
    let texture = read().map_err(|error| report.warn(place, format!("{error}; drawn without it")));
    Some(texture.ok()?.with_wrap(slot.wrap_u, slot.wrap_v).with_filter(slot.filter))
}
