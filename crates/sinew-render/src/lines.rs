//! Line drawings: outlines and creases found in the picture itself, so that hidden lines stay hidden.
//!
//! 1/w is linear on the screen over a flat surface: its second difference is zero on planes and large where one surface ends before
//! another. Creases are where neighboring normals differ.

use crate::camera::Lens;
use crate::frame::{Frame, normal_at};
use crate::image::Image;
use crate::marks::Marks;
use crate::mesh::Mesh;
use crate::raster::EMPTY;
use crate::scene::Scene;
use crate::setup::TILE;
use glam::Vec3A;
use rayon::prelude::*;

/// Input of drawing lines.
pub(crate) struct LinePass<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) mesh: &'a Mesh,
    pub(crate) lens: &'a Lens,
    pub(crate) frame: &'a Frame,
    /// Height of the floor, view units.
    pub(crate) floor: Option<f32>,
}

/// Gray of the paper, of surfaces and of lines.
const PAPER: f32 = 246.0;
const SURFACE: f32 = 255.0;
const INK: f32 = 40.0;

/// Relative step of depth at which a line begins and at which it is full. Below, slanted surfaces turn gray; above, an arm before
/// the chest has no outline.
const STEP_FIRST: f32 = 0.004;
const STEP_FULL: f32 = 0.012;

/// One less the cosine between neighboring normals at which a crease begins and is full.
const CREASE_FIRST: f32 = 0.12;
const CREASE_FULL: f32 = 0.35;

/// Share of full ink of a crease.
const CREASE_INK: f32 = 0.55;

impl LinePass<'_> {
    pub(crate) fn draw(&self, image: &mut Image) {
        let (width, frame) = (self.frame.width, self.frame);
        let marks = self.scene.floor_marks.as_ref().and_then(|marks| Marks::new(marks, self.lens));
        let near_surface = self.tiles_near_surfaces();
        image.pixels_mut().par_chunks_mut(width).enumerate().for_each(|(y, line)| {
            for (x, pixel) in line.iter_mut().enumerate() {
                let grey = if frame.triangle[frame.index(x, y)] == EMPTY {
                    let marked = marks.as_ref().zip(self.floor);
                    let light = marked.and_then(|(marks, floor)| marks.light(self.lens, floor, x, y));
                    PAPER * light.unwrap_or(1.0)
                } else {
                    SURFACE
                };
                let is_near = near_surface[y / TILE * frame.columns + x / TILE];
                let ink = if is_near { self.ink(x, y) } else { 0.0 };
                let value = (grey + (INK - grey) * ink + 0.5) as u8;
                *pixel = [value, value, value, 255];
            }
        });
    }

    /// Tiles with surfaces, or with neighbors that have some.
    fn tiles_near_surfaces(&self) -> Vec<bool> {
        let tiles = &self.frame.tiles;
        let is_near = |tile| self.frame.tiles_around(tile).any(|tile| !tiles[tile].fragments.is_empty());
        (0..tiles.len()).map(is_near).collect()
    }

    /// Ink of a pixel: the maximum of both directions.
    fn ink(&self, x: usize, y: usize) -> f32 {
        let depth = |x: usize, y: usize| self.frame.depth[self.frame.index(x, y)].abs();
        let (last_x, last_y) = (self.frame.width - 1, self.frame.height - 1);
        let here = depth(x, y);
        let beside = [
            (depth(x.saturating_sub(1), y), depth((x + 1).min(last_x), y)),
            (depth(x, y.saturating_sub(1)), depth(x, (y + 1).min(last_y))),
        ];
        let nearest = beside.iter().fold(here, |nearest, pair| nearest.max(pair.0).max(pair.1));
        if nearest <= 0.0 {
            return 0.0;
        }
        let step = beside.iter().map(|(a, b)| (a + b - 2.0 * here).abs()).fold(0.0, f32::max) / nearest;
        let outline = ramp(step, STEP_FIRST, STEP_FULL);
        if outline >= 1.0 || here <= 0.0 {
            return outline;
        }
        outline.max(CREASE_INK * self.crease(x, y))
    }

    fn crease(&self, x: usize, y: usize) -> f32 {
        let Some(here) = self.normal(x, y) else { return 0.0 };
        let beside = [(x + 1, y), (x, y + 1)];
        let bend = beside
            .into_iter()
            .filter(|(x, y)| *x < self.frame.width && *y < self.frame.height)
            .filter_map(|(x, y)| self.normal(x, y))
            .map(|normal| 1.0 - normal.dot(here))
            .fold(0.0, f32::max);
        ramp(bend, CREASE_FIRST, CREASE_FULL)
    }

    fn normal(&self, x: usize, y: usize) -> Option<Vec3A> {
        let triangle = self.frame.triangle[self.frame.index(x, y)];
        let ray = self.lens.ray(x as f32 + 0.5, y as f32 + 0.5);
        (triangle != EMPTY).then(|| normal_at(self.mesh, self.lens, triangle, ray))
    }
}

fn ramp(value: f32, first: f32, full: f32) -> f32 {
    ((value - first) / (full - first)).clamp(0.0, 1.0)
}
