//! A body's surface as weights of control points, and its change with a design.

use super::nearest::TriangleTree;
use crate::Patch;
use crate::bernstein;
use crate::patch::{CORNERS, corner_weight};
use glam::DVec3;

/// Control points of a patch in one list: the net, then both versions of the split corners.
pub(super) const POINT_COUNT: usize = 33;

/// A weighted sum of a patch's control points: a place on it, or a tangent.
#[derive(Clone, Debug)]
pub(super) struct Combination {
    pub(super) patch: usize,
    weights: [f64; POINT_COUNT],
}

impl Combination {
    /// The point at (u, w).
    pub(super) fn position(patches: &[Patch], patch: usize, u: f64, w: f64) -> Self {
        let (bu, bw) = (bernstein::quartic(u), bernstein::quartic(w));
        Self::new(&patches[patch], patch, (bu, bw), |i, j| corner_weight(i, j, u, w).0)
    }

    /// The derivatives by u and by w, times a factor each.
    pub(super) fn tangents(patches: &[Patch], patch: usize, (u, w): (f64, f64), by: [f64; 2]) -> [Self; 2] {
        let (bu, bw) = (bernstein::quartic(u), bernstein::quartic(w));
        let (su, sw) = (bernstein::quartic_slope(u), bernstein::quartic_slope(w));
        let found = &patches[patch];
        let along_u =
            Self::new(found, patch, (su.map(|s| by[0] * s), bw), |i, j| by[0] * corner_weight(i, j, u, w).1);
        let along_w =
            Self::new(found, patch, (bu, sw.map(|s| by[1] * s)), |i, j| by[1] * corner_weight(i, j, u, w).2);
        [along_u, along_w]
    }

    fn new(
        found: &Patch,
        patch: usize,
        (along_u, along_w): ([f64; 5], [f64; 5]),
        second_version: impl Fn(usize, usize) -> f64,
    ) -> Self {
        let mut weights = [0.0; POINT_COUNT];
        for i in 0..5 {
            for j in 0..5 {
                weights[5 * i + j] = along_u[i] * along_w[j];
            }
        }
        if found.is_gregory() {
            for (corner, &(i, j)) in CORNERS.iter().enumerate() {
                let second = second_version(i, j);
                weights[25 + corner] = weights[5 * i + j] - second;
                weights[29 + corner] = second;
                weights[5 * i + j] = 0.0;
            }
        }
        Combination { patch, weights }
    }

    /// The sum times a factor.
    pub(super) fn times(mut self, factor: f64) -> Self {
        self.weights.iter_mut().for_each(|weight| *weight *= factor);
        self
    }

    /// The sum plus another of the same patch times a factor.
    pub(super) fn plus(mut self, factor: f64, other: &Combination) -> Self {
        self.weights.iter_mut().zip(other.weights).for_each(|(weight, by)| *weight += factor * by);
        self
    }

    /// The sum's value.
    pub(super) fn value(&self, patches: &[Patch]) -> DVec3 {
        let points = points(&patches[self.patch]);
        self.weights.iter().zip(points).map(|(weight, point)| *weight * point).sum()
    }

    /// Displacement of the sum when its patch changes.
    #[cfg(feature = "make-shapes")]
    pub(super) fn change(&self, change: &PatchChange) -> DVec3 {
        change.moves.iter().map(|&(point, by)| self.weights[point as usize] * by).sum()
    }

    /// Displacement of the sum along a direction when its patch changes.
    pub(super) fn change_along(&self, change: &PatchChange, direction: DVec3) -> f64 {
        change.moves.iter().map(|&(point, by)| self.weights[point as usize] * direction.dot(by)).sum()
    }
}

/// Effect of a parameter on a patch: its moved control points, per unit.
#[derive(Clone, Debug)]
pub(super) struct PatchChange {
    pub(super) patch: usize,
    moves: Vec<(u8, DVec3)>,
}

/// Changes below this, m per unit, are rounding.
const NO_MOVE: f64 = 1e-9;

