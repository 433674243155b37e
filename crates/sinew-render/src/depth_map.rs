//! Depth maps along a direction: the least height of any surface over each texel.
//!
//! The key light's shadow map and the floor's two occluder maps are all of this kind.

use std::ops::Range;

use glam::{Vec2, Vec3, Vec4};
use rayon::prelude::*;

use crate::mesh::{Coverage, Mesh, is_near_enough};
use crate::rounding::{ceil_i32, floor_i32};
use crate::scene::Scene;

/// A square map of least heights; infinite where nothing is.
#[derive(Debug, Default)]
pub(crate) struct DepthMap {
    pub(crate) side: usize,
    pub(crate) heights: Vec<f32>,
    /// Map position (in texels) and height of each mesh vertex.
    projected: Vec<Vec3>,
    /// Rows touched by each triangle, empty ranges for those left out.
    rows: Vec<[u16; 2]>,
}

/// Rows given to one task.
const BAND: usize = 64;

impl DepthMap {
    /// Draws all shadow-casting triangles. `project` gives the map position in texels and the height of a point.
    pub(crate) fn fill(
        &mut self,
        side: usize,
        scene: &Scene,
        mesh: &Mesh,
        project: impl Fn(Vec3) -> Vec3 + Sync,
    ) {
        self.side = side;
        self.heights.clear();
        self.heights.resize(side * side, f32::INFINITY);
        self.projected.clear();
        // Corners that cannot be drawn are marked by a place that is not a number.
        self.projected.par_extend(mesh.vertices.par_iter().map(|vertex| {
            let position = vertex.position();
            if is_near_enough(position) { project(position.into()) } else { Vec3::NAN }
        }));
        let projected = &self.projected;
        self.rows.clear();
        self.rows.par_extend(
            mesh.triangles
                .par_iter()
                .enumerate()
                .map(|(triangle, corners)| row_range(mesh, projected, triangle as u32, corners, side)),
        );
        let rows = &self.rows;
        self.heights.par_chunks_mut(side * BAND).enumerate().for_each(|(band, heights)| {
            let (first, end) = (band * BAND, band * BAND + heights.len() / side);
            for (triangle, span) in (0..).zip(rows) {
                if usize::from(span[0]) >= end || usize::from(span[1]) <= first {
                    continue;
                }
                let corners = mesh.triangles[triangle as usize].map(|corner| projected[corner as usize]);
                let Some(plane) = TexelPlane::new(&corners) else { continue };
                let window = plane.window(side, first..end);
                if mesh.draw(triangle).coverage == Coverage::Full {
                    plane.lower(window, first, side, heights);
                    continue;
                }
                plane.visit(window, |row, column, weights, height| {
                    let stored = &mut heights[(row - first) * side + column];
                    if height < *stored && casts_at(scene, mesh, triangle, weights) {
                        *stored = height;
                    }
                });
            }
        });
    }

    /// Height at a texel, infinite outside the map.
    pub(crate) fn height(&self, column: isize, row: isize) -> f32 {
        let side = self.side as isize;
        if (0..side).contains(&column) && (0..side).contains(&row) {
            self.heights[(row * side + column) as usize]
        } else {
            f32::INFINITY
        }
    }
}

/// Whether a see-through surface stops light at a point.
pub(crate) fn casts_at(scene: &Scene, mesh: &Mesh, triangle: u32, weights: [f32; 3]) -> bool {
    let cutoff = mesh.draw(triangle).alpha_cutoff.min(0.5);
    mesh.alpha_at(scene, triangle, weights, 1.0) >= cutoff
}

fn row_range(mesh: &Mesh, projected: &[Vec3], triangle: u32, corners: &[u32; 3], side: usize) -> [u16; 2] {
    let [a, b, c] = corners.map(|corner| projected[corner as usize].y);
    if !mesh.draw(triangle).casts_shadow || (a + b + c).is_nan() {
        return [u16::MAX, 0];
    }
    let low = a.min(b).min(c).clamp(0.0, side as f32);
    let high = (a.max(b).max(c) + 1.0).clamp(0.0, side as f32);
    [low as u16, high as u16]
}

/// A triangle over the map: corner weights as functions of a texel's middle.
struct TexelPlane {
    first: Vec2,
    low: Vec2,
    high: Vec2,
    /// Weights of b and c are planes: (p − a)×(c − a) and (b − a)×(p − a) over the area.
    to_b: Vec2,
    to_c: Vec2,
    heights: [f32; 3],
}

/// Columns and rows of a triangle's box.
type Window = (Range<usize>, Range<usize>);

impl TexelPlane {
    /// None for a triangle without area.
    fn new(corners: &[Vec3; 3]) -> Option<Self> {
        let [a, b, c] = corners.map(|corner| Vec2::new(corner.x, corner.y));
        let area = (b - a).perp_dot(c - a);
        if area == 0.0 || !area.is_finite() {
            return None;
        }
        let inverse = 1.0 / area;
        Some(Self {
            first: a,
            low: a.min(b).min(c),
            high: a.max(b).max(c),
            to_b: (b - a) * inverse,
            to_c: (c - a) * inverse,
            heights: corners.map(|corner| corner.z),
        })
    }

