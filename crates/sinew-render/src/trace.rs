//! Ray-traced light: soft key shadows and ambient occlusion for each fragment and floor pixel.
//!
//! The pixels of a block share out one low-discrepancy sequence of rays; an average over neighbors on the same surface
//! then has the rays of the whole block. Everything is a function of the pixel, so pictures repeat exactly.

use std::f32::consts::TAU;
use std::sync::atomic::{AtomicUsize, Ordering};

use glam::{Vec2, Vec3A};
use rayon::prelude::*;

use crate::bvh::{Bvh, Ray};
use crate::depth_map::casts_at;
use crate::frame::{Frame, facing};
use crate::hit::TriangleHit;
use crate::mesh::Coverage;
use crate::raster::{Fragment, TILE_PIXELS, centroid};
use crate::setup::TILE;
use crate::shade::{Reach, Shader};
use crate::shade_pass::floor_point;

/// Light shares for each fragment, and for each pixel's floor.
#[derive(Debug, Default)]
pub(crate) struct TracedLight {
    bvh: Bvh,
    /// Smoothed, tile by tile and fragment by fragment.
    fragments: Vec<Vec<Reach>>,
    /// Smoothed, tile by tile and pixel by pixel.
    floor: Vec<Reach>,
    raw_fragments: Vec<Vec<Reach>>,
    /// The pixel's main surface, or its floor where there is none; tile by tile.
    guides: Vec<Guide>,
    raw_floor: Vec<Reach>,
}

/// A visible point with its unsmoothed light.
#[derive(Clone, Copy, Debug)]
struct Guide {
    position: Vec3A,
    normal: Vec3A,
    reach: Reach,
    kind: GuideKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GuideKind {
    Nothing,
    Surface,
    Floor,
}

/// Rays toward the surroundings from each point.
const SKY_RAYS: usize = 10;

/// Rays toward the lamp.
const KEY_RAYS: usize = 10;

/// Side of the square of pixels that share one even pattern of rays.
const BLOCK: usize = 8;

/// Half width of the smoothing window in pixels; the window covers a whole block.
const WINDOW: isize = 4;

const LIT: Reach = Reach { key: 1.0, sky: 1.0 };
const NO_GUIDE: Guide =
    Guide { position: Vec3A::ZERO, normal: Vec3A::ZERO, reach: LIT, kind: GuideKind::Nothing };

impl TracedLight {
    /// Traces the whole picture. `reach` is how far occlusion looks, in view units.
    pub(crate) fn fill(
        &mut self,
        shader: &Shader,
        frame: &Frame,
        floor: Option<f32>,
        reach: f32,
        progress: &(dyn Fn(f32) + Sync),
    ) {
        let casters: Vec<(u32, [Vec3A; 3])> = (0..shader.mesh.triangles.len() as u32)
            .filter(|&triangle| shader.mesh.draw(triangle).casts_shadow && shader.mesh.is_drawable(triangle))
            .map(|triangle| (triangle, shader.mesh.corners(triangle).map(|corner| corner.position())))
            .collect();
        self.bvh.build(&casters);
        let tile_count = frame.tiles.len();
        self.raw_fragments.resize_with(tile_count, Vec::new);
        self.fragments.resize_with(tile_count, Vec::new);
        self.guides.clear();
        self.guides.resize(tile_count * TILE_PIXELS, NO_GUIDE);
        self.raw_floor.clear();
        self.raw_floor.resize(tile_count * TILE_PIXELS, LIT);
        self.floor.resize(tile_count * TILE_PIXELS, LIT);
        let tracer =
            Tracer { shader, bvh: &self.bvh, frame, floor, sky_length: reach * 5.0, step: reach * 0.003 };
        let done = AtomicUsize::new(0);
        self.raw_fragments
            .par_iter_mut()
            .zip(self.guides.par_chunks_mut(TILE_PIXELS))
            .zip(self.raw_floor.par_chunks_mut(TILE_PIXELS))
            .enumerate()
            .for_each(|(tile, ((reaches, guides), floor))| {
                tracer.trace_tile(tile, reaches, guides, floor);
                let count = done.fetch_add(1, Ordering::Relaxed) + 1;
                progress(0.9 * count as f32 / tile_count as f32);
            });
        let plain = plain_tiles(frame, &self.raw_floor);
        let smoother = Smoother { frame, guides: &self.guides, raw_floor: &self.raw_floor, scale: reach };
        let raw_fragments = &self.raw_fragments;
        self.fragments.par_iter_mut().zip(self.floor.par_chunks_mut(TILE_PIXELS)).enumerate().for_each(
            |(tile, (reaches, floor))| {
                reaches.clear();
                for (fragment, &raw) in frame.tiles[tile].fragments.iter().zip(&raw_fragments[tile]) {
                    let (position, normal) = tracer.point(tile, fragment);
                    let guide = Guide { position, normal, reach: raw, kind: GuideKind::Surface };
                    reaches.push(smoother.smooth(tile, usize::from(fragment.pixel), &guide));
                }
                if plain[tile] {
                    floor.fill(LIT);
                } else {
                    smoother.smooth_floor(tile, &tracer, floor);
                }
            },
        );
    }

