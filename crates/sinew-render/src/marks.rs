//! Marks on the floor: a grid of lines, filtered so that it neither shimmers nor aliases.
//!
//! A pixel covers a piece of floor. Lines across one axis are a pulse that repeats; its mean over the piece's width along that axis
//! is a difference of its integral, in closed form. Far away the mean tends to width over spacing by itself.

use crate::camera::Lens;
use crate::scene::FloorMarks;
use crate::shade_pass::floor_point;
use glam::{DVec2, Vec2};

/// Marks in the units of one picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    spacing: f64,
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
            width: f64::from(marks.width.min(marks.spacing)),
            strength: marks.strength.min(1.0),
            fade: marks.fade,
            origin: DVec2::new(lens.origin.x, lens.origin.z),
            scene_per_unit: lens.scene_per_unit,
        })
    }

    /// Share of light that the marks leave in a pixel's piece of floor; none where there are no marks.
    pub(crate) fn light(&self, lens: &Lens, height: f32, x: usize, y: usize) -> Option<f32> {
        let middle = floor_point(lens, height, x, y)?;
        let distance = (middle - lens.eye).length() * self.scene_per_unit;
        let near = (1.0 - distance / self.fade).clamp(0.0, 1.0);
        if near <= 0.0 {
            return None;
        }
        let step = |dx: usize, dy: usize| {
            let beside = floor_point(lens, height, x + dx, y + dy).unwrap_or(middle);
            Vec2::new(beside.x - middle.x, beside.z - middle.z).abs()
        };
        let footprint = ((step(1, 0) + step(0, 1)) * self.scene_per_unit).as_dvec2();
        let at = Vec2::new(middle.x, middle.z).as_dvec2() * f64::from(self.scene_per_unit) + self.origin;
        let (across, along) = (self.covered(at.x, footprint.x), self.covered(at.y, footprint.y));
        let covered = 1.0 - (1.0 - across) * (1.0 - along);
        (covered > 0.0).then(|| 1.0 - self.strength * near * near * (3.0 - 2.0 * near) * covered as f32)
    }

    /// Mean of the lines over a piece of `size` about `at`.
    fn covered(&self, at: f64, size: f64) -> f64 {
        // A piece narrower than this share of a line sees the line or not.
        let size = size.max(self.width * 1e-3);
        (self.integral(at + 0.5 * size) - self.integral(at - 0.5 * size)) / size
    }

    /// Integral of the pulse: lines of `width` about every multiple of `spacing`.
    fn integral(&self, at: f64) -> f64 {
        let shifted = at + 0.5 * self.width;
        let count = (shifted / self.spacing).floor();
        count * self.width + (shifted - count * self.spacing).min(self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_over_a_period_is_width_over_spacing() {
        let marks = Marks {
            spacing: 0.5,
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
    }
}
