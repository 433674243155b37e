//! Position, derivatives and normal of a patch.

use super::{CORNERS, Patch};
use crate::bernstein;
use glam::DVec3;

/// Position and first derivatives at one place of a patch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet {
    /// `S`, in the patch's space and unit.
    pub position: DVec3,
    /// `∂S/∂u`.
    pub du: DVec3,
    /// `∂S/∂w`.
    pub dw: DVec3,
}

/// Second derivatives at one place of a patch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SecondDerivatives {
    /// `∂²S/∂u²`.
    pub duu: DVec3,
    /// `∂²S/∂u∂w`, the twist.
    pub duw: DVec3,
    /// `∂²S/∂w²`.
    pub dww: DVec3,
}

/// Below this sine of the angle between S_u and S_w, or this share of the patch's size for their lengths, the cross product is rounding.
/// Smaller values pass noise, larger ones replace good normals near a pole by the limit.
const FLAT: f64 = 1e-9;

/// Distance inside a degenerate place where the normal is looked up, in parameters. Closer is noise, farther is another place.
const INSIDE: [f64; 3] = [1e-4, 1e-3, 1e-2];

impl Patch {
    /// The point at (u, w), each in 0…1.
    pub fn position(&self, u: f64, w: f64) -> DVec3 {
        // The sums of `jet` in the same order, without derivatives: bitwise equal, in a third of the time.
        let (bu, bw) = (bernstein::quartic(u), bernstein::quartic(w));
        let mut position = DVec3::ZERO;
        for (i, bu) in bu.into_iter().enumerate() {
            let mut across = DVec3::ZERO;
            for (j, bw) in bw.into_iter().enumerate() {
                across += self.base_point(i, j) * bw;
            }
            position += across * bu;
        }
        if let Some(corners) = &self.corners {
            for (corner, &(i, j)) in CORNERS.iter().enumerate() {
                let spread = corners.cross_w[corner] - corners.cross_u[corner];
                position += spread * corner_value(i, j, u, w);
            }
        }
        position
    }

    /// Position and first derivatives at (u, w), each in 0…1. Also valid at corners and on collapsed edges.
    pub fn jet(&self, u: f64, w: f64) -> Jet {
        let (bu, bw) = (bernstein::quartic(u), bernstein::quartic(w));
        let (su, sw) = (bernstein::quartic_slope(u), bernstein::quartic_slope(w));
        let mut jet = Jet { position: DVec3::ZERO, du: DVec3::ZERO, dw: DVec3::ZERO };
        for i in 0..5 {
            let (mut across, mut slope) = (DVec3::ZERO, DVec3::ZERO);
            for j in 0..5 {
                let point = self.base_point(i, j);
                across += point * bw[j];
                slope += point * sw[j];
            }
            jet.position += across * bu[i];
            jet.du += across * su[i];
            jet.dw += slope * bu[i];
        }
        // Adds `Bᵢ Bⱼ · p/(p+q) · (Q_w − Q_u)` and its derivatives for each corner, where p and q are the distances from the corner's
        // edges u = 0/1 and w = 0/1.
        if let Some(corners) = &self.corners {
            for (corner, &(i, j)) in CORNERS.iter().enumerate() {
                let spread = corners.cross_w[corner] - corners.cross_u[corner];
                let (value, by_u, by_w) = corner_weight(i, j, u, w);
                jet.position += spread * value;
                jet.du += spread * by_u;
                jet.dw += spread * by_w;
            }
        }
        jet
    }

    /// Second derivatives of a Bézier patch; `None` for a Gregory patch, whose twist at a corner depends on the direction of approach.
    pub fn second_derivatives(&self, u: f64, w: f64) -> Option<SecondDerivatives> {
        if self.is_gregory() {
            return None;
        }
        let (bu, bw) = (bernstein::quartic(u), bernstein::quartic(w));
        let (su, sw) = (bernstein::quartic_slope(u), bernstein::quartic_slope(w));
        let (cu, cw) = (bernstein::quartic_bend(u), bernstein::quartic_bend(w));
        let tensor = |along_u: [f64; 5], along_w: [f64; 5]| {
            let mut sum = DVec3::ZERO;
            for (row, weight_u) in self.net.iter().zip(along_u) {
                for (&point, weight_w) in row.iter().zip(along_w) {
                    sum += point * (weight_u * weight_w);
                }
            }
            sum
        };
        Some(SecondDerivatives { duu: tensor(cu, bw), duw: tensor(su, sw), dww: tensor(bu, cw) })
    }

