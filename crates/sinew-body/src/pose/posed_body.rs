//! A body bound for posing.

use super::carry::Carried;
use super::muscle::BoneMuscles;
use super::net::move_net;
use super::region::FillRegions;
use super::tube_bind::TubePlan;
use super::tube_pose::TubePoser;
use super::{BodyPose, BoneMove, StickFigure};
use crate::limb::{
    BendMode, BendReport, TwistAxis, TwistMode, VolumeMode, VolumeWorkspace, hold_volume, source_twist,
    source_twist_of_posed,
};
use crate::patchwork::SlotKind;
use crate::{Body, Patch};
use glam::DVec3;
use std::sync::Arc;

/// A body whose patches follow its stick figure. Binding allocates; setting a pose does not. Copies share the bound data.
#[derive(Clone, Debug)]
pub struct PosedBody {
    /// Treatment of the volume of each limb; default free.
    pub volume: VolumeMode,
    /// Algorithm of the limbs' folds; default ours.
    pub bend: BendMode,
    /// Algorithm of the limbs' twist; default ours.
    pub twist: TwistMode,
    /// Whether muscles swell; default true. Off where flesh moves them.
    pub has_muscles: bool,
    rest: Arc<Body>,
    posed: Body,
    figure: Arc<StickFigure>,
    plans: Arc<[TubePlan]>,
    carried: Arc<[Carried]>,
    muscles: Arc<[BoneMuscles]>,
    regions: Arc<FillRegions>,
    rooms: Vec<VolumeWorkspace>,
    moves: Vec<BoneMove>,
    reports: Vec<Vec<BendReport>>,
    /// The twist of each run of each tube, radians.
    twists: Vec<Vec<f64>>,
    /// Volume that passed into each tube through its start and end, m³.
    passed_m3: Vec<[f64; 2]>,
    /// Room for a direction per edge.
    edge_ways: Vec<DVec3>,
}

impl PosedBody {
    /// Binds a body in rest.
    pub fn new(body: impl Into<Arc<Body>>) -> Self {
        let body: Arc<Body> = body.into();
        let figure = StickFigure::new(&body);
        let plans: Arc<[TubePlan]> =
            (0..body.tubes.len()).map(|tube| TubePlan::new(&body, &figure, tube)).collect();
        PosedBody {
            volume: VolumeMode::Free,
            bend: BendMode::Bisector,
            twist: TwistMode::Spread,
            has_muscles: true,
            carried: Carried::of(&body, &figure).into(),
            muscles: BoneMuscles::of(&body, &figure).into(),
            regions: FillRegions::of(&body).into(),
            twists: plans.iter().map(|plan| vec![0.0; plan.runs.len()]).collect(),
            edge_ways: vec![DVec3::ZERO; body.edges.len()],
            passed_m3: vec![[0.0; 2]; plans.len()],
            posed: Body::clone(&body),
            rooms: body.tubes.iter().map(|tube| VolumeWorkspace::new(&tube.tube)).collect(),
            moves: vec![BoneMove::NONE; body.bones.len()],
            reports: plans.iter().map(|plan| vec![BendReport::default(); plan.joints.len()]).collect(),
            figure: figure.into(),
            plans,
            rest: body,
        }
    }

    /// The stick figure.
    pub fn figure(&self) -> &StickFigure {
        &self.figure
    }

    /// The body in rest.
    pub fn rest(&self) -> &Body {
        &self.rest
    }

    /// The posed body: patches, tubes, nodes and edges are posed; joints, rings and motions are those of rest.
    pub fn body(&self) -> &Body {
        &self.posed
    }

    /// Motion of each bone.
    pub fn moves(&self) -> &[BoneMove] {
        &self.moves
    }

    /// Result of the fold at each inner joint of a tube, from its start.
    pub fn reports(&self, tube: usize) -> &[BendReport] {
        &self.reports[tube]
    }

