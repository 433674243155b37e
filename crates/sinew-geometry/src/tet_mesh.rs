//! Solids of tetrahedra.

use crate::union_find::UnionFind;
use glam::Vec3;
use std::collections::BTreeMap;

/// A solid of tetrahedra.
///
/// Invariant: every index is below the number of points, the four of a tetrahedron differ, points are finite, and volumes are not
/// negative: (b − a) · ((c − a) × (d − a)) ≥ 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TetMesh {
    points: Vec<Vec3>,
    tets: Vec<[u32; 4]>,
}

/// Error of a list of tetrahedra.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
#[non_exhaustive]
pub enum TetMeshError {
    /// A corner that does not exist.
    #[error("tetrahedron {tet} has corner {corner} out of range; there are {point_count} points")]
    Corner { tet: usize, corner: u32, point_count: usize },
    /// A tetrahedron with the same corner twice.
    #[error("tetrahedron {tet} has corner {corner} twice")]
    Repeated { tet: usize, corner: u32 },
    /// A point that is not finite.
    #[error("point {point} is not finite")]
    NotFinite { point: usize },
}

impl TetMesh {
    /// Checks the lists; tetrahedra that are wound the wrong way round are turned.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn new(points: Vec<Vec3>, mut tets: Vec<[u32; 4]>) -> Result<Self, TetMeshError> {
        if let Some(point) = points.iter().position(|point| !point.is_finite()) {
            return Err(TetMeshError::NotFinite { point });
        }
        for (tet, corners) in tets.iter_mut().enumerate() {
            for (at, &corner) in corners.iter().enumerate() {
                if corner as usize >= points.len() {
                    return Err(TetMeshError::Corner { tet, corner, point_count: points.len() });
                }
                if corners[..at].contains(&corner) {
                    return Err(TetMeshError::Repeated { tet, corner });
                }
            }
            if six_volumes(&points, *corners) < 0.0 {
                corners.swap(2, 3);
            }
        }
        Ok(Self { points, tets })
    }

    /// The corners' places, model space, m.
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// Four corners each, of positive volume.
    pub fn tets(&self) -> &[[u32; 4]] {
        &self.tets
    }

    /// The volume of one tetrahedron, m³.
    pub fn tet_volume(&self, tet: usize) -> f64 {
        six_volumes(&self.points, self.tets[tet]) / 6.0
    }

    /// The volume of all, m³.
    pub fn volume(&self) -> f64 {
        self.volume_at(&self.points)
    }

    /// How well a tetrahedron is shaped, from 0 for a flat one to 1 for the regular one: 12 (3 V)^⅔ over the sum of its squared edges,
    /// the mean ratio of \[Liu94\].
    pub fn quality(&self, tet: usize) -> f64 {
        let corners = self.tets[tet].map(|corner| self.points[corner as usize].as_dvec3());
        let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        let squares: f64 = pairs.iter().map(|&(a, b)| corners[a].distance_squared(corners[b])).sum();
        if squares > 0.0 { 12.0 * (3.0 * self.tet_volume(tet)).cbrt().powi(2) / squares } else { 0.0 }
    }

    /// The minimum quality of all; 1 if there are none.
    pub fn worst_quality(&self) -> f64 {
        (0..self.tets.len()).map(|tet| self.quality(tet)).fold(1.0, f64::min)
    }

    /// For each tetrahedron the part that it belongs to, from 0 in the order of their first tetrahedra: parts have no common points.
    pub fn components(&self) -> Vec<u32> {
        let mut sets = UnionFind::new(self.points.len());
        for tet in &self.tets {
            tet[1..].iter().for_each(|&corner| sets.unite(tet[0], corner));
        }
        let mut number_of_root = vec![u32::MAX; self.points.len()];
        let mut count = 0;
        let mut number = |tet: &[u32; 4]| {
            let number = &mut number_of_root[sets.root(tet[0]) as usize];
            if *number == u32::MAX {
                *number = count;
                count += 1;
            }
            *number
        };
        self.tets.iter().map(&mut number).collect()
    }

    /// Number of parts; see [`TetMesh::components`].
    pub fn component_count(&self) -> usize {
        self.components().into_iter().max().map_or(0, |last| last as usize + 1)
    }

    /// Volume of all tetrahedra with their points at these places; those turned inside out count as negative.
    ///
    /// # Panics
    /// If there are fewer places than points.
    pub fn volume_at(&self, places: &[Vec3]) -> f64 {
        self.tets.iter().map(|tet| six_volumes(places, *tet) / 6.0).sum()
    }

    /// The triangles that only one tetrahedron has, counter-clockwise from outside, in the order of their tetrahedra.
    pub fn boundary(&self) -> Vec<[u32; 3]> {
        /// Faces opposite each corner, seen from outside.
        const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
        let faces = || self.tets.iter().flat_map(|tet| FACES.map(|face| face.map(|at| tet[at])));
        let key = |mut face: [u32; 3]| {
            face.sort_unstable();
            face
        };
        let mut counts: BTreeMap<[u32; 3], u32> = BTreeMap::new();
        faces().for_each(|face| *counts.entry(key(face)).or_default() += 1);
        faces().filter(|&face| counts[&key(face)] == 1).collect()
    }

    /// A box from the origin to `size_m`, of `cells` boxes along each axis, each cut into five tetrahedra with matching neighbors.
    pub fn lattice(cells: [usize; 3], size_m: Vec3) -> Self {
        let [nx, ny, nz] = cells.map(|cells| cells + 1);
        let spacing = size_m / Vec3::from_array(cells.map(|cells| cells as f32));
        let id = |x: usize, y: usize, z: usize| ((x * ny + y) * nz + z) as u32;
        let mut points = Vec::with_capacity(nx * ny * nz);
        let mut tets = Vec::with_capacity(5 * cells.iter().product::<usize>());
        for x in 0..nx {
            for y in 0..ny {
                for z in 0..nz {
                    points.push(Vec3::new(x as f32, y as f32, z as f32) * spacing);
                    if x + 1 == nx || y + 1 == ny || z + 1 == nz {
                        continue;
                    }
                    let corner = |at: usize| id(x + (at & 1), y + (at >> 1 & 1), z + (at >> 2));
                    // Cubes alternate, to make the diagonals of shared faces equal.
                    let cut = if (x + y + z) % 2 == 0 { EVEN_CUBE } else { ODD_CUBE };
                    tets.extend(cut.map(|tet| tet.map(corner)));
                }
            }
        }
        Self::new(points, tets).unwrap_or_default()
    }
}

