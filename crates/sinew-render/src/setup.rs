//! From triangles to screen: projection, clipping, and sorting into tiles.

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use crate::camera::{Lens, NEAR};
use crate::mesh::{Coverage, Mesh, is_near_enough};
use crate::rounding::floor_i32;

/// Side of a tile in pixels. Smaller tiles fit the first cache level better but are visited by more triangles.
pub(crate) const TILE: usize = 32;

/// Fixed-point steps in a pixel.
pub(crate) const SUBPIXELS: i32 = 256;

/// A triangle on the screen, turned so that its area is positive with y down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScreenTriangle {
    /// Corners in 1/256 pixel.
    pub(crate) x: [i32; 3],
    pub(crate) y: [i32; 3],
    /// 1/w at the corners; linear on the screen, greater is nearer.
    pub(crate) inverse_depth: [f32; 3],
    /// Index in the mesh.
    pub(crate) triangle: u32,
}

/// The pass in which a triangle is drawn within a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    /// Nearest wins; includes the solid part of blended surfaces.
    Front = 0,
    /// As `Front`, for the backs of double-sided surfaces. Mostly hidden, so they come after the fronts.
    Back = 1,
    /// Backs of single-sided surfaces, drawn only where nothing else is.
    HoleFill = 2,
    /// Translucent fragments.
    Blend = 3,
}

const PASS_COUNT: usize = 4;

/// Screen triangles and, for each tile and pass, which of them touch it.
#[derive(Debug, Default)]
pub(crate) struct Bins {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    chunks: Vec<Chunk>,
    /// Start of each (tile, pass) list in `entries`, with one more at the end.
    starts: Vec<u32>,
    entries: Vec<Entry>,
    /// Corners of the mesh in camera space, one per vertex.
    camera_positions: Vec<Vec3>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    chunk: u32,
    index: u32,
}

/// Output of one run of mesh triangles; separate so that threads do not meet, merged in order.
#[derive(Debug, Default)]
struct Chunk {
    triangles: Vec<ScreenTriangle>,
    touched: Vec<Touched>,
}

/// The passes and the tiles of one screen triangle: columns and rows, inclusive.
#[derive(Clone, Copy, Debug)]
struct Touched {
    passes: u8,
    columns: [u16; 2],
    rows: [u16; 2],
}

/// Mesh triangles in a chunk.
const CHUNK: usize = 2048;

/// Coordinates beyond this many pixels are clipped, so that edge functions stay exact in 64 bits.
const GUARD_PX: f32 = 32_768.0;

impl Bins {
    /// Projects the mesh and sorts its triangles into tiles.
    pub(crate) fn fill(&mut self, mesh: &Mesh, lens: &Lens, width: usize, height: usize) {
        self.columns = width.div_ceil(TILE);
        self.rows = height.div_ceil(TILE);
        self.camera_positions.clear();
        self.camera_positions
            .par_extend(mesh.vertices.par_iter().map(|vertex| lens.camera_from_view(vertex.position())));
        let chunk_count = mesh.triangles.len().div_ceil(CHUNK);
        self.chunks.resize_with(chunk_count.max(self.chunks.len()), Chunk::default);
        let camera_positions = &self.camera_positions;
        self.chunks.par_iter_mut().enumerate().for_each(|(index, chunk)| {
            chunk.triangles.clear();
            chunk.touched.clear();
            let first = (index * CHUNK).min(mesh.triangles.len());
            let end = (first + CHUNK).min(mesh.triangles.len());
            for triangle in first as u32..end as u32 {
                chunk.push(mesh, lens, camera_positions, triangle);
            }
        });
        self.sort();
    }

    /// The triangles that touch a tile in one pass, in mesh order.
    pub(crate) fn tile(&self, tile: usize, pass: Pass) -> impl Iterator<Item = &ScreenTriangle> {
        let list = tile * PASS_COUNT + pass as usize;
        let range = self.starts[list] as usize..self.starts[list + 1] as usize;
        self.entries[range]
            .iter()
            .map(|entry| &self.chunks[entry.chunk as usize].triangles[entry.index as usize])
    }

    /// Whether no triangle touches a tile.
    pub(crate) fn is_empty(&self, tile: usize) -> bool {
        self.starts[tile * PASS_COUNT] == self.starts[(tile + 1) * PASS_COUNT]
    }