    /// Light of a tile's fragment, by its place in the list.
    pub(crate) fn fragment(&self, tile: usize, fragment: usize) -> Reach {
        self.fragments[tile][fragment]
    }

    /// Light of the floor in a pixel, by its place in tile order.
    pub(crate) fn floor(&self, index: usize) -> Reach {
        self.floor[index]
    }
}

struct Tracer<'a> {
    shader: &'a Shader<'a>,
    bvh: &'a Bvh,
    frame: &'a Frame,
    floor: Option<f32>,
    sky_length: f32,
    /// Start distance of rays above a surface.
    step: f32,
}

impl Tracer<'_> {
    fn trace_tile(&self, tile: usize, reaches: &mut Vec<Reach>, guides: &mut [Guide], floor: &mut [Reach]) {
        reaches.clear();
        let mut covered = [0_u8; TILE_PIXELS];
        for fragment in &self.frame.tiles[tile].fragments {
            let pixel = usize::from(fragment.pixel);
            let (x, y) = self.pixel(tile, pixel);
            let (position, normal) = self.point(tile, fragment);
            let reach = self.reach(position, normal, x, y);
            reaches.push(reach);
            if guides[pixel].kind == GuideKind::Nothing {
                guides[pixel] = Guide { position, normal, reach, kind: GuideKind::Surface };
            }
            covered[pixel] |= fragment.mask;
        }
        for pixel in 0..TILE_PIXELS {
            if let Some((position, reach)) = self.floor_reach(tile, pixel, covered[pixel]) {
                floor[pixel] = reach;
                if guides[pixel].kind == GuideKind::Nothing {
                    guides[pixel] = Guide { position, normal: Vec3A::Y, reach, kind: GuideKind::Floor };
                }
            }
        }
    }

    fn pixel(&self, tile: usize, pixel: usize) -> (usize, usize) {
        let (left, top) = self.frame.tile_origin(tile);
        (left + pixel % TILE, top + pixel / TILE)
    }

    fn floor_reach(&self, tile: usize, pixel: usize, covered: u8) -> Option<(Vec3A, Reach)> {
        let (x, y) = self.pixel(tile, pixel);
        if covered == u8::MAX || x >= self.frame.width || y >= self.frame.height {
            return None;
        }
        let position = floor_point(self.shader.lens, self.floor?, x, y)?;
        Some((position, self.reach(position, Vec3A::Y, x, y)))
    }

    /// Where a fragment's rays start, and its normal.
    ///
    /// A flat triangle with curved normals would shadow itself in facets along the terminator, so the point is moved
    /// to the curved surface that the normals suggest (after Hanika 2021): the mean of its projections on the corners' tangent
    /// planes, as far as they lie outside.
    fn point(&self, tile: usize, fragment: &Fragment) -> (Vec3A, Vec3A) {
        let (x, y) = self.pixel(tile, usize::from(fragment.pixel));
        let lens = self.shader.lens;
        let corners = self.shader.mesh.corners(fragment.triangle);
        let hit = TriangleHit::new(lens.eye, corners.map(|corner| corner.position()));
        let at = centroid(fragment.mask);
        let ray = lens.ray(x as f32 + at.x, y as f32 + at.y);
        let weights = hit.weights(ray);
        let mix =
            |values: [Vec3A; 3]| values[0] * weights[0] + values[1] * weights[1] + values[2] * weights[2];
        let position = mix(corners.map(|corner| corner.position()));
        let geometric = facing(hit.normal.normalize_or(Vec3A::Y), hit.normal, ray);
        let normal =
            facing(mix(corners.map(|corner| corner.normal())).normalize_or(geometric), hit.normal, ray);
        let bulge = mix(corners.map(|corner| {
            let normal = facing(corner.normal(), hit.normal, ray);
            normal * -(position - corner.position()).dot(normal).min(0.0)
        }));
        let bulge = if bulge.dot(geometric) > 0.0 { bulge } else { Vec3A::ZERO };
        (position + bulge + geometric * self.step, normal)
    }

    /// Shares of light at a point.
    fn reach(&self, position: Vec3A, normal: Vec3A, x: usize, y: usize) -> Reach {
        let rank = block_rank(x, y);
        Reach { key: self.key_reach(position, normal, rank), sky: self.sky_reach(position, normal, rank) }
    }

    fn key_reach(&self, position: Vec3A, normal: Vec3A, rank: usize) -> f32 {
        let key = self.shader.studio.key;
        let spread = self.shader.scene.lights.key_radius_rad.clamp(0.0, 0.5);
        if normal.dot(key) <= -spread {
            return 0.0;
        }
        let (right, up) = key.any_orthonormal_pair();
        let is_open = |ray: &usize| {
            let at = pattern(*ray, rank);
            let radius = at.x.sqrt() * spread.tan();
            let (sin, cos) = (at.y * TAU).sin_cos();
            let direction = (key + right * (radius * cos) + up * (radius * sin)).normalize();
            !self.is_blocked(position, direction, f32::INFINITY)
        };
        (0..KEY_RAYS).filter(is_open).count() as f32 / KEY_RAYS as f32
    }

    fn sky_reach(&self, position: Vec3A, normal: Vec3A, rank: usize) -> f32 {
        let (right, up) = normal.any_orthonormal_pair();
        let is_open = |ray: &usize| {
            // Cosine-distributed directions: a point of the unit disc, raised onto the sphere.
            let at = pattern(*ray, rank);
            let (sin, cos) = (at.y * TAU).sin_cos();
            let radius = at.x.sqrt();
            let direction = right * (radius * cos) + up * (radius * sin) + normal * (1.0 - at.x).sqrt();
            !self.is_blocked(position, direction, self.sky_length)
        };
        (0..SKY_RAYS).filter(is_open).count() as f32 / SKY_RAYS as f32
    }

    fn is_blocked(&self, origin: Vec3A, direction: Vec3A, length: f32) -> bool {
        let ray = Ray { origin, direction, length };
        self.bvh.is_blocked(&ray, |triangle, weights| {
            self.shader.mesh.draw(triangle).coverage == Coverage::Full
                || casts_at(self.shader.scene, self.shader.mesh, triangle, weights)
        })
    }
}

