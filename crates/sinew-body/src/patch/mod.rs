//! Biquartic patches: Bézier, and Gregory with four split points.
//!
//! `S(u, w) = Σ Bᵢ(u) Bⱼ(w) Qᵢⱼ`, \[Komatsu88\] eq. 1. In a Gregory patch the four points next to the corners are blends of two versions,
//! eq. 3: each edge's cross derivatives can be set without changing the other edge at that corner.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | `Qᵢⱼ` | `net[i][j]` | control point, i goes with u, j with w |
//! | `Qᵢⱼ,u` | `corners.cross_u` | the version that enters S_u on the edges u = 0 and u = 1 |
//! | `Qᵢⱼ,w` | `corners.cross_w` | the version that enters S_w on the edges w = 0 and w = 1 |
//!
//! Departures: eq. 3 is 0/0 at the corners; the ratios are formed first, and at a corner their weight is zero anyway. `S_u × S_w` points to
//! the outside of a patch.

mod edge;
mod edit;
mod evaluate;

pub use edge::{Edge, Side};
pub use evaluate::{Jet, SecondDerivatives};
pub(crate) use evaluate::{corner_value, corner_weight};

use glam::DVec3;

/// Places in the net of the four points that a Gregory patch splits, in the order of [`GregoryCorners`].
pub const CORNERS: [(usize, usize); 4] = [(1, 1), (1, 3), (3, 1), (3, 3)];

/// Two versions of each corner-adjacent interior point, in the order of [`CORNERS`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GregoryCorners {
    /// The versions that set the cross derivative S_u along the edges u = 0 and u = 1.
    pub cross_u: [DVec3; 4],
    /// The versions that set the cross derivative S_w along the edges w = 0 and w = 1.
    pub cross_w: [DVec3; 4],
}

/// A biquartic patch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patch {
    /// Control points `net[i][j]`, i along u, j along w. If `corners` is set, the four points at [`CORNERS`] are not used.
    pub net: [[DVec3; 5]; 5],
    /// The split points of a Gregory patch; `None` for a Bézier patch.
    pub corners: Option<GregoryCorners>,
}

impl Patch {
    /// A Bézier patch of 25 control points.
    pub fn bezier(net: [[DVec3; 5]; 5]) -> Self {
        Patch { net, corners: None }
    }

    /// A Gregory patch. The net's own points at the corners become the mean of both versions, for display.
    pub fn gregory(mut net: [[DVec3; 5]; 5], corners: GregoryCorners) -> Self {
        for (corner, &(i, j)) in CORNERS.iter().enumerate() {
            net[i][j] = 0.5 * (corners.cross_u[corner] + corners.cross_w[corner]);
        }
        Patch { net, corners: Some(corners) }
    }

    /// Whether the patch has split corners.
    pub fn is_gregory(&self) -> bool {
        self.corners.is_some()
    }

    /// Whether all control points are finite.
    pub fn is_finite(&self) -> bool {
        let split = self.corners.iter().flat_map(|corners| corners.cross_u.iter().chain(&corners.cross_w));
        self.net.iter().flatten().chain(split).all(|point| point.is_finite())
    }

    /// The free middle point, which no edge depends on: \[Komatsu88\] section 2 moves it for muscles.
    pub fn center(&self) -> DVec3 {
        self.net[2][2]
    }

    /// The middle point that gives the middle of the patch the mean of its four corners' twists.
    pub fn quiet_center(net: &[[DVec3; 5]; 5]) -> DVec3 {
        let beside = net[1][2] + net[2][1] + net[3][2] + net[2][3];
        let corners = net[1][1] + net[1][3] + net[3][1] + net[3][3];
        0.5 * beside - 0.25 * corners
    }
}

#[cfg(test)]
mod tests;
