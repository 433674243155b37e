//! A body bound for posing.

use super::carry::Carried;
use super::muscle::BoneMuscles;
use super::net::move_net;
use super::region::FillRegions;
use super::tube_bind::TubePlan;
use super::tube_pose::TubePoser;
use super::{BodyPose, BoneMove, StickFigure};
use crate::limb::{BendReport, TwistMode, VolumeMode, VolumeWorkspace, hold_volume, source_twist};
use crate::{Body, Patch};
use std::sync::Arc;

/// A body whose patches follow its stick figure. Binding allocates; setting a pose does not. Copies share the bound data.
#[derive(Clone, Debug)]
pub struct PosedBody {
    /// Treatment of the volume of each limb; default free.
    pub volume: VolumeMode,
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
            twist: TwistMode::Spread,
            has_muscles: true,
            carried: Carried::of(&body, &figure).into(),
            muscles: BoneMuscles::of(&body, &figure).into(),
            regions: FillRegions::of(&body).into(),
            twists: plans.iter().map(|plan| vec![0.0; plan.runs.len()]).collect(),
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

    /// Sets a pose. Does not allocate.
    ///
    /// # Panics
    /// If the pose has another number of bones.
    ///
    /// # Degenerate input
    /// Angles beyond a bone's limits are followed as far as possible: the surface stays closed and finite, but may cross itself.
    pub fn set(&mut self, pose: &BodyPose) {
        self.figure.moves_into(pose, &mut self.moves);
        self.update();
    }

    /// Sets the motion of every bone, in the body's order. Does not allocate.
    ///
    /// # Panics
    /// If their number differs from the bones'.
    pub fn set_moves(&mut self, moves: &[BoneMove]) {
        self.moves.copy_from_slice(moves);
        self.update();
    }

    /// All patches of the pose. In [`TwistMode::Source`] the last bay of each twisted bone has twice as many, by
    /// [`PosedBody::source_twist`]; [`PosedBody::body`] then has it untreated.
    pub fn patches(&self) -> Vec<Patch> {
        let mut patches: Vec<Patch> = self.posed.patches.iter().map(|patch| patch.patch).collect();
        if self.twist != TwistMode::Source {
            return patches;
        }
        let mut replaced = vec![false; patches.len()];
        let mut cut = Vec::new();
        for (index, plan) in self.plans.iter().enumerate() {
            let tube = &self.posed.tubes[index];
            let twisted = plan.runs.iter().zip(&self.twists[index]).filter(|(_, angle)| **angle != 0.0);
            for (run, &angle) in twisted {
                let Some(found) = self.cut_bay(index, run, angle) else { continue };
                let count = tube.tube.patch_count();
                let first = tube.first_patch + (run.bays.end - 1) * count;
                replaced[first..first + count].fill(true);
                cut.extend(found);
            }
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
        self.cut_bay(tube, run, angle_rad)
    }

    fn cut_bay(&self, tube: usize, run: &super::tube_bind::Run, angle_rad: f64) -> Option<Vec<Patch>> {
        let rest = &self.rest.tubes[tube];
        let bay = run.bays.end.checked_sub(1)?;
        let patches = source_twist(&rest.tube, bay, &run.axis, angle_rad);
        let moved = self.moves[run.bone];
        Some(patches.iter().map(|patch| patch.map(|point| moved.point(point))).collect())
    }

    /// The bones of each tube.
    #[cfg(test)]
    pub(super) fn plans(&self) -> &[TubePlan] {
        &self.plans
    }

    fn update(&mut self) {
        for carried in &*self.carried {
            carried.apply(&self.figure, &mut self.moves);
        }
        self.pose_tubes();
        move_net(&self.rest, &self.figure, &self.moves, &mut self.posed);
        let closed = self.posed.update_patches();
        debug_assert!(closed.is_ok(), "fills close as in rest: {closed:?}");
        if self.volume == VolumeMode::Held {
            self.regions.hold(&self.moves, &mut self.posed);
        }
        if self.has_muscles {
            for muscles in &*self.muscles {
                muscles.swell_fills(&self.figure, &self.moves, &mut self.posed);
            }
        }
    }

    fn pose_tubes(&mut self) {
        for index in 0..self.plans.len() {
            let (done, rest_of) = self.posed.tubes.split_at_mut(index);
            let posed = &mut rest_of[0].tube;
            let rest = &self.rest.tubes[index].tube;
            posed.copy_from(rest);
            // Before the joints: folds then keep the muscles on their own side too.
            let bound = (&*self.figure, &*self.moves);
            let is_swollen = self.has_muscles
                && self
                    .muscles
                    .iter()
                    .fold(false, |is, muscles| muscles.swell_tube(bound, index, posed) || is);
            if is_swollen && self.volume == VolumeMode::Held {
                let rule = &self.rooms[index].rule;
                hold_volume(posed, 0..posed.bay_count(), rest.volume(rule), rule);
            }
            TubePoser {
                plan: &self.plans[index],
                moves: &self.moves,
                volume: self.volume,
                twist: self.twist,
                twists: &mut self.twists[index],
                room: &mut self.rooms[index],
                posed,
                reports: &mut self.reports[index],
            }
            .pose();
            if let Some((before, ratio)) = self.plans[index].continues {
                posed.take_over(&done[before].tube, ratio);
            }
        }
    }
}
