//! The properties of materials that Sinew draws.

use super::Reader;
use crate::gltf::Result;
use crate::gltf::images::mime_type_of;
use crate::gltf::json::Cursor;
use glam::{Vec2, Vec3, Vec4};
use sinew_rig::{AlphaMode, Filter, Image, ImageId, Material, TextureSlot, UvTransform, Wrap};

/// Default alpha threshold of mask mode; glTF 2.0 §5.19.9.
const DEFAULT_ALPHA_CUTOFF: f32 = 0.5;

impl Reader<'_> {
    pub(super) fn materials(&mut self) -> Result<(Vec<Material>, Vec<Image>)> {
        let images = self.images()?;
        let materials = self.document.root().objects("materials")?;
        let mut read = Vec::new();
        for (index, material) in materials.iter().enumerate() {
            let mut look = self.material(material)?;
            self.add_toon_look(index, material, &mut look)?;
            read.push(look);
        }
        Ok((read, images))
    }

    fn images(&mut self) -> Result<Vec<Image>> {
        let mut images = Vec::new();
        for (image, external) in self.document.root().objects("images")?.iter().zip(&self.document.images) {
            let bytes = match (external, image.get("bufferView")) {
                (Some(bytes), _) => bytes.as_slice(),
                (None, Some(view)) => self.document.view(&view)?.0,
                (None, None) => &[],
            };
            self.budget.take(&image.place, bytes.len() as u64, 1)?;
            let mime_type = image.text("mimeType").unwrap_or_else(|| mime_type_of(bytes)).to_owned();
            images.push(Image { name: image.name(), mime_type, bytes: bytes.to_vec() });
        }
        Ok(images)
    }

    fn material(&mut self, material: &Cursor<'_>) -> Result<Material> {
        let alpha_mode = match material.text("alphaMode") {
            Some("MASK") => AlphaMode::Mask(material.f32("alphaCutoff")?.unwrap_or(DEFAULT_ALPHA_CUTOFF)),
            Some("BLEND") => AlphaMode::Blend,
            _ => AlphaMode::Opaque,
        };
        let mut read = Material {
            name: material.name(),
            base_color: Vec4::ONE,
            base_color_texture: None,
            roughness: 1.0,
            metallic: 1.0,
            alpha_mode,
            is_double_sided: material.get("doubleSided").is_some_and(|value| value.value == true),
            is_unlit: material.extension("KHR_materials_unlit").is_some(),
        };
        if let Some(glossy) = material.extension("KHR_materials_pbrSpecularGlossiness") {
            read.base_color = glossy.f32s::<4>("diffuseFactor")?.map_or(Vec4::ONE, Vec4::from);
            read.base_color_texture = self.texture_slot(glossy.get("diffuseTexture"))?;
            read.roughness = 1.0 - glossy.f32("glossinessFactor")?.unwrap_or(1.0);
            read.metallic = 0.0;
        } else if let Some(pbr) = material.get("pbrMetallicRoughness") {
            read.base_color = pbr.f32s::<4>("baseColorFactor")?.map_or(Vec4::ONE, Vec4::from);
            read.base_color_texture = self.texture_slot(pbr.get("baseColorTexture"))?;
            read.roughness = pbr.f32("roughnessFactor")?.unwrap_or(1.0);
            read.metallic = pbr.f32("metallicFactor")?.unwrap_or(1.0);
        }
        Ok(read)
    }

    /// Base color and texture of toon shaders in VRM 0.x, where the material itself has none. VRM 1.0 has them in the material.
    fn add_toon_look(&mut self, index: usize, material: &Cursor<'_>, look: &mut Material) -> Result<()> {
        let root = self.document.root();
        let Some(vrm) = root.extension("VRM") else { return Ok(()) };
        let properties = vrm.list("materialProperties").unwrap_or_default();
        let Some(toon) = properties.get(index).filter(|toon| toon.text("shader") != Some(PLAIN_SHADER))
        else {
            return Ok(());
        };
        let pbr = material.get("pbrMetallicRoughness");
        let has = |key: &str| pbr.as_ref().is_some_and(|pbr| pbr.get(key).is_some());
        let vector = |key: &str| toon.get("vectorProperties")?.f32s::<4>(key).ok().flatten();
        if let Some([red, green, blue, alpha]) = vector("_Color").filter(|_| !has("baseColorFactor")) {
            // Colors of VRM 0.x are sRGB.
            look.base_color = Vec3::new(red, green, blue).map(linear_from_srgb).extend(alpha);
        }
        let texture = toon.get("textureProperties").and_then(|textures| textures.get("_MainTex"));
        if let Some(texture) = texture.filter(|_| !has("baseColorTexture")) {
            let reference = serde_json::json!({ "index": texture.value });
            let reference = Cursor { value: &reference, place: texture.place };
            look.base_color_texture = self.texture_slot(Some(reference))?;
            // Offset and scale, from the lower left as in Unity.
            if let (Some(slot), Some([u, v, width, height])) =
                (&mut look.base_color_texture, vector("_MainTex"))
            {
                slot.uv_transform.offset = Vec2::new(u, 1.0 - v - height);
                slot.uv_transform.scale = Vec2::new(width, height);
            }
        }
        Ok(())
    }

    /// The image of a texture: WebP where there is one, then the PNG or JPEG that other readers draw, then any other.
    fn texture_image(&mut self, texture: &Cursor<'_>) -> Result<Option<usize>> {
        let count = self.document.root().list_len("images");
        let of_extension = |name: &str| {
            texture.extension(name).map_or(Ok(None), |extension| extension.index("source", count))
        };
        let (webp, plain) = (of_extension(TEXTURE_IMAGES[0])?, texture.index("source", count)?);
        if let Some(image) = webp.or(plain) {
            return Ok(Some(image));
        }
        TEXTURE_IMAGES[1..].iter().find_map(|name| of_extension(name).transpose()).transpose()
    }

    fn texture_slot(&mut self, reference: Option<Cursor<'_>>) -> Result<Option<TextureSlot>> {
        let Some(reference) = reference else { return Ok(None) };
        let root = self.document.root();
        let texture = root.entry("textures", &reference.require("index")?)?;
        let Some(image) = self.texture_image(&texture)? else {
            self.report.warn(&texture.place, "it has no PNG, JPEG or WebP image; drawn without it");
            return Ok(None);
        };
        let sampler = texture.get("sampler").map(|index| root.entry("samplers", &index)).transpose()?;
        let setting = |key: &str| sampler.as_ref().map_or(Ok(None), |sampler| sampler.u64(key));
        let mut uv_set = reference.u64("texCoord")?.unwrap_or(0);
        let mut uv_transform = UvTransform::default();
        if let Some(transform) = reference.extension("KHR_texture_transform") {
            uv_transform.offset = transform.f32s::<2>("offset")?.map_or(Vec2::ZERO, Vec2::from);
            uv_transform.scale = transform.f32s::<2>("scale")?.map_or(Vec2::ONE, Vec2::from);
            uv_transform.rotation_rad = transform.f32("rotation")?.unwrap_or(0.0);
            uv_set = transform.u64("texCoord")?.unwrap_or(uv_set);
        }
        Ok(Some(TextureSlot {
            image: ImageId::of(image),
            uv_set: u32::try_from(uv_set).unwrap_or(u32::MAX),
            uv_transform,
            wrap_u: wrap(setting("wrapS")?),
            wrap_v: wrap(setting("wrapT")?),
            filter: if setting("magFilter")? == Some(9728) { Filter::Nearest } else { Filter::Linear },
        }))
    }
}

/// The shader of VRM 0.x whose materials are those of glTF.
const PLAIN_SHADER: &str = "VRM_USE_GLTFSHADER";

/// The linear value of an sRGB component; IEC 61966-2-1.
fn linear_from_srgb(value: f32) -> f32 {
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// Extensions by which a texture names an image of another kind, the ones that are drawn first.
const TEXTURE_IMAGES: [&str; 4] =
    ["EXT_texture_webp", "KHR_texture_basisu", "EXT_texture_avif", "MSFT_texture_dds"];

fn wrap(code: Option<u64>) -> Wrap {
    match code {
        Some(33071) => Wrap::Clamp,
        Some(33648) => Wrap::Mirror,
        _ => Wrap::Repeat,
    }
}
