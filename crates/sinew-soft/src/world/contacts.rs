//! All contacts between bodies in a step.

use super::Between;
use super::contact::{Contact, Mobility};
use super::find::{Known, Pair, Tracked};
use crate::body::Progress;
use crate::threads::in_parts;
use crate::{SoftBody, StepSettings};
use std::sync::Arc;

/// Contacts of the current step, and what is known from the last.
#[derive(Clone, Debug, Default)]
pub(super) struct Contacts {
    /// Of each body with a skin.
    tracked: Vec<Option<Tracked>>,
    mobility: Vec<Mobility>,
    pub(super) list: Vec<Contact>,
    known: Known,
}

impl Contacts {
    /// Lists what may touch in a step that has begun.
    pub(super) fn find(&mut self, bodies: &[SoftBody], between: &Between, step: &StepSettings) {
        self.track(bodies);
        self.known.remember(&self.list, &self.tracked);
        let mut pairs = self.pairs(bodies.len() as u32, between, step);
        let (tracked, known) = (&self.tracked, &self.known);
        let parted_m = between.parting_speed.max(0.0) * step.dt_secs;
        in_parts(&mut pairs[..], 1, |_, pairs| pairs[0].find(bodies, tracked, known, parted_m));
        self.list.clear();
        self.list.extend(pairs.iter().flat_map(|pair| &pair.found));
        self.mobility.resize_with(bodies.len(), Mobility::default);
        for (at, (mobility, body)) in self.mobility.iter_mut().zip(bodies).enumerate() {
            // Bodies that touch nothing are not asked.
            if pairs.iter().any(|pair| pair.bodies.contains(&(at as u32)) && !pair.found.is_empty()) {
                body.write_mobility(step.dt_secs * step.dt_secs, &mut mobility.particles);
            }
        }
    }

    /// Moves apart what is too near, after an iteration.
    pub(super) fn part(&mut self, bodies: &mut [SoftBody], progress: &[Progress], between: &Between) {
        for (mobility, progress) in self.mobility.iter_mut().zip(progress) {
            mobility.haste = progress.haste;
        }
        let friction = between.settings.friction.max(0.0);
        let (tracked, mobility) = (&self.tracked, &self.mobility);
        // There and back: the last of many that lean on the same particles would have its way, and the next step's would undo it.
        self.list.iter_mut().for_each(|contact| contact.part(bodies, tracked, mobility, friction));
        self.list.iter_mut().rev().for_each(|contact| contact.part(bodies, tracked, mobility, friction));
    }

    /// Throws bodies back that ran into each other.
    pub(super) fn bounce(&mut self, bodies: &mut [SoftBody], between: &Between) {
        if between.settings.restitution > 0.0 {
            let tracked = &self.tracked;
            self.list.iter_mut().for_each(|contact| contact.bounce(bodies, tracked, &between.settings));
        }
    }

    pub(super) fn touch_count(&self) -> usize {
        self.list.iter().filter(|contact| contact.is_touched).count()
    }

    fn track(&mut self, bodies: &[SoftBody]) {
        self.tracked.resize_with(bodies.len(), || None);
        for (tracked, body) in self.tracked.iter_mut().zip(bodies) {
            let is_same = match (&*tracked, body.skin()) {
                (Some(tracked), Some(skin)) => Arc::ptr_eq(&tracked.skin, skin),
                (None, None) => true,
                _ => false,
            };
            if !is_same {
                // Numbers of triangles are those of the old skin.
                self.list.clear();
                *tracked = body.skin().map(Tracked::new);
            }
            if let Some(tracked) = tracked {
                tracked.update(body);
            }
        }
    }

    /// Bodies that are near each other, in the order of their numbers.
    fn pairs(&self, body_count: u32, between: &Between, step: &StepSettings) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (a, ours) in (0..body_count).zip(&self.tracked) {
            for (b, theirs) in (0..body_count).zip(&self.tracked) {
                if let (Some(ours), Some(theirs)) = (ours, theirs) {
                    pairs.extend(Pair::of([a, b], [ours, theirs], between, step));
                }
            }
        }
        pairs
    }
}
