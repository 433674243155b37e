//! Derivatives at a place by lengths on a reference surface.

use super::Place;
use super::row::{Weights, combined, position};
use crate::Patch;
use crate::patch::CORNERS;
use glam::{DMat2, DVec2, DVec3};

/// The step of differences, in parameters. Patches go on smoothly beyond their edges.
const STEP: f64 = 0.02;
/// Below this sine of the angle between S_u and S_w lengths tell nothing.
const FLAT: f64 = 0.02;

/// A place with orthonormal directions x along S_u and y.
pub(super) struct Local {
    /// Weights of S_u and S_w.
    first: [Weights; 2],
    /// Weights of S_uu, S_uw and S_ww.
    second: [Weights; 3],
    /// Their values on the reference.
    values: [DVec3; 3],
    tangents: [DVec3; 2],
    /// Parameters for directions: `(u, w) = parameters (x, y)`.
    parameters: DMat2,
}

/// A second derivative.
pub(super) struct Second {
    pub(super) weights: Weights,
    /// On the reference.
    pub(super) value: DVec3,
}

/// What weights give on a patch.
fn value(patch: &Patch, weights: &Weights) -> DVec3 {
    let corners = patch.corners.unwrap_or_default();
    let mut sum = DVec3::ZERO;
    for (place, &weight) in weights[..25].iter().enumerate() {
        let (i, j) = (place / 5, place % 5);
        let corner = CORNERS.iter().position(|&corner| corner == (i, j));
        let point = match corner {
            Some(corner) if patch.is_gregory() => corners.cross_u[corner],
            _ => patch.net[i][j],
        };
        sum += weight * point;
    }
    for (corner, &weight) in weights[25..].iter().enumerate() {
        let (i, j) = CORNERS[corner];
        sum += weight * if patch.is_gregory() { corners.cross_w[corner] } else { patch.net[i][j] };
    }
    sum
}

impl Local {
    /// `None` where the reference is degenerate.
    pub(super) fn new(reference: &[Patch], patch: usize, (u, w): (f64, f64)) -> Option<Local> {
        let at = |du: f64, dw: f64| position(&Place { patch, u: u + du * STEP, w: w + dw * STEP });
        let half = 0.5 / STEP;
        let slope = |a: Weights, b: Weights| combined(&[(half, a), (-half, b)]);
        let first = [slope(at(1.0, 0.0), at(-1.0, 0.0)), slope(at(0.0, 1.0), at(0.0, -1.0))];
        let square = 1.0 / (STEP * STEP);
        let here = at(0.0, 0.0);
        let bent = |a: Weights, b: Weights| combined(&[(square, a), (square, b), (-2.0 * square, here)]);
        let quarter = 0.25 * square;
        let twist = combined(&[
            (quarter, at(1.0, 1.0)),
            (quarter, at(-1.0, -1.0)),
            (-quarter, at(1.0, -1.0)),
            (-quarter, at(-1.0, 1.0)),
        ]);
        let second = [bent(at(1.0, 0.0), at(-1.0, 0.0)), twist, bent(at(0.0, 1.0), at(0.0, -1.0))];
        let [du, dw] = first.map(|weights| value(&reference[patch], &weights));
        let area = du.cross(dw).length();
        let is_flat = area <= FLAT * du.length() * dw.length();
        if is_flat || !area.is_normal() {
            return None;
        }
        let x = du.normalize();
        let y = (dw - dw.dot(x) * x).normalize();
        let lengths = DMat2::from_cols(DVec2::new(du.dot(x), du.dot(y)), DVec2::new(dw.dot(x), dw.dot(y)));
        let values = second.map(|weights| value(&reference[patch], &weights));
        Some(Local { first, second, values, tangents: [x, y], parameters: lengths.inverse() })
    }

    /// Unit tangents with the weights of the derivatives along them.
    pub(super) fn tangents(&self) -> [(DVec3, Weights); 2] {
        let along = |direction: DVec2| {
            let by = self.parameters * direction;
            combined(&[(by.x, self.first[0]), (by.y, self.first[1])])
        };
        [(self.tangents[0], along(DVec2::X)), (self.tangents[1], along(DVec2::Y))]
    }

    /// A direction of parameters in x and y, m per parameter.
    pub(super) fn direction(&self, parameters: DVec2) -> DVec2 {
        self.parameters.inverse() * parameters
    }

    /// The length of the patch in a unit direction of x and y, if it went on with its speed here.
    pub(super) fn width(&self, direction: DVec2) -> f64 {
        1.0 / (self.parameters * direction).abs().max_element().max(f64::MIN_POSITIVE)
    }

    /// The second derivative along two directions of x and y.
    pub(super) fn second(&self, a: DVec2, b: DVec2) -> Second {
        let (a, b) = (self.parameters * a, self.parameters * b);
        let by = [a.x * b.x, a.x * b.y + a.y * b.x, a.y * b.y];
        let terms: [(f64, Weights); 3] = std::array::from_fn(|k| (by[k], self.second[k]));
        Second { weights: combined(&terms), value: (0..3).map(|k| by[k] * self.values[k]).sum() }
    }
}
