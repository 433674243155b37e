//! Converts MMD's colors, which are displayed as stored, to linear ones.
//!
//! MMD's shader shows `min(1, light · diffuse + ambient)` in full light; its light is 154/255 unless a motion changes it. Models use
//! both freely: some have no diffuse color, most use half of it as ambient. The character's base color is the displayed color.

use glam::Vec4;

/// MMD's light unless a motion changes it.
const LIGHT: f32 = 154.0 / 255.0;

/// The displayed RGB and alpha of a material, linear. NaN counts as 1; values are clamped to 0 to 1.
pub(super) fn color_from_mmd(diffuse: [f32; 4], ambient: [f32; 3]) -> Vec4 {
    let good = |value: f32| if value.is_nan() { 1.0 } else { value.clamp(0.0, 1.0) };
    let [r, g, b] = [0, 1, 2].map(|c| linear((LIGHT * good(diffuse[c]) + good(ambient[c])).min(1.0)));
    Vec4::new(r, g, b, good(diffuse[3]))
}

/// The diffuse and ambient color that display a character's color.
pub(super) fn color_to_mmd(color: Vec4) -> ([f32; 4], [f32; 3]) {
    let color = color.clamp(Vec4::ZERO, Vec4::ONE);
    let diffuse = color.truncate().map(stored);
    (diffuse.extend(color.w).to_array(), (diffuse * (1.0 - LIGHT)).to_array())
}

/// IEC 61966-2-1.
fn linear(value: f32) -> f32 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

fn stored(value: f32) -> f32 {
    match value {
        // Exact; the formula is off by a last digit.
        1.0 => 1.0,
        _ if value <= 0.003_130_8 => value * 12.92,
        _ => 1.055 * value.powf(1.0 / 2.4) - 0.055,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_come_back() {
        let rounding = 1e-6;
        for color in [Vec4::new(0.0, 0.02, 0.5, 0.3), Vec4::new(1.0, 0.999, 0.04, 1.0)] {
            let (diffuse, ambient) = color_to_mmd(color);
            let back = color_from_mmd(diffuse, ambient);
            assert!(back.abs_diff_eq(color, rounding), "{back}");
        }
        let wild = color_from_mmd([f32::NAN, -1.0, 7.0, f32::INFINITY], [1.0, 0.0, 0.5]);
        assert_eq!(wild, Vec4::new(1.0, 0.0, 1.0, 1.0));
    }

    #[test]
    fn materials_without_diffuse_color_show_their_ambient() {
        assert_eq!(color_from_mmd([0.0, 0.0, 0.0, 1.0], [1.0; 3]), Vec4::ONE);
        assert_eq!(color_from_mmd([1.0; 4], [0.5; 3]), Vec4::ONE, "as most models have it");
    }
}
