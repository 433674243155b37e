//! Tetrahedra of the lattice that a surface passes, triangle by triangle.
//!
//! Each triangle is followed from the tetrahedron of its first corner across the faces that it touches, and clipped to each
//! on the way, so that the work grows with what is passed, not with the box around it.

use super::lattice::{Lattice, LatticeTet};
use super::surface::Surface;
use glam::DVec3;
use std::collections::HashSet;

/// The part of a triangle in a tetrahedron of the lattice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) tet: u64,
    pub(super) triangle: u32,
    /// A bit for each face that it reaches.
    pub(super) touches: u8,
    /// Mean of its corners, in units of the lattice.
    pub(super) center: DVec3,
}

/// All of a surface.
pub(super) struct Pieces {
    /// By tetrahedron, then by triangle.
    pub(super) list: Vec<Piece>,
    /// Tetrahedron and triangle that hold each vertex; none for one that no triangle has.
    pub(super) homes: Vec<Option<(u64, u32)>>,
}

/// How far outside a tetrahedron still counts as touching it, as a share of its height. It must be well over rounding, so that no
/// triangle slips through an edge of the lattice, and well under anything that is seen.
const TOUCH: f64 = 1e-9;

/// Cuts the surface up; `None` where there would be more than `most` pieces.
pub(super) fn cut(surface: &Surface, points: &[DVec3], lattice: &Lattice, most: usize) -> Option<Pieces> {
    let mut list = Vec::new();
    let mut homes: Vec<Option<(f64, u64, u32)>> = vec![None; points.len()];
    let (mut open, mut seen) = (Vec::new(), HashSet::new());
    for (triangle, vertices) in surface.triangles.iter().enumerate() {
        let corners = vertices.map(|vertex| points[vertex as usize]);
        open.push(lattice.locate(corners[0]));
        seen.clear();
        while let Some(tet) = open.pop() {
            let key = lattice.key(tet);
            if !seen.insert(key) {
                continue;
            }
            let shares = corners.map(|corner| lattice.shares(tet, corner));
            let Some(polygon) = Polygon::clipped(&shares) else { continue };
            note_homes(&shares, vertices, (key, triangle as u32), &mut homes);
            let touches = polygon.touches();
            list.push(Piece {
                tet: key,
                triangle: triangle as u32,
                touches,
                center: polygon.center(lattice, tet),
            });
            let faces = (0..4).filter(|face| touches >> face & 1 == 1);
            open.extend(faces.map(|face| lattice.neighbor(tet, face)));
        }
        if list.len() > most {
            return None;
        }
    }
    list.sort_unstable_by_key(|piece| (piece.tet, piece.triangle));
    let homes = homes.into_iter().map(|home| home.map(|(_, tet, triangle)| (tet, triangle))).collect();
    Some(Pieces { list, homes })
}

/// A vertex lives where it is deepest inside.
fn note_homes(
    shares: &[[f64; 4]; 3],
    vertices: &[u32; 3],
    place: (u64, u32),
    homes: &mut [Option<(f64, u64, u32)>],
) {
    for (shares, &vertex) in shares.iter().zip(vertices) {
        let depth = least(shares);
        let home = &mut homes[vertex as usize];
        if depth > -2.0 * TOUCH && home.is_none_or(|(best, ..)| depth > best) {
            *home = Some((depth, place.0, place.1));
        }
    }
}

fn least(shares: &[f64; 4]) -> f64 {
    shares.iter().copied().fold(f64::INFINITY, f64::min)
}

/// A convex polygon, its corners as shares of a tetrahedron's corners.
struct Polygon {
    corners: [[f64; 4]; Self::MOST],
    count: usize,
}

impl Polygon {
    /// Three, and one more for each of four planes.
    const MOST: usize = 7;

    /// A triangle, cut to the tetrahedron.
    fn clipped(triangle: &[[f64; 4]; 3]) -> Option<Self> {
        if (0..4).any(|plane| triangle.iter().all(|corner| corner[plane] < -TOUCH)) {
            return None;
        }
        let mut polygon = Self { corners: [[0.0; 4]; Self::MOST], count: 3 };
        polygon.corners[..3].copy_from_slice(triangle);
        for plane in 0..4 {
            polygon.clip(plane);
        }
        (polygon.count > 0).then_some(polygon)
    }

    fn clip(&mut self, plane: usize) {
        let before = self.corners;
        let count = std::mem::take(&mut self.count);
        for at in 0..count {
            let (from, to) = (before[at], before[(at + 1) % count]);
            let (depth, next_depth) = (from[plane] + TOUCH, to[plane] + TOUCH);
            if depth >= 0.0 {
                self.push(from);
            }
            if (depth >= 0.0) != (next_depth >= 0.0) {
                let t = depth / (depth - next_depth);
                self.push(std::array::from_fn(|share| from[share] + (to[share] - from[share]) * t));
            }
        }
    }

    fn push(&mut self, corner: [f64; 4]) {
        // Rounding cannot make a convex polygon cross a plane more than twice, but a seventh corner too many would be dropped.
        if self.count < Self::MOST {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    fn touches(&self) -> u8 {
        let corners = &self.corners[..self.count];
        (0..4).filter(|&face| corners.iter().any(|corner| corner[face] <= TOUCH)).map(|face| 1 << face).sum()
    }

    fn center(&self, lattice: &Lattice, tet: LatticeTet) -> DVec3 {
        let places = lattice.corners(tet).map(|corner| corner.as_dvec3() / 2.0);
        let sum: DVec3 = self.corners[..self.count]
            .iter()
            .map(|shares| (0..4).map(|corner| places[corner] * shares[corner]).sum::<DVec3>())
            .sum();
        sum / self.count as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TriangleMesh;
    use glam::{IVec3, Vec3};

    fn pieces(corners: [Vec3; 3]) -> (Lattice, Pieces) {
        let mesh = TriangleMesh { positions: corners.to_vec(), triangles: vec![[0, 1, 2]] };
        let surface = Surface::new(&mesh).unwrap();
        let lattice = Lattice::new(IVec3::splat(12));
        let points = surface.positions.clone();
        let pieces = cut(&surface, &points, &lattice, usize::MAX).unwrap();
        (lattice, pieces)
    }

    #[test]
    fn every_point_of_a_triangle_has_a_piece() {
        let corners = [Vec3::new(2.3, 3.1, 2.7), Vec3::new(8.9, 4.2, 3.3), Vec3::new(4.4, 9.1, 8.6)];
        let (lattice, pieces) = pieces(corners);
        let has = |key: u64| pieces.list.binary_search_by_key(&key, |piece| piece.tet).is_ok();
        for i in 0..=60 {
            for j in 0..=60 - i {
                let (s, t) = (f64::from(i) / 60.0, f64::from(j) / 60.0);
                let [a, b, c] = corners.map(|corner| corner.as_dvec3());
                let point = a + (b - a) * s + (c - a) * t;
                assert!(has(lattice.key(lattice.locate(point))), "{point}");
            }
        }
        assert!(pieces.homes.iter().all(Option::is_some), "every vertex has a home");
    }

    #[test]
    fn triangles_along_the_lattices_own_planes_are_followed() {
        // In the plane x + y = 8, through corners and edges of tetrahedra.
        let (_, pieces) =
            pieces([Vec3::new(3.0, 5.0, 3.0), Vec3::new(5.0, 3.0, 3.0), Vec3::new(4.0, 4.0, 7.0)]);
        assert!(pieces.list.len() > 20, "{}", pieces.list.len());
        assert!(pieces.homes.iter().all(Option::is_some), "every vertex has a home");
    }
}
