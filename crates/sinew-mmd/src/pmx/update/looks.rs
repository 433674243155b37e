//! Materials and images.

use crate::pmx::color::color_to_mmd;
use crate::pmx::from_character::{highlight_of, new_material, texture_path};
use crate::pmx::to_character::main_textures;
use crate::pmx::{PmxDocument, PmxMaterial, material_flags};
use sinew_io::Report;
use sinew_rig::{Character, Material};

/// Writes changed and new materials and images.
pub(super) fn update(
    document: &mut PmxDocument,
    original: &Character,
    character: &Character,
    report: &mut Report,
) {
    let textures = update_images(document, original, character);
    for (index, material) in character.materials().iter().enumerate() {
        let texture = material.base_color_texture.map_or(-1, |slot| textures[slot.image.index()]);
        let Some(old) = original.materials().get(index) else {
            // Its faces are counted when they are written.
            document.pmx.materials.push(new_material(material, texture, 0));
            continue;
        };
        if old == material {
            continue;
        }
        if old.alpha_mode != material.alpha_mode {
            let what = "its alpha mode is lost; PMX derives it from color and texture";
            report.warn(format!("materials[{index}]"), what);
        }
        update_material(&mut document.pmx.materials[index], old, material, texture);
    }
}

/// Updates images; returns the texture of each image of the character.
fn update_images(document: &mut PmxDocument, original: &Character, character: &Character) -> Vec<i32> {
    let mut textures = main_textures(&document.pmx);
    for (index, image) in character.images().iter().enumerate() {
        let bytes = || (!image.bytes.is_empty()).then(|| image.bytes.clone());
        let Some(old) = original.images().get(index) else {
            let path = texture_path(image, index, &document.pmx.textures);
            textures.push(document.pmx.textures.len());
            document.pmx.textures.push(path.into());
            document.images.push(bytes());
            continue;
        };
        if old.name != image.name {
            document.pmx.textures[textures[index]] =
                texture_path(image, index, &document.pmx.textures).into();
        }
        if old.bytes != image.bytes {
            document.images[textures[index]] = bytes();
        }
    }
    textures.into_iter().map(|texture| texture as i32).collect()
}

fn update_material(raw: &mut PmxMaterial, old: &Material, new: &Material, texture: i32) {
    if old.name != new.name {
        raw.name = new.name.as_str().into();
    }
    let ([r, g, b, alpha], ambient) = color_to_mmd(new.base_color);
    if old.base_color.truncate() != new.base_color.truncate() {
        raw.diffuse[..3].copy_from_slice(&[r, g, b]);
        raw.ambient = ambient;
    }
    if old.base_color.w != new.base_color.w {
        raw.diffuse[3] = alpha;
    }
    let image = |material: &Material| material.base_color_texture.map(|slot| slot.image);
    if image(old) != image(new) {
        raw.texture = texture;
    }
    if old.roughness != new.roughness {
        let (specular, power) = highlight_of(new.roughness);
        raw.specular_power = power;
        let has_highlight = raw.specular.iter().any(|&value| value > 0.0);
        if has_highlight != (power > 0.0) {
            raw.specular = specular;
        }
    }
    if old.is_double_sided != new.is_double_sided {
        raw.flags ^= material_flags::DOUBLE_SIDED;
    }
}
