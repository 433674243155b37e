//! Applies a design over another.

use crate::build::with_given;
use crate::design::{ByName, Design, EdgeChange, FillChange, MiddleChange, RingChange, Sided, given};
use crate::template::{Flank, Template};
use glam::DVec3;

/// Applies `own` over a measured design, which lists all joints; missing fields stay. Offsets are added. Joints that hang on given ones move along.
pub(super) fn lay_over(template: &Template, measured: &mut Design, own: &Design) {
    measured.scale *= own.scale;
    if !own.joints.is_empty() {
        measured.joints = carried(template, &measured.joints, &own.joints);
    }
    replace(&mut measured.lengths, &own.lengths, |_, &own| own);
    replace(&mut measured.rings, &own.rings, ring);
    replace(&mut measured.middles, &own.middles, |old, own| MiddleChange {
        front: own.front.or(old.front),
        side: own.side.or(old.side),
        shift: own.shift.or(old.shift),
    });
    replace(&mut measured.fills, &own.fills, |old, own| FillChange {
        center: own.center.or(old.center),
        height: own.height.or(old.height),
        spread: own.spread.or(old.spread),
        shift: own.shift.or(old.shift),
    });
    replace(&mut measured.edges, &own.edges, |old, own| EdgeChange { bulge: own.bulge.or(old.bulge) });
    replace(&mut measured.nodes, &own.nodes, |old, own| *old + *own);
    replace(&mut measured.offsets, &own.offsets, |old, own| *old + *own);
}

/// Positions of all joints after some were given.
fn carried(template: &Template, measured: &ByName<DVec3>, own: &ByName<DVec3>) -> ByName<DVec3> {
    let (text, layout) = (template.text(), &template.layout);
    let name = |joint: usize| &text.joints[layout.joints[joint].text].name;
    let flank = |joint: usize| layout.joints[joint].flank;
    let all = 0..layout.joints.len();
    let place = |joint| flank(joint).place(given(measured, name(joint), flank(joint)).unwrap_or_default());
    let before: Vec<DVec3> = all.clone().map(place).collect();
    let after = with_given(template, &before, own);
    let mut joints = measured.clone();
    for (joint, &place) in all.zip(&after) {
        let value = flank(joint).place(place);
        let sided = joints.entry(name(joint).clone()).or_insert(Sided::Both(value));
        *sided = match (flank(joint), *sided) {
            (Flank::Middle, _) => Sided::Both(value),
            (Flank::Left, other) => joined(Some(value), other.on(Flank::Right).copied()),
            (Flank::Right, other) => joined(other.on(Flank::Left).copied(), Some(value)),
        };
    }
    joints
}

fn joined<T: PartialEq>(left: Option<T>, right: Option<T>) -> Sided<T> {
    match (left, right) {
        (Some(left), Some(right)) if left == right => Sided::Both(left),
        (left, right) => Sided::Each { left, right },
    }
}

/// A ring's size is given in one way: any given value replaces all.
fn ring(old: &RingChange, own: &RingChange) -> RingChange {
    let has_size = own.front.is_some() || own.side.is_some() || own.girth.is_some();
    RingChange {
        shift: own.shift.or(old.shift),
        flare: own.flare.or(old.flare),
        reach: own.reach.or(old.reach),
        ..if has_size { *own } else { *old }
    }
}

fn replace<T: Copy + Default + PartialEq>(
    measured: &mut ByName<T>,
    own: &ByName<T>,
    join: impl Fn(&T, &T) -> T,
) {
    for (name, own) in own {
        let [left, right] = [Flank::Left, Flank::Right].map(|flank| given(measured, name, flank));
        let joined = |old: Option<T>, own: &T| join(&old.unwrap_or_default(), own);
        let value = match own {
            Sided::Both(own) if left == right => Sided::Both(joined(left, own)),
            Sided::Both(own) => {
                Sided::Each { left: Some(joined(left, own)), right: Some(joined(right, own)) }
            }
            Sided::Each { left: own_left, right: own_right } => Sided::Each {
                left: own_left.as_ref().map(|own| joined(left, own)).or(left),
                right: own_right.as_ref().map(|own| joined(right, own)).or(right),
            },
        };
        measured.insert(name.clone(), value);
    }
}
