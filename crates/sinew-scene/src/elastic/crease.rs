//! The outside of tetrahedra as a surface whose edges stay sharp.

use glam::Vec3;
use std::collections::BTreeMap;

/// Faces that meet at more than this angle have an edge between them, cos of 40°.
const SHARP_COS: f32 = 0.766;

/// A surface and the point that each of its vertices is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Creased {
    /// One per vertex.
    pub(super) points: Vec<u32>,
    /// Of vertices.
    pub(super) triangles: Vec<[u32; 3]>,
}

/// Gives every point as many vertices as smooth parts of the surface meet in it, so that normals of vertices are those of the parts.
pub(super) fn creased(points: &[Vec3], triangles: &[[u32; 3]]) -> Creased {
    let normals: Vec<Vec3> = triangles
        .iter()
        .map(|triangle| {
            let [a, b, c] = triangle.map(|point| points[point as usize]);
            (b - a).cross(c - a).normalize_or_zero()
        })
        .collect();
    // Corners of triangles, joined over smooth edges.
    let mut parts = Parts((0..3 * triangles.len() as u32).collect());
    let mut corners_of_edge: BTreeMap<[u32; 2], [u32; 3]> = BTreeMap::new();
    for (number, triangle) in triangles.iter().enumerate() {
        for at in 0..3 {
            let (here, there) = (3 * number as u32 + at, 3 * number as u32 + (at + 1) % 3);
            let [a, b] = [triangle[at as usize], triangle[(at as usize + 1) % 3]];
            let (key, ends) = if a < b { ([a, b], [here, there]) } else { ([b, a], [there, here]) };
            match corners_of_edge.get(&key) {
                Some(&[other, low, high]) if normals[other as usize].dot(normals[number]) > SHARP_COS => {
                    parts.join(low, ends[0]);
                    parts.join(high, ends[1]);
                }
                Some(_) => {}
                None => {
                    corners_of_edge.insert(key, [number as u32, ends[0], ends[1]]);
                }
            }
        }
    }
    let mut surface = Creased::default();
    let mut vertex_of_part = vec![u32::MAX; 3 * triangles.len()];
    for (number, triangle) in triangles.iter().enumerate() {
        let mut made = [0; 3];
        for (at, vertex) in made.iter_mut().enumerate() {
            let part = parts.of(3 * number as u32 + at as u32) as usize;
            if vertex_of_part[part] == u32::MAX {
                vertex_of_part[part] = surface.points.len() as u32;
                surface.points.push(triangle[at]);
            }
            *vertex = vertex_of_part[part];
        }
        surface.triangles.push(made);
    }
    surface
}

/// Sets that can be joined; each entry names another of its set, and the first of a set itself.
struct Parts(Vec<u32>);

impl Parts {
    fn of(&mut self, mut entry: u32) -> u32 {
        while self.0[entry as usize] != entry {
            let next = self.0[self.0[entry as usize] as usize];
            self.0[entry as usize] = next;
            entry = next;
        }
        entry
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.of(a), self.of(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::{TetMesh, shapes};

    #[test]
    fn a_box_has_three_vertices_at_each_corner_and_a_ball_one_everywhere() {
        let cube = TetMesh::lattice([2, 2, 2], Vec3::ONE);
        let surface = creased(cube.points(), &cube.boundary());
        // 6 faces of 9 vertices each.
        assert_eq!(surface.points.len(), 54);
        assert_eq!(surface.triangles.len(), 48);
        let ball = shapes::sphere(1.0, 24, 12);
        assert_eq!(creased(&ball.positions, &ball.triangles).points.len(), ball.positions.len());
    }
}