/// Corners by bits: 1 along x, 2 along y, 4 along z.
const EVEN_CUBE: [[usize; 4]; 5] = [[0, 1, 2, 4], [3, 1, 7, 2], [5, 1, 4, 7], [6, 2, 7, 4], [1, 2, 4, 7]];
const ODD_CUBE: [[usize; 4]; 5] = [[1, 0, 5, 3], [2, 0, 3, 6], [4, 0, 6, 5], [7, 3, 5, 6], [0, 3, 6, 5]];

fn six_volumes(points: &[Vec3], tet: [u32; 4]) -> f64 {
    let [a, b, c, d] = tet.map(|corner| points[corner as usize].as_dvec3());
    (b - a).dot((c - a).cross(d - a))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of sums of a few hundred volumes.
    const ROUNDING: f64 = 1e-9;

    #[test]
    fn a_lattice_fills_its_box() {
        let bar = TetMesh::lattice([4, 3, 2], Vec3::new(2.0, 1.5, 1.0));
        assert_eq!(bar.points().len(), 5 * 4 * 3);
        assert_eq!(bar.tets().len(), 5 * 24);
        assert!((bar.volume() - 24.0 * 0.125).abs() < ROUNDING);
        assert!((0..bar.tets().len()).all(|tet| bar.tet_volume(tet) > 0.0));
    }

    #[test]
    fn the_boundary_of_a_box_encloses_its_volume() {
        let bar = TetMesh::lattice([3, 2, 2], Vec3::new(3.0, 2.0, 2.0));
        let boundary = bar.boundary();
        assert_eq!(boundary.len(), 2 * 2 * (3 * 2 + 3 * 2 + 2 * 2));
        let six: f64 = boundary
            .iter()
            .map(|face| face.map(|corner| bar.points()[corner as usize].as_dvec3()))
            .map(|[a, b, c]| a.dot(b.cross(c)))
            .sum();
        assert!((six / 6.0 - 12.0).abs() < ROUNDING);
    }

    #[test]
    fn wrong_lists_are_refused_and_wrong_windings_turned() {
        let points = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let turned = TetMesh::new(points.clone(), vec![[0, 1, 3, 2]]).unwrap();
        assert!(turned.tet_volume(0) > 0.0);
        assert_eq!(
            TetMesh::new(points.clone(), vec![[0, 1, 2, 4]]),
            Err(TetMeshError::Corner { tet: 0, corner: 4, point_count: 4 })
        );
        assert_eq!(
            TetMesh::new(points, vec![[0, 1, 1, 2]]),
            Err(TetMeshError::Repeated { tet: 0, corner: 1 })
        );
    }
}
