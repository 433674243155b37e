//! The nearest place on the skin.

use glam::Vec3;
use sinew_geometry::{TriangleMesh, WindingField};

/// Triangles at one leaf of the tree.
const LEAF: usize = 4;

/// How far from a triangle its two sides are asked for inside and outside, as a share of the root of its area.
const SIDE: f64 = 0.02;

/// Triangles of a shell that are asked first.
const SHELL_SAMPLES: usize = 200;

/// The skin's triangles in a tree of boxes, ready to be asked for the nearest point.
pub(crate) struct Skin<'a> {
    surface: &'a TriangleMesh,
    nodes: Vec<Node>,
    /// Triangles in the tree's order.
    order: Vec<u32>,
}

/// A box; its first child follows it, its second is at `second`; a leaf has triangles instead.
struct Node {
    least: Vec3,
    most: Vec3,
    second: u32,
    first: u32,
    count: u32,
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
        let order = if outer.is_empty() { has_area } else { outer };
        let mut skin = Self { surface, nodes: Vec::new(), order };
        if !skin.order.is_empty() {
            skin.build(0, skin.order.len());
        }
        skin
    }

    /// The nearest point of the skin; `None` where there is no skin.
    pub(crate) fn nearest(&self, point: Vec3) -> Option<NearestSkin> {
        let mut best: Option<NearestSkin> = None;
        let mut stack = vec![0];
        while let Some(at) = stack.pop() {
            let Some(node) = self.nodes.get(at as usize) else { continue };
            let limit = best.map_or(f32::INFINITY, |best| best.distance);
            if box_distance(node, point) >= limit {
                continue;
            }
            if node.count == 0 {
                // The nearer box is looked into first.
                let (near, far) = (at + 1, node.second);
                let is_ordered = box_distance(&self.nodes[near as usize], point)
                    <= box_distance(&self.nodes[far as usize], point);
                stack.extend(if is_ordered { [far, near] } else { [near, far] });
            }
            for &triangle in &self.order[node.first as usize..(node.first + node.count) as usize] {
                let found = nearest_in_triangle(corners(self.surface, triangle), point);
                let distance = found.distance(point);
                if best.is_none_or(|best| distance < best.distance) {
                    best = Some(NearestSkin { triangle, point: found, distance });
                }
            }
        }
        best
    }

    fn build(&mut self, first: usize, end: usize) {
        let at = self.nodes.len();
        let (mut least, mut most) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for &triangle in &self.order[first..end] {
            for corner in corners(self.surface, triangle) {
                least = least.min(corner);
                most = most.max(corner);
            }
        }
        let is_leaf = end - first <= LEAF;
        let count = if is_leaf { (end - first) as u32 } else { 0 };
        self.nodes.push(Node { least, most, second: 0, first: first as u32, count });
        if is_leaf {
            return;
        }
        let axis = (most - least).max_position();
        let middle = (first + end) / 2;
        let surface = self.surface;
        let center =
            |triangle: u32| corners(surface, triangle).iter().map(|corner| corner[axis]).sum::<f32>();
        // Ties by number, so that the tree does not depend on the order of the sort.
        self.order[first..end]
            .select_nth_unstable_by(middle - first, |&a, &b| center(a).total_cmp(&center(b)).then(a.cmp(&b)));
        self.build(first, middle);
        self.nodes[at].second = self.nodes.len() as u32;
        self.build(middle, end);
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

fn box_distance(node: &Node, point: Vec3) -> f32 {
    point.distance(point.clamp(node.least, node.most))
}

/// The point of a triangle that is nearest: by the regions of its corners, edges and face.
fn nearest_in_triangle([a, b, c]: [Vec3; 3], point: Vec3) -> Vec3 {
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let normal = ab.cross(ac);
    let square = normal.length_squared();
    // Barycentric coordinates of the foot of the perpendicular; each edge takes over where its own is negative.
    let beta = ap.cross(ac).dot(normal) / square;
    let gamma = ab.cross(ap).dot(normal) / square;
    if square > 0.0 && beta >= 0.0 && gamma >= 0.0 && beta + gamma <= 1.0 {
        return a + ab * beta + ac * gamma;
    }
    let on_edges = [(a, b), (b, c), (c, a)].map(|(from, to)| nearest_on_segment(from, to, point).0);
    let distance = |place: &Vec3| place.distance_squared(point);
    let [first, rest @ ..] = on_edges;
    rest.into_iter().fold(first, |best, next| if distance(&next) < distance(&best) { next } else { best })
}

/// The nearest point of a segment, and how far along it is, 0 to 1.
pub(crate) fn nearest_on_segment(from: Vec3, to: Vec3, point: Vec3) -> (Vec3, f32) {
    let along = to - from;
    let square = along.length_squared();
    let share = if square > 0.0 { ((point - from).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
    (from + along * share, share)
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
