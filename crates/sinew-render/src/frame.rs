//! Per-pixel results of rasterising a whole picture, kept tile by tile so that threads never share a slice.

use glam::Vec3A;

use crate::camera::Lens;
use crate::hit::TriangleHit;
use crate::mesh::Mesh;
use crate::raster::{EMPTY, TILE_PIXELS, TileSurfaces};
use crate::setup::TILE;

/// Visible surfaces, depth and main triangle of each pixel.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) columns: usize,
    /// Pixels of this frame along a side of a pixel of the finished picture.
    pub(crate) scale: usize,
    pub(crate) tiles: Vec<TileSurfaces>,
    /// 1/w of the main surface of a pixel, 0 where there is none; tile by tile.
    pub(crate) depth: Vec<f32>,
    /// Its triangle, or [`EMPTY`]; tile by tile.
    pub(crate) triangle: Vec<u32>,
}

impl Frame {
    pub(crate) fn resize(&mut self, width: usize, height: usize, scale: usize) {
        self.scale = scale;
        self.width = width;
        self.height = height;
        self.columns = width.div_ceil(TILE);
        let tile_count = self.columns * height.div_ceil(TILE);
        self.tiles.resize_with(tile_count, TileSurfaces::default);
        self.depth.resize(tile_count * TILE_PIXELS, 0.0);
        self.triangle.resize(tile_count * TILE_PIXELS, EMPTY);
    }

    /// Place of a pixel in the tile-by-tile arrays.
    #[inline]
    pub(crate) fn index(&self, x: usize, y: usize) -> usize {
        (y / TILE * self.columns + x / TILE) * TILE_PIXELS + y % TILE * TILE + x % TILE
    }

    /// 1/w at a pixel of the finished picture, 0 where nothing is or outside.
    pub(crate) fn depth_at(&self, x: isize, y: isize) -> f32 {
        let middle = |pixel: isize| pixel * self.scale as isize + self.scale as isize / 2;
        let (x, y) = (middle(x), middle(y));
        if x < 0 || y < 0 || x as usize >= self.width || y as usize >= self.height {
            return 0.0;
        }
        self.depth[self.index(x as usize, y as usize)]
    }

    /// Position of a tile's first pixel.
    /// A tile and its neighbors.
    pub(crate) fn tiles_around(&self, tile: usize) -> impl Iterator<Item = usize> + use<> {
        let (columns, rows) = (self.columns, self.tiles.len() / self.columns);
        let around = |at: usize, count: usize| at.saturating_sub(1)..(at + 2).min(count);
        let beside = around(tile % columns, columns);
        around(tile / columns, rows)
            .flat_map(move |row| beside.clone().map(move |column| row * columns + column))
    }

    pub(crate) fn tile_origin(&self, tile: usize) -> (usize, usize) {
        (tile % self.columns * TILE, tile / self.columns * TILE)
    }
}

/// Interpolated unit normal of a triangle along a ray, turned toward the eye if the ray meets its back.
#[inline]
pub(crate) fn normal_at(mesh: &Mesh, lens: &Lens, triangle: u32, ray: Vec3A) -> Vec3A {
    let corners = mesh.corners(triangle);
    let hit = TriangleHit::new(lens.eye, corners.map(|corner| corner.position()));
    let [a, b, c] = hit.weights(ray);
    let normal = corners[0].normal() * a + corners[1].normal() * b + corners[2].normal() * c;
    facing(normal.normalize_or(hit.normal.normalize_or(Vec3A::Y)), hit.normal, ray)
}

/// Turns a shading normal to the side of the surface that the ray meets.
#[inline]
pub(crate) fn facing(normal: Vec3A, geometric: Vec3A, ray: Vec3A) -> Vec3A {
    if geometric.dot(ray) > 0.0 { -normal } else { normal }
}
