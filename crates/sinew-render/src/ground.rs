//! Shadows on the floor: contact hardening for the key lamp, soft contact darkness for the sky.
//!
//! For each lamp direction a map holds the height of the lowest occluder over every floor texel. An occluder at height
//! `h` blurs with a radius proportional to `h`: the lamp's radius for the key, the cosine lobe for the sky. Texels are
//! shared out by that radius over the levels of an image pyramid; each level is smoothed by the same few texels, and
//! the levels are added up from coarse to fine. The cost is that of one small blur whatever the radius.

use glam::{Vec2, Vec3, Vec3A};
use rayon::prelude::*;

use crate::camera::Lens;
use crate::depth_map::DepthMap;
use crate::mesh::{Mesh, Vertex, is_near_enough};
use crate::scene::{Scene, Steady};
use crate::steady::SteadyGrid;

/// Light that reaches the floor.
#[derive(Debug, Default)]
pub(crate) struct GroundLight {
    map: DepthMap,
    levels: Vec<Level>,
    key: Vec<f32>,
    sky: Vec<f32>,
    low: Vec2,
    texels_per_unit: f32,
    /// Height of the floor in view units.
    pub(crate) height: f32,
    is_empty: bool,
}

#[derive(Debug, Default)]
struct Level {
    side: usize,
    values: Vec<f32>,
    scratch: Vec<f32>,
}

/// Texels along a side of the floor map.
const SIDE: usize = 512;

/// Pyramid levels; the coarsest has 8 texels a side.
const LEVELS: usize = 7;

/// Radius in texels that the smoothing of one level gives.
const LEVEL_RADIUS: f32 = 1.6;

/// Blur radius over height for sky light; the cosine lobe over a floor point spreads about this far.
const SKY_SPREAD: f32 = 0.62;

/// Objects farther from the camera's target than this many view units leave no shadow.
const FOCUS: f32 = 4.0;

impl GroundLight {
    /// Computes both maps for a floor at `height` (view units) and a key lamp of a given radius.
    pub(crate) fn fill(&mut self, scene: &Scene, mesh: &Mesh, lens: &Lens, height: f32, key: Vec3) {
        self.height = height;
        let key_radius_rad = scene.lights.key_radius_rad;
        // A lamp at the horizon would throw shadows without end; hold it some way up.
        let slant = Vec2::new(key.x, key.z) / key.y.max(0.15);
        match scene.steady_light() {
            Some(steady) => self.set_steady_region(steady, lens, slant),
            None => self.set_region(mesh, slant),
        }
        if self.is_empty {
            return;
        }
        let (low, scale) = (self.low, self.texels_per_unit);
        let onto_map = move |point: Vec3, slant: Vec2| {
            let rise = point.y - height;
            let at = (Vec2::new(point.x, point.z) - slant * rise - low) * scale;
            // Below the floor nothing is cast; a hair below is contact.
            let rise = if rise < -0.02 { f32::INFINITY } else { rise.max(0.0) };
            at.extend(rise)
        };
        let slant_length = (1.0 + slant.length_squared()).sqrt();
        self.map.fill(SIDE, scene, mesh, |point| onto_map(point, slant));
        self.spread(key_radius_rad.clamp(0.005, 0.5).tan() * slant_length * 0.6, true);
        self.map.fill(SIDE, scene, mesh, |point| onto_map(point, Vec2::ZERO));
        self.spread(SKY_SPREAD, false);
    }

    /// Share of key and sky light at a floor point.
    #[inline]
    pub(crate) fn light(&self, x: f32, z: f32) -> Vec2 {
        if self.is_empty {
            return Vec2::ONE;
        }
        let at = (Vec2::new(x, z) - self.low) * self.texels_per_unit - 0.5;
        let limit = (SIDE - 2) as f32;
        let inside = at.clamp(Vec2::ZERO, Vec2::splat(limit));
        // Past the border the wide tails are let go gently.
        let past = (at - inside).abs().max_element() / (SIDE as f32 * 0.2);
        if past >= 1.0 {
            return Vec2::ONE;
        }
        let (column, row) = (inside.x as i32 as usize, inside.y as i32 as usize);
        let fraction = inside - Vec2::new(column as f32, row as f32);
        let read = |map: &[f32]| {
            let start = row * SIDE + column;
            let top = map[start] + (map[start + 1] - map[start]) * fraction.x;
            let start = start + SIDE;
            let bottom = map[start] + (map[start + 1] - map[start]) * fraction.x;
            top + (bottom - top) * fraction.y
        };
        let occluded = Vec2::new(read(&self.key), read(&self.sky));
        Vec2::ONE - occluded * (1.0 - past)
    }

