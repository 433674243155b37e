//! Hollows of a target: mouths, nostrils, the inside of eye sockets. A body has none, and must not be drawn into them.

use super::TargetMesh;
use super::nearest::TriangleTree;
use glam::DVec3;
use std::f64::consts::TAU;

/// How far a wall may be to close off a place, metres: more than half a mouth, less than the way between the thighs.
const REACH_M: f64 = 0.035;
/// Rays over the half sphere above a vertex.
const RAY_COUNT: usize = 24;
/// A vertex is in a hollow if more than this share of its rays hit a wall.
const CLOSED_SHARE: f64 = 0.5;
/// Rays begin this far above the surface, so that they do not hit where they begin, metres.
const LIFT_M: f64 = 1e-5;

/// How far a wall may be to hide a place, metres: more than a mouth is long.
const INNER_REACH_M: f64 = 0.15;
/// A vertex lies inside, where nobody sees it, if more than this share of its rays hit a wall. Less takes the folds of ears and the wings
/// of the nose away, more leaves the walls of a mouth.
const INNER_SHARE: f64 = 0.8;

/// Whether each vertex lies in a hollow.
pub(super) fn hollows(target: &TargetMesh, tree: &TriangleTree) -> Vec<bool> {
    closed_shares(target, tree, REACH_M).iter().map(|&share| share > CLOSED_SHARE).collect()
}

/// Whether each vertex lies inside, such as the walls of a mouth.
pub(super) fn inner(target: &TargetMesh, tree: &TriangleTree) -> Vec<bool> {
    closed_shares(target, tree, INNER_REACH_M).iter().map(|&share| share > INNER_SHARE).collect()
}

/// For each vertex the share of rays from it that hit a wall.
fn closed_shares(target: &TargetMesh, tree: &TriangleTree, reach_m: f64) -> Vec<f64> {
    let closed = |(&at, &normal): (&DVec3, &DVec3)| {
        if normal == DVec3::ZERO {
            return 1.0;
        }
        let (first, second) = normal.any_orthonormal_pair();
        let hits = (0..RAY_COUNT).filter(|&ray| {
            // Equal areas of the half sphere, turned by the golden angle.
            let up = (ray as f64 + 0.5) / RAY_COUNT as f64;
            let (sin, cos) = (TAU * 0.618_034 * ray as f64).sin_cos();
            let out = (1.0 - up * up).sqrt();
            let direction = up * normal + out * (cos * first + sin * second);
            tree.is_hit(at + LIFT_M * normal, direction, reach_m)
        });
        hits.count() as f64 / RAY_COUNT as f64
    };
    target.positions().iter().zip(target.normals()).map(closed).collect()
}
