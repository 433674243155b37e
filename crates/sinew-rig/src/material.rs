//! The properties of materials that Sinew draws.
//!
//! Files have far more (normal maps, clear coat, toon shading). `sinew-io` keeps that in the file's own document and writes it back
//! unchanged; this has only what the renderer uses.

use crate::ImageId;
use glam::{Vec2, Vec4};

/// Use of alpha.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Ignored.
    #[default]
    Opaque,
    /// Visible where alpha is at least this.
    Mask(f32),
    /// Blended over the background.
    Blend,
}

/// Texture coordinates outside 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrap {
    /// Repeats.
    #[default]
    Repeat,
    /// Repeats mirrored.
    Mirror,
    /// Uses the edge.
    Clamp,
}

/// Magnification of a texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// Smooth.
    #[default]
    Linear,
    /// Blocks, for pixel art.
    Nearest,
}

/// A 2D transform of texture coordinates: scale, rotate, then offset (KHR_texture_transform).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UvTransform {
    /// Added last.
    pub offset: Vec2,
    /// Counter-clockwise about the origin of UV space, radians.
    pub rotation_rad: f32,
    /// Applied first.
    pub scale: Vec2,
}

impl Default for UvTransform {
    fn default() -> Self {
        Self { offset: Vec2::ZERO, rotation_rad: 0.0, scale: Vec2::ONE }
    }
}

impl UvTransform {
    /// The transformed coordinates.
    pub fn apply(&self, uv: Vec2) -> Vec2 {
        let (sin, cos) = self.rotation_rad.sin_cos();
        let scaled = uv * self.scale;
        // In glTF v points down, hence this sign of a counter-clockwise rotation.
        Vec2::new(cos * scaled.x + sin * scaled.y, cos * scaled.y - sin * scaled.x) + self.offset
    }
}

/// An image as used by a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureSlot {
    /// Index in the character's list.
    pub image: ImageId,
    /// Index of the set of texture coordinates.
    pub uv_set: u32,
    /// Applied to the texture coordinates.
    pub uv_transform: UvTransform,
    /// Along u.
    pub wrap_u: Wrap,
    /// Along v.
    pub wrap_v: Wrap,
    /// Magnification.
    pub filter: Filter,
}

/// A surface's look.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// As in the file; may be empty.
    pub name: String,
    /// Linear RGB and alpha; multiplies the texture.
    pub base_color: Vec4,
    /// Base color image, sRGB.
    pub base_color_texture: Option<TextureSlot>,
    /// 0 mirror-like, 1 dull.
    pub roughness: f32,
    /// 0 dielectric, 1 metal.
    pub metallic: f32,
    /// How alpha is used.
    pub alpha_mode: AlphaMode,
    /// Whether back faces are visible.
    pub is_double_sided: bool,
    /// Whether the base color is shown without lighting.
    pub is_unlit: bool,
}

impl Default for Material {
    /// A dull light gray.
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: Vec4::new(0.8, 0.8, 0.8, 1.0),
            base_color_texture: None,
            roughness: 0.6,
            metallic: 0.0,
            alpha_mode: AlphaMode::Opaque,
            is_double_sided: false,
            is_unlit: false,
        }
    }
}

/// An image file, not decoded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// As in the file; may be empty.
    pub name: String,
    /// `image/png`, `image/jpeg`, `image/webp`, `image/bmp` or `image/x-tga`; empty if unknown.
    pub mime_type: String,
    /// The encoded bytes; empty if the image was not found (the reader reports it).
    pub bytes: Vec<u8>,
}