/// Place of a pixel in the order of its block: neighbors are far apart in it (a Bayer matrix, bits interleaved).
fn block_rank(x: usize, y: usize) -> usize {
    let mut rank = 0;
    for bit in 0..BLOCK.ilog2() {
        let (bit_x, bit_y) = (x >> bit & 1, y >> bit & 1);
        rank = rank << 2 | (bit_x ^ bit_y) << 1 | bit_y;
    }
    rank
}

/// Point in the unit square for a pixel's ray: the R2 sequence of Roberts, dealt out to the pixels of a block.
fn pattern(ray: usize, rank: usize) -> Vec2 {
    let index = (ray * BLOCK * BLOCK + rank) as f32;
    let fraction = |value: f32| value - value as i32 as f32;
    Vec2::new(fraction(0.5 + index * 0.754_877_7), fraction(0.5 + index * 0.569_840_3))
}

/// For each tile, whether it and its neighbors show nothing but lit floor, so that smoothing would change nothing.
fn plain_tiles(frame: &Frame, floor: &[Reach]) -> Vec<bool> {
    let own: Vec<bool> = (0..frame.tiles.len())
        .map(|tile| {
            frame.tiles[tile].fragments.is_empty()
                && floor[tile * TILE_PIXELS..(tile + 1) * TILE_PIXELS].iter().all(|reach| *reach == LIT)
        })
        .collect();
    (0..own.len()).map(|tile| frame.tiles_around(tile).all(|tile| own[tile])).collect()
}

