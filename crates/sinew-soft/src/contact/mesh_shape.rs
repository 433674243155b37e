//! Triangle meshes as colliders.
//!
//! A closed mesh has an inside: a point's sign is that of its way from the nearest point of the mesh, along the angle-weighted normal
//! there \[Baerentzen05\], which is right also where the nearest point is on an edge or a corner. An open mesh is a wall with two
//! outsides; points are kept on the side from which they come.

use super::hull::hull;
use super::{ContactError, Crossing, Touch};
use crate::missing_corner;
use glam::Vec3;
use sinew_geometry::triangle::{crossing, nearest_shares};
use sinew_geometry::{Bounds, BoxTree, TriangleMesh};
use std::collections::BTreeMap;

/// A triangle mesh that bodies run into, in its own space.
#[derive(Clone, Debug)]
pub struct MeshShape {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    tree: BoxTree,
    /// Per triangle: its normal, those of the edges from each corner to the next, and those of the corners.
    normals: Vec<FaceNormals>,
    is_closed: bool,
    pub(crate) size_m: f32,
}

#[derive(Clone, Copy, Debug)]
struct FaceNormals {
    face: Vec3,
    edges: [Vec3; 3],
    corners: [Vec3; 3],
}

impl MeshShape {
    /// Of a mesh; closed if every edge has two triangles that run along it in opposite directions. Vertices at exactly the same place
    /// are one, and triangles without area are left out.
    ///
    /// # Errors
    /// If a triangle names a vertex that is not there, a vertex is not finite, or no triangle is left.
    pub fn new(mesh: &TriangleMesh) -> Result<Self, ContactError> {
        if let Some(vertex) = mesh.positions.iter().position(|position| !position.is_finite()) {
            return Err(ContactError::NotFinite { what: "vertex", number: vertex });
        }
        let count = mesh.positions.len();
        if let Some((triangle, number)) = missing_corner(&mesh.triangles, count) {
            return Err(ContactError::Corner { triangle, what: "vertex", number, count });
        }
        let same = first_at_same_place(&mesh.positions);
        let corners_of = |corners: [u32; 3]| corners.map(|corner| mesh.positions[corner as usize]);
        let triangles: Vec<[u32; 3]> = mesh
            .triangles
            .iter()
            .map(|corners| corners.map(|corner| same[corner as usize]))
            .filter(|corners| area_normal(corners_of(*corners)) != Vec3::ZERO)
            .collect();
        if triangles.is_empty() {
            return Err(ContactError::NoArea);
        }
        let boxes: Vec<Bounds> =
            triangles.iter().map(|corners| Bounds::around(corners_of(*corners))).collect();
        let tree = BoxTree::new(&boxes);
        let (normals, is_closed) = normals_of(&mesh.positions, &triangles);
        let size_m = tree.bounds().diagonal();
        Ok(Self { positions: mesh.positions.clone(), triangles, tree, normals, is_closed, size_m })
    }

    /// The convex hull of points, which is closed.
    ///
    /// # Errors
    /// If the points lie in a plane, or one is not finite.
    pub fn hull_of(points: &[Vec3]) -> Result<Self, ContactError> {
        let mesh = hull(points)?;
        Self::new(&mesh).map_err(|_| ContactError::Flat)
    }

    /// Whether it has an inside.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// How thick it is at least, from its middle, meters: nothing if it is closed; a ten-thousandth of its size if it is a wall, because a
    /// point on it has no side.
    pub fn least_margin_m(&self) -> f32 {
        if self.is_closed { 0.0 } else { 1e-4 * self.size_m }
    }

    /// How a point lies to the mesh. Of a wall, distances are not negative, and the normal is that of the point's side.
    pub fn touch(&self, point: Vec3) -> Touch {
        self.touch_within(point, f32::INFINITY)
    }

