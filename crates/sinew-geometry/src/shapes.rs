//! Simple closed and open shapes, for tests and demonstrations.

use crate::TriangleMesh;
use glam::Vec3;
use std::f32::consts::{PI, TAU};

/// A flat strip in the xy plane facing +Z: `length` along +Y from the origin, `width` along X, `rows` quads long.
///
/// # Panics
/// If `rows` is zero.
pub fn strip(length: f32, width: f32, rows: u32) -> TriangleMesh {
    assert!(rows > 0, "a strip needs at least one row");
    let positions = (0..=rows)
        .flat_map(|row| {
            let y = length * row as f32 / rows as f32;
            [Vec3::new(-width / 2.0, y, 0.0), Vec3::new(width / 2.0, y, 0.0)]
        })
        .collect();
    let triangles = (0..rows).flat_map(|row| quad(2 * row, 2 * row + 1, 2 * row + 3, 2 * row + 2)).collect();
    TriangleMesh { positions, triangles }
}

/// A closed cylinder about +Y from the origin up: `sides` around, `rows` along, fans as caps.
///
/// # Panics
/// If there are fewer than three sides or no row.
pub fn cylinder(length: f32, radius: f32, sides: u32, rows: u32) -> TriangleMesh {
    let profile: Vec<_> = (0..=rows).map(|row| (radius, length * row as f32 / rows as f32)).collect();
    revolved(&profile, 0.0, length, sides)
}

/// A closed capsule about +Y: hemispheres of `radius` around the origin and the point `length` above it.
///
/// # Panics
/// If there are fewer than three sides, or a row count is zero.
pub fn capsule(length: f32, radius: f32, sides: u32, rows: u32, cap_rows: u32) -> TriangleMesh {
    assert!(rows > 0 && cap_rows > 0, "a capsule needs at least one row in the middle and in each cap");
    let cap = |row: u32| (row as f32 / cap_rows as f32 * PI / 2.0).sin_cos();
    let lower = (1..=cap_rows).map(|row| (radius * cap(row).0, -radius * cap(row).1));
    let middle = (1..rows).map(|row| (radius, length * row as f32 / rows as f32));
    let upper = (1..=cap_rows).rev().map(|row| (radius * cap(row).0, length + radius * cap(row).1));
    revolved(&lower.chain(middle).chain(upper).collect::<Vec<_>>(), -radius, length + radius, sides)
}

/// A closed sphere around the origin with poles on Y.
///
/// # Panics
/// If there are fewer than three sides or two rows.
pub fn sphere(radius: f32, sides: u32, rows: u32) -> TriangleMesh {
    assert!(rows > 1, "a sphere needs at least two rows");
    let profile: Vec<_> = (1..rows)
        .map(|row| (PI * row as f32 / rows as f32).sin_cos())
        .map(|(sin, cos)| (radius * sin, -radius * cos))
        .collect();
    revolved(&profile, -radius, radius, sides)
}

/// A closed box around the origin with edges of `size`, eight vertices.
pub fn cuboid(size: Vec3) -> TriangleMesh {
    let positions = (0..8u32)
        .map(|corner| {
            Vec3::new((corner & 1) as f32 - 0.5, (corner >> 1 & 1) as f32 - 0.5, (corner >> 2) as f32 - 0.5)
                * size
        })
        .collect();
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    TriangleMesh {
        positions,
        triangles: faces.into_iter().flat_map(|[a, b, c, d]| quad(a, b, c, d)).collect(),
    }
}

/// A closed surface of revolution about Y. `profile`: (radius, y) of each ring, bottom to top; poles close it.
fn revolved(profile: &[(f32, f32)], bottom_y: f32, top_y: f32, sides: u32) -> TriangleMesh {
    assert!(sides >= 3, "a ring needs at least three sides");
    assert!(!profile.is_empty(), "a surface of revolution needs at least one ring");
    let ring_count = profile.len() as u32;
    let mut positions: Vec<Vec3> = profile
        .iter()
        .flat_map(|&(radius, y)| {
            (0..sides).map(move |side| {
                let (sin, cos) = (TAU * side as f32 / sides as f32).sin_cos();
                Vec3::new(radius * sin, y, radius * cos)
            })
        })
        .collect();
    let (bottom, top) = (positions.len() as u32, positions.len() as u32 + 1);
    positions.extend([Vec3::new(0.0, bottom_y, 0.0), Vec3::new(0.0, top_y, 0.0)]);

    let vertex = |ring: u32, side: u32| ring * sides + side % sides;
    let mut triangles = Vec::new();
    for side in 0..sides {
        triangles.push([bottom, vertex(0, side + 1), vertex(0, side)]);
        triangles.push([top, vertex(ring_count - 1, side), vertex(ring_count - 1, side + 1)]);
        for ring in 0..ring_count - 1 {
            triangles.extend(quad(
                vertex(ring, side),
                vertex(ring, side + 1),
                vertex(ring + 1, side + 1),
                vertex(ring + 1, side),
            ));
        }
    }
    TriangleMesh { positions, triangles }
}

fn quad(a: u32, b: u32, c: u32, d: u32) -> [[u32; 3]; 2] {
    [[a, b, c], [a, c, d]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a volume of f32 corners, as a share.
    const ROUNDING: f64 = 1e-6;

    /// What flat triangles cut off a round shape at these counts, as a share.
    const FACETS: f64 = 2e-3;

    /// Checks the volume against the closed form of the polyhedron or, for round shapes, of the smooth shape.
    #[track_caller]
    fn check_volume(mesh: &TriangleMesh, expected: f64, relative: f64) {
        let volume = mesh.volume();
        assert!((volume / expected - 1.0).abs() < relative, "volume {volume}, expected {expected}");
    }

    #[test]
    fn closed_shapes_have_their_volumes() {
        check_volume(&cuboid(Vec3::new(1.0, 2.0, 3.0)), 6.0, ROUNDING);
        let prism = 32.0 / 2.0 * (std::f64::consts::TAU / 32.0).sin() * 0.25 * 2.0;
        check_volume(&cylinder(2.0, 0.5, 32, 7), prism, ROUNDING);
        check_volume(&sphere(1.0, 128, 64), 4.0 / 3.0 * std::f64::consts::PI, FACETS);
        let (r, h) = (0.3f64, 1.2);
        check_volume(
            &capsule(1.2, 0.3, 128, 4, 32),
            std::f64::consts::PI * (r * r * h + 4.0 / 3.0 * r * r * r),
            FACETS,
        );
    }

    #[test]
    fn strip_faces_forward() {
        let strip = strip(4.0, 1.0, 40);
        assert_eq!(strip.triangles.len(), 80);
        for triangle in &strip.triangles {
            let [a, b, c] = triangle.map(|vertex| strip.positions[vertex as usize]);
            assert!((b - a).cross(c - a).z > 0.0, "{triangle:?}");
        }
    }
}
