//! Left and right stay apart.

use super::sole::raise;
use super::{Design, given};
use crate::body::Body;
use crate::template::{Flank, Template};
use glam::DVec3;

/// Share of its distance from the middle plane that a ring keeps. Smaller: fills between both thighs have no room and fold; 1: thighs
/// cannot get closer.
const KEPT_SHARE: f64 = 0.6;

/// Shifts rings of paired tubes outward where joints or sizes put their skin too near the middle plane or beyond it: thighs touch, and do
/// not pass through each other. Rings of feet and rings with a shift of their own stay. Returns whether any was shifted.
pub(super) fn keep_apart(
    template: &Template,
    own: &Design,
    (before, after): (&Body, &Body),
    laid: &mut Design,
) -> bool {
    let layout = &template.layout;
    let is_foots = |bone: usize| layout.feet.iter().any(|foot| foot.ends.contains(&layout.bones[bone].to));
    let mut is_shifted = false;
    for (index, ring) in after.rings.iter().enumerate().filter(|(_, ring)| !is_foots(ring.bone)) {
        let has_own = given(&own.rings, &ring.name, ring.flank).is_some_and(|change| change.shift.is_some());
        let kept = KEPT_SHARE * clearance(before, index);
        let out = kept - clearance(after, index);
        if ring.flank == Flank::Middle || has_own || kept <= 0.0 || out <= 0.0 {
            continue;
        }
        let bone = &crate::build::Figure::new(template, laid).bones[ring.bone];
        let shift = ring.flank.place(bone.listed_from(ring.flank.place(DVec3::X * out)));
        raise(laid, &ring.name, ring.flank, shift);
        is_shifted = true;
    }
    is_shifted
}

/// Distance of a ring's control points from the middle plane, toward its side, m.
fn clearance(body: &Body, ring: usize) -> f64 {
    let ring = &body.rings[ring];
    let points = body.tubes[ring.tube].tube.row(ring.row);
    points.iter().map(|&point| ring.flank.place(point).x).fold(f64::MAX, f64::min)
}
