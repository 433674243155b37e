//! Poses one tube, from the tip inward.
//!
//! Every step works on the tube relative to the run before the joint, which is still in rest there. At the end the whole tube moves with
//! the first run.

use super::BoneMove;
use super::give::hold_volume_at_ring;
use super::joint_pose::SplitTurn;
use super::tube_bind::{RingJoint, RunJoint, StartJoint, TubePlan};
use crate::body::TubeEndName;
use crate::limb::{
    BendMode, BendReport, Joint, TwistMode, TwistSpread, VolumeMode, VolumeWorkspace, bend,
    bend_holding_volume, hold_volume, press_between_folds, press_twisted_bay, press_twisted_start,
    source_bend, turn_end, twist, twist_untreated,
};
use crate::tube::Tube;
use glam::{DQuat, DVec3};
use std::ops::Range;

/// Smaller rotations are rounding of quaternions in single precision. Volume need not be kept for them.
const NO_TURN: f64 = 1e-9;

/// A tube being posed.
pub(super) struct TubePoser<'a> {
    pub(super) plan: &'a TubePlan,
    pub(super) moves: &'a [BoneMove],
    pub(super) volume: VolumeMode,
    pub(super) bend: BendMode,
    pub(super) twist: TwistMode,
    /// The twist of each run, radians.
    pub(super) twists: &'a mut [f64],
    pub(super) room: &'a mut VolumeWorkspace,
    pub(super) posed: &'a mut Tube,
    /// Result of each bend.
    pub(super) reports: &'a mut [BendReport],
    /// Volume that passed into the tube through the rings at its start and end as they turned, m³; zero unless volume is held.
    pub(super) passed_m3: &'a mut [f64; 2],
}

