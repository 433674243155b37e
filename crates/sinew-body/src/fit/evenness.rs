//! Penalty on jumps of curvature between patches: the surface is smooth there by construction, but a jump shows as a line.

use super::matches::{Match, Matches};
use super::surface::Combination;
use crate::Body;
use crate::{Patch, Side};

/// Places along an edge where curvatures are compared.
const SAMPLES: [f64; 4] = [0.1, 0.35, 0.65, 0.9];
/// The step of second differences, in parameters.
const STEP: f64 = 0.05;
/// A jump costs as much as the error of a bend of this length at its end, m.
const LENGTH_M: f64 = 0.02;

/// A place where two patches meet.
pub(in crate::fit) struct Crossing {
    sides: [(usize, Side, f64); 2],
    /// Share of all edges' length.
    share: f64,
}

impl Crossing {
    /// The curvatures on both sides as sums of control points, with the normal and the share of all edges; `length`: as for [`bend`].
    #[cfg(feature = "make-shapes")]
    pub(in crate::fit) fn sums(
        &self,
        patches: &[Patch],
        length: f64,
    ) -> Option<(Combination, Combination, glam::DVec3, f64)> {
        let (patch, side, t) = self.sides[0];
        let (u, w) = side.parameters(t);
        let normal = patches[patch].normal(u, w);
        let [first, second] = self.sides.map(|side| bend_over(patches, side, length));
        Some((first?, second?, normal, self.share))
    }
}

/// All places where patches that count meet.
pub(super) fn crossings(body: &Body, counts: &[bool]) -> Vec<Crossing> {
    let mut found = Vec::new();
    for wire in &body.topology.wires {
        for t in SAMPLES {
            let uses = wire.uses_at(t);
            let uses = uses.filter_map(|used| Some((used.patch, used.side, used.parameter_at(t)?)));
            let [first, second] = uses.collect::<Vec<_>>()[..] else { continue };
            if !counts[first.0] || !counts[second.0] {
                continue;
            }
            let (u, w) = first.1.parameters(first.2);
            let jet = body.patches[first.0].patch.jet(u, w);
            let share = if first.1.fixes_u() { jet.dw.length() } else { jet.du.length() };
            found.push(Crossing { sides: [first, second], share });
        }
    }
    let sum: f64 = found.iter().map(|crossing| crossing.share).sum();
    found.iter_mut().for_each(|crossing| crossing.share /= sum);
    found
}

/// Adds the jumps of the normal curvature across each edge.
pub(super) fn add_jumps(
    crossings: &[Crossing],
    patches: &[Patch],
    weight: f64,
    huber_mm: f64,
    matches: &mut Matches,
) {
    for crossing in crossings {
        let (patch, side, t) = crossing.sides[0];
        let (u, w) = side.parameters(t);
        let normal = patches[patch].normal(u, w);
        let bends = crossing.sides.map(|side| bend(patches, side));
        let [Some(first), Some(second)] = bends else { continue };
        let values = [&first, &second].map(|sum| sum.value(patches).dot(normal));
        let (distance_mm, weight) = (1e3 * (values[0] - values[1]), weight * crossing.share);
        let other = Some(second.times(-1.0));
        matches.add_match(Match { sum: first, other, normal, distance_mm, weight }, huber_mm);
    }
}

/// Half the squared length times the curvature across a side, as a sum of control points; `None` if the patch is degenerate.
fn bend(patches: &[Patch], side: (usize, Side, f64)) -> Option<Combination> {
    bend_over(patches, side, LENGTH_M)
}

fn bend_over(patches: &[Patch], (patch, side, t): (usize, Side, f64), length: f64) -> Option<Combination> {
    let (u, w) = side.parameters(t);
    let at = |by: f64| {
        let inward = |at: f64| if at < 0.5 { at + by } else { at - by };
        let (u, w) = if side.fixes_u() { (inward(u), w) } else { (u, inward(w)) };
        Combination::position(patches, patch, u, w)
    };
    let jet = patches[patch].jet(u, w);
    let speed = if side.fixes_u() { jet.du.length() } else { jet.dw.length() };
    let scale = 0.5 * (length / (speed * STEP)).powi(2);
    (speed > 1e-6).then(|| at(0.0).times(scale).plus(-2.0 * scale, &at(STEP)).plus(scale, &at(2.0 * STEP)))
}
