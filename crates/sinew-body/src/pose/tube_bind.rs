//! The bones of a tube: found once, when a body is bound.

use super::give::Give;
use super::ring_turn::RingShape;
use super::{JointPose, StickFigure};
use crate::Body;
use crate::body::{BodyTube, TubeEndName};
use crate::limb::{BendSettings, Joint, RestOverlap, TwistAxis};
use crate::quadrature::fan_center;
use glam::{DQuat, DVec3};
use std::ops::Range;

/// A tube's runs of bays, one per bone, and the joints between them.
#[derive(Clone, Debug)]
pub(super) struct TubePlan {
    pub(super) start: StartJoint,
    pub(super) runs: Vec<Run>,
    /// Between runs: one less.
    pub(super) joints: Vec<RunJoint>,
    pub(super) end: Option<RingJoint>,
    /// The tube that this one continues, and the ratio of the legs there.
    pub(super) continues: Option<(usize, f64)>,
}

/// Bays that follow one bone.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) bone: usize,
    pub(super) bays: Range<usize>,
    pub(super) axis: TwistAxis,
}

/// The joint that turns the first ring of a tube.
#[derive(Clone, Debug)]
pub(super) enum StartJoint {
    /// The first run's bone alone.
    Rigid,
    /// The first run's bone starts there and is attached to another: shoulders, hips, roots of fingers.
    Own(RingJoint),
    /// Another bone starts there and is attached to the first run's: the chest on the abdomen.
    Other(RingJoint),
}

/// A joint at an open end of a tube.
#[derive(Clone, Debug)]
pub(super) struct RingJoint {
    /// The bone on the other side.
    pub(super) bone: usize,
    pub(super) center: DVec3,
    pub(super) bend_axis: DVec3,
    /// The shares of bend and sideways turn that the ring takes.
    pub(super) share: f64,
    pub(super) aside_share: f64,
    pub(super) aside_axis: DVec3,
    /// Where corners differ.
    pub(super) shape: RingShape,
    /// Where they do not.
    pub(super) give: Give,
}

impl RingJoint {
    /// The part of a swing that the ring takes.
    pub(super) fn part_of(&self, swing: DVec3) -> DQuat {
        let bend = swing.dot(self.bend_axis) * self.bend_axis;
        DQuat::from_scaled_axis(self.share * bend + self.aside_share * (swing - bend))
    }

    /// The joint's angles of a swing, and the swing's parts along and across the bend.
    pub(super) fn parts_of(&self, swing: DVec3) -> (JointPose, DVec3, DVec3) {
        let bend_rad = swing.dot(self.bend_axis);
        let bend = bend_rad * self.bend_axis;
        let joint = JointPose { bend_rad, aside_rad: swing.dot(self.aside_axis), ..JointPose::default() };
        (joint, bend, swing - bend)
    }
}

/// A joint between two runs.
#[derive(Clone, Debug)]
pub(super) struct RunJoint {
    /// In rest, with both bones along the tube.
    pub(super) joint: Joint,
    pub(super) is_fold: bool,
    pub(super) overlap: RestOverlap,
    pub(super) share: f64,
    pub(super) settings: BendSettings,
    /// Without a fold.
    pub(super) give: Give,
}

impl TubePlan {
    pub(super) fn new(body: &Body, figure: &StickFigure, index: usize) -> Self {
        let tube = &body.tubes[index];
        let runs = runs_of(figure, tube);
        let joints = runs.windows(2).map(|pair| run_joint(body, figure, index, &pair[0], &pair[1])).collect();
        TubePlan {
            start: start_of(body, figure, index),
            joints,
            end: end_of(body, figure, index),
            continues: tube.continues.map(|before| {
                let legs = &body.tubes[before].legs_m;
                (before, tube.legs_m[0][0] / legs[legs.len() - 1][1])
            }),
            runs,
        }
    }
}

fn runs_of(figure: &StickFigure, tube: &BodyTube) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (bay, &bone) in tube.bones.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if run.bone == bone => run.bays.end = bay + 1,
            _ => {
                let found = &figure.bones()[bone];
                let axis = TwistAxis { origin: found.center, direction: found.direction };
                runs.push(Run { bone, bays: bay..bay + 1, axis });
            }
        }
    }
    runs
}