    /// The same, for a point that is known to be no farther away than so much.
    pub(crate) fn touch_within(&self, point: Vec3, most_m: f32) -> Touch {
        // A little more, so that rounding leaves something to find.
        let most = most_m * 1.001 + 1e-6 * self.size_m;
        let mut best = (most * most, 0u32, Vec3::X);
        self.tree.nearest(point, best.0, |triangle, _| {
            let corners = self.corners(triangle);
            let shares = nearest_shares(point, corners);
            let square = point.distance_squared(at(corners, shares));
            if square < best.0 {
                best = (square, triangle, shares);
            }
            best.0
        });
        let (_, triangle, shares) = best;
        let way = point - at(self.corners(triangle), shares);
        let normal = self.normals[triangle as usize].at(shares);
        let side = if way.dot(normal) < 0.0 { -1.0 } else { 1.0 };
        let distance = way.length();
        let out = if distance > 1e-7 * self.size_m { way / distance } else { normal * side };
        if self.is_closed {
            Touch { distance_m: distance * side, normal: out * side }
        } else {
            Touch { distance_m: distance, normal: out }
        }
    }

    /// Where the way between two points first meets the mesh, if it does: into it, if it is closed.
    pub(crate) fn crossing(&self, from: Vec3, to: Vec3) -> Option<Crossing> {
        let mut best: Option<(f32, u32)> = None;
        self.tree.visit(&Bounds::around([from, to]), |triangle| {
            let face = self.normals[triangle as usize].face;
            if self.is_closed && face.dot(to - from) > 0.0 {
                return;
            }
            if let Some(share) = crossing(from, to, self.corners(triangle))
                && best.is_none_or(|(least, _)| share < least)
            {
                best = Some((share, triangle));
            }
        });
        let (share, triangle) = best?;
        let face = self.normals[triangle as usize].face;
        let normal = if face.dot(to - from) > 0.0 { -face } else { face };
        Some(Crossing { point: from + (to - from) * share, normal })
    }

    fn corners(&self, triangle: u32) -> [Vec3; 3] {
        self.triangles[triangle as usize].map(|corner| self.positions[corner as usize])
    }
}

impl PartialEq for MeshShape {
    fn eq(&self, other: &Self) -> bool {
        self.positions == other.positions && self.triangles == other.triangles
    }
}

impl FaceNormals {
    /// The normal at a point of the triangle: of the corner or the edge that it lies on, if it does.
    fn at(&self, shares: Vec3) -> Vec3 {
        match [0, 1, 2].map(|corner| shares[corner] > 0.0) {
            [true, false, false] => self.corners[0],
            [false, true, false] => self.corners[1],
            [false, false, true] => self.corners[2],
            [true, true, false] => self.edges[0],
            [false, true, true] => self.edges[1],
            [true, false, true] => self.edges[2],
            _ => self.face,
        }
    }
}

fn at([a, b, c]: [Vec3; 3], shares: Vec3) -> Vec3 {
    a * shares.x + b * shares.y + c * shares.z
}

fn area_normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a)
}

/// For each vertex the first at the same place.
fn first_at_same_place(positions: &[Vec3]) -> Vec<u32> {
    let mut firsts: BTreeMap<[u32; 3], u32> = BTreeMap::new();
    let key = |position: Vec3| (position + Vec3::ZERO).to_array().map(f32::to_bits);
    (0..).zip(positions).map(|(vertex, position)| *firsts.entry(key(*position)).or_insert(vertex)).collect()
}

