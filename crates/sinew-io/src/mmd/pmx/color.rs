//! MMD's colors are shown as they are stored; a character's are linear.

use glam::{Vec3, Vec4};

/// RGB and alpha of a file, linear; NaN counts as 1, and values are held to 0 to 1.
pub(super) fn color_from_mmd(color: [f32; 4]) -> Vec4 {
    let [r, g, b, alpha] = color.map(|value| if value.is_nan() { 1.0 } else { value.clamp(0.0, 1.0) });
    Vec3::new(r, g, b).map(linear).extend(alpha)
}

/// RGB and alpha of a character, as a file holds it.
pub(super) fn color_to_mmd(color: Vec4) -> [f32; 4] {
    let color = color.clamp(Vec4::ZERO, Vec4::ONE);
    color.truncate().map(stored).extend(color.w).to_array()
}

/// IEC 61966-2-1.
fn linear(value: f32) -> f32 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

fn stored(value: f32) -> f32 {
    match value {
        // Exactly, which the formula misses by a last digit.
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
        for color in [[0.0, 0.02, 0.5, 0.3], [1.0, 0.999, 0.04, 1.0]] {
            let back = Vec4::from(color_to_mmd(color_from_mmd(color)));
            assert!(back.abs_diff_eq(Vec4::from(color), rounding), "{back}");
        }
        assert_eq!(color_from_mmd([f32::NAN, -1.0, 7.0, f32::INFINITY]), Vec4::new(1.0, 0.0, 1.0, 1.0));
    }
}