impl TubePoser<'_> {
    /// Poses the tube; its points must be those of rest.
    pub(super) fn pose(&mut self) {
        *self.passed_m3 = [0.0; 2];
        let start = self.start_turn();
        let last = self.plan.runs.len() - 1;
        self.pose_end(last, start);
        for joint in (0..self.plan.joints.len()).rev() {
            self.pose_joint(joint, start);
        }
        let base = self.base(start);
        base.apply(self.posed.points_from_row_mut(0));
    }

    /// The rotation between two bones, relative to the first.
    fn between(&self, before: usize, beyond: usize) -> DQuat {
        self.moves[before].rotation.inverse() * self.moves[beyond].rotation
    }

    fn start_turn(&self) -> SplitTurn {
        let first = &self.plan.runs[0];
        match &self.plan.start {
            StartJoint::Rigid => SplitTurn::NONE,
            StartJoint::Own(joint) => {
                SplitTurn::twist_first(self.between(joint.bone, first.bone), first.axis.direction)
            }
            StartJoint::Other(joint) => {
                SplitTurn::twist_last(self.between(first.bone, joint.bone), first.axis.direction)
            }
        }
    }

    /// Motion of the first run's rest: without its own twist, which the run's bays take up.
    fn base(&self, start: SplitTurn) -> BoneMove {
        let first = &self.plan.runs[0];
        let placed = self.moves[first.bone];
        let (center, back) = match &self.plan.start {
            StartJoint::Rigid => return placed,
            StartJoint::Own(joint) => (joint.center, -start.twist_rad),
            StartJoint::Other(joint) => (joint.center, start.twist_rad),
        };
        let rotation = placed.rotation * DQuat::from_axis_angle(first.axis.direction, back);
        BoneMove::taking(center, placed.point(center), rotation)
    }

    /// The ring at the far end, and the last run's twist.
    fn pose_end(&mut self, last: usize, start: SplitTurn) {
        let plan = self.plan;
        let run = &plan.runs[last];
        let turn = plan.end.as_ref().map_or(SplitTurn::NONE, |end| {
            SplitTurn::twist_last(self.between(run.bone, end.bone), run.axis.direction)
        });
        let held = self.held_volume(last, run.bays.clone(), turn, start);
        if let Some(end) = &plan.end {
            self.turn_ring(end, TubeEndName::End, turn.swing, DQuat::IDENTITY);
        }
        self.finish_run(last, turn.twist_rad, start);
        let passed = self.passed_m3[1] + if last == 0 { self.passed_m3[0] } else { 0.0 };
        self.hold(run.bays.clone(), held.map(|volume| volume + passed));
        self.turn_for_source(last);
    }

    /// The joint after run `joint`, and that run's twist.
    fn pose_joint(&mut self, joint: usize, start: SplitTurn) {
        let plan = self.plan;
        let (run, beyond, at) = (&plan.runs[joint], &plan.runs[joint + 1], &plan.joints[joint]);
        let bay = beyond.bays.start;
        let turn = SplitTurn::twist_last(self.between(run.bone, beyond.bone), run.axis.direction);
        // A fold may press the rings at the far ends of its two bays, which changes the bays beyond them.
        let bays = run.bays.start.min(bay.saturating_sub(2))..(bay + 2).min(self.posed.bay_count());
        let held = self.held_volume(joint, bays.clone(), turn, start);
        self.reports[joint] =
            if at.is_fold { self.fold(bay, at, turn.swing) } else { self.blend(bay, at, turn.swing) };
        self.press_between(joint, turn.swing);
        self.finish_run(joint, turn.twist_rad, start);
        self.press(joint, turn, start);
        // The bays of the first run reach to the tube's start.
        let passed = if joint == 0 { self.passed_m3[0] } else { 0.0 };
        let wanted = held.map(|volume| volume + passed);
        match wanted {
            Some(volume) if !at.is_fold => {
                hold_volume_at_ring(self.posed, (4 * bay, &at.give, bays), volume, &self.room.rule);
            }
            _ => self.hold(bays, wanted),
        }
        self.turn_for_source(joint);
    }

    /// Keeps a run behind the fold at its end after it was twisted and its start turned.
    fn press(&mut self, joint: usize, turn: SplitTurn, start: SplitTurn) {
        let at = &self.plan.joints[joint];
        let angle = turn.swing.length();
        if !at.is_fold || angle == 0.0 || self.bend == BendMode::Source {
            return;
        }
        let mut twist_rad = turn.twist_rad;
        if joint == 0 {
            twist_rad += self.start_twist(start);
        }
        if self.twist == TwistMode::Source {
            twist_rad = 0.0;
        }
        // The run's axis is its bone's, which may run against the tube.
        twist_rad *= at.joint.bone_before.dot(self.plan.runs[joint].axis.direction).signum();
        let bay = self.plan.runs[joint + 1].bays.start;
        let bent = (&Joint { axis: turn.swing / angle, ..at.joint }, angle, twist_rad);
        press_twisted_bay(self.posed, bay, bent, &at.overlap);
    }

    /// Keeps the bay beyond a fold before the next one. Before the run's twist, which then carries both.
    fn press_between(&mut self, joint: usize, swing: DVec3) {
        let plan = self.plan;
        let (at, run) = (&plan.joints[joint], &plan.runs[joint + 1]);
        if !at.is_fold || self.bend == BendMode::Source {
            return;
        }
        let Some(next) = plan.joints.get(joint + 1).filter(|next| next.is_fold && run.bays.len() == 1) else {
            return;
        };
        let beyond = self.between(run.bone, plan.runs[joint + 2].bone);
        let beyond = SplitTurn::twist_last(beyond, run.axis.direction);
        let [angle, next_angle] = [swing.length(), beyond.swing.length()];
        if angle.min(next_angle) <= NO_TURN {
            return;
        }
        let twist_rad = match self.twist {
            TwistMode::Source => 0.0,
            _ => beyond.twist_rad * next.joint.bone_before.dot(run.axis.direction).signum(),
        };
        let bent = Joint { axis: swing / angle, ..at.joint };
        let next_bent = Joint { axis: beyond.swing / next_angle, ..next.joint };
        let next_bent = (&next_bent, next_angle, twist_rad);
        press_between_folds(self.posed, run.bays.start, (&bent, angle), next_bent, &next.overlap);
    }

    /// The skin folds: [`bend`].
    fn fold(&mut self, bay: usize, at: &RunJoint, swing: DVec3) -> BendReport {
        let angle = swing.length();
        if angle == 0.0 {
            return BendReport::default();
        }
        let joint = Joint { axis: swing / angle, ..at.joint };
        if self.bend == BendMode::Source {
            return source_bend(self.posed, bay, &joint, angle, at.settings.roundness);
        }
        match self.volume {
            VolumeMode::Held if angle > NO_TURN => {
                bend_holding_volume(self.room, self.posed, (bay, &joint), angle, &at.settings).1
            }
            _ => bend(self.posed, bay, &joint, angle, &at.settings),
        }
    }

    /// The ring and the rows beside it take a share of the rotation, everything beyond all of it, and the middle rows lie between.
    fn blend(&mut self, bay: usize, at: &RunJoint, swing: DVec3) -> BendReport {
        let ring = 4 * bay;
        if swing.length() <= NO_TURN {
            return BendReport::default();
        }
        let placed = DQuat::from_scaled_axis(at.share * swing);
        let moves =
            [placed, DQuat::from_scaled_axis(swing)].map(|turn| BoneMove::about(at.joint.center, turn));
        at.give.bend(self.posed, ring, swing, [&moves[0], &moves[1]]);
        at.give.swell(self.posed, ring, swing, placed);
        BendReport::default()
    }

    /// Twists a run's bays; for the first run also the ring at the tube's start.
    fn finish_run(&mut self, run: usize, twist_rad: f64, start: SplitTurn) {
        let found = &self.plan.runs[run];
        let whole = twist_rad + if run == 0 { self.start_twist(start) } else { 0.0 };
        self.twists[run] = whole;
        match self.twist {
            TwistMode::Spread => {
                twist(self.posed, found.bays.clone(), &found.axis, whole, TwistSpread::Smooth)
            }
            TwistMode::SourceUntreated => {
                twist_untreated(self.posed, found.bays.end - 1, &found.axis, whole);
            }
            TwistMode::Source => {}
        }
        if run > 0 {
            let at = &self.plan.joints[run - 1];
            if at.is_fold && whole != 0.0 && self.twist == TwistMode::Spread {
                press_twisted_start(self.posed, found.bays.start, &at.joint, &at.overlap);
            }
            return;
        }
        let (joint, back) = match &self.plan.start {
            StartJoint::Rigid => return,
            // Relative to the run, which has turned by the whole.
            StartJoint::Own(joint) => (joint, DQuat::from_scaled_axis(-start.swing)),
            StartJoint::Other(joint) => (joint, DQuat::IDENTITY),
        };
        self.turn_ring(joint, TubeEndName::Start, start.swing, back);
    }

    /// Turns the ring at an end of the tube and the row beside it by their part of a swing, then by `back`.
    ///
    /// The ring is a border between the tube and the fills beside it. What it sweeps over passes from one to the other, and neither loses
    /// it. A tube that kept its own volume here would have to swell or shrink by that much, and the fills the other way.
    fn turn_ring(&mut self, joint: &RingJoint, end: TubeEndName, swing: DVec3, back: DQuat) {
        let is_held = self.volume == VolumeMode::Held && swing.length() > NO_TURN;
        let before = if is_held { self.posed.volume(&self.room.rule) } else { 0.0 };
        self.move_ring(joint, end, swing, back);
        if is_held {
            let place = usize::from(end == TubeEndName::End);
            self.passed_m3[place] = self.posed.volume(&self.room.rule) - before;
        }
        if !joint.shape.has_corners() {
            // What gives way stays where it is: it does not pass through the ring.
            let ring = end.rows(self.posed)[0];
            joint.give.swell(self.posed, ring, swing, back * joint.part_of(swing));
        }
    }

    fn move_ring(&mut self, joint: &RingJoint, end: TubeEndName, swing: DVec3, back: DQuat) {
        if joint.shape.has_corners() {
            let (angles, bend, aside) = joint.parts_of(swing);
            joint.shape.apply((self.posed, end), joint.center, (&angles, bend, aside), back);
            return;
        }
        let part = BoneMove::about(joint.center, back * joint.part_of(swing));
        joint.give.bend_end(self.posed, end, &part);
    }

    /// The source's twist comes last: before its patches are cut the bay is pinched, and that volume must not be held.
    fn turn_for_source(&mut self, run: usize) {
        if self.twist == TwistMode::Source {
            let found = &self.plan.runs[run];
            turn_end(self.posed, found.bays.end - 1, &found.axis, self.twists[run]);
        }
    }

    /// The twist that the first run's bays take up for the start.
    fn start_twist(&self, start: SplitTurn) -> f64 {
        match self.plan.start {
            StartJoint::Rigid => 0.0,
            StartJoint::Own(_) => start.twist_rad,
            StartJoint::Other(_) => -start.twist_rad,
        }
    }

    /// The volume to keep through a step, if any and if the step changes something.
    fn held_volume(&self, run: usize, bays: Range<usize>, turn: SplitTurn, start: SplitTurn) -> Option<f64> {
        let size = |turn: SplitTurn| turn.swing.length().max(turn.twist_rad.abs());
        let most = if run == 0 { size(turn).max(size(start)) } else { size(turn) };
        let is_held = self.volume == VolumeMode::Held && most > NO_TURN;
        is_held.then(|| self.posed.bay_volume(&self.room.rule, bays))
    }

    fn hold(&mut self, bays: Range<usize>, volume: Option<f64>) {
        if let Some(volume) = volume {
            hold_volume(self.posed, bays, volume, &self.room.rule);
        }
    }
}
