//! Textures: 8-bit sRGB pixels with a mip chain, sampled in linear light.

use glam::{Vec2, Vec4};
use sinew_rig::{Filter, Wrap};

use crate::color::{linear_from_byte, linear_table, srgb_from_linear};
use crate::error::RenderError;
use crate::rounding::floor_small;

/// An immutable texture. `(0, 0)` is the top-left corner of the top-left texel, as in glTF.
///
/// [`Filter::Linear`] is bilinear within a mip level, linear between levels, with several taps along a stretched footprint;
/// [`Filter::Nearest`] is the nearest texel of the full-size level, for pixel art and index maps.
#[derive(Clone, Debug)]
pub struct Texture {
    levels: Vec<Level>,
    wrap_u: Wrap,
    wrap_v: Wrap,
    filter: Filter,
    is_opaque: bool,
}

#[derive(Clone, Debug)]
struct Level {
    width: u32,
    height: u32,
    texels: Vec<[u8; 4]>,
}

impl Texture {
    /// Largest width or height.
    pub const MAX_SIDE: u32 = 16_384;

    /// Builds a texture and its mip chain from RGBA bytes (sRGB color, straight alpha), top row first.
    ///
    /// # Errors
    /// A side of zero or beyond [`Texture::MAX_SIDE`], or a byte count that does not match.
    pub fn new(width: u32, height: u32, rgba: &[u8]) -> Result<Self, RenderError> {
        let is_side = |side: u32| (1..=Self::MAX_SIDE).contains(&side);
        if !is_side(width) || !is_side(height) {
            return Err(RenderError::TextureSize { width, height });
        }
        let expected = width as usize * height as usize * 4;
        if rgba.len() != expected {
            return Err(RenderError::TextureBytes { expected, found: rgba.len() });
        }
        let texels: Vec<[u8; 4]> = rgba.as_chunks().0.to_vec();
        let is_opaque = texels.iter().all(|texel| texel[3] == 255);
        let mut levels = vec![Level { width, height, texels }];
        while let Some(next) = levels.last().and_then(Level::halved) {
            levels.push(next);
        }
        Ok(Self { levels, wrap_u: Wrap::Repeat, wrap_v: Wrap::Repeat, filter: Filter::Linear, is_opaque })
    }

    /// The same texture with other wrap modes.
    #[must_use]
    pub fn with_wrap(mut self, wrap_u: Wrap, wrap_v: Wrap) -> Self {
        self.wrap_u = wrap_u;
        self.wrap_v = wrap_v;
        self
    }

    /// The same texture with another filter.
    #[must_use]
    pub fn with_filter(mut self, filter: Filter) -> Self {
        self.filter = filter;
        self
    }

    /// Width and height in texels.
    pub fn size(&self) -> (u32, u32) {
        (self.levels[0].width, self.levels[0].height)
    }

    /// Whether every texel has full alpha.
    pub fn is_opaque(&self) -> bool {
        self.is_opaque
    }

    /// Linear color and alpha at `uv`, averaged over the footprint spanned by the two pixel steps
    /// `uv_per_x` and `uv_per_y` (both in uv units). A non-finite `uv` reads as `(0, 0)`.
    pub fn sample(&self, uv: Vec2, uv_per_x: Vec2, uv_per_y: Vec2) -> Vec4 {
        let uv = if uv.is_finite() { uv } else { Vec2::ZERO };
        if self.filter == Filter::Nearest {
            return self.nearest(uv);
        }
        let base = &self.levels[0];
        let size = Vec2::new(base.width as f32, base.height as f32);
        let (along_x, along_y) = ((uv_per_x * size).length(), (uv_per_y * size).length());
        let (long, short) = if along_x >= along_y { (along_x, along_y) } else { (along_y, along_x) };
        if !long.is_finite() || long <= 1.0 {
            return self.bilinear(0, uv);
        }
        let tap_count = (long / short.max(1.0)).round().clamp(1.0, MAX_TAPS);
        let lod = (long / tap_count).max(1.0).log2() + LOD_BIAS;
        if tap_count == 1.0 {
            return self.trilinear(uv, lod);
        }
        let axis = if along_x >= along_y { uv_per_x } else { uv_per_y };
        let mut sum = Vec4::ZERO;
        for tap in 0..tap_count as u32 {
            sum += self.trilinear(uv + axis * ((tap as f32 + 0.5) / tap_count - 0.5), lod);
        }
        sum / tap_count
    }

