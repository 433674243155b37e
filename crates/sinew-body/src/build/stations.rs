//! Rings with the sizes of a design.

use super::figure::Figure;
use crate::design::{Design, RingChange, given};
use crate::ring::{LegField, Ring, RingFrame, ellipse_girth, semi_axes_from_girth};
use crate::template::layout::LayoutRing;
use crate::template::{RingText, Template};
use crate::tube::Station;
use glam::{DVec2, DVec3};

/// A ring of the body before it is part of a tube.
#[derive(Clone, Debug)]
pub(crate) struct SizedRing {
    pub(crate) station: Station,
    /// Length of the legs into fills beside it, m.
    pub(crate) reach_m: f64,
    /// Mean thickness relative to the template.
    pub(crate) growth: f64,
    /// Whether the ring's girth is given; offsets of single points must not change it.
    pub(crate) has_girth: bool,
    /// Whether the surface passes from the previous ring to the next without its own direction here.
    pub(crate) is_passed: bool,
}

/// Default length of the legs into fills, as a share of the ring's mean radius.
const REACH_SHARE: f64 = 0.45;

pub(crate) fn sized_ring(
    template: &Template,
    design: &Design,
    figure: &Figure,
    ring: &LayoutRing,
) -> SizedRing {
    let text = &template.text().rings[ring.text];
    let bone = &figure.bones[ring.bone];
    let change = given(&design.rings, &text.name, ring.flank).unwrap_or_default();
    let listed = |vector: DVec3| ring.flank.place(vector);
    let shift = bone.direction(listed(change.shift.unwrap_or(DVec3::ZERO)));
    let normal = text.normal.unwrap_or_else(|| bone.listed_direction(ring.flank));
    let axis = text.axis.unwrap_or(DVec3::X);
    let frame = RingFrame::new(
        bone.point(listed(text.at)) + shift,
        bone.direction(listed(normal)),
        bone.direction(listed(axis)),
    );
    let default_axes = listed_semi_axes(text);
    let semi_axes = semi_axes(&change, bone.scale * default_axes);
    let way = bone.direction(listed(text.way.unwrap_or(normal))).normalize_or(frame.normal);
    let legs = LegField { direction: way, flare: change.flare.or(text.flare).unwrap_or(DVec2::ZERO) };
    let default_reach = text.reach.unwrap_or(REACH_SHARE * 0.5 * default_axes.element_sum());
    let growth = semi_axes.element_sum() / default_axes.element_sum();
    SizedRing {
        station: Station { ring: Ring::new(frame, semi_axes), legs },
        reach_m: change.reach.unwrap_or(bone.scale * default_reach),
        growth,
        has_girth: change.girth.is_some()
            || (text.girth.is_some() && change.front.is_none() && change.side.is_none()),
        is_passed: change.flare.is_none() && text.flare.is_none() && text.way.is_none(),
    }
}

fn listed_semi_axes(text: &RingText) -> DVec2 {
    match (text.half, text.girth) {
        (Some(half), _) => half,
        (None, Some(girth)) => semi_axes_from_girth(girth, text.ratio.unwrap_or(1.0)),
        (None, None) => DVec2::ZERO,
    }
}

fn semi_axes(change: &RingChange, default: DVec2) -> DVec2 {
    let (front, side) = (change.front.map(|front| 0.5 * front), change.side.map(|side| 0.5 * side));
    match change.girth {
        None => DVec2::new(front.unwrap_or(default.x), side.unwrap_or(default.y)),
        Some(girth) => match (front, side) {
            (Some(front), _) => DVec2::new(front, other_axis(girth, front)),
            (None, Some(side)) => DVec2::new(other_axis(girth, side), side),
            (None, None) => semi_axes_from_girth(girth, change.ratio.unwrap_or(default.x / default.y)),
        },
    }
}

/// The second semi-axis for a girth and a known one, by bisection: girth grows with both.
fn other_axis(girth: f64, known: f64) -> f64 {
    let (mut low, mut high) = (0.0, girth);
    // Sixty halvings reach rounding.
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if ellipse_girth(DVec2::new(known, middle)) < girth { low = middle } else { high = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn girth_and_one_thickness_give_the_other() {
        let change = RingChange { girth: Some(0.94), front: Some(0.33), ..RingChange::default() };
        let axes = semi_axes(&change, DVec2::ONE);
        assert!((ellipse_girth(axes) - 0.94).abs() < 1e-12 && axes.x == 0.165);
        let change = RingChange { side: Some(0.2), ..RingChange::default() };
        assert_eq!(semi_axes(&change, DVec2::new(0.3, 0.4)), DVec2::new(0.3, 0.1));
    }
}
