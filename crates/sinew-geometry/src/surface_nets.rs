//! Triangles from an implicit surface: naive surface nets.
//!
//! After \[Gibson98\]: one vertex for every grid cell that the surface crosses, at the mean of the crossings on the cell's edges;
//! one quad for every grid edge that it crosses.
//!
//! Departures: no relaxation pass; the mean of exact linear crossings is smooth enough for signed distance functions. Where the
//! surface passes a cell twice, one vertex cannot follow it, and triangles would meet four at an edge: there single corners just
//! inside are moved out first.
//! Limits: sharp edges are rounded by about a cell, and sheets closer than a cell grow together.

use crate::TriangleMesh;
use glam::{UVec3, Vec3};

/// Sampling grid of an implicit surface: `cells` cubes of `cell_size` from `origin` along each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// The corner with the smallest coordinates, m.
    pub origin: Vec3,
    /// Edge of a cell, m.
    pub cell_size: f32,
    /// Cells along each axis.
    pub cells: UVec3,
}

impl Grid {
    /// The grid of `cell_size` that covers `min` to `max`, with one cell of margin to close the surface inside it.
    pub fn covering(min: Vec3, max: Vec3, cell_size: f32) -> Self {
        let cells = ((max - min) / cell_size).ceil().as_uvec3() + UVec3::splat(2);
        Self { origin: min - Vec3::splat(cell_size), cell_size, cells }
    }

    fn corner(&self, index: UVec3) -> Vec3 {
        self.origin + index.as_vec3() * self.cell_size
    }
}