struct Smoother<'a> {
    frame: &'a Frame,
    guides: &'a [Guide],
    raw_floor: &'a [Reach],
    /// Length to which distances between surfaces are compared.
    scale: f32,
}

impl Smoother<'_> {
    /// Mean over the window of points on the same surface.
    fn smooth(&self, tile: usize, pixel: usize, center: &Guide) -> Reach {
        let (left, top) = self.frame.tile_origin(tile);
        let (x, y) = ((left + pixel % TILE) as isize, (top + pixel / TILE) as isize);
        let (mut key, mut sky, mut total) = (center.reach.key, center.reach.sky, 1.0);
        let inverse_scale = 1.0 / (self.scale * 0.05).max(1e-9);
        for dy in -WINDOW..=WINDOW {
            for dx in -WINDOW..=WINDOW {
                let Some(other) = self.guide(x + dx, y + dy).filter(|_| dx != 0 || dy != 0) else { continue };
                if other.kind != center.kind {
                    continue;
                }
                let along = other.normal.dot(center.normal);
                let off_plane = (other.position - center.position).dot(center.normal) * inverse_scale;
                let near = 1.0 - ((dx * dx + dy * dy) as f32 / (WINDOW * WINDOW * 2 + 1) as f32);
                let alike = (along * 8.0 - 7.0).max(0.0);
                let weight = near * alike * alike / (1.0 + 4.0 * off_plane * off_plane);
                key += other.reach.key * weight;
                sky += other.reach.sky * weight;
                total += weight;
            }
        }
        Reach { key: key / total, sky: sky / total }
    }

    fn smooth_floor(&self, tile: usize, tracer: &Tracer, floor: &mut [Reach]) {
        for (pixel, reach) in floor.iter_mut().enumerate() {
            let index = tile * TILE_PIXELS + pixel;
            *reach = self.raw_floor[index];
            let (x, y) = tracer.pixel(tile, pixel);
            let position = tracer.floor.and_then(|height| floor_point(tracer.shader.lens, height, x, y));
            if let Some(position) = position
                && self.guides[index].kind != GuideKind::Nothing
            {
                let center = Guide { position, normal: Vec3A::Y, reach: *reach, kind: GuideKind::Floor };
                *reach = self.smooth(tile, pixel, &center);
            }
        }
    }

    fn guide(&self, x: isize, y: isize) -> Option<&Guide> {
        let is_inside =
            x >= 0 && y >= 0 && (x as usize) < self.frame.width && (y as usize) < self.frame.height;
        is_inside.then(|| &self.guides[self.frame.index(x as usize, y as usize)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_deals_out_every_rank_once() {
        let mut ranks: Vec<usize> = (0..BLOCK * BLOCK).map(|i| block_rank(i % BLOCK, i / BLOCK)).collect();
        ranks.sort_unstable();
        assert!(ranks.iter().copied().eq(0..BLOCK * BLOCK), "{ranks:?}");
    }

    #[test]
    fn the_rays_of_a_block_fill_the_square_evenly() {
        let mut cells = [0; 16];
        for ray in 0..KEY_RAYS {
            for rank in 0..BLOCK * BLOCK {
                let at = pattern(ray, rank);
                cells[(at.x * 4.0) as usize * 4 + (at.y * 4.0) as usize] += 1;
            }
        }
        assert!(cells.iter().all(|count| (36..=44).contains(count)), "{cells:?}");
    }
}
