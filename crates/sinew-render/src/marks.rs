//! Marks on the floor: a grid of lines, filtered so that it neither shimmers nor aliases.
//!
//! A pixel covers a piece of floor. Lines across one axis are a pulse that repeats; its mean over the piece's width along that axis
//! is a difference of its integral, in closed form. Far away the mean tends to width over spacing by itself.

use crate::camera::Lens;
use crate::scene::FloorMarks;
use glam::{DVec2, Vec3A};

/// Marks in the units of one picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    spacing: f64,
    per_spacing: f64,
    width: f64,
    strength: f32,
    fade: f32,
    /// The view's origin on the floor, scene units.
    origin: DVec2,
    scene_per_unit: f32,
}

impl Marks {
    /// None where there is nothing to draw.
    pub(crate) fn new(marks: &FloorMarks, lens: &Lens) -> Option<Self> {
        let is_drawn = marks.spacing > 0.0
            && marks.spacing.is_finite()
            && marks.width > 0.0
            && marks.strength > 0.0
            && marks.fade > 0.0;
        is_drawn.then(|| Self {
            spacing: f64::from(marks.spacing),
            per_spacing: 1.0 / f64::from(marks.spacing),
            width: f64::from(marks.width.min(marks.spacing)),
            strength: marks.strength.min(1.0),
            fade: marks.fade,
            origin: DVec2::new(lens.origin.x, lens.origin.z),
            scene_per_unit: lens.scene_per_unit,
        })
    }

    /// Share of light that the marks leave in a pixel's piece of floor; none where there are no marks.
    pub(crate) fn light(&self, lens: &Lens, height: f32, x: usize, y: usize) -> Option<f32> {
        let ray = lens.ray(x as f32 + 0.5, y as f32 + 0.5);
        let inverse_rise = 1.0 / ray.y;
        let reach = (height - lens.eye.y) * inverse_rise;
        if !(reach > 0.0 && reach < FARTHEST) {
            return None;
        }
        let scale = reach * self.scene_per_unit;
        let near = 1.0 - ray.length() * scale / self.fade;
        if near <= 0.0 {
            return None;
        }
        // The floor point is eye + ray h / ray.y; its change from pixel to pixel, with r the change of the ray, is
        //   h / ray.y (r − ray r.y / ray.y).
        let step = |change: Vec3A| (change - ray * (change.y * inverse_rise)) * (scale / lens.focal_px);
        let footprint = step(lens.right).abs() + step(lens.up).abs();
        let middle = lens.eye * self.scene_per_unit + ray * scale;
        let across = self.covered(f64::from(middle.x) + self.origin.x, f64::from(footprint.x));
        let along = self.covered(f64::from(middle.z) + self.origin.y, f64::from(footprint.z));
        let covered = 1.0 - (1.0 - across) * (1.0 - along);
        (covered > 0.0).then_some(1.0 - self.strength * near * near * (3.0 - 2.0 * near) * covered as f32)
    }

    /// Mean of the lines over a piece of `size` about `at`.
    fn covered(&self, at: f64, size: f64) -> f64 {
        // A piece narrower than this share of a line sees the line or not.
        let size = size.max(self.width * 1e-3);
        let from_line = at - self.spacing * floor(at * self.per_spacing + 0.5);
        if from_line.abs() >= 0.5 * (size + self.width) && size < self.spacing - self.width {
            return 0.0;
        }
        (self.integral(at + 0.5 * size) - self.integral(at - 0.5 * size)) / size
    }

    /// Integral of the pulse: lines of `width` about every multiple of `spacing`.
    fn integral(&self, at: f64) -> f64 {
        let shifted = at + 0.5 * self.width;
        let count = floor(shifted * self.per_spacing);
        count * self.width + (shifted - count * self.spacing).min(self.width)
    }
}

/// View units beyond which the floor is not drawn.
const FARTHEST: f32 = 1e4;

/// The floor of a number that fits 64 bits, without a call.
fn floor(value: f64) -> f64 {
    let cut = value as i64 as f64;
    if cut > value { cut - 1.0 } else { cut }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_over_a_period_is_width_over_spacing() {
        let marks = Marks {
            spacing: 0.5,
            per_spacing: 2.0,
            width: 0.02,
            strength: 1.0,
            fade: 1.0,
            origin: DVec2::ZERO,
            scene_per_unit: 1.0,
        };
        for at in [-3.2, -0.1, 0.0, 0.26, 7.77] {
            assert!((marks.covered(at, 0.5) - 0.04).abs() < 1e-12, "over one period at {at}");
        }
        assert!((marks.covered(1.0, 0.004) - 1.0).abs() < 1e-9, "a small piece on a line");
        assert!(marks.covered(0.75, 0.1).abs() < 1e-12, "a piece between lines");
        assert!((marks.covered(0.51, 0.02) - 0.5).abs() < 1e-9, "half on a line");
        // The way out for pieces between lines agrees with the integral.
        for step in 0..2000 {
            let (at, size) = (f64::from(step) * 0.0037 - 3.0, 0.001 + f64::from(step % 97) * 0.01);
            let plain = (marks.integral(at + 0.5 * size) - marks.integral(at - 0.5 * size)) / size;
            assert!((marks.covered(at, size) - plain).abs() < 1e-9, "at {at} over {size}");
        }
    }
}
