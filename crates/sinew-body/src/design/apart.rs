//! Left and right stay apart, and limbs stay beside the trunk.

use super::sole::raise;
use super::{Design, given};
use crate::body::{Body, BodyRing, NetVertex};
use crate::template::{Flank, Template};
use glam::DVec3;

/// Share of its distance from the middle plane that a ring keeps. Smaller: fills between both thighs have no room and fold; 1: thighs
/// cannot get closer.
const KEPT_SHARE: f64 = 0.6;

/// Share of an edge from the trunk to a limb by which the limb's end may come inward. Smaller: shoulders cannot get narrower; larger: the
/// armpit passes through the chest's side, and fills beside it fold.
const INWARD_SHARE: f64 = 0.05;

/// Shifts rings of paired tubes outward where joints or sizes put their skin too near the middle plane or beyond it: thighs touch, and do
/// not pass through each other. Rings of feet and rings with a shift of their own stay. Returns whether any was shifted.
pub(super) fn keep_apart(
    template: &Template,
    own: &Design,
    (before, after): (&Body, &Body),
    size: f64,
    laid: &mut Design,
) -> bool {
    let layout = &template.layout;
    let is_foots = |bone: usize| layout.feet.iter().any(|foot| foot.ends.contains(&layout.bones[bone].to));
    let mut is_shifted = false;
    for (index, ring) in after.rings.iter().enumerate().filter(|(_, ring)| !is_foots(ring.bone)) {
        let has_own = given(&own.rings, &ring.name, ring.flank).is_some_and(|change| change.shift.is_some());
        let kept = KEPT_SHARE * size * clearance(before, index);
        let out = kept - clearance(after, index);
        if ring.flank == Flank::Middle || has_own || kept <= 0.0 || out <= 0.0 {
            continue;
        }
        move_out(template, ring, out, laid);
        is_shifted = true;
    }
    is_shifted
}

/// Shifts the first rings of limbs outward where a change puts them into the trunk: a wider chest moves the arm's root. Rings with a shift
/// of their own stay. Returns whether any was shifted.
pub(super) fn keep_beside(
    template: &Template,
    own: &Design,
    (before, after): (&Body, &Body),
    size: f64,
    laid: &mut Design,
) -> bool {
    let mut is_shifted = false;
    for (index, ring) in after.rings.iter().enumerate().filter(|(_, ring)| ring.flank != Flank::Middle) {
        let has_own = given(&own.rings, &ring.name, ring.flank).is_some_and(|change| change.shift.is_some());
        let out = inward((before, after), size, index);
        if has_own || out <= 0.0 {
            continue;
        }
        move_out(template, ring, out, laid);
        // Rings between this one and the bone's end go along by a share, or the first bay would lean and fold.
        let along = rings_along(after, ring);
        for (step, next) in along.iter().enumerate() {
            let share = (along.len() - step) as f64 / (along.len() + 1) as f64;
            let has_own =
                given(&own.rings, &next.name, next.flank).is_some_and(|change| change.shift.is_some());
            if !has_own {
                move_out(template, next, share * out, laid);
            }
        }
        is_shifted = true;
    }
    is_shifted
}

/// The rings after a tube's first one that lie on the same bone.
fn rings_along<'a>(body: &'a Body, first: &BodyRing) -> Vec<&'a BodyRing> {
    let tube = &body.tubes[first.tube];
    let rings = tube.rings.iter().map(|&ring| &body.rings[ring]).skip(1);
    rings.take_while(|ring| ring.bone == first.bone).collect()
}

/// Shifts a ring away from the middle plane by a length, m.
fn move_out(template: &Template, ring: &BodyRing, out: f64, laid: &mut Design) {
    let bone = &crate::build::Figure::new(template, laid).bones[ring.bone];
    let shift = ring.flank.place(bone.listed_from(ring.flank.place(DVec3::X * out)));
    raise(laid, &ring.name, ring.flank, shift);
}

/// How far a ring comes inward beyond what is allowed, relative to the trunk's rings that edges lead to, m.
fn inward((before, after): (&Body, &Body), size: f64, ring: usize) -> f64 {
    let found = &before.rings[ring];
    let is_here = |end: usize| {
        let end = &before.ends[end];
        end.tube == found.tube && end.end.rows(&before.tubes[end.tube].tube)[0] == found.row
    };
    let is_trunk = |end: usize| before.tubes[before.ends[end].tube].flank == Flank::Middle;
    let ways = before.edges.iter().filter_map(|edge| match (edge.from, edge.to) {
        (NetVertex::Corner { end: from, .. }, NetVertex::Corner { end: to, .. }) => {
            if is_here(from) && is_trunk(to) {
                Some([edge.to, edge.from])
            } else {
                (is_here(to) && is_trunk(from)).then_some([edge.from, edge.to])
            }
        }
        _ => None,
    });
    let inward = |[trunk, limb]: [NetVertex; 2]| {
        let way = |body: &Body| found.flank.place(body.vertex_position(limb) - body.vertex_position(trunk));
        size * (way(before).x - INWARD_SHARE * way(before).length()) - way(after).x
    };
    ways.map(inward).fold(0.0, f64::max)
}

/// Distance of a ring's control points from the middle plane, toward its side, m.
fn clearance(body: &Body, ring: usize) -> f64 {
    let ring = &body.rings[ring];
    let points = body.tubes[ring.tube].tube.row(ring.row);
    points.iter().map(|&point| ring.flank.place(point).x).fold(f64::MAX, f64::min)
}
