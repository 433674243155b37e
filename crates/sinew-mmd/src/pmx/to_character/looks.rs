//! Materials and their images.
//!
//! The base color is the diffuse color and the main texture. MMD blends everything, in the order of the file. Here a material is
//! blended if its alpha is below 1 or its texture file has an alpha channel, else opaque. The renderer sorts blended surfaces per
//! pixel and treats almost opaque ones as opaque; an alpha test would cut off the soft ends of hair and lashes. Sphere maps, toons
//! and outlines stay in the file.

use crate::pmx::color::color_from_mmd;
use crate::pmx::tally::Tally;
use crate::pmx::{Pmx, PmxDocument, PmxMaterial, PmxToon, material_flags};
use sinew_io::Report;
use sinew_rig::{AlphaMode, Filter, Image, ImageId, Material, TextureSlot, UvTransform, Wrap};

pub(super) fn read(document: &PmxDocument, report: &mut Report) -> (Vec<Material>, Vec<Image>) {
    let pmx = &document.pmx;
    let textures = main_textures(pmx);
    let images: Vec<Image> = textures.iter().map(|&texture| image(document, texture)).collect();
    let mut missing = Tally::default();
    let mut unshown = Tally::default();
    let mut materials = Vec::with_capacity(pmx.materials.len());
    for (index, material) in pmx.materials.iter().enumerate() {
        let texture = texture_index(pmx, material.texture);
        if texture.is_none() && material.texture != -1 {
            missing.add(index);
        }
        let has_sphere = material.sphere_mode != 0 && texture_index(pmx, material.sphere).is_some();
        if has_sphere || matches!(material.toon, PmxToon::Texture(toon) if texture_index(pmx, toon).is_some())
        {
            unshown.add(index);
        }
        let image = texture.and_then(|texture| textures.binary_search(&texture).ok());
        let has_alpha = image.is_some_and(|image| has_alpha_channel(&images[image].bytes));
        materials.push(read_material(material, image.map(ImageId::of), has_alpha));
    }
    missing.tell("materials", report, "its texture does not exist; drawn without it");
    unshown.tell("materials", report, "its sphere map or toon stays in the file and is not shown");
    (materials, images)
}

/// The main textures of materials, ascending; these are the images of the character, in this order.
pub(in crate::pmx) fn main_textures(pmx: &Pmx) -> Vec<usize> {
    let used = pmx.materials.iter().filter_map(|material| texture_index(pmx, material.texture));
    let mut used: Vec<usize> = used.collect();
    used.sort_unstable();
    used.dedup();
    used
}

fn texture_index(pmx: &Pmx, texture: i32) -> Option<usize> {
    usize::try_from(texture).ok().filter(|&texture| texture < pmx.textures.len())
}

fn image(document: &PmxDocument, texture: usize) -> Image {
    let bytes = document.images.get(texture).cloned().flatten().unwrap_or_default();
    let mime_type = sinew_io::image_mime_type(&bytes).unwrap_or_default().to_owned();
    Image { name: document.pmx.textures[texture].as_str().to_owned(), mime_type, bytes }
}

fn read_material(material: &PmxMaterial, image: Option<ImageId>, has_alpha: bool) -> Material {
    let base_color = color_from_mmd(material.diffuse, material.ambient);
    let is_blended = base_color.w < 1.0 || has_alpha;
    Material {
        name: material.name.as_str().to_owned(),
        base_color,
        base_color_texture: image.map(texture_slot),
        roughness: roughness(material),
        metallic: 0.0,
        alpha_mode: if is_blended { AlphaMode::Blend } else { AlphaMode::Opaque },
        is_double_sided: material.flags & material_flags::DOUBLE_SIDED != 0,
        is_unlit: false,
    }
}

/// The texture slot of PMX images.
pub(in crate::pmx) fn texture_slot(image: ImageId) -> TextureSlot {
    TextureSlot {
        image,
        uv_set: 0,
        uv_transform: UvTransform::default(),
        wrap_u: Wrap::Repeat,
        wrap_v: Wrap::Repeat,
        filter: Filter::Linear,
    }
}

/// The roughness with a highlight as wide as that of a Blinn-Phong exponent: α² = 2 / (exponent + 2), roughness = √α. Without a
/// highlight it is 1.
fn roughness(material: &PmxMaterial) -> f32 {
    let power = if material.specular_power.is_finite() { material.specular_power.max(0.0) } else { 0.0 };
    let has_highlight = material.specular.iter().any(|&value| value > 0.0);
    if has_highlight { (2.0 / (power + 2.0)).sqrt().sqrt() } else { 1.0 }
}

/// Whether an image file has an alpha channel, by its header.
fn has_alpha_channel(bytes: &[u8]) -> bool {
    match sinew_io::image_mime_type(bytes) {
        Some("image/png") => {
            let has_channel = bytes.get(25).is_some_and(|color_type| color_type & 4 != 0);
            let head = &bytes[..bytes.windows(4).position(|name| name == b"IDAT").unwrap_or(bytes.len())];
            has_channel || head.windows(4).any(|name| name == b"tRNS")
        }
        // Bits per pixel.
        Some("image/bmp") => bytes.get(28) == Some(&32),
        Some("image/x-tga") => bytes.get(16) == Some(&32),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_for_alpha_is_seen_in_the_header() {
        let png = |color_type: u8, chunk: &[u8]| {
            let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08".to_vec();
            bytes.push(color_type);
            bytes.extend_from_slice(&[0; 7]);
            bytes.extend_from_slice(chunk);
            bytes
        };
        assert!(has_alpha_channel(&png(6, b"IDAT")));
        assert!(!has_alpha_channel(&png(2, b"IDATtRNS")), "the name stands in the picture's data");
        assert!(has_alpha_channel(&png(3, b"tRNSIDAT")));
        assert!(!has_alpha_channel(b"\xff\xd8\xff\xe0"));
        assert!(!has_alpha_channel(&[]));
    }

    #[test]
    fn wide_highlights_are_rough() {
        let of = |specular: f32, specular_power: f32| {
            roughness(&PmxMaterial { specular: [specular; 3], specular_power, ..PmxMaterial::default() })
        };
        assert_eq!((of(0.0, 50.0), of(1.0, 0.0), of(1.0, f32::NAN)), (1.0, 1.0, 1.0));
        // 2 / 32 = 1/16, whose fourth root is 1/2.
        assert_eq!(of(0.3, 30.0), 0.5);
    }
}
