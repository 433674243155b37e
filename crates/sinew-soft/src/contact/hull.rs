//! Convex hulls.

use super::ContactError;
use glam::{DVec3, Vec3};
use sinew_geometry::TriangleMesh;

/// Points less than this share of the whole's size above a face are in it.
const IN_FACE: f64 = 1e-6;

struct Face {
    corners: [usize; 3],
    normal: DVec3,
    offset: f64,
}

impl Face {
    fn new(corners: [usize; 3], points: &[DVec3]) -> Self {
        let [a, b, c] = corners.map(|corner| points[corner]);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        Self { corners, normal, offset: normal.dot(a) }
    }

    fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }
}

/// The convex hull of points, closed: each point outside of what there is so far replaces the faces that it sees by faces to their
/// border.
pub(super) fn hull(points: &[Vec3]) -> Result<TriangleMesh, ContactError> {
    if let Some(point) = points.iter().position(|point| !point.is_finite()) {
        return Err(ContactError::NotFinite { what: "point", number: point });
    }
    let places: Vec<DVec3> = points.iter().map(|point| point.as_dvec3()).collect();
    let ([a, b, c, d], size) = first_four(&places).ok_or(ContactError::Flat)?;
    let mut faces: Vec<Face> =
        [[a, b, c], [a, c, d], [a, d, b], [b, d, c]].map(|corners| Face::new(corners, &places)).into();
    let tolerance = IN_FACE * size;
    for (at, &point) in places.iter().enumerate() {
        let (visible, hidden): (Vec<Face>, Vec<Face>) =
            faces.into_iter().partition(|face| face.height(point) > tolerance);
        faces = hidden;
        let edges = || {
            visible.iter().flat_map(|face| [0, 1, 2].map(|k| (face.corners[k], face.corners[(k + 1) % 3])))
        };
        // The border's edges are those that no visible face has the other way round.
        for (start, end) in edges().filter(|&(start, end)| !edges().any(|other| other == (end, start))) {
            faces.push(Face::new([start, end, at], &places));
        }
    }
    let mut number = vec![u32::MAX; points.len()];
    let mut mesh = TriangleMesh::default();
    for face in &faces {
        mesh.triangles.push(face.corners.map(|corner| {
            if number[corner] == u32::MAX {
                number[corner] = mesh.positions.len() as u32;
                mesh.positions.push(points[corner]);
            }
            number[corner]
        }));
    }
    Ok(mesh)
}

/// Four points that are far from a plane, as the corners of a tetrahedron whose first face is seen from outside, and the points' size.
fn first_four(points: &[DVec3]) -> Option<([usize; 4], f64)> {
    let farthest = |measure: &dyn Fn(DVec3) -> f64| {
        (0..points.len()).max_by(|&a, &b| measure(points[a]).total_cmp(&measure(points[b])).then(b.cmp(&a)))
    };
    let a = farthest(&|point| -point.x)?;
    let b = farthest(&|point| point.distance_squared(points[a]))?;
    let along = points[b] - points[a];
    let c = farthest(&|point| (point - points[a]).cross(along).length_squared())?;
    let normal = along.cross(points[c] - points[a]).normalize_or_zero();
    let d = farthest(&|point| (point - points[a]).dot(normal).abs())?;
    let (size, height) = (along.length(), (points[d] - points[a]).dot(normal));
    if height.abs() <= 1e-4 * size {
        return None;
    }
    // The fourth must be below the first face.
    Some((if height < 0.0 { [a, b, c, d] } else { [a, c, b, d] }, size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_of_a_box_and_what_is_in_it_is_the_box() {
        let mut points: Vec<Vec3> = Vec::new();
        for at in 0..27 {
            points.push(Vec3::new((at % 3) as f32, (at / 3 % 3) as f32 * 0.5, (at / 9) as f32 * 0.25));
        }
        let mesh = hull(&points).unwrap();
        assert!((mesh.volume() - 2.0 * 1.0 * 0.5).abs() < 1e-6, "{}", mesh.volume());
    }

    #[test]
    fn no_point_is_outside_of_its_hull() {
        let wave = |at: usize, k: f32| (at as f32 * k).sin();
        let points: Vec<Vec3> =
            (0..300).map(|at| Vec3::new(wave(at, 12.9), wave(at, 78.2), wave(at, 37.7))).collect();
        let mesh = hull(&points).unwrap();
        let corner = |at: u32| mesh.positions[at as usize];
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(corner);
            let normal = (b - a).cross(c - a).normalize();
            assert!(points.iter().all(|point| normal.dot(*point - a) < 1e-5));
        }
        // Closed: half as many corners as triangles, and two more (Euler).
        assert_eq!(mesh.triangles.len(), 2 * mesh.positions.len() - 4);
    }

    #[test]
    fn flat_and_missing_points_are_refused() {
        let flat: Vec<Vec3> = (0..9).map(|at| Vec3::new((at % 3) as f32, 1.0, (at / 3) as f32)).collect();
        assert_eq!(hull(&flat), Err(ContactError::Flat));
        assert_eq!(hull(&[]), Err(ContactError::Flat));
        assert_eq!(hull(&[Vec3::NAN]), Err(ContactError::NotFinite { what: "point", number: 0 }));
    }
}
