//! The skeleton as the palette sees it: heads, tips and parents in rest space.

use crate::JointHead;
use glam::Vec3;
use sinew_rig::{BoneId, BoundSurface, Character};
use std::collections::HashMap;

/// One palette entry's bone in rest space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RestBone {
    /// Its head.
    pub(crate) head: Vec3,
    /// Its tip; one of a leaf without a known tip goes on like its parent.
    pub(crate) tip: Vec3,
    /// The palette entry of its nearest ancestor in the same bind.
    pub(crate) parent: Option<u16>,
}

/// All bones of the palette.
#[derive(Clone, Debug)]
pub(crate) struct PaletteJoints {
    bones: Vec<RestBone>,
}

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
                let mut above = skeleton.bone(entry.bone).parent;
                let mut parent = None;
                while let (Some(bone), None) = (above, parent) {
                    parent = entry_of.get(&(entry.bind, bone)).copied();
                    above = skeleton.bone(bone).parent;
                }
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

    /// Parent and child, if one of two entries is the other's parent.
    pub(crate) fn related(&self, a: u16, b: u16) -> Option<(u16, u16)> {
        if self.bone(b).parent == Some(a) {
            Some((a, b))
        } else if self.bone(a).parent == Some(b) {
            Some((b, a))
        } else {
            None
        }
    }

    /// The joint between two entries.
    pub(crate) fn head(&self, a: u16, b: u16) -> JointHead {
        match self.related(a, b) {
            Some((parent, child)) => JointHead { rest: self.bone(child).head, parent: Some(parent) },
            None => JointHead { rest: self.bone(a).head.midpoint(self.bone(b).head), parent: None },
        }
    }
}

/// A singular bind has no inverse; its bones are then taken to be at `fallback`.
fn finite_or(point: Vec3, fallback: Vec3) -> Vec3 {
    if point.is_finite() { point } else { fallback }
}
