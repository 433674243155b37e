//! Color: sRGB transfer, tone curve, and the way a pixel's samples are averaged and written to 8 bits.
//!
//! Light is computed in linear sRGB. Each fragment is tone mapped, then the fragments of a pixel are averaged in
//! "resolve space" (the square root of linear light) and encoded with a dither of under half a level.

use std::sync::LazyLock;

use glam::{Vec3, Vec3A};

use crate::rounding::floor_small;

/// An sRGB color with straight alpha, 8 bits each, as overlays and text take it.
pub type Rgba8 = [u8; 4];

/// Linear light of an sRGB-encoded value, both in 0..=1.
pub fn linear_from_srgb(encoded: f32) -> f32 {
    if encoded <= 0.040_45 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

/// sRGB encoding of a linear value, both in 0..=1.
pub fn srgb_from_linear(linear: f32) -> f32 {
    if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

/// Linear light of an 8-bit sRGB color.
pub fn linear_from_rgb8(rgb: [u8; 3]) -> Vec3 {
    Vec3::from_array(rgb.map(linear_from_byte))
}

/// Linear light of one 8-bit sRGB value, by table.
pub(crate) fn linear_from_byte(byte: u8) -> f32 {
    LINEAR_FROM_BYTE[usize::from(byte)]
}

/// The table behind [`linear_from_byte`], for loops that want it at hand.
#[inline]
pub(crate) fn linear_table() -> &'static [f32; 256] {
    &LINEAR_FROM_BYTE
}

/// The Khronos "PBR Neutral" tone curve: the identity (less a small offset) up to nearly 0.8, then a shoulder that keeps
/// hue and goes to white. A base color under full light keeps its look, unlike with film curves.
///
/// The offset takes away the haze that mirrored surroundings add everywhere. The curve's authors set it to 0.04 for
/// surroundings as bright as the lamps; the studio's are dimmer, and the full offset would oversaturate shadows.
#[inline]
pub(crate) fn tone_map(color: Vec3A) -> Vec3A {
    const HAZE: f32 = 0.016;
    const START: f32 = 0.8 - HAZE;
    const DESATURATION: f32 = 0.15;
    let color = color.max(Vec3A::ZERO);
    let lowest = color.min_element();
    let offset = if lowest < 2.0 * HAZE { lowest - lowest * lowest / (4.0 * HAZE) } else { HAZE };
    let color = color - offset;
    let peak = color.max_element();
    if peak < START {
        return color;
    }
    let rest = 1.0 - START;
    let new_peak = 1.0 - rest * rest / (peak + rest - START);
    let color = color * (new_peak / peak);
    let toward_white = 1.0 - 1.0 / (DESATURATION * (peak - new_peak) + 1.0);
    color.lerp(Vec3A::splat(new_peak), toward_white)
}

/// Into the space in which samples of a pixel are averaged. The square root is near enough to perceived lightness
/// that a dark edge on a white ground has even steps; averaging linear light makes such edges look ragged.
#[inline]
pub(crate) fn resolve_from_linear(linear: Vec3A) -> Vec3A {
    let clamped = linear.clamp(Vec3A::ZERO, Vec3A::ONE);
    Vec3A::new(clamped.x.sqrt(), clamped.y.sqrt(), clamped.z.sqrt())
}

/// Encodes a resolve-space color to 8-bit sRGB. `dither` is in 0..1; a color that is exactly an 8-bit level comes
/// out as that level whatever the dither. Values must be within 0..=1, as [`resolve_from_linear`] leaves them.
#[inline]
pub(crate) fn encode(resolve: Vec3A, dither: f32) -> [u8; 3] {
    quantize(levels(resolve), dither)
}

/// sRGB levels of a resolve-space color, 0 to 255, not rounded.
#[inline]
pub(crate) fn levels(resolve: Vec3A) -> [f32; 3] {
    let table = &*SRGB_FROM_RESOLVE;
    let level = |value: f32| {
        // The table is fine enough that the nearest entry is within 0.04 of a level.
        let index = (value * (RESOLVE_STEPS - 1) as f32 + 0.5) as i32;
        table[index as usize % RESOLVE_STEPS]
    };
    [level(resolve.x), level(resolve.y), level(resolve.z)]
}

/// Rounds levels up or down by dither; both give the level itself where it is a whole number.
#[inline]
pub(crate) fn quantize(levels: [f32; 3], dither: f32) -> [u8; 3] {
    let offset = 0.5 + (dither - 0.5) * 0.9;
    let [r, g, b] = levels;
    [(r + offset) as i32 as u8, (g + offset) as i32 as u8, (b + offset) as i32 as u8]
}

/// Interleaved gradient noise (Jimenez 2014): a screen-space pattern in 0..1 with evenly spread values in every 3×3.
#[inline]
pub(crate) fn gradient_noise(x: u32, y: u32) -> f32 {
    let fraction = |value: f32| value - floor_small(value) as f32;
    fraction(52.982_918 * fraction(0.067_110_56 * x as f32 + 0.005_837_15 * y as f32))
}

const RESOLVE_STEPS: usize = 4096;

static LINEAR_FROM_BYTE: LazyLock<[f32; 256]> =
    LazyLock::new(|| std::array::from_fn(|byte| linear_from_srgb(byte as f32 / 255.0)));

static SRGB_FROM_RESOLVE: LazyLock<Vec<f32>> = LazyLock::new(|| {
    (0..RESOLVE_STEPS)
        .map(|step| {
            let value = step as f32 / (RESOLVE_STEPS - 1) as f32;
            srgb_from_linear(value * value) * 255.0
        })
        .collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_the_round_trip() {
        for byte in 0..=255_u8 {
            let linear = linear_from_byte(byte);
            assert_eq!((srgb_from_linear(linear) * 255.0).round() as u8, byte);
            for dither in [0.0, 0.5, 0.999] {
                let encoded = encode(resolve_from_linear(Vec3A::splat(linear)), dither);
                assert_eq!(encoded, [byte; 3], "dither {dither}");
            }
        }
    }

    #[test]
    fn dither_keeps_the_mean() {
        let value = resolve_from_linear(Vec3A::splat(linear_from_srgb(100.3 / 255.0)));
        let count = 1000;
        let sum: u32 = (0..count).map(|i| u32::from(encode(value, i as f32 / count as f32)[0])).sum();
        let mean = sum as f32 / count as f32;
        // The dither spans 0.9 of a level and the table is exact to 0.04.
        assert!((mean - 100.3).abs() < 0.1, "mean {mean}");
    }

    #[test]
    fn tone_curve_rises_and_stays_below_white() {
        let mut last = -1.0;
        for step in 0..400 {
            let mapped = tone_map(Vec3A::splat(step as f32 * 0.05)).x;
            assert!(mapped >= last && mapped <= 1.0, "step {step}: {mapped} after {last}");
            last = mapped;
        }
        assert!((tone_map(Vec3A::splat(0.5)).x - 0.484).abs() < 1e-5, "middle tones are only offset");
    }
}
