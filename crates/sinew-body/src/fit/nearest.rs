//! Nearest points on triangles, by a tree of boxes.

use glam::DVec3;

/// Triangles per leaf: fewer makes the tree larger, more makes its leaves slow.
const LEAF_SIZE: usize = 4;

/// A point found on a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Nearest {
    pub(super) triangle: usize,
    pub(super) point: DVec3,
    /// Weights of the triangle's vertices.
    pub(super) weights: [f64; 3],
    pub(super) distance: f64,
}

/// A tree over triangles.
#[derive(Clone, Debug)]
pub(super) struct TriangleTree {
    corners: Vec<[DVec3; 3]>,
    /// Triangles in the order of leaves.
    order: Vec<u32>,
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    low: DVec3,
    high: DVec3,
    /// Range in `order`.
    first: u32,
    end: u32,
    /// The second child; the first follows its parent. Zero for a leaf.
    second: u32,
}

impl TriangleTree {
    pub(super) fn new(corners: Vec<[DVec3; 3]>) -> Self {
        let order = (0..corners.len() as u32).collect();
        let mut tree = TriangleTree { corners, order, nodes: Vec::new() };
        tree.add_node(0, tree.order.len());
        tree
    }

    fn add_node(&mut self, first: usize, end: usize) -> usize {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &triangle in &self.order[first..end] {
            for &corner in &self.corners[triangle as usize] {
                (low, high) = (low.min(corner), high.max(corner));
            }
        }
        let index = self.nodes.len();
        self.nodes.push(Node { low, high, first: first as u32, end: end as u32, second: 0 });
        if end - first > LEAF_SIZE {
            let size = (high - low).to_array();
            let axis = (0..3).fold(0, |best, axis| if size[axis] > size[best] { axis } else { best });
            let corners = &self.corners;
            let middle = |&triangle: &u32| corners[triangle as usize].iter().sum::<DVec3>().to_array()[axis];
            let half = (end - first) / 2;
            self.order[first..end]
                .select_nth_unstable_by(half, |a, b| middle(a).total_cmp(&middle(b)).then(a.cmp(b)));
            self.add_node(first, first + half);
            self.nodes[index].second = self.add_node(first + half, end) as u32;
        }
        index
    }

    /// The nearest point within `reach` on triangles for which `accepts` is true.
    pub(super) fn nearest(
        &self,
        point: DVec3,
        reach: f64,
        accepts: impl Fn(usize) -> bool,
    ) -> Option<Nearest> {
        let mut best: Option<Nearest> = None;
        let mut stack = vec![0];
        while let Some(index) = stack.pop() {
            let node: &Node = &self.nodes[index];
            let limit = best.map_or(reach, |best| best.distance);
            if box_distance(node, point) > limit {
                continue;
            }
            if node.second == 0 {
                for &triangle in &self.order[node.first as usize..node.end as usize] {
                    let triangle = triangle as usize;
                    let (at, weights) = on_triangle(point, &self.corners[triangle]);
                    let distance = at.distance(point);
                    let is_nearer = distance < best.map_or(reach, |best| best.distance);
                    if is_nearer && accepts(triangle) {
                        best = Some(Nearest { triangle, point: at, weights, distance });
                    }
                }
                continue;
            }
            let (near, far) = (index + 1, node.second as usize);
            let is_first_nearer =
                box_distance(&self.nodes[near], point) <= box_distance(&self.nodes[far], point);
            stack.extend(if is_first_nearer { [far, near] } else { [near, far] });
        }
        best
    }

    /// Whether a ray hits a triangle nearer than `reach`. `direction` has the length one.
    pub(super) fn is_hit(&self, origin: DVec3, direction: DVec3, reach: f64) -> bool {
        let mut stack = vec![0];
        while let Some(index) = stack.pop() {
            let node: &Node = &self.nodes[index];
            if !crosses_box(node, origin, direction, reach) {
                continue;
            }
            if node.second != 0 {
                stack.extend([index + 1, node.second as usize]);
                continue;
            }
            let leaf = &self.order[node.first as usize..node.end as usize];
            if leaf.iter().any(|&triangle| {
                ray_distance(origin, direction, &self.corners[triangle as usize])
                    .is_some_and(|far| far < reach)
            }) {
                return true;
            }
        }
        false
    }
}

