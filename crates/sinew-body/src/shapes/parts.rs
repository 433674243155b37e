//! Changes of single parts, for measures that the modes do not tell apart: lengths of bones, sizes of hand, foot and head, girths of rings.

use super::slots::{SlotKind, Slots};
use crate::head::HeadBasis;
use crate::template::{Flank, Template};
use glam::DVec3;

/// A change of a list, by share of the part.
pub(super) struct PartChange {
    /// Slots with their change for the whole share.
    pub(super) slots: Vec<(usize, f64)>,
    /// What changes in the head.
    pub(super) head: HeadPart,
    /// Usual share among people.
    pub(super) deviation: f64,
}

/// A change of the head.
#[derive(Clone, Copy, Default)]
pub(super) enum HeadPart {
    #[default]
    None,
    /// Added to the factors on breadth, height and depth.
    Size(DVec3),
    /// A mode of faces.
    Face(usize),
}

/// Chains of joints that grow longer: the joint after which it grows, and whether everything but what hangs on it moves up, as above a leg.
const LENGTHS: [(&str, &str, f64); 6] = [
    ("shoulder", "elbow", 0.04),
    ("elbow", "wrist", 0.04),
    ("hip", "knee", 0.04),
    ("knee", "ankle", 0.04),
    ("waist", "chest", 0.05),
    ("neck", "skull", 0.08),
];
/// What names of the hand start with.
const HAND: &[&str] = &["index", "middle", "ring", "little", "thumb", "hand_edge", "web", "dorsal", "palmar"];
/// Parts that are scaled about a joint, by what the names of their offsets start with.
const SCALED: [(&str, &[&str], f64); 3] =
    [("wrist", HAND, 0.04), ("ankle", &["leg/instep", "leg/toes"], 0.04), (HEAD, &[], 0.03)];
/// The joint below the head.
const HEAD: &str = "skull";
/// Usual shares of a head's own breadth and depth.
const HEAD_SIZES: [(DVec3, f64); 2] = [(DVec3::X, 0.03), (DVec3::Z, 0.03)];
/// Rings whose girth is free.
const GIRTHS: [(&str, f64); 14] = [
    ("neck_base", 0.06),
    ("throat", 0.06),
    ("wrist", 0.05),
    ("ankle", 0.05),
    ("upper_arm", 0.06),
    ("forearm", 0.05),
    ("thigh", 0.05),
    ("knee", 0.05),
    ("calf", 0.05),
    ("ball", 0.04),
    ("chest", 0.04),
    ("waist", 0.05),
    ("hips", 0.04),
    ("index_root", 0.05),
];

/// Rings halfway between those of two girths, each with one of these: it takes half of its change.
const WITH: [(&str, &str); 2] = [("midriff", "chest"), ("midriff", "waist")];

/// All changes of parts about a list.
pub(super) fn part_changes(template: &Template, slots: &Slots, list: &[f64]) -> Vec<PartChange> {
    let parts = Parts { template, slots, list };
    let mut changes: Vec<PartChange> =
        LENGTHS.iter().map(|&(from, to, sd)| parts.longer(from, to, sd)).collect();
    changes.extend([parts.broader(), parts.longer_palm(), parts.broader_hand(), parts.longer_instep()]);
    changes.extend(SCALED.iter().map(|&(joint, names, sd)| parts.larger(joint, names, sd)));
    changes.extend(GIRTHS.iter().map(|&(ring, sd)| parts.thicker(ring, sd)));
    let of_head = |head: HeadPart, deviation: f64| PartChange { slots: Vec::new(), head, deviation };
    changes.extend(HEAD_SIZES.iter().map(|&(way, sd)| of_head(HeadPart::Size(way), sd)));
    let [_, faces] = HeadBasis::human().mode_counts();
    changes.extend((0..faces).map(|face| of_head(HeadPart::Face(face), 1.0)));
    changes
}

struct Parts<'a> {
    template: &'a Template,
    slots: &'a Slots,
    list: &'a [f64],
}

