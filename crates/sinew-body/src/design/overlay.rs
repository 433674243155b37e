//! A design over another.

use super::{ByName, Design, EdgeChange, FillChange, MiddleChange, MotionChange, RingChange, Sided};
use crate::build::address::Address;
use crate::build::{Figure, with_given};
use crate::template::{Flank, Template};
use glam::DVec3;

impl Design {
    /// This design over another: its values count, all others stay. Offsets and shifts of nodes are added. Joints that hang on given ones
    /// move along, and the figure stands again; rings of the foot that get thicker or thinner keep their sole. Nodes, edges and fills follow
    /// the ends of the tubes they lie between.
    #[must_use]
    pub fn laid_over(&self, template: &Template, base: &Design) -> Design {
        let mut laid = base.clone();
        laid.base = if self.base.is_empty() { base.base.clone() } else { self.base.clone() };
        laid.scale *= self.scale;
        if !self.joints.is_empty() {
            laid.joints = carried(template, base, &self.joints);
            laid.lengths.clear();
        }
        replace(&mut laid.lengths, &self.lengths, |_, &own| own);
        replace(&mut laid.rings, &self.rings, ring);
        replace(&mut laid.middles, &self.middles, |old, own| MiddleChange {
            front: own.front.or(old.front),
            side: own.side.or(old.side),
            shift: own.shift.or(old.shift),
        });
        let (tubes, net) = self.split_offsets(template);
        replace(&mut laid.offsets, &tubes, |old, own| *old + *own);
        super::sole::keep_soles(template, base, self, &mut laid);
        if self.moves_tubes(&tubes) {
            super::net::carry_net(template, base, self, &mut laid);
        }
        replace(&mut laid.fills, &self.fills, |old, own| FillChange {
            center: own.center.or(old.center),
            height: own.height.or(old.height),
            spread: own.spread.or(old.spread),
            shift: own.shift.or(old.shift),
        });
        replace(&mut laid.edges, &self.edges, |old, own| EdgeChange { bulge: own.bulge.or(old.bulge) });
        replace(&mut laid.nodes, &self.nodes, |old, own| *old + *own);
        replace(&mut laid.offsets, &net, |old, own| *old + *own);
        laid.head = self.head.over(&base.head);
        self.keep_head(template, base, &mut laid);
        replace(&mut laid.motions, &self.motions, |old: &MotionChange, own| own.over(old));
        laid
    }

    /// A head of a given size grows with its bone.
    fn keep_head(&self, template: &Template, base: &Design, laid: &mut Design) {
        let (Some(head), Some(stature)) = (template.layout.head, laid.head.stature) else { return };
        if self.joints.is_empty() && self.lengths.is_empty() && self.scale == 1.0 {
            return;
        }
        let [before, after] =
            [base, &*laid].map(|design| Figure::new(template, design).bones[head.bone].stretch);
        laid.head.stature = Some(stature * after / before);
    }

    /// Whether it changes the ends of tubes.
    fn moves_tubes(&self, tube_offsets: &ByName<DVec3>) -> bool {
        let is_whole = self.joints.is_empty() && self.lengths.is_empty() && self.rings.is_empty();
        !is_whole || !self.middles.is_empty() || !tube_offsets.is_empty() || self.scale != 1.0
    }

    /// Its offsets of tubes, and those of the net between them.
    fn split_offsets(&self, template: &Template) -> (ByName<DVec3>, ByName<DVec3>) {
        let is_tubes = |key: &str| matches!(Address::parse(template, key), Some(Address::Tube { .. }));
        self.offsets.clone().into_iter().partition(|(key, _)| is_tubes(key))
    }
}

/// Positions of all joints after some were given, standing.
fn carried(template: &Template, base: &Design, own: &ByName<DVec3>) -> ByName<DVec3> {
    let (text, layout) = (template.text(), &template.layout);
    let after = with_given(template, &Figure::new(template, base).joints, own);
    let mut joints: ByName<DVec3> = base.joints.clone();
    for (joint, &place) in layout.joints.iter().zip(&after) {
        let value = joint.flank.place(place);
        let sided = joints.entry(text.joints[joint.text].name.clone()).or_insert(Sided::Both(value));
        *sided = match (joint.flank, *sided) {
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
        cut: own.cut.or(old.cut),
        ..if has_size { *own } else { *old }
    }
}

fn replace<T: Clone + Default + PartialEq>(
    measured: &mut ByName<T>,
    own: &ByName<T>,
    join: impl Fn(&T, &T) -> T,
) {
    for (name, own) in own {
        let [left, right] =
            [Flank::Left, Flank::Right].map(|flank| super::given_ref(measured, name, flank).cloned());
        let joined = |old: Option<T>, own: &T| join(&old.unwrap_or_default(), own);
        let value = match own {
            Sided::Both(own) if left == right => Sided::Both(joined(left, own)),
            Sided::Both(own) => {
                Sided::Each { left: Some(joined(left, own)), right: Some(joined(right, own)) }
            }
            Sided::Each { left: own_left, right: own_right } => Sided::Each {
                left: own_left.as_ref().map(|own| joined(left.clone(), own)).or(left),
                right: own_right.as_ref().map(|own| joined(right.clone(), own)).or(right),
            },
        };
        measured.insert(name.clone(), value);
    }
}
