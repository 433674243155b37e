//! Which tetrahedra hold a place.

use glam::{DMat3, Vec3};
use sinew_geometry::{Bounds, BoxTree, TetMesh};

/// A place may be outside a tetrahedron by this share of it: places on faces belong to both sides.
const BORDER: f64 = 1e-5;

/// Tetrahedra in a tree of boxes.
#[derive(Clone, Debug)]
pub(crate) struct Locator {
    tree: BoxTree,
}

impl Locator {
    pub(crate) fn new(mesh: &TetMesh) -> Self {
        let bounds = |tet: &[u32; 4]| {
            let own = Bounds::around(tet.map(|corner| mesh.points()[corner as usize]));
            // As far as a place may be outside.
            own.grown(BORDER as f32 * own.diagonal())
        };
        Self { tree: BoxTree::new(&mesh.tets().iter().map(bounds).collect::<Vec<_>>()) }
    }

    /// The tetrahedra that hold a place, in their order, with the place's barycentric weights.
    pub(crate) fn holding(&self, mesh: &TetMesh, place: Vec3) -> Vec<(u32, [f64; 4])> {
        let mut found = Vec::new();
        self.tree.visit(&Bounds::EMPTY.with(place), |tet| {
            let weights = barycentric(mesh, tet as usize, place);
            found.extend(
                weights
                    .filter(|weights| weights.iter().all(|&weight| weight >= -BORDER))
                    .map(|weights| (tet, weights)),
            );
        });
        found.sort_unstable_by_key(|(tet, _)| *tet);
        found
    }
}

/// The barycentric weights of a place; `None` in a tetrahedron without volume.
pub(crate) fn barycentric(mesh: &TetMesh, tet: usize, place: Vec3) -> Option<[f64; 4]> {
    let [a, b, c, d] = mesh.tets()[tet].map(|corner| mesh.points()[corner as usize].as_dvec3());
    let edges = DMat3::from_cols(b - a, c - a, d - a);
    let longest = edges.x_axis.length().max(edges.y_axis.length()).max(edges.z_axis.length());
    if edges.determinant() <= 1e-6 * longest.powi(3) {
        return None;
    }
    let [x, y, z] = (edges.inverse() * (place.as_dvec3() - a)).to_array();
    Some([1.0 - x - y - z, x, y, z])
}

/// The part of the tetrahedra that each point belongs to, and how many parts there are; points of no tetrahedron are one more, the last.
pub(crate) fn parts_of_points(mesh: &TetMesh) -> (Vec<usize>, usize) {
    let part_of_tet = mesh.components();
    let last = part_of_tet.iter().max().map_or(0, |&last| last as usize + 1);
    let mut part_of_point = vec![last; mesh.points().len()];
    for (tet, &part) in mesh.tets().iter().zip(&part_of_tet) {
        tet.iter().for_each(|&corner| part_of_point[corner as usize] = part as usize);
    }
    (part_of_point, last + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn places_are_found_with_their_weights() {
        let mesh = TetMesh::lattice([3, 2, 2], Vec3::new(0.3, 0.2, 0.2));
        let locator = Locator::new(&mesh);
        for place in [Vec3::new(0.01, 0.02, 0.19), Vec3::splat(0.1), Vec3::new(0.25, 0.11, 0.07)] {
            let holding = locator.holding(&mesh, place);
            assert!(!holding.is_empty(), "{place}");
            for (tet, weights) in holding {
                let corners =
                    mesh.tets()[tet as usize].map(|corner| mesh.points()[corner as usize].as_dvec3());
                let again: DVec3 = corners.iter().zip(weights).map(|(corner, weight)| *corner * weight).sum();
                assert!(again.distance(place.as_dvec3()) < 1e-9);
            }
        }
        assert!(locator.holding(&mesh, Vec3::splat(0.5)).is_empty());
        assert!(locator.holding(&mesh, Vec3::splat(f32::MAX)).is_empty());
    }
}
