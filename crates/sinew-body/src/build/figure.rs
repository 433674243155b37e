//! The stick figure of a design, and how parts follow its bones.

use crate::design::{ByName, Design, given};
use crate::template::layout::{LayoutBone, LayoutJoint, LayoutTube};
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
    let before = with_given(template, &scaled, &design.joints);
    let is_standing = standing_joints(template);
    let mut joints = before.clone();
    for bone in &layout.bones {
        if let Some(long) = given(&design.lengths, &text.bones[bone.text].name, bone.flank) {
            let way = joints[bone.to] - joints[bone.from];
            let is_foot = is_standing[bone.from] && way.y.abs() < way.with_y(0.0).length();
            let shift =
                if is_foot { level_change(way, long) } else { long * way.normalize_or(DVec3::Y) - way };
            for (joint, place) in joints.iter_mut().enumerate() {
                if above(template, joint).any(|found| found == bone.to) {
                    *place += shift;
                }
            }
        }
    }
    stand(template, &before, &mut joints);
    joints
}

/// How the end of a bone moves to a length with its height unchanged: a longer foot stays flat.
fn level_change(way: DVec3, long: f64) -> DVec3 {
    let level = way.with_y(0.0);
    (long.powi(2) - way.y.powi(2)).max(0.0).sqrt() * level.normalize_or_zero() - level
}

/// A joint, its parent, and so on.
fn above(template: &Template, joint: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(joint), |&joint| template.layout.joints[joint].parent)
}

/// Joints at given positions. Those that hang on them move along, so that hands and feet keep their form; joints of legs keep their height,
/// because they stand.
pub(crate) fn with_given(template: &Template, joints: &[DVec3], wanted: &ByName<DVec3>) -> Vec<DVec3> {
    let (text, layout) = (template.text(), &template.layout);
    let wanted_at = |joint: usize| {
        let LayoutJoint { text: at, flank, .. } = layout.joints[joint];
        given(wanted, &text.joints[at].name, flank).map(|place| flank.place(place))
    };
    let shift_of = |joint: usize| wanted_at(joint).map(|place| place - joints[joint]);
    let is_standing = standing_joints(template);
    let moved = |(joint, &place): (usize, &DVec3)| {
        let carried = || above(template, joint).find_map(shift_of).unwrap_or(DVec3::ZERO);
        let level = if is_standing[joint] { DVec3::new(1.0, 0.0, 1.0) } else { DVec3::ONE };
        wanted_at(joint).unwrap_or_else(|| place + level * carried())
    };
    joints.iter().enumerate().map(moved).collect()
}

/// Whether each joint is in a tube that stands on the floor.
fn standing_joints(template: &Template) -> Vec<bool> {
    let mut is_standing = vec![false; template.layout.joints.len()];
    for bone in standing_tubes(template).flat_map(|tube| &tube.bones) {
        is_standing[template.layout.bones[*bone].to] = true;
    }
    is_standing
}

fn standing_tubes(template: &Template) -> impl Iterator<Item = &LayoutTube> {
    template.layout.tubes.iter().filter(|tube| template.text().tubes[tube.text].floor.is_some())
}

/// Raises or lowers the whole figure until its lowest foot is as high as before.
fn stand(template: &Template, before: &[DVec3], joints: &mut [DVec3]) {
    let foot = |tube: &LayoutTube| tube.bones.last().map(|&bone| template.layout.bones[bone].to);
    let sunk = standing_tubes(template).filter_map(foot).map(|foot| before[foot].y - joints[foot].y);
    if let Some(rise) = sunk.reduce(f64::max) {
        joints.iter_mut().for_each(|joint| joint.y += rise);
    }
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
            start: placed.0,
            turn: match has_length {
                true => DQuat::from_rotation_arc(listed_direction, direction),
                false => DQuat::IDENTITY,
            },
            stretch: if has_length { after.length() / before.length() } else { scale },
            scale,
        }
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
