//! A body in a pose, and how its parts and what stands in the way press its flesh.

use super::{FleshRig, FleshRun};
use crate::contact::PosedParts;
use glam::{Affine3A, Vec3};
use sinew_soft::Collider;
use std::sync::Arc;

/// What presses flesh in a pose.
#[derive(Clone, Debug)]
pub(super) struct ContactPose {
    rig: Arc<FleshRig>,
    colliders: Vec<Collider>,
    posed: PosedParts,
    /// Of the vertices that stand for the flesh below them.
    places: Vec<Vec3>,
    pushes: Vec<Vec3>,
}

/// Pushes shorter than this are no touch, metres.
const LEAST_M: f32 = 1e-4;

/// Where a push is longer than this, metres, the skin does not swing back into what pushes it.
const FIRM_M: f32 = 3e-3;

impl ContactPose {
    pub(super) fn new(run: &FleshRun) -> Self {
        let (posed, places, pushes) = (PosedParts::default(), Vec::new(), Vec::new());
        Self { rig: run.rig().clone(), colliders: run.colliders(), posed, places, pushes }
    }

    /// Takes a pose.
    pub(super) fn set(&mut self, model_from_bone: &[Affine3A]) {
        if self.rig.contact.body {
            self.rig.touch.parts.pose_into(model_from_bone, &mut self.posed);
        }
    }

    /// Moves points of the flesh that bones and muscles have posed out of what presses them; says in how many places it does.
    pub(super) fn press_points(&mut self, points: &mut [Vec3]) -> usize {
        let mut places = std::mem::take(&mut self.places);
        self.rig.touch.spread.places_into(points, &mut places);
        self.push(&places, false);
        self.places = places;
        self.rig.touch.spread.move_points(&self.pushes, points);
        self.pushes.iter().filter(|push| push.length_squared() > LEAST_M * LEAST_M).count()
    }

    /// Where vertices go that bones and muscles have put at `places`, by what flesh follows through with, `away`, and by what presses them:
    /// `away` becomes all of it.
    ///
    /// The skin is pushed where it is seen. While it is, follow-through does not take it back in: of what leads against the push, nothing is
    /// left where the push is firm.
    pub(super) fn press_skin(&mut self, places: &[Vec3], away: &mut [Vec3]) {
        self.push(places, true);
        self.places.clear();
        for ((place, away), push) in places.iter().zip(&mut *away).zip(&self.pushes) {
            let length = push.length();
            if length > 0.0 {
                let out = *push / length;
                *away -= out * (away.dot(out).min(0.0) * (length / FIRM_M).min(1.0));
            }
            self.places.push(*place + *away);
        }
        let moved = std::mem::take(&mut self.places);
        self.push(&moved, true);
        self.places = moved;
        away.iter_mut().zip(&self.pushes).for_each(|(away, push)| *away += *push);
    }

    fn push(&mut self, places: &[Vec3], is_skin: bool) {
        let touch = &self.rig.touch;
        let points = if is_skin { &touch.skin_points } else { &touch.spread_points };
        self.pushes.clear();
        self.pushes.resize(places.len(), Vec3::ZERO);
        if self.rig.contact.body {
            touch.parts.push_apart(&self.posed, points, places, &mut self.pushes);
        }
        touch.parts.push_out(&self.colliders, points, places, &mut self.pushes);
    }
}