    /// Alpha alone at `uv`, from the level whose texels are about `texels_per_pixel` wide.
    pub(crate) fn alpha(&self, uv: Vec2, texels_per_pixel: f32) -> f32 {
        if self.is_opaque {
            return 1.0;
        }
        let uv = if uv.is_finite() { uv } else { Vec2::ZERO };
        if self.filter == Filter::Nearest {
            return self.nearest(uv).w;
        }
        let level = texels_per_pixel.max(1.0).log2().min((self.levels.len() - 1) as f32) as usize;
        let quad = self.quad(level, uv);
        let [a, b, c, d] = quad.texels.map(|texel| f32::from(texel[3]));
        let top = a + (b - a) * quad.fraction_x;
        let bottom = c + (d - c) * quad.fraction_x;
        (top + (bottom - top) * quad.fraction_y) * (1.0 / 255.0)
    }

    fn nearest(&self, uv: Vec2) -> Vec4 {
        let level = &self.levels[0];
        let x = wrapped(floor_small(uv.x * level.width as f32), level.width, self.wrap_u);
        let y = wrapped(floor_small(uv.y * level.height as f32), level.height, self.wrap_v);
        let [r, g, b, a] = level.texels[y * level.width as usize + x];
        Vec4::new(linear_from_byte(r), linear_from_byte(g), linear_from_byte(b), f32::from(a) / 255.0)
    }

    #[inline]
    fn trilinear(&self, uv: Vec2, lod: f32) -> Vec4 {
        let lod = lod.clamp(0.0, (self.levels.len() - 1) as f32);
        let level = lod as usize;
        let fraction = lod - level as f32;
        let fine = self.bilinear(level, uv);
        if fraction < 0.02 || level + 1 >= self.levels.len() {
            return fine;
        }
        fine.lerp(self.bilinear(level + 1, uv), fraction)
    }

    #[inline]
    fn bilinear(&self, level: usize, uv: Vec2) -> Vec4 {
        let quad = self.quad(level, uv);
        let table = linear_table();
        let [a, b, c, d] = quad.texels.map(|[r, g, b, a]| {
            let [r, g, b] = [r, g, b].map(|byte| table[usize::from(byte)]);
            Vec4::new(r, g, b, f32::from(a) * (1.0 / 255.0))
        });
        let top = a + (b - a) * quad.fraction_x;
        let bottom = c + (d - c) * quad.fraction_x;
        top + (bottom - top) * quad.fraction_y
    }

    #[inline]
    fn quad(&self, level: usize, uv: Vec2) -> Quad {
        let level = &self.levels[level];
        let x = reduced(uv.x, self.wrap_u) * level.width as f32 - 0.5;
        let y = reduced(uv.y, self.wrap_v) * level.height as f32 - 0.5;
        // Coordinates so large that the floor is wrong have no fraction left to show a texel by.
        let (floor_x, floor_y) = (floor_small(x), floor_small(y));
        let column = wrapped(floor_x, level.width, self.wrap_u);
        let row = wrapped(floor_y, level.height, self.wrap_v) * level.width as usize;
        let next_column = wrapped(floor_x.wrapping_add(1), level.width, self.wrap_u);
        let next_row = wrapped(floor_y.wrapping_add(1), level.height, self.wrap_v) * level.width as usize;
        Quad {
            texels: [
                level.texels[row + column],
                level.texels[row + next_column],
                level.texels[next_row + column],
                level.texels[next_row + next_column],
            ],
            fraction_x: (x - floor_x as f32).clamp(0.0, 1.0),
            fraction_y: (y - floor_y as f32).clamp(0.0, 1.0),
        }
    }
}

/// The four texels around a point, row by row.
struct Quad {
    texels: [[u8; 4]; 4],
    fraction_x: f32,
    fraction_y: f32,
}

/// Most taps along a stretched footprint. More sharpens floors seen at a grazing angle and costs time per tap.
const MAX_TAPS: f32 = 4.0;

/// Mip bias in levels. Zero is a little soft because the bilinear tent is wider than a pixel; below −0.5 shimmers.
const LOD_BIAS: f32 = -0.25;

impl Level {
    /// The next smaller level, averaged in linear light and weighted by alpha so that the color of clear texels does
    /// not bleed in.
    fn halved(&self) -> Option<Self> {
        if self.width == 1 && self.height == 1 {
            return None;
        }
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let mut texels = Vec::with_capacity(width as usize * height as usize);
        for y in 0..height {
            for x in 0..width {
                texels.push(self.average(x, y));
            }
        }
        Some(Self { width, height, texels })
    }

