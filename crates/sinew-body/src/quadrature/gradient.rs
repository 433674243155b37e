//! Gradient of the volume by one control point.
//!
//! `V` is affine in any single control point, because a determinant with two equal columns vanishes: `V(Q + d) = V + g · d` with
//! `g = ∬ φ (S_u × S_w)` and φ the weight of the point in S. For an inner point of the patch this is complete; a point of an edge also
//! moves the neighbor, and the gradient is the sum over all patches that share it.

use super::PatchRule;
use crate::Patch;
use crate::bernstein;
use crate::patch::{CORNERS, corner_weight};
use glam::DVec3;

/// A control point: an index in the net, or one version of a split corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointVersion {
    /// An unsplit point of the net.
    Net {
        /// Index along u.
        i: usize,
        /// Index along w.
        j: usize,
    },
    /// Version `cross_u` of a split corner, numbered as in [`CORNERS`].
    CrossU(usize),
    /// Version `cross_w` of a split corner.
    CrossW(usize),
}

impl PointVersion {
    /// The middle point of a patch.
    pub const CENTER: PointVersion = PointVersion::Net { i: 2, j: 2 };

    /// The point's weight in the position at (u, w).
    fn weight(self, u: f64, w: f64) -> f64 {
        let tensor = |i: usize, j: usize| bernstein::quartic(u)[i] * bernstein::quartic(w)[j];
        match self {
            PointVersion::Net { i, j } => tensor(i, j),
            PointVersion::CrossU(corner) => {
                let (i, j) = CORNERS[corner];
                tensor(i, j) - corner_weight(i, j, u, w).0
            }
            PointVersion::CrossW(corner) => corner_weight(CORNERS[corner].0, CORNERS[corner].1, u, w).0,
        }
    }
}

/// The gradient of the volume by one control point. Exact for Bézier patches with the 6 × 6 rule.
pub fn volume_gradient(rule: &PatchRule, patch: &Patch, point: PointVersion) -> DVec3 {
    rule.integrate_vector(|u, w| {
        let jet = patch.jet(u, w);
        point.weight(u, w) * jet.du.cross(jet.dw)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    #[test]
    fn volume_is_affine_in_the_center() {
        let mut random = Random::new(11);
        for patch in [random.bezier(), random.gregory()] {
            let rule = if patch.is_gregory() { PatchRule::duffy(12) } else { PatchRule::tensor(6) };
            let gradient = volume_gradient(&rule, &patch, PointVersion::CENTER);
            let step = random.vector();
            for scale in [1e-3, 1.0, 100.0] {
                let mut moved = patch;
                moved.net[2][2] += scale * step;
                let change = rule.volume(&moved) - rule.volume(&patch);
                assert!((change - scale * gradient.dot(step)).abs() < 1e-11 * scale.max(1.0));
            }
        }
    }

    #[test]
    fn split_points_have_their_own_gradients() {
        let mut random = Random::new(12);
        let patch = random.gregory();
        let rule = PatchRule::duffy(14);
        for corner in 0..4 {
            let step = random.vector();
            let mut moved = patch;
            let corners = moved.corners.as_mut().expect("a Gregory patch");
            corners.cross_w[corner] += step;
            let gradient = volume_gradient(&rule, &patch, PointVersion::CrossW(corner));
            let change = rule.volume(&moved) - rule.volume(&patch);
            assert!((change - gradient.dot(step)).abs() < 1e-9, "{change} {}", gradient.dot(step));
        }
    }
}
