//! Normals: made from triangles, and carried through a linear map.

use glam::{Mat3A, Vec3};

/// The matrix that carries normals where `posed_from_rest` carries points: its cofactor matrix.
///
/// The cofactor matrix is the determinant times the inverse transpose. It needs no division, so that flattened and mirrored
/// maps have a defined result; the caller normalizes. For a mirrored map the sign of the determinant is kept out, so that
/// normals still point to the side that was outside.
///
/// # Degenerate input
/// If the map flattens space to a line or a point the result is zero.
pub fn normal_from_rest(posed_from_rest: &Mat3A) -> Mat3A {
    let Mat3A { x_axis: x, y_axis: y, z_axis: z } = *posed_from_rest;
    let cofactor = Mat3A::from_cols(y.cross(z), z.cross(x), x.cross(y));
    if cofactor.x_axis.dot(x) < 0.0 { -cofactor } else { cofactor }
}

/// Smooth normals, one per position: the sum of the adjoining triangles' unit normals, weighted by the angle at the vertex
/// (Thürmer & Wüthrich), so that the tessellation does not show.
///
/// Vertices are smoothed by index: those that only share a place keep a hard edge.
///
/// # Degenerate input
/// Flat and non-finite triangles do not count; a vertex without other triangles gets +Y.
///
/// # Panics
/// If a triangle names a position that does not exist.
pub fn smooth_normals(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; positions.len()];
    for triangle in triangles {
        let corners = triangle.map(|vertex| positions[vertex as usize]);
        let Some(normal) = (corners[1] - corners[0]).cross(corners[2] - corners[0]).try_normalize() else {
            continue;
        };
        for corner in 0..3 {
            let here = corners[corner];
            let angle = (corners[(corner + 1) % 3] - here).angle_between(corners[(corner + 2) % 3] - here);
            if angle.is_finite() {
                normals[triangle[corner] as usize] += normal * angle;
            }
        }
    }
    for normal in &mut normals {
        *normal = normal.try_normalize().unwrap_or(Vec3::Y);
    }
    normals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes;
    use glam::Quat;

    const ROUNDING: f32 = 1e-5;

    #[test]
    fn sphere_normals_point_outwards() {
        let sphere = shapes::sphere(1.0, 32, 16);
        for (position, normal) in
            sphere.positions.iter().zip(smooth_normals(&sphere.positions, &sphere.triangles))
        {
            // Angle weights are exact on no polyhedron; 1° is far below what a wrong winding or weight would give.
            assert!(normal.angle_between(*position).to_degrees() < 1.0, "{position} {normal}");
        }
    }

    #[test]
    fn cofactor_keeps_normals_perpendicular_under_shear_and_mirror() {
        let shear = Mat3A::from_cols_array(&[1.0, 0.2, 0.0, 0.5, 2.0, 0.1, 0.0, 0.0, -3.0]);
        for map in [
            shear,
            Mat3A::from_quat(Quat::from_rotation_x(0.7)),
            Mat3A::from_diagonal(Vec3::new(-1.0, 1.0, 1.0)),
        ] {
            let (u, v, n) = (
                Vec3::new(1.0, 2.0, 0.5),
                Vec3::new(-0.5, 1.0, 1.0),
                Vec3::new(1.0, 2.0, 0.5).cross(Vec3::new(-0.5, 1.0, 1.0)),
            );
            let posed = normal_from_rest(&map) * n;
            assert!(
                posed.dot(map * u).abs() < ROUNDING * posed.length()
                    && posed.dot(map * v).abs() < ROUNDING * posed.length()
            );
            assert!(posed.dot(map * n) > 0.0, "the outside stays outside");
        }
    }

    #[test]
    fn degenerate_triangles_leave_a_defined_normal() {
        let positions = [Vec3::ZERO, Vec3::ZERO, Vec3::X, Vec3::splat(f32::NAN)];
        for normal in smooth_normals(&positions, &[[0, 1, 2], [0, 2, 3]]) {
            assert_eq!(normal, Vec3::Y);
        }
    }
}