    /// A counting sort. It runs on one thread because it is a small part of a frame and fixes the order.
    fn sort(&mut self) {
        self.starts.clear();
        self.starts.resize(self.columns * self.rows * PASS_COUNT + 1, 0);
        let (columns, chunks) = (self.columns, &self.chunks);
        let starts = &mut self.starts;
        visit(chunks, columns, |list, _| starts[list + 1] += 1);
        for list in 1..starts.len() {
            starts[list] += starts[list - 1];
        }
        let total = starts.last().copied().unwrap_or_default() as usize;
        let entries = &mut self.entries;
        entries.resize(total, Entry::default());
        let mut next = starts.clone();
        visit(chunks, columns, |list, entry| {
            entries[next[list] as usize] = entry;
            next[list] += 1;
        });
    }
}

/// Calls `act` with each (tile, pass) list and triangle, in mesh order.
#[inline(always)]
fn visit(chunks: &[Chunk], columns: usize, mut act: impl FnMut(usize, Entry)) {
    for (chunk, content) in (0..).zip(chunks) {
        for (index, touched) in (0..).zip(&content.touched) {
            for row in touched.rows[0]..=touched.rows[1] {
                for column in touched.columns[0]..=touched.columns[1] {
                    let tile = usize::from(row) * columns + usize::from(column);
                    for pass in (0..PASS_COUNT).filter(|pass| touched.passes & (1 << pass) != 0) {
                        act(tile * PASS_COUNT + pass, Entry { chunk, index });
                    }
                }
            }
        }
    }
}

impl ScreenTriangle {
    /// Left, top, right and bottom pixel touched inside the picture; none if it is outside.
    pub(crate) fn pixel_box(&self, width: usize, height: usize) -> Option<[usize; 4]> {
        let span = |values: &[i32; 3], limit: usize| {
            let low = values.iter().min()?.div_euclid(SUBPIXELS).max(0);
            let high = values.iter().max()?.div_euclid(SUBPIXELS).min(limit as i32 - 1);
            (low <= high).then_some((low as usize, high as usize))
        };
        let (left, right) = span(&self.x, width)?;
        let (top, bottom) = span(&self.y, height)?;
        Some([left, top, right, bottom])
    }
}

impl Chunk {
    fn push(&mut self, mesh: &Mesh, lens: &Lens, camera_positions: &[Vec3], triangle: u32) {
        let indices = mesh.triangles[triangle as usize];
        let corners = indices.map(|index| camera_positions[index as usize]);
        if corners.iter().all(|corner| corner.z < NEAR)
            || !indices.iter().all(|&index| is_near_enough(mesh.vertices[index as usize].position()))
        {
            return;
        }
        // The sign of the volume spanned by the eye and the triangle tells the side even before clipping. Camera space
        // has depth forward and is left-handed, so the sign is the reverse of the scene's.
        let is_back = (corners[1] - corners[0]).cross(corners[2] - corners[0]).dot(corners[0]) < 0.0;
        let draw = mesh.draw(triangle);
        let solid = match (is_back, draw.double_sided) {
            (false, _) => Pass::Front,
            (true, true) => Pass::Back,
            (true, false) => Pass::HoleFill,
        };
        let passes = match draw.coverage {
            Coverage::Full | Coverage::Masked => 1 << solid as u8,
            Coverage::Blended if solid == Pass::HoleFill => return,
            Coverage::Blended => 1 << solid as u8 | 1 << Pass::Blend as u8,
        };
        let reach = lens.center_px.abs() + GUARD_PX;
        let limits = reach / lens.focal_px;
        let needs_clip = corners.iter().any(|corner| {
            corner.z < NEAR || corner.x.abs() > limits.x * corner.z || corner.y.abs() > limits.y * corner.z
        });
        if !needs_clip {
            self.push_projected(lens, &corners, triangle, passes);
            return;
        }
        let polygon = clip(&corners, limits);
        for last in 2..polygon.len() {
            self.push_projected(lens, &[polygon[0], polygon[last - 1], polygon[last]], triangle, passes);
        }
    }