    /// Texels whose middle can be inside, cut to the map and to some rows.
    fn window(&self, side: usize, rows: Range<usize>) -> Window {
        let span = |low: f32, high: f32, range: Range<usize>| {
            let first = ceil_i32(low - 0.5).clamp(range.start as i32, range.end as i32);
            let end = floor_i32(high + 0.5).clamp(range.start as i32, range.end as i32);
            first as usize..end as usize
        };
        (span(self.low.x, self.high.x, 0..side), span(self.low.y, self.high.y, rows))
    }

    /// Calls `act(row, column, weights, height)` for each texel whose middle is inside.
    fn visit(&self, (columns, rows): Window, mut act: impl FnMut(usize, usize, [f32; 3], f32)) {
        for row in rows {
            let down = row as f32 + 0.5 - self.first.y;
            for column in columns.clone() {
                let across = column as f32 + 0.5 - self.first.x;
                let wb = across * self.to_c.y - down * self.to_c.x;
                let wc = down * self.to_b.x - across * self.to_b.y;
                let wa = 1.0 - wb - wc;
                if wa >= 0.0 && wb >= 0.0 && wc >= 0.0 {
                    let [a, b, c] = self.heights;
                    act(row, column, [wa, wb, wc], wa * a + wb * b + wc * c);
                }
            }
        }
    }

    /// Lowers the stored heights of all texels inside; four at a time, with [`TexelPlane::visit`] as the plain twin.
    fn lower(&self, (columns, rows): Window, first_row: usize, side: usize, heights: &mut [f32]) {
        const STEPS: Vec4 = Vec4::new(0.5, 1.5, 2.5, 3.5);
        let [a, b, c] = self.heights.map(Vec4::splat);
        for row in rows {
            let down = row as f32 + 0.5 - self.first.y;
            let line = &mut heights[(row - first_row) * side..][..side];
            for (group, texels) in (columns.start..).step_by(4).zip(line[columns.clone()].chunks_mut(4)) {
                let across = Vec4::splat(group as f32 - self.first.x) + STEPS;
                let wb = across * self.to_c.y - Vec4::splat(down * self.to_c.x);
                let wc = Vec4::splat(down * self.to_b.x) - across * self.to_b.y;
                let wa = Vec4::ONE - wb - wc;
                let inside = wa.min(wb).min(wc).cmpge(Vec4::ZERO);
                if !inside.any() {
                    continue;
                }
                let height = wa * a + wb * b + wc * c;
                let height = Vec4::select(inside, height, Vec4::INFINITY).to_array();
                for (stored, height) in texels.iter_mut().zip(height) {
                    *stored = if height < *stored { height } else { *stored };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_square_fills_half_the_texels() {
        let corners = [Vec3::new(0.0, 0.0, 0.0), Vec3::new(8.0, 0.0, 8.0), Vec3::new(0.0, 8.0, 0.0)];
        let plane = TexelPlane::new(&corners).unwrap();
        let mut count = 0;
        plane.visit(plane.window(8, 0..8), |row, column, _, height| {
            assert!(column + row < 8, "outside at {column}, {row}");
            assert!((height - (column as f32 + 0.5)).abs() < 1e-5, "height is x, found {height}");
            count += 1;
        });
        assert_eq!(count, 36);
    }

    #[test]
    fn rows_and_columns_are_cut_to_the_map() {
        let corners =
            [Vec3::new(-50.0, -50.0, 0.0), Vec3::new(90.0, -50.0, 0.0), Vec3::new(-50.0, 90.0, 0.0)];
        let plane = TexelPlane::new(&corners).unwrap();
        let mut count = 0;
        plane.visit(plane.window(8, 2..4), |_, _, _, _| count += 1);
        assert_eq!(count, 16);
    }

    #[test]
    fn four_at_a_time_equals_one_at_a_time() {
        let corners = [Vec3::new(1.2, 0.3, 3.0), Vec3::new(17.9, 6.1, 1.0), Vec3::new(5.4, 19.7, 2.0)];
        for order in [[0, 1, 2], [2, 1, 0]] {
            let plane = TexelPlane::new(&order.map(|i| corners[i])).unwrap();
            let (mut fast, mut plain) = (vec![1.8; 20 * 20], vec![1.8; 20 * 20]);
            plane.lower(plane.window(20, 0..20), 0, 20, &mut fast);
            plane.visit(plane.window(20, 0..20), |row, column, _, height| {
                let stored = &mut plain[row * 20 + column];
                *stored = height.min(*stored);
            });
            assert_eq!(fast, plain);
            assert!(fast.iter().any(|height| *height < 1.8), "some texels are lowered");
        }
    }
}
