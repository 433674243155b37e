//! Surfaces of tiles in two colours.
//!
//! Colours belong to vertices and blend along edges. Rows of vertices close to both sides of each border between tiles keep it sharp,
//! whatever the size of the tiles.

use super::parts::color;
use glam::{Vec3, Vec4};
use sinew_geometry::TriangleMesh;
use std::collections::BTreeMap;

/// Half of the width in which one tile's colour becomes the next's, as a share of a tile.
const BORDER: f32 = 0.03;

/// Places from 0 to `tiles` at which rows of vertices lie: near both sides of every border, and `inner` between.
pub(super) fn rows(tiles: usize, inner: usize) -> Vec<f32> {
    let mut rows = vec![0.0];
    for tile in 0..tiles {
        let from = tile as f32 + if tile == 0 { 0.0 } else { BORDER };
        let to = (tile + 1) as f32 - if tile + 1 == tiles { 0.0 } else { BORDER };
        if tile > 0 {
            rows.push(from);
        }
        rows.extend((1..=inner).map(|at| from + (to - from) * at as f32 / (inner + 1) as f32));
        rows.push(to);
    }
    rows
}

/// Adds places to rows and puts all in order.
pub(super) fn with_rows(mut rows: Vec<f32>, more: &[f32]) -> Vec<f32> {
    rows.extend_from_slice(more);
    rows.sort_by(f32::total_cmp);
    rows.dedup_by(|a, b| (*a - *b).abs() < 1e-4);
    rows
}

/// A surface put together from grids, whose vertices at the same place with the same color are one.
#[derive(Default)]
pub(super) struct TiledSurface {
    pub(super) mesh: TriangleMesh,
    pub(super) shades: Vec<u8>,
    known: BTreeMap<([i32; 3], u8), u32>,
}

impl TiledSurface {
    /// The mesh, and the colors of its vertices by their shades.
    pub(super) fn colored(self, colors: &[[u8; 3]]) -> (TriangleMesh, Vec<Vec4>) {
        (self.mesh, self.shades.iter().map(|&shade| color(colors[usize::from(shade)])).collect())
    }

    /// Adds a grid: the point and shade at each pair of rows, with the outside to the left of u × v.
    pub(super) fn add_grid(&mut self, u: &[f32], v: &[f32], at: impl Fn(f32, f32) -> (Vec3, u8)) {
        let ids: Vec<Vec<u32>> = u
            .iter()
            .map(|&u| v.iter().map(|&v| at(u, v)).map(|(point, shade)| self.vertex(point, shade)).collect())
            .collect();
        for (here, next) in ids.iter().zip(&ids[1..]) {
            for at in 0..v.len() - 1 {
                let [a, b, c, d] = [here[at], next[at], next[at + 1], here[at + 1]];
                let halves = [[a, b, c], [a, c, d]];
                let is_area = |t: &[u32; 3]| t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
                self.mesh.triangles.extend(halves.into_iter().filter(is_area));
            }
        }
    }

    fn vertex(&mut self, point: Vec3, shade: u8) -> u32 {
        let key = ((point * 1e5).round().as_ivec3().to_array(), shade);
        *self.known.entry(key).or_insert_with(|| {
            self.mesh.positions.push(point);
            self.shades.push(shade);
            self.mesh.positions.len() as u32 - 1
        })
    }
}

/// 0 or 1 like a chessboard.
pub(super) fn chess(u: f32, v: f32, tiles: (usize, usize)) -> u8 {
    let tile = |at: f32, count: usize| (at as usize).min(count - 1);
    ((tile(u, tiles.0) + tile(v, tiles.1)) % 2) as u8
}

/// A box round the origin with edges rounded by a radius, tiled like a chessboard whose tiles meet at the edges.
pub(super) fn rounded_box(half: Vec3, radius: f32, tile_m: f32) -> TiledSurface {
    let mut surface = TiledSurface::default();
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    for axis in 0..3 {
        for side in [1.0, -1.0] {
            let out = axes[axis] * side;
            // Swapped on the other side, so that u × v points out.
            let (u_axis, v_axis) =
                if side > 0.0 { ((axis + 1) % 3, (axis + 2) % 3) } else { ((axis + 2) % 3, (axis + 1) % 3) };
            let count = |axis: usize| (2.0 * half[axis] / tile_m).round().max(1.0) as usize;
            let tiles = (count(u_axis), count(v_axis));
            let rows_along = |axis: usize| {
                let (tiles, length) = (count(axis), 2.0 * half[axis]);
                // Every 15° of the rounded edge.
                let edge = [0.268, 0.577].map(|tan: f32| radius * (1.0 - tan));
                let more: Vec<f32> =
                    edge.iter().flat_map(|&at| [at, length - at]).chain([radius, length - radius]).collect();
                let scaled: Vec<f32> = more.iter().map(|at| at * tiles as f32 / length).collect();
                with_rows(rows(tiles, 2), &scaled)
            };
            surface.add_grid(&rows_along(u_axis), &rows_along(v_axis), |u, v| {
                let share = |at: f32, count: usize| 2.0 * at / count as f32 - 1.0;
                let flat = out * half[axis]
                    + axes[u_axis] * (share(u, tiles.0) * half[u_axis])
                    + axes[v_axis] * (share(v, tiles.1) * half[v_axis]);
                let inner = flat.clamp(-(half - radius), half - radius);
                let round = inner + (flat - inner).normalize_or_zero() * radius;
                // So that tiles alternate across edges too, whatever the axis.
                let tile_of = |at: f32, count: usize| (at as usize).min(count - 1);
                let shade = (tile_of(u, tiles.0) + tile_of(v, tiles.1) + usize::from(side < 0.0)) % 2;
                (round, shade as u8)
            });
        }
    }
    surface
}
