//! The skeleton of the palette: heads, tips and parents in rest space.

use crate::JointHead;
use glam::Vec3;
use sinew_rig::{BoneId, BoundSurface, Character};
use std::collections::HashMap;

/// One palette entry's bone in rest space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RestBone {
    /// Its head.
    pub(crate) head: Vec3,
    /// Its tip; a leaf without a known tip continues its parent.
    pub(crate) tip: Vec3,
    /// The palette entry of its nearest ancestor in the same bind.
    pub(crate) parent: Option<u16>,
}

/// Relation of two bones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bond {
    /// Parent and child, or a twist bone and the bone at the end of its limb: they share the joint at the second one's head.
    Joint(u16, u16),
    /// The first is an ancestor of the second, with bones between them.
    Chain(u16, u16),
    /// Neither: siblings, bones of two binds, or one bone twice.
    Apart,
}

/// All bones of the palette.
#[derive(Clone, Debug)]
pub(crate) struct PaletteJoints {
    bones: Vec<RestBone>,
}

/// Maximum distance of a twist bone's head from the line of its limb, as a share of the limb. Smaller: twist bones set by hand are missed.
/// Larger: a finger counts as the twist bone of its neighbor.
const TWIST_OFFSET_SHARE: f32 = 0.05;

/// Minimum cosine between a twist bone and its limb: 18°.
const LEAST_TWIST_COSINE: f32 = 0.95;

impl PaletteJoints {
    pub(crate) fn of(character: &Character, bound: &BoundSurface) -> Self {
        let palette = bound.palette();
        let entry_of: HashMap<(Option<_>, BoneId), u16> =
            palette.iter().enumerate().map(|(at, entry)| ((entry.bind, entry.bone), at as u16)).collect();
        let skeleton = character.skeleton();
        let mut bones: Vec<RestBone> = palette
            .iter()
            .map(|entry| {
                let rest_from_bone = entry.bone_from_rest.inverse();
                let tip_in_bone = skeleton.bone(entry.bone).tip_in_bone;
                let head = finite_or(rest_from_bone.transform_point3(Vec3::ZERO), Vec3::ZERO);
                let tip =
                    tip_in_bone.map_or(head, |tip| finite_or(rest_from_bone.transform_point3(tip), head));
                let mut above = skeleton.upwards(entry.bone).skip(1);
                let parent = above.find_map(|bone| entry_of.get(&(entry.bind, bone)).copied());
                RestBone { head, tip, parent: entry.bind.and(parent) }
            })
            .collect();
        for at in 0..bones.len() {
            if let (true, Some(parent)) = (bones[at].tip == bones[at].head, bones[at].parent) {
                bones[at].tip = bones[at].head * 2.0 - bones[usize::from(parent)].head;
            }
        }
        Self { bones }
    }

    pub(crate) fn bone(&self, entry: u16) -> &RestBone {
        &self.bones[usize::from(entry)]
    }

    /// The relation of two entries.
    pub(crate) fn bond(&self, a: u16, b: u16) -> Bond {
        if a == b {
            Bond::Apart
        } else if self.bone(b).parent == Some(a) || self.is_twist_of(a, b) {
            Bond::Joint(a, b)
        } else if self.bone(a).parent == Some(b) || self.is_twist_of(b, a) {
            Bond::Joint(b, a)
        } else if self.is_above(a, b) {
            Bond::Chain(a, b)
        } else if self.is_above(b, a) {
            Bond::Chain(b, a)
        } else {
            Bond::Apart
        }
    }

    /// Parent and child, if two entries share a joint.
    pub(crate) fn related(&self, a: u16, b: u16) -> Option<(u16, u16)> {
        match self.bond(a, b) {
            Bond::Joint(parent, child) => Some((parent, child)),
            Bond::Chain(..) | Bond::Apart => None,
        }
    }

    /// The joint between two entries.
    pub(crate) fn head(&self, a: u16, b: u16) -> JointHead {
        match self.bond(a, b) {
            Bond::Joint(parent, child) => JointHead { rest: self.bone(child).head, parent: Some(parent) },
            // Of the bones between the two, the upper ends where the first starts.
            Bond::Chain(upper, lower) => {
                let first = self.heads_between(upper, lower)[1];
                JointHead { rest: first.midpoint(self.bone(lower).head), parent: None }
            }
            Bond::Apart => JointHead { rest: self.bone(a).head.midpoint(self.bone(b).head), parent: None },
        }
    }

    /// The heads of all bones from an ancestor down to a descendant, both included.
    pub(crate) fn heads_between(&self, upper: u16, lower: u16) -> Vec<Vec3> {
        let next = |&entry: &u16| if entry == upper { None } else { self.bone(entry).parent };
        let mut heads: Vec<Vec3> =
            std::iter::successors(Some(lower), next).map(|entry| self.bone(entry).head).collect();
        heads.reverse();
        heads
    }

    fn is_above(&self, upper: u16, lower: u16) -> bool {
        std::iter::successors(self.bone(lower).parent, |&entry| self.bone(entry).parent).any(|at| at == upper)
    }

    /// Whether `twist` is a sibling of `child` that runs along their parent towards the child's head.
    fn is_twist_of(&self, twist: u16, child: u16) -> bool {
        let (twist, child) = (self.bone(twist), self.bone(child));
        let (Some(parent), true) = (twist.parent, twist.parent == child.parent) else { return false };
        let parent = self.bone(parent);
        let limb = child.head - parent.head;
        let (Some(direction), Some(own)) = (limb.try_normalize(), (twist.tip - twist.head).try_normalize())
        else {
            return false;
        };
        let along = (twist.head - parent.head).dot(direction);
        let offset = (twist.head - parent.head - direction * along).length();
        let length = limb.length();
        let is_on_the_way =
            along > -TWIST_OFFSET_SHARE * length && along < (1.0 - TWIST_OFFSET_SHARE) * length;
        is_on_the_way && offset <= TWIST_OFFSET_SHARE * length && own.dot(direction) >= LEAST_TWIST_COSINE
    }
}

/// A singular bind has no inverse; its bones are then placed at `fallback`.
fn finite_or(point: Vec3, fallback: Vec3) -> Vec3 {
    if point.is_finite() { point } else { fallback }
}
