//! Text: one embedded sans-serif face, smooth edges, kerning.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};
use glam::Vec2;

use crate::color::Rgba8;
use crate::image::Image;

/// Anchor point of a line of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// The left end.
    #[default]
    Left,
    /// The middle.
    Center,
    /// The right end.
    Right,
}

/// Style of a line of text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextStyle {
    /// Height of the line in pixels, held within 4 to 1000; capitals are about 0.6 of it. Default: 16.
    pub size_px: f32,
    /// Color. Default: dark gray.
    pub color: Rgba8,
    /// Default: left.
    pub align: Align,
    /// Color of a soft outline that keeps text readable over a busy picture. Default: none.
    pub halo: Option<Rgba8>,
}

impl Default for TextStyle {
    fn default() -> Self {
        Self { size_px: 16.0, color: [52, 58, 66, 255], align: Align::Left, halo: None }
    }
}

impl TextStyle {
    /// Width in pixels that a line takes.
    pub fn width_px(&self, text: &str) -> f32 {
        self.layout(text).1
    }

    /// Draws one line with its baseline at `y`; `x` is the left end, middle or right end. Line breaks are drawn as
    /// spaces, characters the face lacks as boxes.
    pub fn draw(&self, image: &mut Image, text: &str, x: f32, y: f32) {
        if !x.is_finite() || !y.is_finite() {
            return;
        }
        let (glyphs, width) = self.layout(text);
        let start = match self.align {
            Align::Left => x,
            Align::Center => x - width * 0.5,
            Align::Right => x - width,
        };
        let scale = self.scale();
        let mut draw_at = |offset: Vec2, color: Rgba8, strength: f32| {
            for &(glyph, advance) in &glyphs {
                let place = point(start + advance + offset.x, y + offset.y);
                let Some(outline) = FACE.outline_glyph(glyph.with_scale_and_position(scale, place)) else {
                    continue;
                };
                let bounds = outline.px_bounds();
                outline.draw(|column, row, coverage| {
                    let (left, top) = (bounds.min.x as i32, bounds.min.y as i32);
                    image.blend(left + column as i32, top + row as i32, color, coverage * strength);
                });
            }
        };
        if let Some(halo) = self.halo {
            let radius = (self.size_px * 0.09).max(1.0);
            for step in 0..12 {
                let direction = Vec2::from_angle(step as f32 / 12.0 * std::f32::consts::TAU);
                draw_at(direction * radius, halo, 0.5);
            }
        }
        draw_at(Vec2::ZERO, self.color, 1.0);
    }

    fn scale(&self) -> PxScale {
        let size = if self.size_px.is_finite() { self.size_px.clamp(4.0, 1000.0) } else { 16.0 };
        PxScale::from(size * 1.12)
    }

    /// Glyphs with their distance from the left end, and the whole width.
    fn layout(&self, text: &str) -> (Vec<(ab_glyph::GlyphId, f32)>, f32) {
        let face = FACE.as_scaled(self.scale());
        let mut width = 0.0;
        let mut last = None;
        let mut glyphs = Vec::new();
        for character in text.chars() {
            let glyph = face.glyph_id(if character.is_control() { ' ' } else { character });
            width += last.map_or(0.0, |last| face.kern(last, glyph));
            glyphs.push((glyph, width));
            width += face.h_advance(glyph);
            last = Some(glyph);
        }
        (glyphs, width)
    }
}

/// Ubuntu Light, from the crate that carries egui's fonts (Ubuntu Font Licence 1.0).
static FACE: LazyLock<FontRef<'static>> = LazyLock::new(|| {
    FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT)
        .expect("the face is part of the program and parses, as the tests show")
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn width_grows_with_text_and_size() {
        let style = TextStyle::default();
        assert_eq!(style.width_px(""), 0.0);
        let one = style.width_px("H");
        assert!((style.width_px("HH") - 2.0 * one).abs() < 1.0);
        let double = TextStyle { size_px: 32.0, ..style };
        assert!((double.width_px("Hello") / style.width_px("Hello") - 2.0).abs() < 1e-3);
    }

    #[test]
    fn alignment_moves_the_ink() {
        let ink_middle = |align| {
            let mut image = Image::filled(200, 40, [255; 4]).unwrap();
            TextStyle { align, ..TextStyle::default() }.draw(&mut image, "Sinew", 100.0, 25.0);
            let (mut sum, mut total) = (0.0, 0.0);
            for (index, pixel) in image.pixels().iter().enumerate() {
                let ink = 255.0 - f32::from(pixel[0]);
                sum += ink * (index % 200) as f32;
                total += ink;
            }
            assert!(total > 1000.0, "text leaves ink, found {total}");
            sum / total
        };
        assert!(ink_middle(Align::Left) > 110.0);
        assert!((ink_middle(Align::Center) - 100.0).abs() < 3.0);
        assert!(ink_middle(Align::Right) < 90.0);
    }

    #[test]
    fn odd_text_is_drawn_without_harm() {
        let mut image = Image::filled(20, 20, [255; 4]).unwrap();
        for text in ["", "\n\t", "骨 \u{1F600}", "µm · ± °"] {
            for (x, y) in [(1.0, 15.0), (-1e9, 1e9), (f32::NAN, 0.0), (f32::INFINITY, 2.0)] {
                TextStyle { size_px: f32::NAN, ..TextStyle::default() }.draw(&mut image, text, x, y);
            }
        }
    }
}
