//! The mesh that a body is fitted to.

use super::FitError;
use glam::DVec3;

/// Height range of bodies, from small children to giants, and of animals, m.
const HEIGHT_M: (f64, f64) = (0.3, 3.0);

/// A triangle mesh to fit to.
///
/// Invariant: positions are finite, indices are in range, the height is that of a body, and at least one vertex counts.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetMesh {
    positions: Vec<DVec3>,
    normals: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    is_excluded: Vec<bool>,
}

impl TargetMesh {
    /// Takes positions (model space, m, +Y up, +Z forward), triangles (counter-clockwise from outside), and excluded vertices, such as
    /// those of ears and toes.
    ///
    /// # Errors
    /// If there is nothing to fit to, a number is not finite, an index is out of range, or the height is not a body's in m.
    pub fn new(
        positions: Vec<DVec3>,
        triangles: Vec<[u32; 3]>,
        excluded: &[usize],
    ) -> Result<Self, FitError> {
        let count = positions.len();
        if count == 0 {
            return Err(FitError::Empty { what: "vertices" });
        }
        if triangles.is_empty() {
            return Err(FitError::Empty { what: "triangles" });
        }
        if let Some(vertex) = positions.iter().position(|position| !position.is_finite()) {
            return Err(FitError::NotFinite { vertex });
        }
        let index = |what: String, vertex: usize| FitError::Index { what, vertex, count };
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&vertex| vertex as usize >= count) {
                return Err(index(format!("triangle {triangle}"), vertex as usize));
            }
        }
        let mut is_excluded = vec![false; count];
        for &vertex in excluded {
            *is_excluded
                .get_mut(vertex)
                .ok_or_else(|| index("the list of excluded vertices".to_owned(), vertex))? = true;
        }
        if is_excluded.iter().all(|&excluded| excluded) {
            return Err(FitError::Empty { what: "vertices that are not excluded" });
        }
        let normals = vertex_normals(&positions, &triangles);
        let mesh = TargetMesh { positions, normals, triangles, is_excluded };
        let (low, high) = mesh.bounds();
        check_height(high.y - low.y)?;
        Ok(mesh)
    }

    /// One per vertex, model space, m.
    pub fn positions(&self) -> &[DVec3] {
        &self.positions
    }

    /// Vertices of each triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Whether each vertex is excluded.
    pub fn is_excluded(&self) -> &[bool] {
        &self.is_excluded
    }

    /// Unit normals, one per vertex; zero where triangles have no area.
    pub(super) fn normals(&self) -> &[DVec3] {
        &self.normals
    }

    /// The area of each vertex: a third of its triangles', m².
    pub(super) fn vertex_areas(&self) -> Vec<f64> {
        let mut areas = vec![0.0; self.positions.len()];
        for triangle in &self.triangles {
            let share = area_vector(&self.positions, triangle).length() / 3.0;
            triangle.iter().for_each(|&vertex| areas[vertex as usize] += share);
        }
        areas
    }

    /// Minimum and maximum coordinates.
    pub(super) fn bounds(&self) -> (DVec3, DVec3) {
        let first = self.positions[0];
        self.positions.iter().fold((first, first), |(low, high), &at| (low.min(at), high.max(at)))
    }
}

fn check_height(height: f64) -> Result<(), FitError> {
    if (HEIGHT_M.0..=HEIGHT_M.1).contains(&height) {
        return Ok(());
    }
    // Units differ by powers of ten; for feet and inches this is close enough to see the reason.
    let factor = if height > 0.0 { 10f64.powi(-(height / 1.7).log10().round() as i32) } else { 1.0 };
    Err(FitError::Units { height, low: HEIGHT_M.0, high: HEIGHT_M.1, factor })
}

fn area_vector(positions: &[DVec3], triangle: &[u32; 3]) -> DVec3 {
    let [a, b, c] = triangle.map(|vertex| positions[vertex as usize]);
    0.5 * (b - a).cross(c - a)
}

fn vertex_normals(positions: &[DVec3], triangles: &[[u32; 3]]) -> Vec<DVec3> {
    let mut normals = vec![DVec3::ZERO; positions.len()];
    for triangle in triangles {
        let area = area_vector(positions, triangle);
        triangle.iter().for_each(|&vertex| normals[vertex as usize] += area);
    }
    normals.into_iter().map(DVec3::normalize_or_zero).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh(height: f64) -> Result<TargetMesh, FitError> {
        let positions = vec![DVec3::ZERO, DVec3::X, height * DVec3::Y];
        TargetMesh::new(positions, vec![[0, 1, 2]], &[])
    }

    #[test]
    fn wrong_units_are_named() {
        assert!(mesh(1.8).is_ok());
        for (height, expected) in [(180.0, 0.01), (1750.0, 0.001), (0.0017, 1000.0), (17.0, 0.1)] {
            let Err(FitError::Units { factor, .. }) = mesh(height) else { panic!("{height} was taken") };
            assert!((factor / expected - 1.0).abs() < 1e-12, "{height}: {factor}");
        }
    }

    #[test]
    fn what_cannot_be_fitted_to_is_refused() {
        let triangle = vec![[0, 1, 2]];
        let corners = vec![DVec3::ZERO, DVec3::X, 1.7 * DVec3::Y];
        let empty = |what| Err(FitError::Empty { what });
        assert_eq!(TargetMesh::new(vec![], triangle.clone(), &[]), empty("vertices"));
        assert_eq!(TargetMesh::new(corners.clone(), vec![], &[]), empty("triangles"));
        assert_eq!(
            TargetMesh::new(corners.clone(), triangle.clone(), &[0, 1, 2]),
            empty("vertices that are not excluded")
        );
        let mut broken = corners.clone();
        broken[1].z = f64::NAN;
        assert_eq!(TargetMesh::new(broken, triangle.clone(), &[]), Err(FitError::NotFinite { vertex: 1 }));
        assert!(matches!(
            TargetMesh::new(corners.clone(), vec![[0, 1, 7]], &[]),
            Err(FitError::Index { vertex: 7, .. })
        ));
        assert!(matches!(TargetMesh::new(corners, triangle, &[9]), Err(FitError::Index { vertex: 9, .. })));
    }
}
