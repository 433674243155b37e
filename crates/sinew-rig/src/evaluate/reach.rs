//! IK chains: cyclic coordinate descent.
//!
//! As MMD, in the form of babylon-mmd's `ikSolver` (after saba's): in each iteration every link, from the effector upwards, turns the
//! effector towards the goal by a limited step, and is then clamped to its own limits. In the first half of the iterations hinges turn only
//! about their axis, and angles beyond a limit are mirrored at it.
//!
//! Departures: angles come from the arc tangent, which is accurate in f32 where an arc cosine is not; an effector that is itself a goal
//! solves its own chain first only if that is on, and only one level deep.

use super::frame::Frame;
use super::plan::{Chain, ChainLink};
use glam::{Mat3A, Quat, Vec3};

/// A chain has arrived at this distance, m: MMD's 1e-4 of its units of 8 cm. Smaller only adds iterations, larger is visible.
const ARRIVED_M: f32 = 8e-6;

/// Below this square of the sine of the angle, about 0.006°, a link points at the goal; MMD's.
const LEAST_SINE_SQUARED: f32 = 1e-8;

impl Frame<'_> {
    /// Turns the links of `chain` so that its effector arrives at `goal`.
    pub(super) fn reach(&mut self, goal: usize, chain: &Chain) {
        let goal_in_model = self.start(goal, chain);
        let inner = self.plan.chains[chain.effector].as_ref();
        if let Some(inner) = inner.filter(|_| chain.effector != goal && self.is_reaching[chain.effector]) {
            let inner_goal_in_model = self.start(chain.effector, inner);
            self.solve(inner_goal_in_model, inner);
        }
        self.solve(goal_in_model, chain);
    }

    /// Resets the IK rotations of the links, and returns the position of the goal.
    fn start(&mut self, goal: usize, chain: &Chain) -> Vec3 {
        for link in &chain.links {
            self.scratch.reached[link.bone] = Quat::IDENTITY;
        }
        let goal_in_model = self.head(goal);
        self.place(chain.effector);
        goal_in_model
    }

    fn solve(&mut self, goal: Vec3, chain: &Chain) {
        if chain.links.is_empty() || self.has_arrived(goal, chain) {
            return;
        }
        for link in chain.links.iter().rev() {
            self.place(link.bone);
        }
        self.place(chain.effector);
        for iteration in 0..chain.iterations {
            if self.has_arrived(goal, chain) {
                return;
            }
            let half = if iteration < chain.iterations / 2 { Half::First } else { Half::Second };
            let mut has_turned = false;
            for place in 0..chain.links.len() {
                has_turned |= self.step(goal, chain, place, half);
            }
            if !has_turned {
                return;
            }
        }
    }

    fn has_arrived(&self, goal: Vec3, chain: &Chain) -> bool {
        self.head(chain.effector).distance_squared(goal) < ARRIVED_M * ARRIVED_M
    }

    fn head(&self, bone: usize) -> Vec3 {
        self.model_from_bone[bone].translation.into()
    }

    /// Turns one link and everything it carries; `false` if it already points at the goal or cannot turn.
    fn step(&mut self, goal: Vec3, chain: &Chain, place: usize, half: Half) -> bool {
        let link = &chain.links[place];
        let Some(turn) = self.turn_towards(goal, chain, place, half) else { return false };
        let mut reached = turn * self.scratch.reached[link.bone];
        if let Some(limits) = &link.limits {
            // The limits apply to the link's whole rotation, not only to its IK part.
            let before = self.scratch.before_reach[link.bone].rotation;
            let rotation = reached * before;
            let limited = match half {
                Half::First => limits.mirror(rotation),
                Half::Second => limits.clamp(rotation),
            };
            reached = limited * before.conjugate();
        }
        self.scratch.reached[link.bone] = reached.normalize();
        self.move_chain(chain, place);
        true
    }

    /// The rotation in the link's rest frame that turns the effector towards the goal.
    fn turn_towards(&self, goal: Vec3, chain: &Chain, place: usize, half: Half) -> Option<Quat> {
        let link = &chain.links[place];
        if link.limits.is_some_and(|limits| limits.is_locked()) {
            return None;
        }
        let head = self.head(link.bone);
        let to_effector = (self.head(chain.effector) - head).try_normalize()?;
        let to_goal = (goal - head).try_normalize()?;
        let cross = to_effector.cross(to_goal);
        if cross.length_squared() < LEAST_SINE_SQUARED {
            return None;
        }
        let axis = self.axis(link, cross, half)?;
        let most = chain.step_rad * (place + 1) as f32;
        let angle = cross.length().atan2(to_effector.dot(to_goal));
        Some(Quat::from_axis_angle(axis, angle.min(most)))
    }

    /// The rotation axis in the link's rest frame, for an axis in the model.
    fn axis(&self, link: &ChainLink, cross: Vec3, half: Half) -> Option<Vec3> {
        let parent = self.plan.parents[link.bone];
        let model_from_parent = parent.map_or(Mat3A::IDENTITY, |parent| self.model_from_bone[parent].matrix3);
        let model_from_rest = model_from_parent * Mat3A::from_quat(self.plan.rests[link.bone].rotation());
        let in_rest = model_from_rest.transpose() * cross;
        let hinge = link.limits.and_then(|limits| limits.hinge()).filter(|_| half == Half::First);
        let Some(axis) = hinge else { return in_rest.try_normalize() };
        // The whole angle goes to the hinge; later iterations correct an overshoot. An axis perpendicular to the hinge turns it forwards in
        // MMD, whose directions about x and y are the opposite of ours.
        let is_forward = if axis == 2 { in_rest.z >= 0.0 } else { in_rest[axis] > 0.0 };
        Some(if is_forward { Vec3::AXES[axis] } else { -Vec3::AXES[axis] })
    }

    /// Updates a link and everything it carries, then the links nearer to the effector.
    fn move_chain(&mut self, chain: &Chain, place: usize) {
        let plan = self.plan;
        let turned = chain.links[place].bone;
        // As babylon-mmd, every link; those carried by the turned one have moved with it, unless a follower waits for a later one.
        let is_apart = |link: &&ChainLink| {
            plan.follows_backwards || (link.bone != turned && !plan.is_below(link.bone, turned))
        };
        self.move_tree(turned);
        for link in chain.links[..place].iter().rev().filter(is_apart) {
            self.move_tree(link.bone);
        }
        self.place(chain.effector);
    }

    fn move_tree(&mut self, link: usize) {
        let plan = self.plan;
        self.place_link(link);
        for &bone in plan.below(link) {
            self.place(bone);
        }
    }
}

/// Half of the iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Half {
    First,
    Second,
}
