//! Points embedded in tetrahedra that are given.

use super::Embedding;
use super::blocks::cells_in;
use crate::TetMesh;
use glam::{DVec3, IVec3, Vec3};

/// Tolerance of a point outside a tetrahedron, as a share of its height: a little over the rounding of f32 positions.
const TOUCH: f64 = 1e-5;
/// A tetrahedron that more cells of the grid hold is looked at for every point.
const MOST_CELLS: i64 = 512;

impl Embedding {
    /// Embeds points in a mesh: each in the tetrahedron that holds it. One that none holds hangs from the tetrahedron that it is least
    /// outside of, and is told in [`Embedding::loose`]. None where no tetrahedron has a volume, or a point is not finite.
    ///
    /// If tetrahedra overlap, as copies in a cover do, the first counts: the surface of a cover has its own embedding.
    pub fn of_points(points: &[Vec3], mesh: &TetMesh) -> Option<Self> {
        let tets: Vec<Tet> = (0..mesh.tets().len() as u32).filter_map(|tet| Tet::new(mesh, tet)).collect();
        if tets.is_empty() || points.iter().any(|point| !point.is_finite()) {
            return None;
        }
        let grid = Grid::new(mesh, &tets);
        let mut embedding = Self::default();
        for (vertex, point) in points.iter().enumerate() {
            let point = point.as_dvec3();
            let deepest = |tet: &Tet| (tet.depth(point), std::cmp::Reverse(tet.index));
            let compare = |a: &&Tet, b: &&Tet| {
                let (a, b) = (deepest(a), deepest(b));
                a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
            };
            let inside =
                grid.near(point).map(|tet| &tets[tet as usize]).filter(|tet| tet.depth(point) > -TOUCH);
            let tet = inside.max_by(compare).or_else(|| {
                embedding.loose.push(vertex as u32);
                tets.iter().max_by(compare)
            })?;
            embedding.tets.push(tet.index);
            embedding.corners.push(mesh.tets()[tet.index as usize]);
            embedding.weights.push(tet.shares(point).map(|share| share as f32));
        }
        Some(embedding)
    }
}

/// A tetrahedron with a volume.
struct Tet {
    index: u32,
    origin: DVec3,
    /// Gradients of the shares of the last three corners.
    gradients: [DVec3; 3],
}

impl Tet {
    fn new(mesh: &TetMesh, index: u32) -> Option<Self> {
        let [a, b, c, d] =
            mesh.tets()[index as usize].map(|corner| mesh.points()[corner as usize].as_dvec3());
        let (ab, ac, ad) = (b - a, c - a, d - a);
        let volume = ab.dot(ac.cross(ad));
        let gradients = [ac.cross(ad), ad.cross(ab), ab.cross(ac)].map(|normal| normal / volume);
        gradients.iter().all(|gradient| gradient.is_finite()).then_some(Self { index, origin: a, gradients })
    }

    fn shares(&self, point: DVec3) -> [f64; 4] {
        let [b, c, d] = self.gradients.map(|gradient| gradient.dot(point - self.origin));
        [1.0 - b - c - d, b, c, d]
    }

    /// The least share: not negative inside.
    fn depth(&self, point: DVec3) -> f64 {
        self.shares(point).into_iter().fold(f64::INFINITY, f64::min)
    }
}

/// Tetrahedra near a point.
struct Grid {
    cell_size: f64,
    /// Sorted: cell, then place in the list.
    entries: Vec<([i32; 3], u32)>,
    everywhere: Vec<u32>,
}

impl Grid {
    fn new(mesh: &TetMesh, tets: &[Tet]) -> Self {
        let bounds = |tet: &Tet| {
            let corners =
                mesh.tets()[tet.index as usize].map(|corner| mesh.points()[corner as usize].as_dvec3());
            let low = corners.into_iter().fold(DVec3::INFINITY, DVec3::min);
            (low, corners.into_iter().fold(DVec3::NEG_INFINITY, DVec3::max))
        };
        let sizes: f64 = tets.iter().map(|tet| (bounds(tet).1 - bounds(tet).0).max_element()).sum();
        let mut grid =
            Self { cell_size: sizes / tets.len() as f64, entries: Vec::new(), everywhere: Vec::new() };
        for (place, tet) in tets.iter().enumerate() {
            let (low, high) = bounds(tet);
            let margin = DVec3::splat(2.0 * TOUCH * (high - low).max_element());
            let (low, high) = (grid.cell(low - margin), grid.cell(high + margin));
            let count = (high - low + IVec3::ONE).as_i64vec3().element_product();
            if count > MOST_CELLS {
                grid.everywhere.push(place as u32);
                continue;
            }
            let cells = cells_in(low, high + IVec3::ONE);
            grid.entries.extend(cells.map(|cell| (cell.to_array(), place as u32)));
        }
        grid.entries.sort_unstable();
        grid
    }

