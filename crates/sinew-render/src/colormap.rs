//! Color maps for numbers on a surface.

use glam::Vec3;

use crate::color::linear_from_rgb8;

/// A color map. Each is a table of sRGB anchors, joined linearly in sRGB, which is near enough to even lightness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorMap {
    /// Dark violet over blue-green to yellow with lightness rising evenly, in the manner of viridis: errors, distances.
    #[default]
    Sequential,
    /// Blue over light gray to red with the middle of the range neutral: signed differences.
    Diverging,
    /// Pale gray for zero, then blue, green, yellow and red: skin weights, where zero must recede.
    Weights,
}

/// One number per vertex, shown in color in place of the material's.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalarMap {
    /// One per vertex, in `unit`. A value that is not finite is drawn in neutral gray.
    pub values: Vec<f32>,
    /// Values of the two ends of the color map; values outside are clamped. Equal ends show the lower color.
    pub range: (f32, f32),
    /// The colors.
    pub color_map: ColorMap,
    /// The shown quantity, for the legend: "distance".
    pub label: String,
    /// Unit for the legend: "mm". May be empty.
    pub unit: String,
}

impl ColorMap {
    /// sRGB color at `t` in 0..=1, clamped; neutral gray where `t` is not a number.
    pub fn srgb(self, t: f32) -> [f32; 3] {
        if t.is_nan() {
            return [0.6; 3];
        }
        let anchors = self.anchors();
        let scaled = t.clamp(0.0, 1.0) * (anchors.len() - 1) as f32;
        let index = (scaled as usize).min(anchors.len() - 2);
        let fraction = scaled - index as f32;
        let (low, high) = (channels(anchors[index]), channels(anchors[index + 1]));
        std::array::from_fn(|channel| (low[channel] + (high[channel] - low[channel]) * fraction) / 255.0)
    }

    /// [`ColorMap::srgb`] as linear light.
    pub fn linear(self, t: f32) -> Vec3 {
        linear_from_rgb8(self.srgb(t).map(|value| (value * 255.0 + 0.5) as u8))
    }

    fn anchors(self) -> &'static [u32] {
        match self {
            Self::Sequential => &SEQUENTIAL,
            Self::Diverging => &DIVERGING,
            Self::Weights => &WEIGHTS,
        }
    }
}

impl ScalarMap {
    /// Position of a value in the color map, 0..=1; not a number where the value is not finite.
    pub(crate) fn position(&self, value: f32) -> f32 {
        if !value.is_finite() {
            return f32::NAN;
        }
        let (low, high) = self.range;
        if high == low { 0.0 } else { ((value - low) / (high - low)).clamp(0.0, 1.0) }
    }
}

const SEQUENTIAL: [u32; 9] =
    [0x42145c, 0x46327e, 0x39578c, 0x2a768e, 0x20928c, 0x35ae79, 0x6ec95a, 0xb5de34, 0xf8e43e];

const DIVERGING: [u32; 9] =
    [0x2a4e9e, 0x4e7cc4, 0x83a9db, 0xbbcee8, 0xe8e7e5, 0xeec7b2, 0xe09479, 0xc55c4d, 0x9d242e];

const WEIGHTS: [u32; 7] = [0xced2d8, 0x7aa2d6, 0x3c94b0, 0x58b268, 0xe2cd4a, 0xe98a34, 0xc42a2c];

/// Red, green and blue of 0xrrggbb.
fn channels(color: u32) -> [f32; 3] {
    [16, 8, 0].map(|shift| f32::from((color >> shift) as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_the_table_ends() {
        for map in [ColorMap::Sequential, ColorMap::Diverging, ColorMap::Weights] {
            let anchors = map.anchors();
            assert_eq!(map.srgb(-3.0), channels(anchors[0]).map(|value| value / 255.0));
            assert_eq!(map.srgb(0.0), map.srgb(-3.0));
            assert_eq!(map.srgb(1.0), channels(anchors[anchors.len() - 1]).map(|value| value / 255.0));
            assert_eq!(map.srgb(f32::INFINITY), map.srgb(1.0));
            assert_eq!(map.srgb(f32::NAN), [0.6; 3]);
        }
    }

    #[test]
    fn sequential_lightness_rises_evenly() {
        // CIE L* of relative luminance; the steps of an even map differ little from their mean.
        let lightness = |t: f32| {
            let y = ColorMap::Sequential.linear(t).dot(Vec3::new(0.2126, 0.7152, 0.0722));
            116.0 * y.cbrt() - 16.0
        };
        let mean = (lightness(1.0) - lightness(0.0)) / 8.0;
        for step in 0..8 {
            let rise = lightness((step + 1) as f32 / 8.0) - lightness(step as f32 / 8.0);
            assert!((rise / mean - 1.0).abs() < 0.35, "step {step}: {rise} against a mean of {mean}");
        }
    }

    #[test]
    fn positions_are_clamped_and_defined() {
        let map = |range| ScalarMap {
            values: vec![],
            range,
            color_map: ColorMap::Sequential,
            label: String::new(),
            unit: String::new(),
        };
        assert_eq!(map((0.0, 2.0)).position(1.0), 0.5);
        assert_eq!(map((0.0, 2.0)).position(9.0), 1.0);
        assert_eq!(map((2.0, 2.0)).position(9.0), 0.0);
        assert!(map((0.0, 2.0)).position(f32::INFINITY).is_nan());
    }
}