/// The direction of a run's bone along the tube.
fn along_tube(tube: &BodyTube, run: &Run) -> DVec3 {
    let middle = |row: usize| fan_center(tube.tube.arcs(row));
    let way = middle(4 * run.bays.end) - middle(4 * run.bays.start);
    if way.dot(run.axis.direction) < 0.0 { -run.axis.direction } else { run.axis.direction }
}

fn run_joint(body: &Body, figure: &StickFigure, index: usize, before: &Run, beyond: &Run) -> RunJoint {
    let tube = &body.tubes[index];
    let runs_inward = figure.bones()[before.bone].parent == Some(beyond.bone);
    let mover = if runs_inward { before.bone } else { beyond.bone };
    let motion = &body.motions[mover];
    let joint = Joint {
        center: figure.bones()[mover].center,
        axis: figure.bones()[mover].frame.bend_axis,
        bone_before: along_tube(tube, before),
        bone_beyond: along_tube(tube, beyond),
    };
    RunJoint {
        overlap: RestOverlap::of(&tube.tube, beyond.bays.start, &joint),
        joint,
        is_fold: motion.is_fold,
        share: if runs_inward { 1.0 - motion.share } else { motion.share },
        settings: motion.settings,
        give: Give::of(
            &tube.tube,
            4 * beyond.bays.start,
            [4 * before.bays.start, 4 * beyond.bays.end],
            joint.center,
            joint.bone_beyond,
        ),
    }
}

fn ring_joint(
    body: &Body,
    figure: &StickFigure,
    (tube, mover): (usize, usize),
    (bone, end): (usize, TubeEndName),
) -> RingJoint {
    let motion = &body.motions[mover];
    let center = figure.bones()[mover].center;
    let runs = runs_of(figure, &body.tubes[tube]);
    let shown = &body.tubes[tube].tube;
    let ring = end.rows(shown)[0];
    let fars = match end {
        TubeEndName::Start => [ring, 4 * runs[0].bays.end],
        TubeEndName::End => [4 * runs[runs.len() - 1].bays.start, ring],
    };
    let inward = if ring == 0 { ring + 4 } else { ring - 4 };
    let out = (fan_center(shown.arcs(ring)) - fan_center(shown.arcs(inward))).normalize_or_zero();
    // The bone that turns may be the tube's own.
    let along = if bone == mover { out } else { -out };
    RingJoint {
        bone,
        center,
        give: Give::of(shown, ring, fars, center, along),
        bend_axis: figure.bones()[mover].frame.bend_axis,
        share: motion.share,
        aside_share: motion.aside_share,
        aside_axis: figure.bones()[mover].frame.aside_axis,
        shape: RingShape::new(motion, body.tubes[tube].tube.row_len()),
    }
}

fn start_of(body: &Body, figure: &StickFigure, index: usize) -> StartJoint {
    let tube = &body.tubes[index];
    if tube.continues.is_some() {
        return StartJoint::Rigid;
    }
    let (first, ring) = (tube.bones[0], body.rings[tube.rings[0]].bone);
    if ring != first && figure.bones()[ring].parent == Some(first) {
        return StartJoint::Other(ring_joint(body, figure, (index, ring), (ring, TubeEndName::Start)));
    }
    let runs_inward = tube.bones.iter().any(|&bone| figure.bones()[first].parent == Some(bone));
    match figure.bones()[first].parent {
        Some(parent) if !runs_inward => {
            StartJoint::Own(ring_joint(body, figure, (index, first), (parent, TubeEndName::Start)))
        }
        _ => StartJoint::Rigid,
    }
}

fn end_of(body: &Body, figure: &StickFigure, index: usize) -> Option<RingJoint> {
    let tube = &body.tubes[index];
    let last = *tube.bones.last()?;
    let next = body.tubes.iter().find(|next| next.continues == Some(index)).map(|next| next.bones[0]);
    let ring = if tube.tip.is_some() { None } else { tube.rings.last().map(|&ring| body.rings[ring].bone) };
    let head = body.head.as_ref().filter(|head| head.tube == index).map(|head| head.bone);
    let other = head.or(next).or(ring).filter(|&other| figure.bones()[other].parent == Some(last))?;
    Some(ring_joint(body, figure, (index, other), (other, TubeEndName::End)))
}