    /// Whether any light is missing in the floor rectangle between two points.
    pub(crate) fn reaches(&self, low: Vec3A, high: Vec3A) -> bool {
        let margin = SIDE as f32 * 0.2;
        let texel = |point: Vec3A| (Vec2::new(point.x, point.z) - self.low) * self.texels_per_unit;
        let (low, high) = (texel(low), texel(high));
        !self.is_empty
            && high.cmpgt(Vec2::splat(-margin)).all()
            && low.cmplt(Vec2::splat(SIDE as f32 + margin)).all()
    }

    /// The square of floor on which shadows can fall.
    fn set_region(&mut self, mesh: &Mesh, slant: Vec2) {
        let (mut low, mut high, mut tallest) = (Vec2::MAX, Vec2::MIN, 0.0_f32);
        for p in mesh.vertices.iter().map(Vertex::position) {
            let rise = p.y - self.height;
            if is_near_enough(p) && p.abs().max_element() < FOCUS && rise > -0.02 {
                let foot = Vec2::new(p.x, p.z);
                low = low.min(foot).min(foot - slant * rise);
                high = high.max(foot).max(foot - slant * rise);
                tallest = tallest.max(rise);
            }
        }
        self.is_empty = low.x > high.x;
        if self.is_empty {
            return;
        }
        let margin = ((high - low).max_element() * 0.12).max(tallest * 0.25).max(1e-4);
        let extent = (high - low).max_element() + 2.0 * margin;
        self.texels_per_unit = SIDE as f32 / extent;
        self.low = (low + high) * 0.5 - extent * 0.5;
    }

    /// A square of fixed grain on a grid fixed in the scene. It moves by texels of the coarsest level, so that blurred shadows keep
    /// still too.
    fn set_steady_region(&mut self, steady: &Steady, lens: &Lens, slant: Vec2) {
        self.is_empty = false;
        // Feet and shadows: as wide as the cube and, along the slant, as far as its top throws.
        let extent = steady.extent * (1.0 + slant.abs().max_element());
        let reach = slant * (steady.extent * 0.5);
        let center = steady.center - Vec3::new(reach.x, 0.0, reach.y);
        let grid = SteadyGrid::new(extent, SIDE, SIDE as f32 * 0.06, 1 << (LEVELS - 1));
        self.low = Vec2::new(grid.low(lens, center, Vec3::X), grid.low(lens, center, Vec3::Z));
        self.texels_per_unit = grid.texels_per_unit(lens);
    }

    /// Turns the occluder map into blocked light, with `spread` the blur radius over height.
    fn spread(&mut self, spread: f32, is_key: bool) {
        self.levels.resize_with(LEVELS, Level::default);
        for (index, level) in self.levels.iter_mut().enumerate() {
            level.side = SIDE >> index;
            level.values.clear();
            level.values.resize(level.side * level.side, 0.0);
        }
        let radius_texels = spread * self.texels_per_unit / LEVEL_RADIUS;
        self.share_out(radius_texels);
        self.levels.par_iter_mut().for_each(Level::smooth);
        for index in (1..LEVELS).rev() {
            let (fine, coarse) = self.levels.split_at_mut(index);
            if let (Some(fine), Some(coarse)) = (fine.last_mut(), coarse.first()) {
                fine.add_enlarged(coarse);
            }
        }
        let target = if is_key { &mut self.key } else { &mut self.sky };
        target.clear();
        target.extend(self.levels[0].values.iter().map(|value| value.clamp(0.0, 1.0)));
    }

