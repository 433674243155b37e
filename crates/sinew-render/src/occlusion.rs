//! Blocked light at each visible point, at half resolution in large pictures: ambient occlusion from the depth buffer,
//! and the key lamp's shadow.
//!
//! The estimator is that of McGuire, Mara and Luebke's "Scalable ambient obscurance" (2012): taps on a spiral around the pixel, each
//! weighted by its height over the surface and a falloff. The spiral turns in a 4×4 pattern, and a 4×4 average that
//! minds depth takes the pattern out again.

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use crate::camera::Lens;
use crate::frame::{Frame, normal_at};
use crate::raster::EMPTY;
use crate::rounding::floor_small;
use crate::shade::{Reach, Shader};
use crate::shadow::KeyShadow;

/// Shares of key and sky light at each cell, a pixel or a square of four.
#[derive(Debug, Default)]
pub(crate) struct Occlusion {
    /// Pixels along a side of a cell.
    step: usize,
    width: usize,
    height: usize,
    /// 1/w, 0 where there is no surface.
    depth: Vec<f32>,
    /// Key and sky, before and after smoothing; only sky is smoothed.
    raw: Vec<Vec2>,
    smooth: Vec<Vec2>,
}

/// Pictures up to this many pixels are computed pixel by pixel: small ones show the cells, and they have the time.
const FULL_PIXELS: usize = 400_000;

const TAPS: usize = 9;
const TURNS: f32 = 5.0;

/// Strength of the darkening. Below 0.6 creases vanish, above 1.5 gentle hollows turn to soot.
const INTENSITY: f32 = 1.1;

/// Height over the tangent plane, in parts of the radius, that is not counted; hides facets.
const BIAS: f32 = 0.03;

/// Relative difference of depth up to which neighbors share their light. Smaller shows half-size pixels on slanted
/// surfaces, larger lets light leak around silhouettes.
const SAME_SURFACE: f32 = 0.004;

impl Occlusion {
    /// Computes occlusion within `radius` (view units) of each visible point.
    pub(crate) fn fill(&mut self, shader: &Shader, shadow: &KeyShadow, frame: &Frame, radius: f32) {
        let (mesh, lens) = (shader.mesh, shader.lens);
        let step = if frame.width * frame.height > FULL_PIXELS { 2 } else { 1 };
        self.step = step;
        (self.width, self.height) = (frame.width.div_ceil(step), frame.height.div_ceil(step));
        let (width, height) = (self.width, self.height);
        self.depth.resize(width * height, 0.0);
        self.raw.resize(width * height, Vec2::ONE);
        self.smooth.resize(width * height, Vec2::ONE);
        self.depth.par_chunks_mut(width).enumerate().for_each(|(y, line)| {
            for (x, depth) in line.iter_mut().enumerate() {
                *depth = frame.depth[frame.index(step * x, step * y)];
            }
        });
        let depth = &self.depth;
        let spirals = spirals();
        self.raw.par_chunks_mut(width).enumerate().for_each(|(y, line)| {
            for (x, reach) in line.iter_mut().enumerate() {
                let triangle = frame.triangle[frame.index(step * x, step * y)];
                let inverse_depth = depth[y * width + x];
                *reach = if triangle == EMPTY || inverse_depth <= 0.0 {
                    Vec2::ONE
                } else {
                    let ray = lens.ray((step * x) as f32 + 0.5, (step * y) as f32 + 0.5);
                    let normal = normal_at(mesh, lens, triangle, ray);
                    let key = shadow.key_reach(lens.eye + ray / inverse_depth, normal);
                    let normal =
                        Vec3::new(normal.dot(lens.right), -normal.dot(lens.up), normal.dot(lens.forward));
                    let spiral = &spirals[(y % 4) * 4 + x % 4];
                    let view = CellView { depth, size: (width, height), step: step as i32, lens, radius };
                    Vec2::new(key, view.gather((x, y), normal, spiral))
                };
            }
        });
        self.smooth_sky(radius);
    }

    /// Shares of light for a surface at 1/w = `inverse_depth` seen in a pixel, and whether a cell shows that surface;
    /// if none does, the shares are a neighbor's.
    #[inline]
    pub(crate) fn reach(&self, x: usize, y: usize, inverse_depth: f32) -> (Reach, bool) {
        let distance = 1.0 / inverse_depth;
        let (left, top) = (x / self.step, y / self.step);
        // With two pixels to a cell, every second pixel lies halfway between cells.
        let (weight_x, weight_y) = ((x % self.step) as f32 * 0.5, (y % self.step) as f32 * 0.5);
        let right = (left + 1).min(self.width - 1);
        let bottom = (top + 1).min(self.height - 1);
        let (top, bottom) = (top * self.width, bottom * self.width);
        let taps = [top + left, top + right, bottom + left, bottom + right];
        let mut weights = [
            (1.0 - weight_x) * (1.0 - weight_y),
            weight_x * (1.0 - weight_y),
            (1.0 - weight_x) * weight_y,
            weight_x * weight_y,
        ];
        // Squared differences of depth, in units of a step that still counts as the same surface.
        let steps = taps.map(|tap| {
            let difference = (self.depth[tap] * distance - 1.0) * (1.0 / SAME_SURFACE);
            difference * difference
        });
        if steps.iter().any(|step| *step > 0.5) {
            for (weight, step) in weights.iter_mut().zip(steps) {
                *weight = (*weight + 1e-3) / (1.0 + step);
            }
            let total: f32 = weights.iter().sum();
            weights = weights.map(|weight| weight / total);
        }
        let mut reach = Vec2::ZERO;
        for (tap, weight) in taps.into_iter().zip(weights) {
            reach += self.smooth[tap] * weight;
        }
        let is_found = steps.iter().any(|step| *step < 4.0);
        (Reach { key: reach.x, sky: reach.y }, is_found)
    }