    fn push_projected(&mut self, lens: &Lens, corners: &[Vec3; 3], triangle: u32, passes: u8) {
        let mut screen = ScreenTriangle { x: [0; 3], y: [0; 3], inverse_depth: [0.0; 3], triangle };
        for (i, corner) in corners.iter().enumerate() {
            let inverse = 1.0 / corner.z;
            let x = lens.center_px.x + corner.x * inverse * lens.focal_px;
            let y = lens.center_px.y - corner.y * inverse * lens.focal_px;
            screen.x[i] = floor_i32(x * SUBPIXELS as f32 + 0.5);
            screen.y[i] = floor_i32(y * SUBPIXELS as f32 + 0.5);
            screen.inverse_depth[i] = inverse;
        }
        let area = area(&screen);
        if area == 0 {
            return;
        }
        if area < 0 {
            screen.x.swap(1, 2);
            screen.y.swap(1, 2);
            screen.inverse_depth.swap(1, 2);
        }
        let size = (lens.center_px * 2.0).as_uvec2();
        let Some([left, top, right, bottom]) = screen.pixel_box(size.x as usize, size.y as usize) else {
            return;
        };
        let tile = |pixel: usize| (pixel / TILE) as u16;
        let touched = Touched { passes, columns: [tile(left), tile(right)], rows: [tile(top), tile(bottom)] };
        self.triangles.push(screen);
        self.touched.push(touched);
    }
}

/// Twice the area in squared subpixels, exact.
pub(crate) fn area(screen: &ScreenTriangle) -> i64 {
    let [x0, x1, x2] = screen.x.map(i64::from);
    let [y0, y1, y2] = screen.y.map(i64::from);
    (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
}

/// Cuts a triangle to the space in front of the near plane and inside the guard band (Sutherland–Hodgman).
fn clip(corners: &[Vec3; 3], limits: Vec2) -> Vec<Vec3> {
    let planes: [fn(Vec3, Vec2) -> f32; 5] = [
        |p, _| p.z - NEAR,
        |p, limits| limits.x * p.z - p.x,
        |p, limits| limits.x * p.z + p.x,
        |p, limits| limits.y * p.z - p.y,
        |p, limits| limits.y * p.z + p.y,
    ];
    let mut polygon = corners.to_vec();
    for plane in planes {
        let mut kept = Vec::with_capacity(polygon.len() + 1);
        for (i, &here) in polygon.iter().enumerate() {
            let before = polygon[(i + polygon.len() - 1) % polygon.len()];
            let (d_here, d_before) = (plane(here, limits), plane(before, limits));
            if (d_here >= 0.0) != (d_before >= 0.0) {
                // From the inside point, so that both triangles of a shared edge cut it at the same place.
                let (inside, outside, d_in, d_out) = if d_here >= 0.0 {
                    (here, before, d_here, d_before)
                } else {
                    (before, here, d_before, d_here)
                };
                kept.push(inside + (outside - inside) * (d_in / (d_in - d_out)));
            }
            if d_here >= 0.0 {
                kept.push(here);
            }
        }
        polygon = kept;
        if polygon.len() < 3 {
            return Vec::new();
        }
    }
    // Rounding can leave a cut corner a hair in front of the near plane; hold it there.
    for corner in &mut polygon {
        corner.z = corner.z.max(NEAR * 0.5);
    }
    polygon
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_triangle_through_the_near_plane_becomes_a_quad() {
        let corners = [Vec3::new(0.0, 0.0, -1.0), Vec3::new(1.0, 0.0, 1.0), Vec3::new(-1.0, 0.0, 1.0)];
        let polygon = clip(&corners, Vec2::splat(1e6));
        assert_eq!(polygon.len(), 4);
        assert!(polygon.iter().all(|corner| corner.z >= NEAR * 0.5), "{polygon:?}");
        assert!(clip(&corners.map(|corner| corner - Vec3::Z * 3.0), Vec2::ONE).is_empty());
    }

    #[test]
    fn pixel_box_is_cut_to_the_picture() {
        let screen =
            ScreenTriangle { x: [-500, 700, 300], y: [256, 511, 300], inverse_depth: [1.0; 3], triangle: 0 };
        assert_eq!(screen.pixel_box(2, 9), Some([0, 1, 1, 1]));
        assert_eq!(screen.pixel_box(2, 1), None);
    }
}
