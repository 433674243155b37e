//! Evaluates one frame of a character with logic, bone by bone.

use super::change::{Change, rotation_of, share_of_turn};
use super::plan::{Origin, Plan, PlannedFollow};
use glam::{Affine3A, Mat3A, Quat, Vec3};

/// Per-frame state, kept to avoid allocation. Lists are one per bone.
#[derive(Clone, Debug)]
pub(super) struct Scratch {
    /// Change requested by pose and morphs; only if [`Plan::is_split`].
    pub(super) own: Vec<Change>,
    /// Stays in the bone's own frame; passed to its children but never to followers.
    pub(super) scale_and_shear: Vec<Mat3A>,
    /// Change taken from the followed bone, if this bone carries that itself.
    taken: Vec<Change>,
    /// Sum of both, for followers.
    followed: Vec<Change>,
    /// Rotation by IK, in its rest frame; left of everything else.
    pub(super) reached: Vec<Quat>,
    /// Change of the link without that.
    pub(super) before_reach: Vec<Change>,
}

impl Scratch {
    pub(super) fn new(bone_count: usize) -> Self {
        Self {
            own: vec![Change::NONE; bone_count],
            scale_and_shear: vec![Mat3A::IDENTITY; bone_count],
            taken: vec![Change::NONE; bone_count],
            followed: vec![Change::NONE; bone_count],
            reached: vec![Quat::IDENTITY; bone_count],
            before_reach: vec![Change::NONE; bone_count],
        }
    }

    /// Clears the previous frame: a frame depends only on its pose.
    pub(super) fn reset(&mut self) {
        for changes in [&mut self.taken, &mut self.followed, &mut self.before_reach] {
            changes.fill(Change::NONE);
        }
        self.reached.fill(Quat::IDENTITY);
    }
}

/// A frame in the making.
pub(super) struct Frame<'a> {
    pub(super) plan: &'a Plan,
    pub(super) scratch: &'a mut Scratch,
    pub(super) parent_from_bone: &'a [Affine3A],
    pub(super) is_reaching: &'a [bool],
    /// From the pose alone, until a bone is evaluated.
    pub(super) model_from_bone: &'a mut [Affine3A],
}

impl Frame<'_> {
    /// Evaluates all bones.
    pub(super) fn run(&mut self) {
        let plan = self.plan;
        for &bone in &plan.order {
            self.take_turn(bone);
        }
    }

    fn take_turn(&mut self, bone: usize) {
        let plan = self.plan;
        let is_for_turns = |planned: &PlannedFollow| planned.follow.is_local && planned.carries_source;
        if let Some(planned) = plan.follows[bone].filter(is_for_turns) {
            self.scratch.taken[bone] = self.share_of_model_change(&planned);
        }
        self.place(bone);
        if let Some(chain) = plan.chains[bone].as_ref().filter(|_| self.is_reaching[bone]) {
            self.reach(bone, chain);
        }
    }

    /// Places a bone by its logic and its parent's current transform.
    pub(super) fn place(&mut self, bone: usize) {
        if !self.plan.is_moved[bone] {
            return self.put(bone, self.parent_from_bone[bone]);
        }
        let mut change = self.scratch.own[bone];
        if let Some(planned) = self.plan.follows[bone] {
            change = self.follow(bone, &planned, change);
        }
        if self.plan.is_link[bone] {
            self.scratch.before_reach[bone] = change;
            return self.place_link(bone);
        }
        let local = self.plan.rests[bone].join(&change, &self.scratch.scale_and_shear[bone]);
        self.put(bone, local);
    }

    /// Places a link by its IK rotation; following is not evaluated again.
    pub(super) fn place_link(&mut self, bone: usize) {
        let before = self.scratch.before_reach[bone];
        let change = Change { rotation: self.scratch.reached[bone] * before.rotation, ..before };
        let local = self.plan.rests[bone].join(&change, &self.scratch.scale_and_shear[bone]);
        self.put(bone, local);
    }

    fn put(&mut self, bone: usize, local: Affine3A) {
        let placed = self.plan.parents[bone].map_or(local, |parent| self.model_from_bone[parent] * local);
        // Ratios can overflow: then the bone stays in place.
        if placed.is_finite() {
            self.model_from_bone[bone] = placed;
        }
    }

    /// Change of a bone with the requested change `own` after following; spec of PMX: append · user · morph, for rows.
    fn follow(&mut self, bone: usize, planned: &PlannedFollow, own: Change) -> Change {
        let taken = match (planned.follow.is_local, planned.carries_source) {
            (false, _) => self.share_of_own_change(planned),
            (true, false) => self.share_of_model_change(planned),
            // Only from its last turn: with every move of a chain it would run away.
            (true, true) => self.scratch.taken[bone],
        };
        let mut change = own;
        if planned.follow.rotates {
            change.rotation = (own.rotation * taken.rotation).normalize();
        }
        if planned.follow.translates {
            change.translation = own.translation + taken.translation;
        }
        self.scratch.followed[bone] = change;
        change
    }

    fn share_of_own_change(&self, planned: &PlannedFollow) -> Change {
        let source = planned.follow.source.index();
        let from = |origin| match origin {
            Origin::Own => self.scratch.own[source],
            Origin::Followed => self.scratch.followed[source],
            Origin::Nothing => Change::NONE,
        };
        // The IK rotation of the source counts, as far as it is solved.
        let rotation = self.scratch.reached[source] * from(planned.rotation_from).rotation;
        share(planned.follow.ratio, rotation, from(planned.translation_from).translation)
    }

    fn share_of_model_change(&self, planned: &PlannedFollow) -> Change {
        let source = planned.follow.source.index();
        let (stands, rest) = (&self.model_from_bone[source], &self.plan.rests[source]);
        let rotation = rotation_of(stands) * rest.model_rotation.conjugate();
        share(planned.follow.ratio, rotation, Vec3::from(stands.translation) - rest.position_in_model)
    }
}

fn share(ratio: f32, rotation: Quat, translation: Vec3) -> Change {
    Change { translation: translation * ratio, rotation: share_of_turn(rotation, ratio) }
}