    /// Gives each covered texel to the two levels whose blur is nearest to its own.
    fn share_out(&mut self, radius_texels: f32) {
        let map = &self.map;
        for (index, height) in map.heights.iter().enumerate().filter(|(_, height)| height.is_finite()) {
            let level = rough_log2((height * radius_texels).max(1.0)).min((LEVELS - 1) as f32);
            let first = level as i32 as usize;
            let fraction = level - first as f32;
            let (column, row) = (index % SIDE, index / SIDE);
            for (level, weight) in [(first, 1.0 - fraction), (first + 1, fraction)] {
                if weight > 0.0 && level < LEVELS {
                    let side = SIDE >> level;
                    let share = weight / (1 << (2 * level)) as f32;
                    self.levels[level].values[(row >> level) * side + (column >> level)] += share;
                }
            }
        }
    }
}

/// Base-2 logarithm, exact at powers of two and straight between them. It only shares texels out between two levels.
fn rough_log2(value: f32) -> f32 {
    value.to_bits() as f32 / (1 << 23) as f32 - 127.0
}

impl Level {
    /// A separable binomial blur of seven taps.
    fn smooth(&mut self) {
        const TAPS: [f32; 7] =
            [1.0 / 64.0, 6.0 / 64.0, 15.0 / 64.0, 20.0 / 64.0, 15.0 / 64.0, 6.0 / 64.0, 1.0 / 64.0];
        let side = self.side;
        self.scratch.clear();
        self.scratch.resize(side * side, 0.0);
        self.scratch.par_chunks_mut(side).zip(self.values.par_chunks(side)).for_each(|(line, source)| {
            for (tap, weight) in TAPS.iter().enumerate() {
                // Tap `t` adds the source moved by `t − 3`; what moves in from outside is dark.
                let (skip, shift) = (tap.saturating_sub(3), 3_usize.saturating_sub(tap));
                for (value, other) in line[shift..].iter_mut().zip(&source[skip..]) {
                    *value += other * weight;
                }
            }
        });
        let scratch = &self.scratch;
        self.values.par_chunks_mut(side).enumerate().for_each(|(row, line)| {
            line.fill(0.0);
            for (tap, weight) in TAPS.iter().enumerate() {
                if let Some(source) = (row + tap).checked_sub(3).filter(|&at| at < side) {
                    for (value, other) in line.iter_mut().zip(&scratch[source * side..][..side]) {
                        *value += other * weight;
                    }
                }
            }
        });
    }

    /// Adds a level of half the side, joined bilinearly.
    fn add_enlarged(&mut self, coarse: &Self) {
        let (side, coarse_side) = (self.side, coarse.side);
        let neighbors = |index: usize| {
            let near = index / 2;
            let far = if index.is_multiple_of(2) {
                near.saturating_sub(1)
            } else {
                (near + 1).min(coarse_side - 1)
            };
            (near, far)
        };
        self.values.par_chunks_mut(side).enumerate().for_each(|(row, line)| {
            let (near_row, far_row) = neighbors(row);
            let near_line = &coarse.values[near_row * coarse_side..][..coarse_side];
            let far_line = &coarse.values[far_row * coarse_side..][..coarse_side];
            let read = |column: usize| 0.75 * near_line[column] + 0.25 * far_line[column];
            let (mut before, mut here) = (read(0), read(0));
            for (column, pair) in line.as_chunks_mut::<2>().0.iter_mut().enumerate() {
                let after = read((column + 1).min(coarse_side - 1));
                pair[0] += 0.75 * here + 0.25 * before;
                pair[1] += 0.75 * here + 0.25 * after;
                (before, here) = (here, after);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoothing_keeps_the_sum_away_from_borders() {
        let mut level = Level { side: 16, values: vec![0.0; 256], scratch: vec![] };
        level.values[8 * 16 + 8] = 1.0;
        level.smooth();
        assert!((level.values.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert!((level.values[8 * 16 + 8] - (20.0_f32 / 64.0).powi(2)).abs() < 1e-6);
    }

    #[test]
    fn enlarging_a_constant_keeps_it() {
        let mut fine = Level { side: 8, values: vec![1.0; 64], scratch: vec![] };
        fine.add_enlarged(&Level { side: 4, values: vec![2.0; 16], scratch: vec![] });
        assert!(fine.values.iter().all(|value| (value - 3.0).abs() < 1e-6));
    }
}