    /// The outward unit normal at (u, w).
    ///
    /// # Degenerate input
    /// On an edge collapsed to a point it is the limit from inside; where rows coincide, the normal a little inside. A patch that is a
    /// point or a line has the normal +Y.
    pub fn normal(&self, u: f64, w: f64) -> DVec3 {
        let jet = self.jet(u, w);
        let size = self.size();
        let plain = unit_cross(jet.du, jet.dw, size).or_else(|| self.collapsed_normal(u, w, &jet, size));
        if let Some(normal) = plain {
            return normal;
        }
        // First only across the degenerate edge: both patches beside a seam then use the same place.
        let is_zero = |derivative: DVec3| derivative.length() <= FLAT * size;
        let across = (!is_zero(jet.dw) || is_zero(jet.du), !is_zero(jet.du) || is_zero(jet.dw));
        for (moves_u, moves_w) in [across, (true, true)] {
            for step in INSIDE {
                let inside = |x: f64, moves: bool| if moves { x.clamp(step, 1.0 - step) } else { x };
                let near = self.jet(inside(u, moves_u), inside(w, moves_w));
                if let Some(normal) = unit_cross(near.du, near.dw, size) {
                    return normal;
                }
            }
        }
        DVec3::Y
    }

    /// The longest diagonal of the net's corners and middle: a length to compare small ones with.
    pub(crate) fn size(&self) -> f64 {
        let reach = |i: usize, j: usize| self.net[i][j].distance(self.net[0][0]);
        [reach(0, 4), reach(4, 0), reach(4, 4), reach(2, 2), reach(0, 2), reach(2, 0)]
            .into_iter()
            .fold(0.0, f64::max)
    }

    /// The control point of the Bézier part of the sum: at split corners the version `cross_u`.
    fn base_point(&self, i: usize, j: usize) -> DVec3 {
        match &self.corners {
            Some(corners) if i % 2 == 1 && j % 2 == 1 => corners.cross_u[corner_index(i, j)],
            _ => self.net[i][j],
        }
    }

    /// On a collapsed edge the derivative along it vanishes; by l'Hospital the mixed derivative replaces it, with the sign of the inward
    /// direction.
    fn collapsed_normal(&self, u: f64, w: f64, jet: &Jet, size: f64) -> Option<DVec3> {
        let second = self.second_derivatives(u, w)?;
        let is_zero = |derivative: DVec3| derivative.length() <= FLAT * size;
        if is_zero(jet.du) && (w == 0.0 || w == 1.0) {
            return unit_cross((1.0 - 2.0 * w) * second.duw, jet.dw, size);
        }
        if is_zero(jet.dw) && (u == 0.0 || u == 1.0) {
            return unit_cross(jet.du, (1.0 - 2.0 * u) * second.duw, size);
        }
        None
    }
}

/// Place of a split point in [`CORNERS`].
pub(super) fn corner_index(i: usize, j: usize) -> usize {
    (i / 2) * 2 + j / 2
}

/// The weight `Bᵢ(u) Bⱼ(w) p/(p+q)` of one split corner's second version, and its derivatives by u and w.
pub(crate) fn corner_weight(i: usize, j: usize, u: f64, w: f64) -> (f64, f64, f64) {
    let (p, sign_u) = if i == 1 { (u, 1.0) } else { (1.0 - u, -1.0) };
    let (q, sign_w) = if j == 1 { (w, 1.0) } else { (1.0 - w, -1.0) };
    let sum = p + q;
    if sum == 0.0 {
        return (0.0, 0.0, 0.0);
    }
    // f = 16 p (1−p)³ q (1−q)³ carries a factor p q, which makes every quotient below at most one: nothing overflows.
    let (share_p, share_q) = (p / sum, q / sum);
    let (rest_p, rest_q) = ((1.0 - p).powi(2), (1.0 - q).powi(2));
    let f_over_pq = 16.0 * rest_p * (1.0 - p) * rest_q * (1.0 - q);
    let value = f_over_pq * p * q * share_p;
    // d/dp of f · p/(p+q) = f' p/(p+q) + f q/(p+q)²; in q likewise with −p/(p+q)².
    let slope_p = 16.0 * rest_p * (1.0 - 4.0 * p) * q * rest_q * (1.0 - q);
    let slope_q = 16.0 * rest_q * (1.0 - 4.0 * q) * p * rest_p * (1.0 - p);
    let by_p = slope_p * share_p + f_over_pq * share_p * share_q * q;
    let by_q = slope_q * share_p - f_over_pq * share_p * share_p * q;
    (value, sign_u * by_p, sign_w * by_q)
}

/// The first of the numbers of [`corner_weight`].
pub(crate) fn corner_value(i: usize, j: usize, u: f64, w: f64) -> f64 {
    let p = if i == 1 { u } else { 1.0 - u };
    let q = if j == 1 { w } else { 1.0 - w };
    let sum = p + q;
    if sum == 0.0 {
        return 0.0;
    }
    let (rest_p, rest_q) = ((1.0 - p).powi(2), (1.0 - q).powi(2));
    16.0 * rest_p * (1.0 - p) * rest_q * (1.0 - q) * p * q * (p / sum)
}

/// The unit cross product, if both vectors are long enough and not parallel.
fn unit_cross(a: DVec3, b: DVec3, size: f64) -> Option<DVec3> {
    let (long_a, long_b) = (a.length(), b.length());
    if long_a <= FLAT * size || long_b <= FLAT * size {
        return None;
    }
    let cross = a.cross(b);
    (cross.length() > FLAT * long_a * long_b).then(|| cross.normalize())
}
