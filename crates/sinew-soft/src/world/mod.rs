//! Several bodies that move together.

use crate::body::{Progress, in_pool_if_large, is_time};
use crate::{Collider, SoftBody, StepSettings};

/// Bodies in one space.
#[derive(Clone, Debug, Default)]
pub struct World {
    bodies: Vec<SoftBody>,
}

impl World {
    /// Of some bodies.
    pub fn new(bodies: Vec<SoftBody>) -> Self {
        Self { bodies }
    }

    /// All bodies.
    pub fn bodies(&self) -> &[SoftBody] {
        &self.bodies
    }

    /// All bodies, to hold, push and place.
    pub fn bodies_mut(&mut self) -> &mut [SoftBody] {
        &mut self.bodies
    }

    /// Goes on by one step, kept out of colliders. A step of no length changes nothing.
    pub fn step(&mut self, settings: &StepSettings, colliders: &[Collider]) {
        step_together(&mut self.bodies, settings, colliders);
    }
}

/// Takes bodies through a step iteration by iteration, so that what they do to each other can be settled between iterations.
pub(crate) fn step_together(bodies: &mut [SoftBody], settings: &StepSettings, colliders: &[Collider]) {
    if !is_time(settings) {
        return;
    }
    let particle_count = bodies.iter().map(SoftBody::particle_count).sum();
    in_pool_if_large(particle_count, || {
        // One body asks for no memory.
        let (mut one, mut many);
        let progress: &mut [Progress] = match &mut *bodies {
            [body] => {
                one = [body.begin_step(settings)];
                &mut one
            }
            bodies => {
                many = bodies.iter_mut().map(|body| body.begin_step(settings)).collect::<Vec<_>>();
                &mut many
            }
        };
        for _ in 0..settings.iterations {
            for (body, progress) in bodies.iter_mut().zip(&mut *progress) {
                body.iterate(settings, progress);
                body.keep_out(colliders);
            }
        }
        for (body, progress) in bodies.iter_mut().zip(&*progress) {
            body.end_step(settings, colliders, progress);
        }
    });
}