/// The surface where `distance` is zero, counter-clockwise as seen from the positive side, and closed: two triangles at every
/// edge, and one ring of them around every vertex. Triangles come in pairs,
/// `[a, b, c]` and `[a, c, d]`, the two halves of a quad.
///
/// # Accuracy
/// Vertices lie within half a cell of the surface; second order where `distance` is smooth.
pub fn surface_nets(grid: &Grid, distance: impl Fn(Vec3) -> f32) -> TriangleMesh {
    let corners = grid.cells + UVec3::ONE;
    let corner_index = |c: UVec3| ((c.z * corners.y + c.y) * corners.x + c.x) as usize;
    let mut values: Vec<f32> = indices(corners).map(|corner| distance(grid.corner(corner))).collect();

    settle_double_crossings(grid.cells, &mut values, corner_index);

    let cell_index = |c: UVec3| ((c.z * grid.cells.y + c.y) * grid.cells.x + c.x) as usize;
    let mut vertex_of_cell = vec![u32::MAX; grid.cells.element_product() as usize];
    let mut mesh = TriangleMesh::default();
    for cell in indices(grid.cells) {
        let cell_values: [f32; 8] =
            std::array::from_fn(|corner| values[corner_index(cell + corner_offset(corner))]);
        if let Some(offset) = mean_crossing(&cell_values) {
            vertex_of_cell[cell_index(cell)] = mesh.positions.len() as u32;
            mesh.positions.push(grid.corner(cell) + offset * grid.cell_size);
        }
    }
    for cell in indices(grid.cells) {
        for axis in 0..3 {
            let (u, v) = (UVec3::AXES[(axis + 1) % 3], UVec3::AXES[(axis + 2) % 3]);
            // The grid edge from this cell's lowest corner along `axis` is shared by four cells; skip it at the border.
            if cell.dot(u) == 0 || cell.dot(v) == 0 {
                continue;
            }
            let (here, there) = (values[corner_index(cell)], values[corner_index(cell + UVec3::AXES[axis])]);
            if (here < 0.0) == (there < 0.0) {
                continue;
            }
            let around = [cell - u - v, cell - v, cell, cell - u].map(|c| vertex_of_cell[cell_index(c)]);
            let [a, b, c, d] = if here < 0.0 { around } else { [around[3], around[2], around[1], around[0]] };
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh
}

/// Moves single corners out of the surface until it crosses no cell twice. Corners only ever move out, so that this ends, and
/// that a surface which closes inside the grid still does.
fn settle_double_crossings(cells: UVec3, values: &mut [f32], corner_index: impl Fn(UVec3) -> usize) {
    let mut is_settled = false;
    while !is_settled {
        is_settled = true;
        for cell in indices(cells) {
            let places: [usize; 8] = std::array::from_fn(|corner| corner_index(cell + corner_offset(corner)));
            let signs =
                (0..8).fold(0u8, |signs, corner| signs | u8::from(values[places[corner]] < 0.0) << corner);
            let candidates = double_crossing(signs).unwrap_or_default().iter().map(|&corner| places[corner]);
            let shallowest = candidates
                .filter(|&place| values[place] < 0.0)
                .max_by(|&a, &b| values[a].total_cmp(&values[b]));
            if let Some(place) = shallowest {
                values[place] = -values[place];
                is_settled = false;
            }
        }
    }
}

/// Corners of which one must move if the surface crosses a cell twice: those of a face whose signs alternate, or all where two
/// opposite corners stand alone. `signs`: a bit for each corner, set inside.
fn double_crossing(signs: u8) -> Option<&'static [usize]> {
    const FACES: [[usize; 4]; 6] =
        [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
    const ALL: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
    const OPPOSITE: [u8; 4] = [1 << 0 | 1 << 7, 1 << 1 | 1 << 6, 1 << 2 | 1 << 5, 1 << 3 | 1 << 4];
    if signs == 0 || signs == u8::MAX {
        return None;
    }
    let alternates = |face: &&[usize; 4]| {
        let [a, b, c, d] = face.map(|corner| signs >> corner & 1);
        a == c && b == d && a != b
    };
    if let Some(face) = FACES.iter().find(alternates) {
        return Some(face);
    }
    OPPOSITE.iter().any(|&pair| signs == pair || signs == !pair).then_some(&ALL)
}

fn indices(size: UVec3) -> impl Iterator<Item = UVec3> {
    (0..size.z)
        .flat_map(move |z| (0..size.y).flat_map(move |y| (0..size.x).map(move |x| UVec3::new(x, y, z))))
}

fn corner_offset(corner: usize) -> UVec3 {
    UVec3::new(corner as u32 & 1, corner as u32 >> 1 & 1, corner as u32 >> 2 & 1)
}

/// The mean of the surface's crossings with the cell's twelve edges, in units of the cell; `None` where it crosses none.
fn mean_crossing(values: &[f32; 8]) -> Option<Vec3> {
    let mut sum = Vec3::ZERO;
    let mut count = 0u32;
    for corner in 0..8usize {
        for axis in 0..3 {
            let other = corner | 1 << axis;
            if other == corner || (values[corner] < 0.0) == (values[other] < 0.0) {
                continue;
            }
            let along = values[corner] / (values[corner] - values[other]);
            sum += corner_offset(corner).as_vec3() + Vec3::AXES[axis] * along;
            count += 1;
        }
    }
    (count > 0).then(|| sum / count as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn a_sphere_comes_out_closed_round_and_outside_out() {
        let grid = Grid::covering(Vec3::splat(-1.0), Vec3::splat(1.0), 0.05);
        let mesh = surface_nets(&grid, |point| point.length() - 1.0);
        for position in &mesh.positions {
            assert!((position.length() - 1.0).abs() < 0.5 * grid.cell_size, "{position}");
        }
        let expected = 4.0 / 3.0 * std::f64::consts::PI;
        // The mean of crossings on a convex surface lies inside by about h²/8 of curvature.
        assert!((mesh.volume() / expected - 1.0).abs() < 5e-3, "{}", mesh.volume());
        assert_closed(&mesh);
    }

    #[track_caller]
    fn assert_closed(mesh: &TriangleMesh) {
        let mut half_edges: HashMap<(u32, u32), i32> = HashMap::new();
        for t in &mesh.triangles {
            for edge in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                *half_edges.entry(edge).or_default() += 1;
            }
        }
        assert!(
            half_edges.iter().all(|(&(a, b), &n)| n == 1 && half_edges.get(&(b, a)) == Some(&1)),
            "closed and oriented"
        );
        // Around each vertex: from each neighbor the next, by the triangle between them.
        let mut next: Vec<HashMap<u32, u32>> = vec![HashMap::new(); mesh.positions.len()];
        for &[a, b, c] in &mesh.triangles {
            for [at, from, to] in [[a, b, c], [b, c, a], [c, a, b]] {
                next[at as usize].insert(from, to);
            }
        }
        for (vertex, next) in next.iter().enumerate() {
            let first = *next.keys().next().expect("every vertex has triangles");
            let ring = std::iter::successors(Some(next[&first]), |at| (*at != first).then(|| next[at]));
            assert_eq!(ring.count(), next.len(), "one ring around vertex {vertex}");
        }
    }

    #[test]
    fn noise_comes_out_with_two_triangles_at_every_edge() {
        // A field without any smoothness, from a small multiplicative hash of the corner, positive at the border.
        let grid = Grid::covering(Vec3::ZERO, Vec3::splat(12.0), 1.0);
        let mesh = surface_nets(&grid, |point| {
            if point.min_element() < 0.5 || point.max_element() > 11.5 {
                return 1.0;
            }
            let corner = point.as_uvec3();
            let hash = (corner.x + 31 * corner.y + 961 * corner.z).wrapping_mul(2_654_435_761);
            (hash >> 16) as f32 / 32_768.0 - 1.0
        });
        assert!(mesh.triangles.len() > 1000, "{}", mesh.triangles.len());
        assert_closed(&mesh);
    }

    #[test]
    fn an_empty_field_gives_an_empty_mesh() {
        let grid = Grid::covering(Vec3::ZERO, Vec3::ONE, 0.25);
        assert_eq!(surface_nets(&grid, |_| 1.0), TriangleMesh::default());
    }
}
