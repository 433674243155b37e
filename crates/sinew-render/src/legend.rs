//! Legends of scalar maps: a color bar with ticks, label and unit, at the right border.

use glam::Vec2;

use crate::color::Rgba8;
use crate::colormap::ScalarMap;
use crate::image::Image;
use crate::scene::Scene;
use crate::text::{Align, TextStyle};

/// Draws one legend for each different scalar map, side by side from the right.
pub(crate) fn draw_legends(image: &mut Image, scene: &Scene) {
    let mut drawn: Vec<&ScalarMap> = Vec::new();
    for map in scene.objects.iter().filter_map(|object| object.scalar_map.as_ref()) {
        let is_same = |other: &&ScalarMap| {
            (&other.label, &other.unit, other.range, other.color_map)
                == (&map.label, &map.unit, map.range, map.color_map)
        };
        if !drawn.iter().any(is_same) {
            draw_legend(image, map, drawn.len());
            drawn.push(map);
        }
    }
}

/// Round values that divide a range into about `count` steps, from low to high; the ends of an empty or endless range.
pub(crate) fn ticks(range: (f32, f32), count: usize) -> Vec<f32> {
    let (low, high) = (f64::from(range.0.min(range.1)), f64::from(range.0.max(range.1)));
    let span = high - low;
    if !(span > 0.0 && span.is_finite()) {
        return vec![range.0];
    }
    let rough = span / count.max(1) as f64;
    let decade = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * decade)
        .find(|&step| step >= rough * 0.999)
        .unwrap_or(decade * 10.0);
    let first = (low / step - 1e-6).ceil() as i64;
    let last = (high / step + 1e-6).floor() as i64;
    (first..=last).map(|index| (index as f64 * step) as f32).collect()
}

/// A tick's value with as many decimals as the step needs; very large and small values in powers of ten.
fn tick_text(value: f32, step: f32) -> String {
    let value = if value.abs() < step * 1e-3 { 0.0 } else { value };
    if !(1e-4..1e5).contains(&step) {
        return format!("{value:.1e}");
    }
    let decimals = (-step.log10()).ceil().max(0.0) as usize;
    // A step of 0.25 or 2.5 needs one place more than its power of ten.
    let scaled = step * 10_f32.powi(decimals as i32);
    let decimals = decimals + usize::from((scaled - scaled.round()).abs() > 0.01);
    format!("{value:.decimals$}").replace('-', "\u{2212}")
}

const INK: Rgba8 = [58, 64, 72, 255];
const HALO: Rgba8 = [255, 255, 255, 90];

fn draw_legend(image: &mut Image, map: &ScalarMap, column: usize) {
    let (width, height) = (image.width() as f32, image.height() as f32);
    let text = (height * 0.0215).clamp(9.0, 40.0);
    let bar_width = (text * 0.85).round();
    let bar_height = (height * 0.42).round();
    let style = TextStyle { size_px: text, color: INK, align: Align::Left, halo: Some(HALO) };
    let values = ticks(map.range, 5);
    let step = if values.len() > 1 { (values[1] - values[0]).abs() } else { map.range.0.abs().max(1.0) };
    let texts: Vec<String> = values.iter().map(|&value| tick_text(value, step)).collect();
    let widest = texts.iter().map(|text| style.width_px(text)).fold(0.0, f32::max);
    let title = if map.unit.is_empty() { map.label.clone() } else { format!("{} ({})", map.label, map.unit) };
    let margin = (height * 0.045).round();
    let bar_block = bar_width + text * 0.55 + widest;
    let block = bar_block.max(style.width_px(&title));
    // The block ends at the right margin, so that the bar stays clear of the subject.
    let right = width - margin - column as f32 * (block + text * 1.5);
    let left = (right - bar_block).round();
    let top = ((height - bar_height) * 0.5).round();
    TextStyle { align: Align::Right, ..style }.draw(image, &title, right, top - text * 0.9);
    let (low, high) = (Vec2::new(left, top), Vec2::new(left + bar_width, top + bar_height));
    image.fill_rect(low - 1.0, high + 1.0, 3.0, [255, 255, 255, 200]);
    image.for_box(low, high, |image, x, y, at| {
        let t = 1.0 - (at.y - low.y) / bar_height;
        if at.x > low.x && at.x < high.x && (0.0..=1.0).contains(&t) {
            let [r, g, b] = map.color_map.srgb(t).map(|value| (value * 255.0 + 0.5) as u8);
            image.blend(x, y, [r, g, b, 255], 1.0);
        }
    });
    for (value, text_line) in values.iter().zip(&texts) {
        let y = top + bar_height * (1.0 - map.position(*value));
        let tick_low = Vec2::new(high.x + 1.0, y - 0.5);
        image.fill_rect(tick_low, Vec2::new(high.x + text * 0.3, y + 0.5), 0.0, [58, 64, 72, 180]);
        style.draw(image, text_line, high.x + text * 0.55, y + text * 0.33);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(range: (f32, f32), expected: &[&str]) {
        let values = ticks(range, 5);
        let step = if values.len() > 1 { values[1] - values[0] } else { 1.0 };
        let texts: Vec<String> = values.iter().map(|&value| tick_text(value, step)).collect();
        assert_eq!(texts, expected, "{range:?}");
    }

    #[test]
    fn ticks_are_round() {
        check((0.0, 1.0), &["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        check((0.0, 12.0), &["0.0", "2.5", "5.0", "7.5", "10.0"]);
        check((-1.0, 1.0), &["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        check((3.2, 48.0), &["10", "20", "30", "40"]);
        check((1.0, -1.0), &["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        check((5.0, 5.0), &["5"]);
        check((0.0, 2e-7), &["0.0e0", "5.0e-8", "1.0e-7", "1.5e-7", "2.0e-7"]);
    }

    #[test]
    fn odd_ranges_have_one_tick() {
        for range in [(f32::NAN, 1.0), (0.0, f32::INFINITY)] {
            assert_eq!(ticks(range, 5).len(), 1);
        }
    }
}