fn crosses_box(node: &Node, origin: DVec3, direction: DVec3, reach: f64) -> bool {
    // Division by zero gives infinities of the right sign; a ray within a face gives NaN, which min and max ignore.
    let (first, second) = ((node.low - origin) / direction, (node.high - origin) / direction);
    let enter = first.min(second).max_element().max(0.0);
    let leave = first.max(second).min_element().min(reach);
    enter <= leave
}

/// Intersection of a ray with a triangle's inside, as a distance along the ray.
fn ray_distance(origin: DVec3, direction: DVec3, &[a, b, c]: &[DVec3; 3]) -> Option<f64> {
    let (first, second, from) = (b - a, c - a, origin - a);
    let across = direction.cross(second);
    let determinant = first.dot(across);
    if determinant == 0.0 {
        return None;
    }
    let u = from.dot(across) / determinant;
    let other = from.cross(first);
    let v = direction.dot(other) / determinant;
    let far = second.dot(other) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && far > 0.0).then_some(far)
}

fn box_distance(node: &Node, point: DVec3) -> f64 {
    point.distance(point.clamp(node.low, node.high))
}

/// The nearest point of a triangle and its weights. A triangle without area counts as its edges.
fn on_triangle(point: DVec3, &[a, b, c]: &[DVec3; 3]) -> (DVec3, [f64; 3]) {
    let normal = (b - a).cross(c - a);
    let area = normal.length_squared();
    let weight = |from: DVec3, to: DVec3| (to - from).cross(point - from).dot(normal) / area;
    let inside = [weight(b, c), weight(c, a), weight(a, b)];
    if inside.iter().all(|&weight| weight >= 0.0) {
        return (a * inside[0] + b * inside[1] + c * inside[2], inside);
    }
    let mut best = (a, [1.0, 0.0, 0.0]);
    let mut least = f64::INFINITY;
    for (first, (from, to)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
        let way = to - from;
        let long = way.length_squared();
        let t = if long > 0.0 { ((point - from).dot(way) / long).clamp(0.0, 1.0) } else { 0.0 };
        let at = from + t * way;
        if at.distance_squared(point) < least {
            least = at.distance_squared(point);
            let mut weights = [0.0; 3];
            (weights[first], weights[(first + 1) % 3]) = (1.0 - t, t);
            best = (at, weights);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn the_tree_finds_what_a_search_of_all_finds() {
        let mut random = Random::new(7);
        let mut point = || random.vector();
        let corners: Vec<[DVec3; 3]> = (0..200)
            .map(|_| {
                let at = point();
                [at, at + 0.1 * point(), at + 0.1 * point()]
            })
            .collect();
        let tree = TriangleTree::new(corners.clone());
        for _ in 0..100 {
            let at = point();
            let found = tree.nearest(at, f64::INFINITY, |_| true).unwrap();
            let least =
                corners.iter().map(|t| on_triangle(at, t).0.distance(at)).fold(f64::INFINITY, f64::min);
            assert_eq!(found.distance, least);
            let [a, b, c] = corners[found.triangle];
            let [x, y, z] = found.weights;
            let rounding = 1e-12;
            assert!((a * x + b * y + c * z).distance(found.point) < rounding);
        }
        let hit = TriangleTree::new(vec![[DVec3::ZERO, DVec3::X, DVec3::Y]]);
        let above = DVec3::new(0.2, 0.2, 1.0);
        assert!(hit.is_hit(above, DVec3::NEG_Z, 1.1) && !hit.is_hit(above, DVec3::NEG_Z, 0.9));
        assert!(!hit.is_hit(above, DVec3::Z, 9.0) && !hit.is_hit(above + DVec3::X, DVec3::NEG_Z, 9.0));
        assert_eq!(tree.nearest(DVec3::splat(9.0), 1.0, |_| true), None);
        assert_eq!(tree.nearest(DVec3::ZERO, 9.0, |_| false), None);
    }
}
