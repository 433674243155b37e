//! Maps whose texels keep their place in the scene, so that shadows do not crawl from picture to picture.

use crate::camera::Lens;
use crate::scene::{Scene, Steady};
use glam::Vec3;

impl Scene {
    /// The fixed lengths, if they are lengths.
    pub(crate) fn steady_light(&self) -> Option<&Steady> {
        let is_length = |length: f32| length > 0.0 && length.is_finite();
        self.steady.as_ref().filter(|steady| {
            steady.center.is_finite() && is_length(steady.extent) && is_length(steady.subject)
        })
    }
}

/// A square map of fixed grain whose corner moves in whole steps of some texels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SteadyGrid {
    /// Side of a texel, scene units.
    texel: f64,
    side: f64,
    /// Texels that the corner moves at once.
    step: f64,
}

impl SteadyGrid {
    /// A map of `side` texels over `extent` scene units, with a margin in texels on each side besides room for the step.
    pub(crate) fn new(extent: f32, side: usize, margin: f32, step: usize) -> Self {
        let (side, step) = (side as f64, step as f64);
        let used = (side - 2.0 * f64::from(margin) - step).max(1.0);
        Self { texel: f64::from(extent).max(1e-9) / used, side, step }
    }

    /// The map's lower edge along an axis, view units, with `center` near its middle.
    pub(crate) fn low(&self, lens: &Lens, center: Vec3, axis: Vec3) -> f32 {
        let axis = axis.as_dvec3();
        let low = center.as_dvec3().dot(axis) - 0.5 * self.side * self.texel;
        let stride = self.texel * self.step;
        let snapped = (low / stride).round() * stride;
        ((snapped - lens.origin.dot(axis)) * lens.unit_per_scene) as f32
    }

    /// Texels in a view unit.
    pub(crate) fn texels_per_unit(&self, lens: &Lens) -> f32 {
        (1.0 / (self.texel * lens.unit_per_scene)) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Camera;

    /// A point of the scene lies on the same place within a texel whatever the camera and the subject do.
    #[test]
    fn points_keep_their_place_within_a_texel() {
        let grid = SteadyGrid::new(2.5, 1024, 5.0, 1);
        let place = |eye: Vec3, target: Vec3, center: Vec3| {
            let camera = Camera { eye, target, up: Vec3::Y, vertical_fov_rad: 0.6 };
            let lens = Lens::new(&camera, 64, 64).expect("finite");
            let axis = Vec3::new(0.6, 0.0, 0.8);
            let point = lens.from_scene(Vec3::new(0.3, 1.0, 0.2));
            let texels = (point.dot(axis) - grid.low(&lens, center, axis)) * grid.texels_per_unit(&lens);
            f64::from(texels).rem_euclid(1.0)
        };
        let first = place(Vec3::new(0.0, 1.0, 5.0), Vec3::Y, Vec3::Y);
        for step in 1..50 {
            let moved = step as f32 * 0.0137;
            let eye = Vec3::new(moved, 1.0 + 0.3 * moved, 5.0 - moved);
            let found = place(eye, Vec3::new(moved, 1.0, 0.0), Vec3::new(moved, 1.0, 0.5 * moved));
            // A hundredth of a texel: rounding in single precision.
            let apart = (found - first).abs();
            assert!(apart.min(1.0 - apart) < 0.01, "step {step}: {found} and {first}");
        }
    }
}