    fn average(&self, x: u32, y: u32) -> [u8; 4] {
        let (mut weighted, mut plain, mut alpha) = (glam::Vec3::ZERO, glam::Vec3::ZERO, 0.0);
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let column = (2 * x + dx).min(self.width - 1) as usize;
            let row = (2 * y + dy).min(self.height - 1) as usize;
            let [r, g, b, a] = self.texels[row * self.width as usize + column];
            let color = glam::Vec3::new(linear_from_byte(r), linear_from_byte(g), linear_from_byte(b));
            weighted += color * f32::from(a);
            plain += color;
            alpha += f32::from(a);
        }
        let color = if alpha > 0.0 { weighted / alpha } else { plain / 4.0 };
        let [r, g, b] = color.to_array().map(|value| (srgb_from_linear(value) * 255.0 + 0.5) as u8);
        [r, g, b, (alpha / 4.0 + 0.5) as u8]
    }
}

/// A coordinate moved by whole periods into the first one, so that [`wrapped`] rarely has to divide.
#[inline]
fn reduced(coordinate: f32, wrap: Wrap) -> f32 {
    match wrap {
        Wrap::Repeat => coordinate - floor_small(coordinate) as f32,
        Wrap::Mirror => coordinate - 2.0 * floor_small(coordinate * 0.5) as f32,
        Wrap::Clamp => coordinate,
    }
}

#[inline]
fn wrapped(index: i32, size: u32, wrap: Wrap) -> usize {
    let size = size as i32;
    if (0..size).contains(&index) {
        return index as usize;
    }
    let wrapped = match wrap {
        Wrap::Repeat if index == size => 0,
        Wrap::Repeat if index == -1 => size - 1,
        Wrap::Repeat => index.rem_euclid(size),
        Wrap::Mirror => {
            let phase = index.rem_euclid(2 * size);
            phase.min(2 * size - 1 - phase)
        }
        Wrap::Clamp => index.clamp(0, size - 1),
    };
    wrapped as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_by_one() -> Texture {
        Texture::new(2, 1, &[0, 0, 0, 255, 255, 255, 255, 255]).unwrap()
    }

    #[test]
    fn texel_centers_return_the_texel() {
        let texture = two_by_one();
        assert_eq!(texture.sample(Vec2::new(0.25, 0.5), Vec2::ZERO, Vec2::ZERO), Vec4::W);
        assert_eq!(texture.sample(Vec2::new(0.75, 0.5), Vec2::ZERO, Vec2::ZERO), Vec4::ONE);
        assert!((texture.sample(Vec2::new(0.5, 0.5), Vec2::ZERO, Vec2::ZERO).x - 0.5).abs() < 1e-6);
    }

    #[test]
    fn wrap_modes_differ_outside() {
        assert_eq!([-1, 4, 5, 9].map(|i| wrapped(i, 4, Wrap::Repeat)), [3, 0, 1, 1]);
        assert_eq!([-1, 4, 5, 9].map(|i| wrapped(i, 4, Wrap::Mirror)), [0, 3, 2, 1]);
        assert_eq!([-1, 4, 5, 9].map(|i| wrapped(i, 4, Wrap::Clamp)), [0, 3, 3, 3]);
    }

    #[test]
    fn a_wide_footprint_reads_the_mean_light() {
        let checker: Vec<u8> = (0..64 * 64)
            .flat_map(|i| if (i % 64 + i / 64) % 2 == 0 { [0, 0, 0, 255] } else { [255; 4] })
            .collect();
        let texture = Texture::new(64, 64, &checker).unwrap();
        let value = texture.sample(Vec2::splat(0.4), Vec2::new(0.5, 0.0), Vec2::new(0.0, 0.5));
        assert!((value.x - 0.5).abs() < 0.01, "mean of black and white in linear light, found {value}");
    }

    #[test]
    fn clear_texels_do_not_bleed_into_mips() {
        let texture = Texture::new(2, 1, &[255, 0, 0, 255, 0, 255, 0, 0]).unwrap();
        assert_eq!(texture.levels[1].texels[0], [255, 0, 0, 128]);
    }

    #[test]
    fn odd_values_are_defined() {
        let texture = two_by_one();
        for uv in [Vec2::NAN, Vec2::INFINITY, Vec2::splat(1e30), Vec2::splat(-1e30)] {
            assert!(texture.sample(uv, Vec2::NAN, Vec2::INFINITY).is_finite(), "{uv}");
        }
        assert_eq!(Texture::new(0, 1, &[]).unwrap_err(), RenderError::TextureSize { width: 0, height: 1 });
        assert_eq!(
            Texture::new(1, 1, &[0]).unwrap_err(),
            RenderError::TextureBytes { expected: 4, found: 1 }
        );
    }
}