impl Parts<'_> {
    fn joint(&self, name: &str) -> [f64; 3] {
        let mut place = [0.0; 3];
        if let Some(slot) =
            self.slots.list.iter().find(|slot| slot.kind == SlotKind::Joint && slot.name == name)
        {
            slot.axes.iter().enumerate().for_each(|(k, &axis)| place[axis] = self.list[slot.first + k]);
        }
        place
    }

    /// Whether a joint is another or hangs on it.
    fn hangs_on(&self, name: &str, above: &str) -> bool {
        let (text, layout) = (self.template.text(), &self.template.layout);
        let own = |joint: usize| text.joints[layout.joints[joint].text].name.as_str();
        let first = (0..layout.joints.len())
            .find(|&joint| own(joint) == name && layout.joints[joint].flank != Flank::Right);
        std::iter::successors(first, |&joint| layout.joints[joint].parent).any(|joint| own(joint) == above)
    }

    fn move_joints(&self, moves: impl Fn(&str) -> Option<[f64; 3]>) -> Vec<(usize, f64)> {
        let joints = self.slots.list.iter().filter(|slot| slot.kind == SlotKind::Joint);
        let moved = joints.filter_map(|slot| Some((slot, moves(&slot.name)?)));
        moved
            .flat_map(|(slot, by)| {
                slot.axes.iter().enumerate().map(move |(k, &axis)| (slot.first + k, by[axis]))
            })
            .collect()
    }

    /// A longer bone; above a leg's, everything else rises, because the feet stand.
    fn longer(&self, from: &str, to: &str, deviation: f64) -> PartChange {
        let (a, b) = (self.joint(from), self.joint(to));
        let way = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
        let is_leg = from == "hip" || from == "knee";
        let slots = self.move_joints(|name| match (is_leg, self.hangs_on(name, to)) {
            (true, false) => Some([0.0, -way[1], 0.0]),
            (false, true) => Some(way),
            _ => None,
        });
        PartChange { slots, head: HeadPart::None, deviation }
    }

    fn broader(&self) -> PartChange {
        let out = self.joint("shoulder")[0];
        let slots = self.move_joints(|name| match name {
            "clavicle" => Some([0.3 * out, 0.0, 0.0]),
            _ if self.hangs_on(name, "shoulder") => Some([out, 0.0, 0.0]),
            _ => None,
        });
        PartChange { slots, head: HeadPart::None, deviation: 0.05 }
    }

    /// From the wrist to the knuckle.
    fn palm(&self) -> DVec3 {
        DVec3::from(self.joint("knuckle")) - DVec3::from(self.joint("wrist"))
    }

    /// A longer palm with the same fingers: hands of one length have palms of many.
    fn longer_palm(&self) -> PartChange {
        let slots = self.move_joints(|name| {
            let is_finger = self.hangs_on(name, "wrist") && name != "wrist" && !name.starts_with("thumb");
            is_finger.then(|| self.palm().to_array())
        });
        PartChange { slots, head: HeadPart::None, deviation: 0.04 }
    }

    /// A hand with fingers farther apart.
    fn broader_hand(&self) -> PartChange {
        let slots = self.move_joints(|name| {
            let at = DVec3::from(self.joint(name)) - DVec3::from(self.joint("wrist"));
            self.hangs_on(name, "wrist").then(|| at.reject_from(self.palm()).to_array())
        });
        PartChange { slots, head: HeadPart::None, deviation: 0.05 }
    }

    /// A ball of the foot farther forward in the same foot.
    fn longer_instep(&self) -> PartChange {
        let (ball, ankle) = (self.joint("ball"), self.joint("ankle"));
        let way = [ball[0] - ankle[0], 0.0, ball[2] - ankle[2]];
        let slots = self.move_joints(|name| (name == "ball").then_some(way));
        PartChange { slots, head: HeadPart::None, deviation: 0.04 }
    }

    /// A larger part: joints move from the part's first one, rings, middles and offsets grow.
    fn larger(&self, joint: &str, names: &[&str], deviation: f64) -> PartChange {
        let center = self.joint(joint);
        let mut slots = self.move_joints(|name| {
            let at = self.joint(name);
            let level = if joint == "ankle" { 0.0 } else { 1.0 };
            let by = [at[0] - center[0], level * (at[1] - center[1]), at[2] - center[2]];
            (self.hangs_on(name, joint) && name != joint).then_some(by)
        });
        let rings = self.rings_of(joint);
        for slot in &self.slots.list {
            let is_of_part = match slot.kind {
                SlotKind::Joint | SlotKind::Node => false,
                SlotKind::RingFront | SlotKind::RingSide | SlotKind::RingShift => {
                    rings.contains(&slot.name.as_str())
                }
                _ => names.iter().any(|name| slot.name.starts_with(name)),
            };
            if is_of_part && slot.is_length() {
                slots.extend(
                    (slot.first..slot.first + slot.axes.len()).map(|place| (place, self.list[place])),
                );
            }
        }
        let head = if joint == HEAD { HeadPart::Size(DVec3::ONE) } else { HeadPart::None };
        PartChange { slots, head, deviation }
    }

    /// Rings on bones that start at a joint or hang on it.
    fn rings_of(&self, joint: &str) -> Vec<&str> {
        let (text, layout) = (self.template.text(), &self.template.layout);
        let name = |joint: usize| text.joints[layout.joints[joint].text].name.as_str();
        let is_of = |bone: usize| self.hangs_on(name(layout.bones[bone].from), joint);
        let rings = layout.rings.iter().filter(|ring| ring.flank != Flank::Right && is_of(ring.bone));
        rings
            .map(|ring| text.rings[ring.text].name.as_str())
            .filter(|name| *name != "wrist" && *name != "heel")
            .collect()
    }

    fn thicker(&self, ring: &str, deviation: f64) -> PartChange {
        let is_thickness = |kind: SlotKind| matches!(kind, SlotKind::RingFront | SlotKind::RingSide);
        let share = |name: &str| match name == ring {
            true => Some(1.0),
            false => WITH.iter().find(|with| **with == (name, ring)).map(|_| 0.5),
        };
        let own = self.slots.list.iter().filter(|slot| is_thickness(slot.kind));
        let slots = own.filter_map(|slot| Some((slot.first, share(&slot.name)? * self.list[slot.first])));
        PartChange { slots: slots.collect(), head: HeadPart::None, deviation }
    }
}
