//! Which tetrahedra hold a place.

use glam::{DMat3, DVec3, IVec3, Vec3};
use sinew_geometry::TetMesh;

/// A place may be outside a tetrahedron by this share of it: places on faces belong to both sides.
const BORDER: f64 = 1e-5;

/// Tetrahedra by the cells of a grid.
#[derive(Clone, Debug)]
pub(crate) struct Locator {
    cell: f32,
    /// Cells and the tetrahedra whose boxes reach into them, sorted.
    entries: Vec<([i32; 3], u32)>,
}

impl Locator {
    pub(crate) fn new(mesh: &TetMesh) -> Self {
        let boxes: Vec<(Vec3, Vec3)> = mesh.tets().iter().map(|tet| bounds(mesh, *tet)).collect();
        let sum: f64 = boxes.iter().map(|(least, most)| f64::from((*most - *least).max_element())).sum();
        let mean = (sum / boxes.len().max(1) as f64) as f32;
        let cell = if mean > 0.0 { mean } else { 1.0 };
        let mut entries = Vec::new();
        for (tet, (least, most)) in boxes.iter().enumerate() {
            let (first, last) = (cell_of(*least, cell), cell_of(*most, cell));
            for x in first.x..=last.x {
                for y in first.y..=last.y {
                    entries.extend((first.z..=last.z).map(|z| ([x, y, z], tet as u32)));
                }
            }
        }
        entries.sort_unstable();
        Self { cell, entries }
    }

    /// The tetrahedra that hold a place, in their order, with the place's barycentric weights.
    pub(crate) fn holding(&self, mesh: &TetMesh, place: Vec3) -> Vec<(u32, [f64; 4])> {
        let key = cell_of(place, self.cell).to_array();
        let first = self.entries.partition_point(|(cell, _)| *cell < key);
        let in_cell = self.entries[first..].iter().take_while(|(cell, _)| *cell == key);
        let weights = |&(_, tet): &([i32; 3], u32)| Some((tet, barycentric(mesh, tet as usize, place)?));
        in_cell
            .filter_map(weights)
            .filter(|(_, weights)| weights.iter().all(|&weight| weight >= -BORDER))
            .collect()
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

fn bounds(mesh: &TetMesh, tet: [u32; 4]) -> (Vec3, Vec3) {
    let corners = tet.map(|corner| mesh.points()[corner as usize]);
    let [first, rest @ ..] = corners;
    rest.iter().fold((first, first), |(least, most), corner| (least.min(*corner), most.max(*corner)))
}

/// Far places share the last cells; nothing is there.
fn cell_of(place: Vec3, cell: f32) -> IVec3 {
    let most = DVec3::splat(1e9);
    (place.as_dvec3() / f64::from(cell)).floor().clamp(-most, most).as_ivec3()
}

#[cfg(test)]
mod tests {
    use super::*;

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
