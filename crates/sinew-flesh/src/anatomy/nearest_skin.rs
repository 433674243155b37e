//! The nearest place on the skin.

use glam::Vec3;
use sinew_geometry::triangle::nearest_shares;
use sinew_geometry::{Bounds, BoxTree, TriangleMesh, WindingField};

/// How far from a triangle its two sides are asked for inside and outside, as a share of the root of its area.
const SIDE: f64 = 0.02;

/// Triangles of a shell that are asked first.
const SHELL_SAMPLES: usize = 200;

/// The skin's triangles in a tree of boxes, ready to be asked for the nearest point.
pub(crate) struct Skin<'a> {
    surface: &'a TriangleMesh,
    /// Triangles of the skin.
    pub(crate) triangles: Vec<u32>,
    tree: BoxTree,
}

/// Where the skin is nearest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NearestSkin {
    pub(crate) triangle: u32,
    pub(crate) point: Vec3,
    pub(crate) distance: f32,
}

impl<'a> Skin<'a> {
    /// The skin of a surface: of the triangles that have an area, those that do not lie wholly inside other shells (skin under a
    /// shirt, gums). Where none is left, all of them.
    pub(crate) fn new(surface: &'a TriangleMesh, winding: &WindingField) -> Self {
        let has_area: Vec<u32> = (0..surface.triangles.len() as u32)
            .filter(|&at| area_normal(surface, at).length() > 0.0)
            .collect();
        let outer = outer_triangles(surface, winding, &has_area);
        let triangles = if outer.is_empty() { has_area } else { outer };
        let boxes: Vec<Bounds> =
            triangles.iter().map(|&triangle| Bounds::around(corners(surface, triangle))).collect();
        Self { surface, triangles, tree: BoxTree::new(&boxes) }
    }

    /// The nearest point of the skin; `None` where there is no skin.
    pub(crate) fn nearest(&self, point: Vec3) -> Option<NearestSkin> {
        let mut best = None;
        self.tree.nearest(point, f32::INFINITY, |item, least| {
            let triangle = self.triangles[item as usize];
            let [a, b, c] = corners(self.surface, triangle);
            let shares = nearest_shares(point, [a, b, c]);
            let found = a * shares.x + b * shares.y + c * shares.z;
            let square = found.distance_squared(point);
            if square < least {
                best = Some(NearestSkin { triangle, point: found, distance: square.sqrt() });
            }
            square.min(least)
        });
        best
    }
}

fn corners(surface: &TriangleMesh, triangle: u32) -> [Vec3; 3] {
    surface.triangles[triangle as usize].map(|vertex| surface.positions[vertex as usize])
}

/// The normal of a triangle, twice its area long.
pub(crate) fn area_normal(surface: &TriangleMesh, triangle: u32) -> Vec3 {
    let [a, b, c] = corners(surface, triangle);
    (b - a).cross(c - a)
}

/// Of these triangles, those that have a side outside. Shells are judged by some of their triangles, and triangle by triangle only where
/// these differ: a winding number for each triangle of a dense skin would take longer than all the rest.
fn outer_triangles(surface: &TriangleMesh, winding: &WindingField, triangles: &[u32]) -> Vec<u32> {
    let mut outer = Vec::new();
    for shell in shells(surface, triangles) {
        let is_outer = |triangle: &&u32| is_outer(surface, winding, **triangle);
        let stride = shell.len().div_ceil(SHELL_SAMPLES);
        let asked = shell.len().div_ceil(stride);
        let found = shell.iter().step_by(stride).filter(is_outer).count();
        if found == asked {
            outer.extend(shell);
        } else if found > 0 {
            outer.extend(shell.iter().filter(is_outer));
        }
    }
    outer.sort_unstable();
    outer
}

/// Triangles that hang together by common vertices, in the order of their first.
fn shells(surface: &TriangleMesh, triangles: &[u32]) -> Vec<Vec<u32>> {
    let mut parent: Vec<u32> = (0..surface.positions.len() as u32).collect();
    fn root(parent: &mut [u32], mut vertex: u32) -> u32 {
        while parent[vertex as usize] != vertex {
            parent[vertex as usize] = parent[parent[vertex as usize] as usize];
            vertex = parent[vertex as usize];
        }
        vertex
    }
    for &triangle in triangles {
        let [a, b, c] = surface.triangles[triangle as usize];
        for other in [b, c] {
            let (first, second) = (root(&mut parent, a), root(&mut parent, other));
            parent[second as usize] = first;
        }
    }
    let mut shell_of_root = vec![usize::MAX; surface.positions.len()];
    let mut shells: Vec<Vec<u32>> = Vec::new();
    for &triangle in triangles {
        let shell = &mut shell_of_root[root(&mut parent, surface.triangles[triangle as usize][0]) as usize];
        if *shell == usize::MAX {
            *shell = shells.len();
            shells.push(Vec::new());
        }
        shells[*shell].push(triangle);
    }
    shells
}

/// Whether one side of a triangle is outside.
fn is_outer(surface: &TriangleMesh, winding: &WindingField, triangle: u32) -> bool {
    let [a, b, c] = corners(surface, triangle).map(Vec3::as_dvec3);
    let normal = (b - a).cross(c - a);
    let middle = (a + b + c) / 3.0;
    let step = normal * (SIDE / normal.length().sqrt().max(f64::MIN_POSITIVE));
    // The side that the triangle faces is outside nearly always.
    !winding.is_inside(middle + step) || !winding.is_inside(middle - step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::shapes;

    #[test]
    fn the_nearest_point_of_a_box_is_that_of_the_formula() {
        let half = Vec3::new(0.5, 1.0, 2.0);
        let surface = shapes::cuboid(half * 2.0);
        let skin = Skin::new(&surface, &WindingField::new(&surface));
        for at in 0..200_u32 {
            let share = |by: u32| (at * by % 97) as f32 / 97.0 - 0.5;
            let point = Vec3::new(share(31), share(57), share(83)) * 6.0;
            let outside = point.abs() - half;
            let expected = match outside.max_element() {
                inside if inside < 0.0 => -inside,
                _ => outside.max(Vec3::ZERO).length(),
            };
            let found = skin.nearest(point).unwrap();
            assert!((found.distance - expected).abs() < 1e-5, "{point}: {found:?} {expected}");
        }
    }

    #[test]
    fn shells_inside_others_are_no_skin() {
        let mut surface = shapes::cuboid(Vec3::splat(2.0));
        surface.append(&shapes::cuboid(Vec3::splat(0.5)));
        let skin = Skin::new(&surface, &WindingField::new(&surface));
        assert!((skin.nearest(Vec3::ZERO).unwrap().distance - 1.0).abs() < 1e-6);
        assert!(Skin::new(&TriangleMesh::default(), &WindingField::new(&surface)).nearest(Vec3::X).is_none());
    }
}
