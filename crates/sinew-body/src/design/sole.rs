//! Rings of a foot grow from their sole.

use super::{Design, RingChange, Sided, given};
use crate::build::{Figure, sized_ring};
use crate::template::layout::LayoutRing;
use crate::template::{Flank, Template};
use glam::DVec3;

/// Shifts the rings of feet that `own` makes thicker or thinner, so that their lowest points stay where they were: a foot grows upward, not
/// into the ground. Rings with a shift of their own stay where it puts them.
pub(super) fn keep_soles(template: &Template, base: &Design, own: &Design, laid: &mut Design) {
    if own.rings.is_empty() {
        return;
    }
    let (before, after) = (Figure::new(template, base), Figure::new(template, laid));
    for ring in foot_rings(template) {
        let name = &template.text().rings[ring.text].name;
        let Some(change) = given(&own.rings, name, ring.flank).filter(|change| change.shift.is_none()) else {
            continue;
        };
        let was = lowest(template, base, &before, ring);
        let rise = was - lowest(template, laid, &after, ring);
        let has_size = change.front.is_some() || change.side.is_some() || change.girth.is_some();
        if has_size {
            let up = after.bones[ring.bone].listed_from(DVec3::Y * rise);
            raise(laid, name, ring.flank, ring.flank.place(up));
        }
    }
}

/// Rings on bones of feet, both sides.
fn foot_rings(template: &Template) -> impl Iterator<Item = &LayoutRing> {
    let layout = &template.layout;
    let is_foots =
        |ring: &&LayoutRing| layout.feet.iter().any(|foot| foot.ends.contains(&layout.bones[ring.bone].to));
    layout.rings.iter().filter(is_foots)
}

/// Height of a ring's lowest point before offsets, m: of an ellipse with semi-axes a and b along e1 and e2.
fn lowest(template: &Template, design: &Design, figure: &Figure, ring: &LayoutRing) -> f64 {
    let found = sized_ring(template, design, figure, ring).station.ring;
    let down = (found.semi_axes.x * found.frame.e1.y).hypot(found.semi_axes.y * found.frame.e2.y);
    found.frame.center.y - down
}

/// Adds to a ring's shift on one side.
pub(super) fn raise(laid: &mut Design, name: &str, flank: Flank, up: DVec3) {
    let raised = |change: Option<RingChange>| {
        let change = change.unwrap_or_default();
        RingChange { shift: Some(change.shift.unwrap_or_default() + up), ..change }
    };
    let [left, right] = [Flank::Left, Flank::Right].map(|side| given(&laid.rings, name, side));
    let (left, right) = match flank {
        Flank::Left => (Some(raised(left)), right),
        Flank::Right => (left, Some(raised(right))),
        Flank::Middle => (Some(raised(left)), Some(raised(right))),
    };
    let sided = match (left, right) {
        (Some(left), Some(right)) if left == right => Sided::Both(left),
        (left, right) => Sided::Each { left, right },
    };
    laid.rings.insert(name.to_owned(), sided);
}
