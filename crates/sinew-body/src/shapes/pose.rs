//! Takes the pose of arms out of a list: lengths stay, directions become another list's.

use super::slots::{SlotKind, Slots};
use crate::template::{Flank, Template};
use glam::DVec3;

/// Arms begin here.
const FIRST: &str = "shoulder";

/// A list with the directions of another list's arms and hands.
#[must_use]
pub fn with_arms_of(template: &Template, list: &[f64], other: &[f64]) -> Vec<f64> {
    let slots = Slots::of(template);
    let (text, layout) = (template.text(), &template.layout);
    let name = |joint: usize| text.joints[layout.joints[joint].text].name.as_str();
    let mut changed = list.to_vec();
    // Parents come before their children.
    for (index, joint) in layout.joints.iter().enumerate().filter(|(_, joint)| joint.flank != Flank::Right) {
        let Some(parent) = joint.parent else { continue };
        let is_of_arm = std::iter::successors(Some(parent), |&joint| layout.joints[joint].parent)
            .any(|joint| name(joint) == FIRST);
        if !is_of_arm {
            continue;
        }
        let long = at(&slots, list, name(index)).distance(at(&slots, list, name(parent)));
        let way = at(&slots, other, name(index)) - at(&slots, other, name(parent));
        let place = at(&slots, &changed, name(parent)) + long * way.normalize_or_zero();
        put(&slots, &mut changed, name(index), place);
    }
    changed
}

fn at(slots: &Slots, list: &[f64], joint: &str) -> DVec3 {
    let mut place = DVec3::ZERO;
    if let Some(slot) = slots.list.iter().find(|slot| slot.kind == SlotKind::Joint && slot.name == joint) {
        slot.axes.iter().enumerate().for_each(|(k, &axis)| place[axis] = list[slot.first + k]);
    }
    place
}

fn put(slots: &Slots, list: &mut [f64], joint: &str, place: DVec3) {
    if let Some(slot) = slots.list.iter().find(|slot| slot.kind == SlotKind::Joint && slot.name == joint) {
        slot.axes.iter().enumerate().for_each(|(k, &axis)| list[slot.first + k] = place[axis]);
    }
}
