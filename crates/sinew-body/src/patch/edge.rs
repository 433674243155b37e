//! The four edges of a patch and the row of points beside each.

use super::{CORNERS, GregoryCorners, Patch};
use crate::Quartic;

/// One of a patch's four edges, named by the parameter that is constant on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// u = 0; runs along w.
    U0,
    /// u = 1; runs along w.
    U1,
    /// w = 0; runs along u.
    W0,
    /// w = 1; runs along u.
    W1,
}

/// An edge and its legs into the patch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Control points of the edge.
    pub curve: Quartic,
    /// From the edge's control points to the next row inside. Four times this field is the derivative into the patch.
    pub legs: Quartic,
}

impl Side {
    /// All four.
    pub const ALL: [Side; 4] = [Side::U0, Side::U1, Side::W0, Side::W1];

    /// (u, w) at parameter `t` of the edge, which increases with the free parameter.
    pub fn parameters(self, t: f64) -> (f64, f64) {
        match self {
            Side::U0 => (0.0, t),
            Side::U1 => (1.0, t),
            Side::W0 => (t, 0.0),
            Side::W1 => (t, 1.0),
        }
    }

    /// The corners at its start and end, of those at (u, w) = (0,0), (1,0), (0,1), (1,1).
    pub(crate) fn corners(self) -> [usize; 2] {
        [[0, 2], [1, 3], [0, 1], [2, 3]][self as usize]
    }

    /// Whether u is constant on the edge.
    pub fn fixes_u(self) -> bool {
        matches!(self, Side::U0 | Side::U1)
    }

    /// Index in the net of point `k` of the edge, and of its inner neighbor.
    fn places(self, k: usize) -> ((usize, usize), (usize, usize)) {
        match self {
            Side::U0 => ((0, k), (1, k)),
            Side::U1 => ((4, k), (3, k)),
            Side::W0 => ((k, 0), (k, 1)),
            Side::W1 => ((k, 4), (k, 3)),
        }
    }
}

impl Edge {
    /// The same edge run the other way.
    pub fn reversed(&self) -> Edge {
        Edge { curve: self.curve.reversed(), legs: self.legs.reversed() }
    }
}

impl Patch {
    /// An edge with its legs, in the direction of the increasing parameter; for split corners the version of this edge.
    pub fn edge(&self, side: Side) -> Edge {
        let mut edge = Edge { curve: Quartic([self.net[0][0]; 5]), legs: Quartic([self.net[0][0]; 5]) };
        for k in 0..5 {
            let (on, inside) = side.places(k);
            let next = self.seen_from(side, inside);
            edge.curve.0[k] = self.net[on.0][on.1];
            edge.legs.0[k] = next - self.net[on.0][on.1];
        }
        edge
    }

    /// Sets the legs of an edge by moving the row inside. The first and last leg lie on other edges and stay; a Bézier patch stays one.
    pub fn set_inner_legs(&mut self, side: Side, legs: &Quartic) {
        for k in 1..4 {
            let (on, inside) = side.places(k);
            let point = self.net[on.0][on.1] + legs.0[k];
            match (&mut self.corners, CORNERS.iter().position(|&corner| corner == inside)) {
                (Some(corners), Some(corner)) => {
                    version(corners, side)[corner] = point;
                    self.net[inside.0][inside.1] = 0.5 * (corners.cross_u[corner] + corners.cross_w[corner]);
                }
                _ => self.net[inside.0][inside.1] = point,
            }
        }
    }

    /// The same surface with its corners split: both versions equal.
    pub fn to_gregory(&self) -> Patch {
        let points = CORNERS.map(|(i, j)| self.net[i][j]);
        let corners = self.corners.unwrap_or(GregoryCorners { cross_u: points, cross_w: points });
        Patch { net: self.net, corners: Some(corners) }
    }

    fn seen_from(&self, side: Side, (i, j): (usize, usize)) -> glam::DVec3 {
        match (self.corners, CORNERS.iter().position(|&corner| corner == (i, j))) {
            (Some(mut corners), Some(corner)) => version(&mut corners, side)[corner],
            _ => self.net[i][j],
        }
    }
}

/// The versions of the split points for an edge: S_u crosses the edges of constant u.
fn version(corners: &mut GregoryCorners, side: Side) -> &mut [glam::DVec3; 4] {
    if side.fixes_u() { &mut corners.cross_u } else { &mut corners.cross_w }
}
