//! Triangles of one surface that cut through each other.

use glam::{DVec3, IVec3, Vec3};
use std::collections::BTreeSet;

/// Pairs that cut each other at rest, which are no news.
pub(super) struct Crossings {
    at_rest: BTreeSet<[u32; 2]>,
}

/// A triangle in more cells than this is looked at with all others.
const MOST_CELLS: i64 = 4096;

impl Crossings {
    pub(super) fn at_rest(triangles: &[[u32; 3]], positions: &[Vec3]) -> Self {
        Self { at_rest: pairs(triangles, positions).into_iter().collect() }
    }

    /// Pairs that cut each other here and not at rest, in order.
    pub(super) fn new_pairs(&self, triangles: &[[u32; 3]], positions: &[Vec3]) -> Vec<[u32; 2]> {
        let mut found = pairs(triangles, positions);
        found.retain(|pair| !self.at_rest.contains(pair));
        found
    }
}

/// All pairs of triangles without a common vertex of which an edge of one passes through the other, in order. Triangles that lie in
/// one plane do not count.
fn pairs(triangles: &[[u32; 3]], positions: &[Vec3]) -> Vec<[u32; 2]> {
    let boxes: Vec<(DVec3, DVec3)> = triangles
        .iter()
        .map(|triangle| {
            let corners = triangle.map(|corner| positions[corner as usize].as_dvec3());
            let low = corners.into_iter().fold(DVec3::INFINITY, DVec3::min);
            (low, corners.into_iter().fold(DVec3::NEG_INFINITY, DVec3::max))
        })
        .collect();
    let mut candidates = near_pairs(&boxes);
    candidates.retain(|&[a, b]| {
        let (first, second) = (triangles[a as usize], triangles[b as usize]);
        let have_common = first.iter().any(|corner| second.contains(corner));
        let places = |triangle: [u32; 3]| triangle.map(|corner| positions[corner as usize].as_dvec3());
        !have_common && cut(&places(first), &places(second))
    });
    candidates
}

/// Pairs whose boxes overlap, by a grid of cells twice as large as the mean box; in order.
fn near_pairs(boxes: &[(DVec3, DVec3)]) -> Vec<[u32; 2]> {
    let sizes: f64 = boxes.iter().map(|(low, high)| (*high - *low).max_element()).sum();
    let cell_size = (2.0 * sizes / boxes.len().max(1) as f64).max(1e-12);
    let cell =
        |point: DVec3| (point / cell_size).floor().clamp(DVec3::splat(-1e9), DVec3::splat(1e9)).as_ivec3();
    let (mut entries, mut wide) = (Vec::new(), Vec::new());
    for (number, (low, high)) in boxes.iter().enumerate() {
        let (low, high) = (cell(*low), cell(*high));
        if (high - low + IVec3::ONE).as_i64vec3().element_product() > MOST_CELLS {
            wide.push(number as u32);
            continue;
        }
        for x in low.x..=high.x {
            for y in low.y..=high.y {
                entries.extend((low.z..=high.z).map(|z| ([x, y, z], number as u32)));
            }
        }
    }
    entries.sort_unstable();
    let overlap = |a: u32, b: u32| {
        let ((low_a, high_a), (low_b, high_b)) = (boxes[a as usize], boxes[b as usize]);
        low_a.cmple(high_b).all() && low_b.cmple(high_a).all()
    };
    let mut pairs = Vec::new();
    for of_cell in entries.chunk_by(|a, b| a.0 == b.0) {
        for (at, &(_, a)) in of_cell.iter().enumerate() {
            for &(_, b) in &of_cell[at + 1..] {
                if overlap(a, b) {
                    pairs.push([a.min(b), a.max(b)]);
                }
            }
        }
    }
    for &a in &wide {
        for b in (0..boxes.len() as u32).filter(|&b| b != a && overlap(a, b)) {
            pairs.push([a.min(b), a.max(b)]);
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
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
        let triangles = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 2, 7]];
        assert_eq!(pairs(&triangles, &positions), [[0, 1], [1, 2], [1, 3]]);
        let crossings = Crossings { at_rest: [[0, 1]].into() };
        assert_eq!(crossings.new_pairs(&triangles, &positions), [[1, 2], [1, 3]]);
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
        assert_eq!(pairs(&triangles, &positions), all);
    }
}
