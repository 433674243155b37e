//! Several bodies that move together, and touch each other.
//!
//! Once a step, `find.rs` lists what may touch: particles near triangles and sharp edges near sharp edges, of bodies with a
//! [`Skin`](crate::Skin). After each iteration of all bodies, `contact.rs` moves apart what has come too near, in the order of the list;
//! colliders have the last word. `momentum.rs` sees to it that bodies that touch only each other keep their momentum together.

mod contact;
mod contacts;
mod find;
mod gap;
mod momentum;
mod surface_view;

use crate::body::{Progress, in_pool_if_large, is_time};
use crate::threads::in_parts;
use crate::{Collider, ContactSettings, SoftBody, StepSettings};
use contacts::Contacts;
use serde::{Deserialize, Serialize};

/// How the bodies of a [`World`] that have a [`Skin`](crate::Skin) touch each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Between {
    /// Friction and restitution; `margin_m` is kept beside the margins of both skins.
    pub settings: ContactSettings,
    /// Whether bodies also touch themselves. What is near at rest does not count. Default no.
    pub is_self: bool,
    /// How fast bodies that begin inside each other are moved apart, m/s. More throws them, less takes longer. Default 1.
    pub parting_speed: f32,
}

impl Default for Between {
    fn default() -> Self {
        Self { settings: ContactSettings::default(), is_self: false, parting_speed: 1.0 }
    }
}

/// Bodies in one space. Those that have a [`Skin`](crate::Skin) touch each other.
#[derive(Clone, Debug)]
pub struct World {
    bodies: Vec<SoftBody>,
    between: Option<Between>,
    contacts: Contacts,
}

impl Default for World {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl World {
    /// Of some bodies, which touch each other by default.
    pub fn new(bodies: Vec<SoftBody>) -> Self {
        Self::with_settings(bodies, Some(Between::default()))
    }

    /// Of some bodies, which touch each other like this, or pass through each other.
    pub fn with_settings(bodies: Vec<SoftBody>, between: Option<Between>) -> Self {
        Self { bodies, between, contacts: Contacts::default() }
    }

    /// All bodies.
    pub fn bodies(&self) -> &[SoftBody] {
        &self.bodies
    }

    /// All bodies, to hold, push and place.
    pub fn bodies_mut(&mut self) -> &mut [SoftBody] {
        &mut self.bodies
    }

    /// How bodies touch each other, if they do.
    pub fn between(&self) -> Option<&Between> {
        self.between.as_ref()
    }

    /// Lets bodies touch each other like this, or pass through each other.
    pub fn set_between(&mut self, between: Option<Between>) {
        self.between = between;
    }

    /// In how many places bodies touched each other in the last step.
    pub fn touch_count(&self) -> usize {
        self.contacts.touch_count()
    }

    /// Goes on by one step, kept out of colliders. A step of no length changes nothing.
    pub fn step(&mut self, settings: &StepSettings, colliders: &[Collider]) {
        let Self { bodies, between, contacts } = self;
        if !is_time(settings) {
            return;
        }
        let particle_count = bodies.iter().map(SoftBody::particle_count).sum();
        in_pool_if_large(particle_count, || match between {
            Some(between) => step_bodies(bodies, settings, colliders, between, contacts),
            None => in_parts(&mut bodies[..], 1, |_, bodies| step_one(&mut bodies[0], settings, colliders)),
        });
    }
}

/// Takes a body that touches no other through a step.
pub(crate) fn step_alone(body: &mut SoftBody, settings: &StepSettings, colliders: &[Collider]) {
    if is_time(settings) {
        in_pool_if_large(body.particle_count(), || step_one(body, settings, colliders));
    }
}

fn step_one(body: &mut SoftBody, settings: &StepSettings, colliders: &[Collider]) {
    let mut progress = body.begin_step(settings);
    body.look_round(colliders);
    for _ in 0..settings.iterations {
        body.iterate(settings, &mut progress);
        body.keep_out(colliders);
    }
    body.find_velocities(settings, colliders);
    body.end_frames(settings);
    momentum::restore_alone(body, &progress, settings.dt_secs);
    if body.is_still_after_damping(settings, false) {
        body.stop();
    }
}

/// Takes bodies through a step iteration by iteration, so that what they do to each other can be settled between iterations.
fn step_bodies(
    bodies: &mut [SoftBody],
    settings: &StepSettings,
    colliders: &[Collider],
    between: &Between,
    contacts: &mut Contacts,
) {
    let mut progress: Vec<Progress> = bodies.iter_mut().map(|body| body.begin_step(settings)).collect();
    in_parts(&mut *bodies, 1, |_, bodies| bodies[0].look_round(colliders));
    contacts.find(bodies, between, settings);
    for _ in 0..settings.iterations {
        in_parts((&mut *bodies, &mut progress[..]), 1, |_, (bodies, progress)| {
            bodies[0].iterate(settings, &mut progress[0]);
        });
        contacts.part(bodies, &progress, between);
        in_parts(&mut *bodies, 1, |_, bodies| bodies[0].keep_out(colliders));
    }
    for body in &mut *bodies {
        body.find_velocities(settings, colliders);
        body.end_frames(settings);
    }
    contacts.bounce(bodies, between);
    let group_of = momentum::groups(bodies.len(), &contacts.list);
    momentum::restore(bodies, &progress, &group_of, settings.dt_secs);
    momentum::end_step(bodies, settings, &group_of);
}
