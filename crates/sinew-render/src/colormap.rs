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
    #[must_use]
    pub fn srgb(self, t: f32) -> [f32; 3] {
        if t.is_nan() {
            return [0.6; 3];
        }
        let anchors = self.anchors();
        let scaled = t.clamp(0.0, 1.0) * (anchors.len() - 1) as f32;
        let index = (scaled as usize).min(anchors.len() - 2);
        let fraction = scaled - index as f32;
        std::array::from_fn(|channel| {
            let (low, high) = (f32::from(anchors[index][channel]), f32::from(anchors[index + 1][channel]));
            (low + (high - low) * fraction) / 255.0
        })
    }

    /// [`ColorMap::srgb`] as linear light.
    #[must_use]
    pub fn linear(self, t: f32) -> Vec3 {
        linear_from_rgb8(self.srgb(t).map(|value| (value * 255.0 + 0.5) as u8))
    }

    fn anchors(self) -> &'static [[u8; 3]] {
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

const SEQUENTIAL: [[u8; 3]; 9] = [
    [66, 20, 92],
    [70, 50, 126],
    [57, 87, 140],
    [42, 118, 142],
    [32, 146, 140],
    [53, 174, 121],
    [110, 201, 90],
    [181, 222, 52],
    [248, 228, 62],
];

const DIVERGING: [[u8; 3]; 9] = [
    [42, 78, 158],
    [78, 124, 196],
    [131, 169, 219],
    [187, 206, 232],
    [232, 231, 229],
    [238, 199, 178],
    [224, 148, 121],
    [197, 92, 77],
    [157, 36, 46],
];

const WEIGHTS: [[u8; 3]; 7] = [
    [206, 210, 216],
    [122, 162, 214],
    [60, 148, 176],
    [88, 178, 104],
    [226, 205, 74],
    [233, 138, 52],
    [196, 42, 44],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_the_table_ends() {
        for map in [ColorMap::Sequential, ColorMap::Diverging, ColorMap::Weights] {
            let anchors = map.anchors();
            assert_eq!(map.srgb(-3.0), anchors[0].map(|value| f32::from(value) / 255.0));
            assert_eq!(map.srgb(0.0), map.srgb(-3.0));
            assert_eq!(map.srgb(1.0), anchors[anchors.len() - 1].map(|value| f32::from(value) / 255.0));
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
