//! Bones that go along with the joint they carry: collarbone and shoulder blade with the arm.
//!
//! Of an arm raised to the top about a third of the way is the shoulder blade's. The body has the collarbone alone for it: it turns by a
//! share of the arm's angle, the arm keeps its direction, and the shoulder's skin moves with the joint.

use super::{BoneMove, JointPose, StickFigure};
use crate::Body;
use crate::template::CarryText;
use glam::{DQuat, DVec3};

/// A coupled pair of bones.
#[derive(Clone, Debug)]
pub(super) struct Carried {
    carry: CarryText,
    /// The bone whose angle counts, and all that hang on it.
    bone: usize,
    beyond: Vec<usize>,
    /// The bone that goes along, and the one that holds it.
    parent: usize,
    holder: usize,
}

impl Carried {
    /// All couples of a body.
    pub(super) fn of(body: &Body, figure: &StickFigure) -> Vec<Carried> {
        let carried = |(bone, motion): (usize, &crate::body::BodyMotion)| {
            let carry = motion.carry?;
            let parent = figure.bones()[bone].parent?;
            let holder = figure.bones()[parent].parent?;
            Some(Carried { carry, bone, beyond: below(figure, bone), parent, holder })
        };
        body.motions.iter().enumerate().filter_map(carried).collect()
    }

    /// Turns the parent at least as far as the bone's angle asks for. A parent that the pose has turned that far already stays.
    pub(super) fn apply(&self, figure: &StickFigure, moves: &mut [BoneMove]) {
        let (bone, parent) = (&figure.bones()[self.bone], &figure.bones()[self.parent]);
        let held = moves[self.holder].rotation.inverse();
        let joint = JointPose::from_turn(&bone.frame, held * moves[self.bone].rotation);
        let wanted = self.turn(&joint, parent.frame.bend_axis, parent.frame.aside_axis);
        let length = wanted.length();
        if length == 0.0 {
            return;
        }
        let given = held * moves[self.parent].rotation;
        let along = wanted / length;
        let done = given.to_scaled_axis().dot(along).clamp(0.0, length);
        let turn = DQuat::from_scaled_axis((length - done) * along) * given;
        let old = moves[self.parent];
        let rotation = moves[self.holder].rotation * turn;
        moves[self.parent] = BoneMove::taking(parent.center, old.point(parent.center), rotation);
        let shift = moves[self.parent].point(bone.center) - old.point(bone.center);
        for &index in &self.beyond {
            moves[index].shift += shift;
        }
    }

    fn turn(&self, joint: &JointPose, bend_axis: DVec3, aside_axis: DVec3) -> DVec3 {
        let share = |angle: f64, ahead: f64, back: f64| angle * if angle > 0.0 { ahead } else { back };
        let raise = share(joint.aside_rad, self.carry.aside, self.carry.inward);
        // A positive sideways turn of the collarbone takes the shoulder backward.
        let forward = share(joint.bend_rad, self.carry.bend, self.carry.back);
        raise * bend_axis - forward * aside_axis
    }
}

/// A bone and all bones that hang on it.
fn below(figure: &StickFigure, bone: usize) -> Vec<usize> {
    let hangs = |&index: &usize| {
        std::iter::successors(Some(index), |&index| figure.bones()[index].parent).any(|found| found == bone)
    };
    (0..figure.bones().len()).filter(hangs).collect()
}