    /// Sets a pose. Collarbones go along with arms, as the design says, unless the pose turns them that far itself. Does not allocate.
    ///
    /// # Panics
    /// If the pose has another number of bones.
    ///
    /// # Degenerate input
    /// Angles beyond a bone's limits are followed as far as possible: the surface stays closed and finite, but may cross itself.
    pub fn set(&mut self, pose: &BodyPose) {
        self.figure.moves_into(pose, &mut self.moves);
        for carried in &*self.carried {
            carried.apply(&self.figure, &mut self.moves);
        }
        self.update();
    }

    /// Sets the motion of every bone, in the body's order. No bone goes along with another: the skin stays on the bones as they are given.
    /// Does not allocate.
    ///
    /// # Panics
    /// If their number differs from the bones'.
    pub fn set_moves(&mut self, moves: &[BoneMove]) {
        self.moves.copy_from_slice(moves);
        self.update();
    }

    /// All patches of the pose. In [`TwistMode::Source`] the last bay of each twisted bone is cut and has twice as many;
    /// [`PosedBody::body`] then has it uncut, its end turned and its middle not.
    pub fn patches(&self) -> Vec<Patch> {
        let mut patches: Vec<Patch> = self.posed.patches.iter().map(|patch| patch.patch).collect();
        if self.twist != TwistMode::Source {
            return patches;
        }
        let mut replaced = vec![false; patches.len()];
        let mut cut = Vec::new();
        let mut pieces = Vec::new();
        for (index, bay) in self.cut_bays() {
            let tube = &self.posed.tubes[index];
            if !self.cut_into(index, bay, &mut pieces) {
                continue;
            }
            let count = tube.tube.patch_count();
            let first = tube.first_patch + bay * count;
            replaced[first..first + count].fill(true);
            cut.extend_from_slice(&pieces);
        }
        let mut place = 0..;
        patches.retain(|_| place.next().is_none_or(|place: usize| !replaced[place]));
        patches.extend(cut);
        patches
    }

    /// The source's own twist as a separate mode, for comparison: the last bay of a tube along a bone, at the bone's current place, its end
    /// rotated by an angle. These patches replace that bay in pictures; they do not share corners with the next bay, so the posed body itself
    /// twists by spread rows. `None` if no tube runs along the bone.
    pub fn source_twist(&self, bone: usize, angle_rad: f64) -> Option<Vec<Patch>> {
        let mut plans = self.plans.iter().enumerate();
        let (tube, run) =
            plans.find_map(|(tube, plan)| Some((tube, plan.runs.iter().find(|run| run.bone == bone)?)))?;
        let bay = run.bays.end.checked_sub(1)?;
        let patches = source_twist(&self.rest.tubes[tube].tube, bay, &run.axis, angle_rad);
        let moved = self.moves[run.bone];
        Some(patches.iter().map(|patch| patch.map(|point| moved.point(point))).collect())
    }

    /// Bays that [`TwistMode::Source`] cuts where their bone is twisted: tube and bay.
    pub(super) fn cut_bays(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let plans = self.plans.iter().enumerate().filter(|(tube, _)| !self.is_neck(*tube));
        plans.flat_map(|(tube, plan)| plan.runs.iter().map(move |run| (tube, run.bays.end - 1)))
    }

    /// Whether a head goes on from a tube: then it twists by spread rows in every mode, because pieces would not meet the head.
    fn is_neck(&self, tube: usize) -> bool {
        self.rest.head.as_ref().is_some_and(|head| head.tube == tube)
    }

    /// The twist of one of these bays in this pose, rad.
    pub(super) fn cut_angle(&self, tube: usize, bay: usize) -> f64 {
        let run = self.plans[tube].runs.iter().position(|run| run.bays.end == bay + 1);
        run.map_or(0.0, |run| self.twists[tube][run])
    }