    fn smooth_sky(&mut self, radius: f32) {
        let (width, height, depth, raw) = (self.width, self.height, &self.depth, &self.raw);
        self.smooth.par_chunks_mut(width).enumerate().for_each(|(y, line)| {
            for (x, reach) in line.iter_mut().enumerate() {
                let center = depth[y * width + x];
                *reach = raw[y * width + x];
                if center <= 0.0 {
                    continue;
                }
                // A step of half the radius in depth, as a change of 1/w.
                let tolerance = radius * 0.5 * center * center;
                let (mut sum, mut total) = (0.0, 0.0);
                for row in y.saturating_sub(2)..(y + 2).min(height) {
                    for column in x.saturating_sub(2)..(x + 2).min(width) {
                        let index = row * width + column;
                        let weight = if (depth[index] - center).abs() < tolerance { 1.0 } else { 0.0 };
                        sum += raw[index].y * weight;
                        total += weight;
                    }
                }
                reach.y = if total > 0.0 { sum / total } else { reach.y };
            }
        });
    }
}

/// Tap offsets as shares of the radius, for each of the sixteen turns.
fn spirals() -> [[(f32, f32); TAPS]; 16] {
    // Neighboring cells get far-apart turns.
    const ORDER: [u8; 16] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];
    ORDER.map(|order| {
        std::array::from_fn(|tap| {
            let share = (tap as f32 + 0.5 + f32::from(order) / 32.0) / (TAPS as f32 + 0.5);
            let angle = (share * TURNS + f32::from(order) / 16.0) * std::f32::consts::TAU;
            (share * angle.cos(), share * angle.sin())
        })
    })
}

/// Depth by cells, with what turns it into points: x right, y down, z along the line of sight.
struct CellView<'a> {
    depth: &'a [f32],
    size: (usize, usize),
    step: i32,
    lens: &'a Lens,
    radius: f32,
}

impl CellView<'_> {
    #[inline]
    fn point(&self, x: i32, y: i32, inverse_depth: f32) -> Vec3 {
        let distance = 1.0 / inverse_depth;
        let scale = distance / self.lens.focal_px;
        let x = (self.step * x) as f32 + 0.5 - self.lens.center_px.x;
        let y = (self.step * y) as f32 + 0.5 - self.lens.center_px.y;
        Vec3::new(x * scale, y * scale, distance)
    }

    #[inline]
    fn gather(&self, pixel: (usize, usize), normal: Vec3, spiral: &[(f32, f32); TAPS]) -> f32 {
        let inverse_depth = self.depth[pixel.1 * self.size.0 + pixel.0];
        let point = self.point(pixel.0 as i32, pixel.1 as i32, inverse_depth);
        let radius_px =
            (self.radius * self.lens.focal_px * inverse_depth / self.step as f32).clamp(2.0, 90.0);
        let radius_squared = self.radius * self.radius;
        let (inverse_radius_squared, least) = (1.0 / radius_squared, BIAS * self.radius);
        let (middle_x, middle_y) = (pixel.0 as f32 + 0.5, pixel.1 as f32 + 0.5);
        let mut sum = 0.0;
        for &(dx, dy) in spiral {
            let x = floor_small(middle_x + dx * radius_px);
            let y = floor_small(middle_y + dy * radius_px);
            if x < 0 || y < 0 || x as usize >= self.size.0 || y as usize >= self.size.1 {
                continue;
            }
            let inverse_depth = self.depth[y as usize * self.size.0 + x as usize];
            if inverse_depth <= 0.0 {
                continue;
            }
            let offset = self.point(x, y, inverse_depth) - point;
            let squared = offset.length_squared();
            let falloff = (radius_squared - squared) * inverse_radius_squared;
            let rise = offset.dot(normal) - least;
            if falloff > 0.0 && rise > 0.0 {
                sum += falloff * falloff * falloff * rise / (squared + 1e-4 * radius_squared);
            }
        }
        (1.0 - INTENSITY * 2.0 * self.radius * sum / TAPS as f32).max(0.0)
    }
}
