//! The Laplacian of linear elements.

use glam::DVec3;
use sinew_geometry::TetMesh;

/// A tetrahedron whose volume is below this share of the cube of its longest edge is flat: its gradients are rounding. A regular one
/// has 0.118; those of a cover have 0.083.
const FLAT_SHARE: f64 = 1e-6;

/// The stiffness matrix of linear elements, symmetric: the lower triangle in compressed columns.
///
/// Invariant: each column begins with its diagonal and has ascending rows; rows sum to zero to rounding.
#[derive(Clone, Debug)]
pub(crate) struct Laplacian {
    /// `starts[c]..starts[c + 1]` are the entries of column c.
    pub(crate) starts: Vec<usize>,
    pub(crate) rows: Vec<usize>,
    pub(crate) values: Vec<f64>,
    /// Tetrahedra without volume, which add nothing.
    pub(crate) flat_tets: usize,
}

impl Laplacian {
    /// Lᵢⱼ = Σ V ∇φᵢ · ∇φⱼ over tetrahedra, φ the hat functions; meters.
    pub(crate) fn new(mesh: &TetMesh) -> Self {
        let mut entries: Vec<(usize, usize, f64)> =
            (0..mesh.points().len()).map(|at| (at, at, 0.0)).collect();
        entries.reserve(10 * mesh.tets().len());
        let mut flat_tets = 0;
        for tet in mesh.tets() {
            let Some((volume, gradients)) = hat_gradients(mesh, *tet) else {
                flat_tets += 1;
                continue;
            };
            for (i, &row) in tet.iter().enumerate() {
                for (j, &column) in tet.iter().enumerate().filter(|&(_, &column)| column <= row) {
                    entries.push((column as usize, row as usize, volume * gradients[i].dot(gradients[j])));
                }
            }
        }
        // Stable, so that sums are taken in the order of tetrahedra.
        entries.sort_by_key(|&(column, row, _)| (column, row));
        let (mut starts, mut rows, mut values) = (vec![0; mesh.points().len() + 1], Vec::new(), Vec::new());
        for same in entries.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            rows.push(same[0].1);
            values.push(same.iter().map(|entry| entry.2).sum());
            starts[same[0].0 + 1] = rows.len();
        }
        Self { starts, rows, values, flat_tets }
    }

    /// How many points there are.
    pub(crate) fn size(&self) -> usize {
        self.starts.len() - 1
    }

    /// Lᵢᵢ: how strongly the neighbors of a point pull it together; zero for a point without any.
    pub(crate) fn diagonal(&self, point: usize) -> f64 {
        self.values[self.starts[point]]
    }
}

/// The volume of a tetrahedron and the gradients of its four hat functions; `None` where it is flat.
fn hat_gradients(mesh: &TetMesh, tet: [u32; 4]) -> Option<(f64, [DVec3; 4])> {
    let [a, b, c, d] = tet.map(|corner| mesh.points()[corner as usize].as_dvec3());
    let (ab, ac, ad) = (b - a, c - a, d - a);
    let six_volumes = ab.dot(ac.cross(ad));
    let longest =
        [ab, ac, ad, c - b, d - b, d - c].iter().map(|edge| edge.length_squared()).fold(0.0, f64::max);
    if six_volumes <= 6.0 * FLAT_SHARE * longest * longest.sqrt() {
        return None;
    }
    let (of_b, of_c, of_d) =
        (ac.cross(ad) / six_volumes, ad.cross(ab) / six_volumes, ab.cross(ac) / six_volumes);
    Some((six_volumes / 6.0, [-(of_b + of_c + of_d), of_b, of_c, of_d]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn linear_fields_have_their_own_energy_and_no_forces_inside() {
        let size = Vec3::new(0.4, 0.3, 0.2);
        let mesh = TetMesh::lattice([4, 3, 2], size);
        let laplacian = Laplacian::new(&mesh);
        let slope = DVec3::new(2.0, -1.0, 0.5);
        let field: Vec<f64> = mesh.points().iter().map(|point| slope.dot(point.as_dvec3())).collect();
        let mut forces = vec![0.0; field.len()];
        for column in 0..laplacian.size() {
            for at in laplacian.starts[column]..laplacian.starts[column + 1] {
                let (row, value) = (laplacian.rows[at], laplacian.values[at]);
                forces[row] += value * field[column];
                if row != column {
                    forces[column] += value * field[row];
                }
            }
        }
        let energy: f64 = forces.iter().zip(&field).map(|(force, value)| force * value).sum();
        let expected = slope.length_squared() * 0.4 * 0.3 * 0.2;
        assert!((energy / expected - 1.0).abs() < 1e-6, "{energy} {expected}");
        for (point, force) in mesh.points().iter().zip(&forces) {
            let is_inside = point.cmpgt(Vec3::splat(1e-3)).all() && point.cmplt(size - 1e-3).all();
            assert!(!is_inside || force.abs() < 1e-6 * expected.sqrt(), "{point} {force}");
        }
    }

    #[test]
    fn flat_tetrahedra_add_nothing() {
        let points = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)];
        let flat = Laplacian::new(&TetMesh::new(points, vec![[0, 1, 2, 3]]).unwrap());
        assert_eq!((flat.flat_tets, flat.diagonal(0), flat.size()), (1, 0.0, 4));
    }
}
