//! The key light's shadow on objects: a depth map from the lamp, read through a wide tent.

use glam::{Vec2, Vec3, Vec3A};

use crate::camera::Lens;
use crate::depth_map::DepthMap;
use crate::mesh::{Mesh, Vertex, is_near_enough};
use crate::scene::{Scene, Steady};
use crate::steady::SteadyGrid;

/// Distances from the lamp.
#[derive(Debug, Default)]
pub(crate) struct KeyShadow {
    map: DepthMap,
    frame: LightFrame,
}

#[derive(Clone, Copy, Debug, Default)]
struct LightFrame {
    right: Vec3,
    up: Vec3,
    toward: Vec3,
    low: Vec2,
    texels_per_unit: f32,
}

/// Texels along a side. A standing figure fills it, so a texel is about 2 mm.
const SIDE: usize = 1024;

/// Radius of the tent in texels. Smaller shows texels, larger needs more bias and detaches thin shadows.
const TENT: f32 = 3.5;

/// Objects farther from the camera's target than this many view units cast no key shadow on objects, lest one stray
/// vertex spread the map over nothing.
const FOCUS: f32 = 4.0;

impl KeyShadow {
    /// Draws the map for a lamp in direction `toward`.
    pub(crate) fn fill(&mut self, scene: &Scene, mesh: &Mesh, lens: &Lens, toward: Vec3) {
        self.frame = match scene.steady_light() {
            Some(steady) => LightFrame::steady(steady, lens, toward),
            None => LightFrame::around(mesh, toward),
        };
        let frame = self.frame;
        self.map.fill(SIDE, scene, mesh, |point| frame.project(point));
    }

    /// Share of the key lamp that reaches a surface point; none on surfaces that look away from it.
    pub(crate) fn key_reach(&self, point: Vec3A, normal: Vec3A) -> f32 {
        if normal.dot(self.frame.toward.into()) > 0.0 { self.visibility(point, normal) } else { 0.0 }
    }

    fn visibility(&self, point: Vec3A, normal: Vec3A) -> f32 {
        let (point, normal) = (Vec3::from(point), Vec3::from(normal));
        let texel = 1.0 / self.frame.texels_per_unit;
        let slope = (1.0 - normal.dot(self.frame.toward).powi(2)).max(0.0).sqrt();
        // Leave the surface by what the tent's reach can differ in height on a slope, and a little more.
        let lifted = point + normal * (texel * (0.8 + 2.4 * slope)) + self.frame.toward * (texel * 1.2);
        let at = self.frame.project(lifted);
        let (x, y) = (at.x - 0.5, at.y - 0.5);
        if !(0.0..SIDE as f32).contains(&x) || !(0.0..SIDE as f32).contains(&y) {
            return 1.0;
        }
        let (column, row) = (x as i32 as usize, y as i32 as usize);
        self.tent(column as isize, row as isize, x - column as f32, y - row as f32, at.z)
    }

    /// Tent-weighted share of texels that are not nearer to the lamp.
    fn tent(&self, column: isize, row: isize, fraction_x: f32, fraction_y: f32, distance: f32) -> f32 {
        let weights = |fraction: f32| -> [f32; 8] {
            std::array::from_fn(|i| (TENT - (i as f32 - 3.0 - fraction).abs()).max(0.0))
        };
        let (weights_x, weights_y) = (weights(fraction_x), weights(fraction_y));
        let mut lit = 0.0;
        for (dy, weight_y) in (-3..).zip(weights_y) {
            let mut line = [0.0; 8];
            let y = row + dy;
            let inside = (0..SIDE as isize).contains(&y) && column >= 3 && column + 5 <= SIDE as isize;
            if inside {
                let start = y as usize * SIDE + column as usize - 3;
                line.copy_from_slice(&self.map.heights[start..start + 8]);
            } else {
                for (dx, value) in (-3..).zip(&mut line) {
                    *value = self.map.height(column + dx, y);
                }
            }
            let mut sum = 0.0;
            for k in 0..8 {
                sum += if line[k] >= distance { weights_x[k] } else { 0.0 };
            }
            lit += sum * weight_y;
        }
        lit / (weights_x.iter().sum::<f32>() * weights_y.iter().sum::<f32>())
    }
}

impl LightFrame {
    fn around(mesh: &Mesh, toward: Vec3) -> Self {
        let (right, up) = toward.any_orthonormal_pair();
        let (mut low, mut high) = (Vec2::MAX, Vec2::MIN);
        for position in mesh.vertices.iter().map(Vertex::position) {
            if is_near_enough(position) && position.abs().max_element() < FOCUS {
                let at = Vec2::new(position.dot(right.into()), position.dot(up.into()));
                low = low.min(at);
                high = high.max(at);
            }
        }
        if low.x > high.x {
            (low, high) = (Vec2::ZERO, Vec2::ONE);
        }
        let margin = TENT + 2.0;
        let extent = (high - low).max_element().max(1e-6);
        let texels_per_unit = (SIDE as f32 - 2.0 * margin) / extent;
        let middle = (low + high) * 0.5;
        Self { right, up, toward, low: middle - SIDE as f32 * 0.5 / texels_per_unit, texels_per_unit }
    }

    /// A map of fixed grain that lies on a grid fixed in the scene.
    fn steady(steady: &Steady, lens: &Lens, toward: Vec3) -> Self {
        let (right, up) = toward.any_orthonormal_pair();
        let grid = SteadyGrid::new(steady.extent, SIDE, TENT + 2.0, 1);
        let low = Vec2::new(grid.low(lens, steady.center, right), grid.low(lens, steady.center, up));
        Self { right, up, toward, low, texels_per_unit: grid.texels_per_unit(lens) }
    }

    /// Texel position, and distance from the lamp up to a constant.
    fn project(&self, point: Vec3) -> Vec3 {
        Vec3::new(
            (point.dot(self.right) - self.low.x) * self.texels_per_unit,
            (point.dot(self.up) - self.low.y) * self.texels_per_unit,
            -point.dot(self.toward),
        )
    }
}