    /// The patches of such a bay in this pose, in place of what the list held; `false` without a twist. Does not allocate if there is room.
    pub(super) fn cut_into(&self, tube: usize, bay: usize, patches: &mut Vec<Patch>) -> bool {
        let angle = self.cut_angle(tube, bay);
        let Some(run) = self.plans[tube].runs.iter().find(|run| run.bays.end == bay + 1) else {
            return false;
        };
        if angle == 0.0 {
            return false;
        }
        let moved = self.moves[run.bone];
        let axis = TwistAxis {
            origin: moved.point(run.axis.origin),
            direction: moved.rotation * run.axis.direction,
        };
        source_twist_of_posed(&self.posed.tubes[tube].tube, bay, &axis, angle, patches);
        true
    }

    /// Volume that passed into each tube through its start and end, m³.
    #[cfg(test)]
    pub(super) fn passed_m3(&self) -> &[[f64; 2]] {
        &self.passed_m3
    }

    /// The bones of each tube.
    #[cfg(test)]
    pub(super) fn plans(&self) -> &[TubePlan] {
        &self.plans
    }

    fn update(&mut self) {
        self.pose_tubes();
        move_net(&self.rest, &self.figure, &self.moves, &mut self.posed);
        let closed = self.posed.update_below_head();
        debug_assert!(closed.is_ok(), "fills close as in rest: {closed:?}");
        self.pose_head();
        if self.volume == VolumeMode::Held {
            self.regions.hold((&self.moves, &self.passed_m3), &mut self.edge_ways, &mut self.posed);
        }
        if self.has_muscles {
            for muscles in &*self.muscles {
                muscles.swell_fills(&self.figure, &self.moves, &mut self.posed);
            }
        }
    }

    /// The head moves as one piece but for the patches along its border, which go on from the neck.
    fn pose_head(&mut self) {
        let (Some(rest), Some(head)) = (&self.rest.head, &mut self.posed.head) else { return };
        let moved = self.moves[head.bone];
        let slots = rest.slots.iter().zip(head.net.slot_kinds()).zip(&mut head.slots);
        for ((&slot, kind), found) in slots {
            *found = if *kind == SlotKind::Place { moved.point(slot) } else { moved.rotation * slot };
        }
        head.join(&self.posed.tubes);
        let first = head.first_patch;
        for (rest, posed) in self.rest.patches[first..].iter().zip(&mut self.posed.patches[first..]) {
            posed.patch = rest.patch.map(|point| moved.point(point));
        }
        for &patch in head.net.beside_border() {
            self.posed.patches[first + patch].patch = head.net.patch(patch, &head.slots);
        }
    }

    fn pose_tubes(&mut self) {
        for index in 0..self.plans.len() {
            let twist = if self.is_neck(index) { TwistMode::Spread } else { self.twist };
            let (done, rest_of) = self.posed.tubes.split_at_mut(index);
            let posed = &mut rest_of[0].tube;
            let rest = &self.rest.tubes[index].tube;
            posed.copy_from(rest);
            // Before the joints: folds then keep the muscles on their own side too.
            let bound = (&*self.figure, &*self.moves);
            let mut is_swollen = false;
            if self.has_muscles {
                for muscles in &*self.muscles {
                    is_swollen |= muscles.swell_tube(bound, index, posed);
                }
            }
            if is_swollen && self.volume == VolumeMode::Held {
                let rule = &self.rooms[index].rule;
                hold_volume(posed, 0..posed.bay_count(), rest.volume(rule), rule);
            }
            TubePoser {
                plan: &self.plans[index],
                moves: &self.moves,
                volume: self.volume,
                bend: self.bend,
                twist,
                twists: &mut self.twists[index],
                room: &mut self.rooms[index],
                posed,
                reports: &mut self.reports[index],
                passed_m3: &mut self.passed_m3[index],
            }
            .pose();
            if let Some((before, ratio)) = self.plans[index].continues {
                posed.take_over(&done[before].tube, ratio);
            }
        }
    }
}