/// Normals of faces, edges and corners, the latter weighted by angles, and whether the mesh is closed.
fn normals_of(positions: &[Vec3], triangles: &[[u32; 3]]) -> (Vec<FaceNormals>, bool) {
    let mut of_corner = vec![Vec3::ZERO; positions.len()];
    let mut of_edge: BTreeMap<[u32; 2], (Vec3, i32, u32)> = BTreeMap::new();
    let key = |a: u32, b: u32| [a.min(b), a.max(b)];
    let faces: Vec<Vec3> = triangles
        .iter()
        .map(|corners| area_normal(corners.map(|corner| positions[corner as usize])).normalize_or_zero())
        .collect();
    for (corners, face) in triangles.iter().zip(&faces) {
        for at in 0..3 {
            let [here, next, last] = [0, 1, 2].map(|step| corners[(at + step) % 3]);
            let [p, q, r] = [here, next, last].map(|corner| positions[corner as usize]);
            of_corner[here as usize] += *face * (q - p).angle_between(r - p);
            let (sum, balance, count) = of_edge.entry(key(here, next)).or_default();
            *sum += *face;
            *balance += if here < next { 1 } else { -1 };
            *count += 1;
        }
    }
    let is_closed = of_edge.values().all(|&(_, balance, count)| balance == 0 && count == 2);
    let normals = triangles.iter().zip(&faces).map(|(corners, &face)| FaceNormals {
        face,
        edges: [0, 1, 2].map(|at| of_edge[&key(corners[at], corners[(at + 1) % 3])].0.normalize_or(face)),
        corners: corners.map(|corner| of_corner[corner as usize].normalize_or(face)),
    });
    (normals.collect(), is_closed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;
    use proptest::prelude::*;
    use sinew_geometry::shapes;

    proptest! {
        /// A mesh of a box is the box.
        #[test]
        fn a_closed_mesh_has_the_distances_of_its_shape(x in -1.5f32..1.5, y in -1.5f32..1.5, z in -1.5f32..1.5) {
            let half_m = Vec3::new(0.5, 0.3, 0.8);
            let mesh = MeshShape::new(&shapes::cuboid(half_m * 2.0)).unwrap();
            prop_assert!(mesh.is_closed());
            let (point, exact) = (Vec3::new(x, y, z), Shape::Box { half_m });
            let (found, wanted) = (mesh.touch(point), exact.touch(point));
            prop_assert!((found.distance_m - wanted.distance_m).abs() < 1e-5, "{point}: {found:?} {wanted:?}");
            let back = point - found.normal * found.distance_m;
            prop_assert!(exact.touch(back).distance_m.abs() < 1e-4, "{point}: {found:?}");
            let near = mesh.touch_within(point, wanted.distance_m.abs());
            prop_assert_eq!(near, found);
        }
    }

    #[test]
    fn ways_go_into_closed_meshes_and_through_open_ones() {
        let ball = MeshShape::new(&shapes::sphere(1.0, 24, 12)).unwrap();
        assert!(ball.is_closed());
        let entry = ball.crossing(Vec3::new(-3.0, 0.1, 0.05), Vec3::new(3.0, 0.1, 0.05)).unwrap();
        assert!(entry.point.x < -0.9 && entry.normal.x < -0.9, "{entry:?}");
        assert!(ball.crossing(Vec3::ZERO, Vec3::X * 3.0).is_none());
        let wall = MeshShape::new(&shapes::strip(2.0, 1.0, 4)).unwrap();
        assert!(!wall.is_closed() && wall.least_margin_m() > 0.0);
        let middle = wall.tree.bounds().center();
        let up = wall.normals[0].face;
        for side in [1.0, -1.0] {
            let met = wall.crossing(middle + up * side, middle - up * side).unwrap();
            assert!(met.normal.dot(up * side) > 0.99 && met.point.distance(middle) < 1e-5);
            let touch = wall.touch(middle + up * (0.1 * side));
            assert!((touch.distance_m - 0.1).abs() < 1e-5 && touch.normal.dot(up * side) > 0.99);
        }
    }

    #[test]
    fn wrong_meshes_are_refused() {
        let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X * 2.0];
        let check = |positions: Vec<Vec3>, triangles: Vec<[u32; 3]>| {
            MeshShape::new(&TriangleMesh { positions, triangles }).map(|_| ()).unwrap_err()
        };
        assert_eq!(check(corners.clone(), vec![]), ContactError::NoArea);
        assert_eq!(check(corners.clone(), vec![[0, 1, 3]]), ContactError::NoArea);
        let missing = ContactError::Corner { triangle: 0, what: "vertex", number: 9, count: 4 };
        assert_eq!(check(corners, vec![[0, 1, 9]]), missing);
        let nowhere = vec![Vec3::ZERO, Vec3::X, Vec3::NAN];
        assert_eq!(check(nowhere, vec![[0, 1, 2]]), ContactError::NotFinite { what: "vertex", number: 2 });
    }
}
