//! The stick figure of a design, and how parts follow its bones.

use super::stand::{stand, with_given};
use crate::design::{Design, given};
use crate::head::HeadBone;
use crate::template::layout::{LayoutBone, LayoutJoint};
use crate::template::{Flank, Template};
use glam::{DQuat, DVec3};

/// Joint positions, and for each bone its change from the template's figure.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    pub(crate) joints: Vec<DVec3>,
    pub(crate) bones: Vec<BoneMove>,
}

/// Change of a bone from the template to the design: rotation, stretch, scale.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoneMove {
    /// Its start in the template.
    listed_start: DVec3,
    /// Its direction in the template; zero for a bone without length.
    listed_direction: DVec3,
    listed_length_m: f64,
    start: DVec3,
    turn: DQuat,
    /// Factor on lengths along the bone: the new length over that in the template.
    pub(crate) stretch: f64,
    /// Factor on lengths across the bone.
    pub(crate) scale: f64,
}

impl Figure {
    pub(crate) fn new(template: &Template, design: &Design) -> Self {
        let text = &template.text().joints;
        let place = |joint: &LayoutJoint| joint.flank.place(text[joint.text].at);
        let listed: Vec<DVec3> = template.layout.joints.iter().map(place).collect();
        let joints = place_joints(template, design, &listed);
        let ends = |joints: &[DVec3], bone: &LayoutBone| (joints[bone.from], joints[bone.to]);
        let moved = |bone: &LayoutBone| BoneMove::new(ends(&listed, bone), ends(&joints, bone), design.scale);
        let bones = template.layout.bones.iter().map(moved).collect();
        Figure { joints, bones }
    }
}

fn place_joints(template: &Template, design: &Design, listed: &[DVec3]) -> Vec<DVec3> {
    let (text, layout) = (template.text(), &template.layout);
    let scaled: Vec<DVec3> = listed.iter().map(|&joint| design.scale * joint).collect();
    let mut joints = with_given(template, &scaled, &design.joints);
    if design.lengths.is_empty() {
        return joints;
    }
    let heights: Vec<f64> = layout.feet.iter().map(|foot| joints[foot.tip].y).collect();
    for bone in &layout.bones {
        if let Some(long) = given(&design.lengths, &text.bones[bone.text].name, bone.flank) {
            let way = joints[bone.to] - joints[bone.from];
            let is_in_foot = layout.feet.iter().any(|foot| foot.ends.contains(&bone.to));
            let is_level = is_in_foot && way.y.abs() < way.with_y(0.0).length();
            let shift = match is_level {
                true => level_change(way, long),
                false => long * way.normalize_or(DVec3::Y) - way,
            };
            for (joint, place) in joints.iter_mut().enumerate() {
                if layout.above(joint).any(|found| found == bone.to) {
                    *place += shift;
                }
            }
        }
    }
    stand(template, &heights, &mut joints);
    joints
}

/// How the end of a bone moves to a length with its height unchanged: a longer foot stays flat.
fn level_change(way: DVec3, long: f64) -> DVec3 {
    let level = way.with_y(0.0);
    (long.powi(2) - way.y.powi(2)).max(0.0).sqrt() * level.normalize_or_zero() - level
}

impl BoneMove {
    fn new(listed: (DVec3, DVec3), placed: (DVec3, DVec3), scale: f64) -> Self {
        let (before, after) = (listed.1 - listed.0, placed.1 - placed.0);
        let listed_direction = before.normalize_or_zero();
        let direction = after.normalize_or(listed_direction);
        let has_length = before.length() > 0.0;
        BoneMove {
            listed_start: listed.0,
            listed_direction,
            listed_length_m: before.length(),
            start: placed.0,
            turn: match has_length {
                true => DQuat::from_rotation_arc(listed_direction, direction),
                false => DQuat::IDENTITY,
            },
            stretch: if has_length { after.length() / before.length() } else { scale },
            scale,
        }
    }

    /// The bone as a head follows it.
    pub(crate) fn head_bone(&self) -> HeadBone {
        HeadBone { joint: self.start, turn: self.turn, length_m: self.stretch * self.listed_length_m }
    }

    /// A point of the template's figure, moved with the bone: keeps its share of the bone's length.
    pub(crate) fn point(&self, listed: DVec3) -> DVec3 {
        let from_start = listed - self.listed_start;
        let along = from_start.dot(self.listed_direction) * self.listed_direction;
        self.start + self.turn * (self.stretch * along + self.scale * (from_start - along))
    }

    /// A vector of the template's figure, rotated and scaled with the bone.
    pub(crate) fn vector(&self, listed: DVec3) -> DVec3 {
        self.scale * self.direction(listed)
    }

    /// A vector in m, rotated with the bone.
    pub(crate) fn direction(&self, listed: DVec3) -> DVec3 {
        self.turn * listed
    }

    /// Inverse of [`BoneMove::direction`].
    pub(crate) fn listed_from(&self, turned: DVec3) -> DVec3 {
        self.turn.inverse() * turned
    }

    /// The bone's direction in the template, mirrored to the left side.
    pub(crate) fn listed_direction(&self, flank: Flank) -> DVec3 {
        flank.place(self.listed_direction)
    }
}
