//! The stick figure as a tree of bones, and poses of it.

use super::{BoneMove, JointFrame, JointPose};
use crate::Body;
use crate::body::{BodyBone, BodyJoint};
use crate::template::Flank;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// A bone of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureBone {
    /// From the template; both of a pair share it.
    pub name: String,
    /// Side of the body.
    pub flank: Flank,
    /// Index of the parent bone; `None` for a root.
    pub parent: Option<usize>,
    /// The joint it turns about in rest, model space, m.
    pub center: DVec3,
    /// Its unit direction in rest.
    pub direction: DVec3,
    /// From joint to joint, m.
    pub length_m: f64,
    /// The axes of its joint.
    pub frame: JointFrame,
}

/// The bones of a body as a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct StickFigure {
    bones: Vec<FigureBone>,
    /// Parents before children.
    order: Vec<usize>,
}

/// Rotations of all bones, and the position of the figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyPose {
    /// Translation from its place in rest, model space, m.
    pub shift: DVec3,
    /// The rotation of each bone relative to its parent, seen from rest in model space; a root's rotates everything.
    pub turns: Vec<DQuat>,
}

impl BodyPose {
    /// The rest pose.
    pub fn rest(figure: &StickFigure) -> Self {
        BodyPose { shift: DVec3::ZERO, turns: vec![DQuat::IDENTITY; figure.bones.len()] }
    }

    /// Sets the angles of one joint.
    pub fn set_joint(&mut self, figure: &StickFigure, bone: usize, joint: &JointPose) {
        self.turns[bone] = joint.turn(&figure.bones[bone].frame);
    }

    /// The angles of one joint.
    pub fn joint(&self, figure: &StickFigure, bone: usize) -> JointPose {
        JointPose::from_turn(&figure.bones[bone].frame, self.turns[bone])
    }
}

impl StickFigure {
    /// The tree of a body's bones.
    pub fn new(body: &Body) -> Self {
        let parents: Vec<Option<usize>> =
            (0..body.bones.len()).map(|bone| parent_of(&body.joints, &body.bones, bone)).collect();
        let bones: Vec<FigureBone> =
            (0..body.bones.len()).map(|bone| figure_bone(body, &parents, bone)).collect();
        let mut order: Vec<usize> = (0..bones.len()).collect();
        // Parents have fewer ancestors; the sort is stable.
        order.sort_by_key(|&bone| std::iter::successors(parents[bone], |&bone| parents[bone]).count());
        StickFigure { bones, order }
    }

    /// All bones, in the body's order.
    pub fn bones(&self) -> &[FigureBone] {
        &self.bones
    }

    /// The bone of a name on a side.
    pub fn find(&self, name: &str, flank: Flank) -> Option<usize> {
        self.bones.iter().position(|bone| bone.name == name && bone.flank == flank)
    }

    /// Motion of each bone in a pose.
    ///
    /// # Panics
    /// If the pose or the list has another number of bones.
    pub fn moves_into(&self, pose: &BodyPose, moves: &mut [BoneMove]) {
        assert_eq!(pose.turns.len(), self.bones.len(), "a turn for each bone");
        assert_eq!(moves.len(), self.bones.len(), "a motion for each bone");
        for &index in &self.order {
            let bone = &self.bones[index];
            let turn = pose.turns[index];
            // An invalid rotation, such as one of zeros, keeps the bone in place.
            let turn = if turn.length_squared().is_normal() { turn.normalize() } else { DQuat::IDENTITY };
            let own = BoneMove::about(bone.center, turn);
            moves[index] = match bone.parent {
                Some(parent) => moves[parent].after(&own),
                None => BoneMove { shift: own.shift + pose.shift, ..own },
            };
        }
    }

    /// The angles of a joint from the motions of all bones.
    pub(super) fn joint_of_moves(&self, moves: &[BoneMove], bone: usize) -> JointPose {
        let found = &self.bones[bone];
        let before = found.parent.map_or(DQuat::IDENTITY, |parent| moves[parent].rotation);
        JointPose::from_turn(&found.frame, before.inverse() * moves[bone].rotation)
    }
}

/// The bone that carries another's first joint: the one that ends there, or else the nearest on the way to the root.
fn parent_of(joints: &[BodyJoint], bones: &[BodyBone], bone: usize) -> Option<usize> {
    let start = bones[bone].from;
    let ends_at = |joint: usize| bones.iter().position(|found| found.to == joint);
    let starts_at = |joint: usize| bones.iter().position(|found| found.from == joint);
    if let Some(found) = ends_at(start) {
        return Some(found);
    }
    std::iter::successors(joints[start].parent, |&joint| joints[joint].parent)
        .find_map(|joint| starts_at(joint).or_else(|| ends_at(joint)))
}

fn figure_bone(body: &Body, parents: &[Option<usize>], index: usize) -> FigureBone {
    let bone = &body.bones[index];
    let place = |joint: usize| body.joints[joint].position;
    let center = place(bone.from);
    let way = place(bone.to) - center;
    let direction = way.normalize_or(DVec3::Y);
    let before = parents[index].map_or(direction, |parent| {
        let parent = &body.bones[parent];
        // If the joint is not the parent's end, as at the roots of fingers, use the way to it.
        (center - place(parent.from))
            .normalize_or((place(parent.to) - place(parent.from)).normalize_or(direction))
    });
    let is_ball = body.motions[index].is_ball;
    let twist = if is_ball { direction } else { before };
    let bend_axis = bone.bend_axis.unwrap_or(DVec3::X).reject_from_normalized(twist);
    let bend_axis = bend_axis.normalize_or(twist.any_orthonormal_vector());
    // Mirror images of rotations turn the other way; the bend's axis is already mirrored.
    let sign = if bone.flank == Flank::Right { -1.0 } else { 1.0 };
    let aside_axis = sign * bend_axis.cross(twist);
    FigureBone {
        name: bone.name.clone(),
        flank: bone.flank,
        parent: parents[index],
        center,
        direction,
        length_m: way.length(),
        frame: JointFrame { is_ball, twist_axis: sign * twist, bend_axis, aside_axis },
    }
}