    fn cell(&self, point: DVec3) -> IVec3 {
        // Far below the range of i32, to keep sizes of boxes from overflowing.
        let most = 1e9;
        (point / self.cell_size).floor().clamp(DVec3::splat(-most), DVec3::splat(most)).as_ivec3()
    }

    fn near(&self, point: DVec3) -> impl Iterator<Item = u32> + '_ {
        let cell = self.cell(point).to_array();
        let first = self.entries.partition_point(|entry| entry.0 < cell);
        let here = self.entries[first..].iter().take_while(move |entry| entry.0 == cell).map(|entry| entry.1);
        here.chain(self.everywhere.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_come_back_and_move_along() {
        let mesh = TetMesh::lattice([4, 3, 2], Vec3::new(0.4, 0.3, 0.2));
        let points: Vec<Vec3> = (0..200)
            .map(|step| {
                let turn = step as f32;
                Vec3::new((turn * 0.37).sin(), (turn * 0.53).sin(), (turn * 0.71).sin()) * 0.5 + 0.5
            })
            .map(|share| share * Vec3::new(0.4, 0.3, 0.2))
            .chain([Vec3::ZERO, Vec3::new(0.4, 0.3, 0.2), Vec3::new(0.2, 0.1, 0.1)])
            .collect();
        let embedding = Embedding::of_points(&points, &mesh).unwrap();
        assert!(embedding.loose().is_empty(), "{:?}", embedding.loose());
        assert!(embedding.weights().iter().flatten().all(|&weight| weight > -1e-4));
        let affine = |point: Vec3| Vec3::new(point.x + point.y, 2.0 * point.y - point.z, point.z + 3.0);
        let moved: Vec<Vec3> = mesh.points().iter().map(|&point| affine(point)).collect();
        for (found, point) in embedding.apply(&moved).iter().zip(&points) {
            assert!(found.distance(affine(*point)) < 1e-6, "{point}");
        }
    }

    #[test]
    fn points_outside_hang_from_the_nearest() {
        let mesh = TetMesh::lattice([2, 2, 2], Vec3::ONE);
        let outside = [Vec3::new(1.1, 0.4, 0.6), Vec3::splat(0.3), Vec3::splat(-2.0)];
        let embedding = Embedding::of_points(&outside, &mesh).unwrap();
        assert_eq!(embedding.loose(), [0, 2]);
        for (found, point) in embedding.apply(mesh.points()).iter().zip(&outside) {
            assert!(found.distance(*point) < 1e-5, "{found} {point}");
        }
    }

    #[test]
    fn nothing_to_hang_from_is_nothing() {
        let flat = TetMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ONE - Vec3::Z], vec![[0, 1, 2, 3]])
            .unwrap();
        assert_eq!(Embedding::of_points(&[Vec3::ZERO], &flat), None);
        assert_eq!(Embedding::of_points(&[Vec3::ZERO], &TetMesh::default()), None);
        let mesh = TetMesh::lattice([1, 1, 1], Vec3::ONE);
        assert_eq!(Embedding::of_points(&[Vec3::NAN], &mesh), None);
        // A needle among large ones lies in many cells.
        let points = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::splat(1e4), Vec3::new(0.1, 0.0, 0.0)];
        let uneven = TetMesh::new(points, vec![[0, 1, 2, 3], [0, 5, 2, 4]]).unwrap();
        let embedding = Embedding::of_points(&[Vec3::splat(0.2), Vec3::splat(5000.0)], &uneven).unwrap();
        assert_eq!(embedding.tets()[0], 0);
    }
}