impl PatchChange {
    /// The difference of two bodies divided by a step of a parameter.
    pub(super) fn between(before: &[Patch], after: &[Patch], step: f64) -> Vec<PatchChange> {
        let mut changes = Vec::new();
        for (patch, (before, after)) in before.iter().zip(after).enumerate() {
            let (before, after) = (points(before), points(after));
            let moves: Vec<(u8, DVec3)> = (0..POINT_COUNT)
                .map(|point| (point as u8, (after[point] - before[point]) / step))
                .filter(|(_, by)| by.length() > NO_MOVE)
                .collect();
            if !moves.is_empty() {
                changes.push(PatchChange { patch, moves });
            }
        }
        changes
    }
}

fn points(patch: &Patch) -> [DVec3; POINT_COUNT] {
    let mut list = [DVec3::ZERO; POINT_COUNT];
    for i in 0..5 {
        list[5 * i..5 * i + 5].copy_from_slice(&patch.net[i]);
    }
    if let Some(corners) = &patch.corners {
        list[25..29].copy_from_slice(&corners.cross_u);
        list[29..33].copy_from_slice(&corners.cross_w);
    }
    list
}

/// Small triangles on a body, to find the nearest place.
pub(super) struct SurfaceTriangles {
    pub(super) tree: TriangleTree,
    pub(super) normals: Vec<DVec3>,
    /// Patch and parameters of each triangle's corners.
    corners: Vec<(usize, [(f64, f64); 3])>,
}

impl SurfaceTriangles {
    /// Cuts each patch that counts into `steps` × `steps` squares of two triangles.
    pub(super) fn new(patches: &[Patch], counts: impl Fn(usize) -> bool, steps: usize) -> Self {
        let (mut points, mut normals, mut corners) = (Vec::new(), Vec::new(), Vec::new());
        for (index, patch) in patches.iter().enumerate().filter(|&(index, _)| counts(index)) {
            let at = |i: usize| i as f64 / steps as f64;
            let row = |i: usize| (0..=steps).map(|j| patch.position(at(i), at(j))).collect::<Vec<_>>();
            let mut before = row(0);
            for i in 0..steps {
                let after = row(i + 1);
                for j in 0..steps {
                    let square = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
                    for triangle in [[0, 1, 2], [0, 2, 3]] {
                        let place = triangle.map(|corner| square[corner]);
                        let [a, b, c] = place.map(|(k, j)| if k == i { before[j] } else { after[j] });
                        points.push([a, b, c]);
                        normals.push((b - a).cross(c - a).normalize_or_zero());
                        corners.push((index, place.map(|(i, j)| (at(i), at(j)))));
                    }
                }
                before = after;
            }
        }
        SurfaceTriangles { tree: TriangleTree::new(points), normals, corners }
    }

    /// The patch and parameters of a point on a triangle.
    pub(super) fn parameters(&self, triangle: usize, weights: [f64; 3]) -> (usize, f64, f64) {
        let (patch, corners) = self.corners[triangle];
        let mix = |pick: fn(&(f64, f64)) -> f64| -> f64 {
            corners.iter().zip(weights).map(|(corner, weight)| weight * pick(corner)).sum()
        };
        (patch, mix(|corner| corner.0), mix(|corner| corner.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn combinations_are_what_patches_evaluate() {
        let mut random = Random::new(3);
        let patches = [random.bezier(), random.gregory()];
        let nothing = patches.map(|patch| Patch {
            net: [[DVec3::ZERO; 5]; 5],
            corners: patch
                .corners
                .map(|_| crate::GregoryCorners { cross_u: [DVec3::ZERO; 4], cross_w: [DVec3::ZERO; 4] }),
        });
        // The change from nothing to a patch is the patch.
        let changes = PatchChange::between(&nothing, &patches, 1.0);
        let (u, w) = (0.3, 0.8);
        for (index, patch) in patches.iter().enumerate() {
            let jet = patch.jet(u, w);
            let [du, dw] = Combination::tangents(&patches, index, (u, w), [1.0, 2.0]);
            let position = Combination::position(&patches, index, u, w);
            for (found, expected) in [(position, jet.position), (du, jet.du), (dw, 2.0 * jet.dw)] {
                let rounding = 1e-12;
                assert!((found.change_along(&changes[index], DVec3::X) - expected.x).abs() < rounding);
            }
        }
    }
}
