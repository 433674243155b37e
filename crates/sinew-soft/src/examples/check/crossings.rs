//! Triangles of one surface that cut through each other.

use glam::{DVec3, Vec3};
use sinew_geometry::{Bounds, BoxTree};
use std::collections::BTreeSet;

/// The surface at rest: what is near there, or cuts there, is no news.
pub(super) struct Crossings {
    pub(super) triangles: Vec<[u32; 3]>,
    /// Middles of the triangles at rest.
    middles: Vec<DVec3>,
    /// Triangles whose middles are nearer at rest are not looked at: within a tetrahedron nothing can cross, and between
    /// neighbors only if one is inside out, which is told anyway. Seams and shells in each other, as eyes in a head, are such.
    apart_m: f64,
    at_rest: BTreeSet<[u32; 2]>,
}

impl Crossings {
    pub(super) fn new(triangles: Vec<[u32; 3]>, rest: &[Vec3], apart_m: f64) -> Self {
        let middle = |triangle: &[u32; 3]| {
            triangle.iter().map(|&corner| rest[corner as usize].as_dvec3()).sum::<DVec3>() / 3.0
        };
        let middles = triangles.iter().map(middle).collect();
        let mut crossings = Self { triangles, middles, apart_m, at_rest: BTreeSet::new() };
        crossings.at_rest = crossings.new_pairs(rest).into_iter().collect();
        crossings
    }

    /// Pairs of triangles of which an edge of one passes through the other here and not at rest, in order. Triangles that lie in
    /// one plane do not count.
    pub(super) fn new_pairs(&self, positions: &[Vec3]) -> Vec<[u32; 2]> {
        let places = |triangle: u32| {
            self.triangles[triangle as usize].map(|corner| positions[corner as usize].as_dvec3())
        };
        let square = self.apart_m * self.apart_m;
        let is_far = |a: u32, b: u32| {
            let (first, second) = (self.triangles[a as usize], self.triangles[b as usize]);
            self.middles[a as usize].distance_squared(self.middles[b as usize]) > square
                && !first.iter().any(|corner| second.contains(corner))
        };
        let boxes: Vec<Bounds> = self
            .triangles
            .iter()
            .map(|corners| Bounds::around(corners.map(|corner| positions[corner as usize])))
            .collect();
        let mut found = near_pairs(&boxes, is_far);
        found.retain(|pair| cut(&places(pair[0]), &places(pair[1])) && !self.at_rest.contains(pair));
        found.sort_unstable();
        found
    }
}

/// Wanted pairs whose boxes overlap, each once.
fn near_pairs(boxes: &[Bounds], is_wanted: impl Fn(u32, u32) -> bool) -> Vec<[u32; 2]> {
    let tree = BoxTree::new(boxes);
    let mut pairs = Vec::new();
    for (a, own) in (0..).zip(boxes) {
        tree.visit(own, |b| {
            if a < b && own.overlaps(&boxes[b as usize]) && is_wanted(a, b) {
                pairs.push([a, b]);
            }
        });
    }
    pairs
}

/// Whether an edge of one triangle passes through the other.
fn cut(a: &[DVec3; 3], b: &[DVec3; 3]) -> bool {
    let edges = |triangle: &[DVec3; 3]| [0, 1, 2].map(|at| (triangle[at], triangle[(at + 1) % 3]));
    edges(a).into_iter().any(|edge| passes(edge, b)) || edges(b).into_iter().any(|edge| passes(edge, a))
}

/// Whether a segment passes through a triangle: its ends lie on both sides of the plane, and all three sides of the triangle turn the same
/// way round it.
fn passes((from, to): (DVec3, DVec3), [a, b, c]: &[DVec3; 3]) -> bool {
    let volume = |p: DVec3, q: DVec3, r: DVec3, s: DVec3| (q - p).dot((r - p).cross(s - p));
    let (start, end) = (volume(*a, *b, *c, from), volume(*a, *b, *c, to));
    if start * end >= 0.0 {
        return false;
    }
    let turns = [volume(from, to, *a, *b), volume(from, to, *b, *c), volume(from, to, *c, *a)];
    turns.iter().all(|turn| *turn > 0.0) || turns.iter().all(|turn| *turn < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A surface that says nothing about rest.
    fn unmoved(triangles: Vec<[u32; 3]>, count: usize) -> Crossings {
        let mut crossings = Crossings::new(triangles, &vec![Vec3::ZERO; count], 0.0);
        crossings.middles = (0..crossings.triangles.len()).map(|at| DVec3::X * at as f64).collect();
        crossings
    }

    #[test]
    fn crossing_triangles_are_found_and_touching_ones_are_not() {
        let positions = [
            Vec3::ZERO,
            Vec3::X,
            Vec3::Y,
            // Through the first.
            Vec3::new(0.2, 0.2, -1.0),
            Vec3::new(0.3, 0.2, 1.0),
            Vec3::new(2.0, 2.0, 1.0),
            // Parallel to the first, and far away.
            Vec3::new(0.0, 0.0, 0.1),
            Vec3::new(1.0, 0.0, 0.1),
            Vec3::new(0.0, 1.0, 0.1),
        ];
        let triangles = vec![[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 2, 7]];
        let mut crossings = unmoved(triangles, positions.len());
        assert_eq!(crossings.new_pairs(&positions), [[0, 1], [1, 2], [1, 3]]);
        crossings.at_rest = [[0, 1]].into();
        assert_eq!(crossings.new_pairs(&positions), [[1, 2], [1, 3]]);
        crossings.middles[1] = DVec3::X * 9.0;
        crossings.apart_m = 1.0;
        assert_eq!(crossings.new_pairs(&positions), [[1, 2], [1, 3]]);
        crossings.middles[2] = DVec3::X * 9.5;
        assert_eq!(crossings.new_pairs(&positions), [[1, 3]]);
    }

    #[test]
    fn every_pair_of_many_is_found() {
        // Triangles at random places and of different sizes, against looking at each pair.
        let wave = |at: usize, k: f32| (at as f32 * k).sin();
        let positions: Vec<Vec3> = (0..900)
            .map(|at| {
                let corner = at % 3;
                let size = 0.05 + 0.3 * wave(at / 3, 3.3).abs().powi(8);
                let middle = Vec3::new(wave(at / 3, 12.9), wave(at / 3, 78.2), wave(at / 3, 37.7));
                middle + Vec3::new(wave(at, 1.7), wave(at + corner, 2.9), wave(at, 4.1)) * size
            })
            .collect();
        let triangles: Vec<[u32; 3]> = (0..300).map(|at| [3 * at, 3 * at + 1, 3 * at + 2]).collect();
        let places =
            |triangle: u32| [0, 1, 2].map(|corner| positions[(3 * triangle + corner) as usize].as_dvec3());
        let mut all = Vec::new();
        for a in 0..300u32 {
            all.extend((a + 1..300).filter(|&b| cut(&places(a), &places(b))).map(|b| [a, b]));
        }
        assert!(all.len() > 20, "{}", all.len());
        let crossings = unmoved(triangles, positions.len());
        assert_eq!(crossings.new_pairs(&positions), all);
    }
}
