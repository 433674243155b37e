//! Hollows of a target: mouths, nostrils, the inside of eye sockets. A body has none and must not be pulled into them.

use super::TargetMesh;
use super::nearest::TriangleTree;
use glam::DVec3;
use std::f64::consts::TAU;

/// Maximum distance of a wall that closes off a place, m: more than half a mouth, less than the gap between the thighs.
const REACH_M: f64 = 0.035;
/// Rays over the hemisphere above a vertex.
const RAY_COUNT: usize = 24;
/// A vertex is in a hollow if more than this share of its rays hit a wall.
const CLOSED_SHARE: f64 = 0.5;
/// Start of rays above the surface, to avoid hitting it, m.
const LIFT_M: f64 = 1e-5;

/// Maximum distance of a wall that hides a place, m: more than a mouth's length.
const INNER_REACH_M: f64 = 0.15;
/// A vertex is inside, where it is not visible, if more than this share of its rays hit a wall. Smaller: removes the folds of ears and
/// the wings of the nose. Larger: keeps the walls of a mouth.
const INNER_SHARE: f64 = 0.8;

/// Whether each vertex lies in a hollow.
pub(super) fn hollows(target: &TargetMesh, tree: &TriangleTree) -> Vec<bool> {
    closed_shares(target, tree, REACH_M).iter().map(|&share| share > CLOSED_SHARE).collect()
}

/// Whether each vertex is inside, such as the walls of a mouth.
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
            // Equal areas of the hemisphere, turned by the golden angle.
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
