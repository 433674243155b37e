//! Legs into fills stay short where rings come close.
//!
//! A ring's legs have one length (`reach`) in m. When a change brings the armpit down on the chest's ring, legs from both sides pass each
//! other, the edge between them turns back, and the fills beside it fold. Such rings get shorter legs.

use super::{Design, RingChange, Sided, given};
use crate::body::{Body, NetVertex};
use crate::build::{Figure, sized_ring};
use crate::template::{Flank, Template};

/// Share of an edge's chord that the legs from both its ends may take before a ring's are shortened; more if the base has more. Larger:
/// edges get corners; smaller: shapes around rings change without need.
const FREE_SHARE: f64 = 0.6;

/// Shortens legs into fills; `own` is the change from `before` to `after`. Returns whether there were any.
pub(super) fn shorten_reaches(
    template: &Template,
    own: &Design,
    (before, after): (&Body, &mut Body),
    laid: &mut Design,
) -> bool {
    let factors: Vec<f64> = (0..after.ends.len()).map(|end| factor(before, after, end)).collect();
    let figure = Figure::new(template, laid);
    let is_alike = laid.is_alike();
    let mut is_shortened = false;
    for (end, factor) in factors.into_iter().enumerate().filter(|&(_, factor)| factor < 1.0) {
        let is_end = |ring: &&crate::template::layout::LayoutRing| {
            ring.end == Some((after.ends[end].tube, after.ends[end].end))
        };
        let Some(ring) = template.layout.rings.iter().find(is_end) else { continue };
        let name = &template.text().rings[ring.text].name;
        if given(&own.rings, name, ring.flank).is_some_and(|change| change.reach.is_some()) {
            continue;
        }
        after.ends[end].ratio *= factor;
        is_shortened = true;
        let reach = factor * sized_ring(template, laid, &figure, ring).reach_m;
        if is_alike && ring.flank == Flank::Right {
            continue;
        }
        set_reach(laid, name, if is_alike { Flank::Middle } else { ring.flank }, reach);
    }
    is_shortened
}

/// The factor on the legs of an end, at most 1: that of its most crowded edge.
fn factor(before: &Body, after: &Body, end: usize) -> f64 {
    let is_there = |vertex: NetVertex| matches!(vertex, NetVertex::Corner { end: found, .. } if found == end);
    let edges = before.edges.iter().filter(|edge| is_there(edge.from) || is_there(edge.to));
    let crowd = |body: &Body, from: NetVertex, to: NetVertex| {
        let chord = body.vertex_position(from).distance(body.vertex_position(to));
        (body.leg(from, to).length() + body.leg(to, from).length()) / chord
    };
    let of_edge = |edge: &crate::body::BodyEdge| {
        let [was, is] = [before, after].map(|body| crowd(body, edge.from, edge.to));
        was.max(FREE_SHARE) / is
    };
    edges.map(of_edge).fold(1.0, f64::min)
}

/// Sets the reach of a ring on one side, or on both.
fn set_reach(laid: &mut Design, name: &str, flank: Flank, reach: f64) {
    let [left, right] = [Flank::Left, Flank::Right].map(|side| {
        let change = given(&laid.rings, name, side);
        let is_set = flank == Flank::Middle || flank == side;
        if is_set { Some(RingChange { reach: Some(reach), ..change.unwrap_or_default() }) } else { change }
    });
    let sided = match (left, right) {
        (Some(left), Some(right)) if left == right => Sided::Both(left),
        (left, right) => Sided::Each { left, right },
    };
    laid.rings.insert(name.to_owned(), sided);
}
