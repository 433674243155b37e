//! A contact between two bodies, and what it does in an iteration.
//!
//! Where two bodies touch, an iteration moves our point and theirs apart along the normal, and back along what they slid in the step, as
//! far as Coulomb allows. How much each particle moves is not up to its mass m alone: an iteration moves a particle of goals k by
//! h² f / m (1 + h² k) for a force f, times the haste of its body, so that only a push by those shares is the same force on both sides
//! when the iterations have come to an end. Shares of mass alone would let a soft body bear a hard one with a fraction of its weight.

use super::find::Tracked;
use super::gap::{Gap, Parts};
use crate::SoftBody;
use crate::body::LEAST_BOUNCE;
use crate::contact::ContactSettings;
use glam::Vec4;

/// Parts of two bodies that may touch in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Contact {
    /// Ours and theirs; the same for a body that touches itself.
    pub(super) bodies: [u32; 2],
    pub(super) parts: Parts,
    /// The least distance at the end of the step, meters; negative for what began inside.
    pub(super) least_m: f32,
    /// Whether it pushed.
    pub(super) is_touched: bool,
    /// Steps since it last pushed, before this one.
    pub(super) idle_steps: u32,
}

/// How far an iteration moves particles of a body for a force.
#[derive(Clone, Debug, Default)]
pub(super) struct Mobility {
    pub(super) particles: Vec<f32>,
    /// Of all of them.
    pub(super) haste: f32,
}

impl Mobility {
    fn of(&self, particle: u32) -> f32 {
        self.particles[particle as usize] * self.haste
    }
}

impl Contact {
    fn gap(&mut self, bodies: &[SoftBody], tracked: &[Option<Tracked>]) -> Option<Gap> {
        let [a, b] = self.bodies.map(|body| body as usize);
        let theirs = tracked[b].as_ref()?;
        self.parts.gap(&bodies[a].positions, &bodies[b].positions, theirs.surface())
    }

    /// Moves both bodies apart, if they are too near.
    pub(super) fn part(
        &mut self,
        bodies: &mut [SoftBody],
        tracked: &[Option<Tracked>],
        mobility: &[Mobility],
        friction: f32,
    ) {
        let [a, b] = self.bodies.map(|body| body as usize);
        let Some(gap) = self.gap(bodies, tracked) else { return };
        let push = self.least_m - gap.distance_m;
        // Also where it is not a number.
        if !(push > 0.0 && push.is_finite()) {
            return;
        }
        let square = |shares: &[(u32, f32)], mobility: &Mobility| -> f32 {
            shares.iter().map(|&(at, share)| share * share * mobility.of(at)).sum()
        };
        let together = square(&gap.ours, &mobility[a]) + square(&gap.theirs, &mobility[b]);
        if together <= 0.0 {
            return;
        }
        self.is_touched = true;
        let slide = gap.between(&bodies[a].positions, &bodies[b].positions)
            - gap.between(&bodies[a].before, &bodies[b].before);
        let slide = slide - gap.normal * gap.normal.dot(slide);
        let (length, most) = (slide.length(), friction * push);
        let held = if length <= most { slide } else { slide * (most / length) };
        let way = (gap.normal * push - held).extend(0.0) / together;
        for (at, share) in gap.ours {
            bodies[a].positions[at as usize] += way * (share * mobility[a].of(at));
        }
        for (at, share) in gap.theirs {
            bodies[b].positions[at as usize] -= way * (share * mobility[b].of(at));
        }
    }

    /// Gives back a part of the speed with which bodies ran into each other.
    pub(super) fn bounce(
        &mut self,
        bodies: &mut [SoftBody],
        tracked: &[Option<Tracked>],
        settings: &ContactSettings,
    ) {
        let [a, b] = self.bodies.map(|body| body as usize);
        let Some(gap) = self.gap(bodies, tracked).filter(|_| self.is_touched) else { return };
        let speed_in =
            -gap.normal.dot(gap.between(&bodies[a].former_velocities[0], &bodies[b].former_velocities[0]));
        if speed_in < LEAST_BOUNCE {
            return;
        }
        let speed_out = gap.normal.dot(gap.between(&bodies[a].velocities, &bodies[b].velocities));
        let lack = settings.restitution * speed_in - speed_out;
        let together: f32 = inverse_masses(&gap.ours, &bodies[a]) + inverse_masses(&gap.theirs, &bodies[b]);
        if !(lack > 0.0 && together > 0.0) {
            return;
        }
        let impulse = (gap.normal * (lack / together)).extend(0.0);
        for (at, share) in gap.ours {
            push(&mut bodies[a], at, impulse * share);
        }
        for (at, share) in gap.theirs {
            push(&mut bodies[b], at, impulse * -share);
        }
    }
}

fn inverse_mass(body: &SoftBody, particle: u32) -> f32 {
    let is_held = body.predicted[particle as usize].w == 0.0;
    if is_held { 0.0 } else { body.masses[particle as usize].max(1e-12).recip() }
}

fn inverse_masses(shares: &[(u32, f32)], body: &SoftBody) -> f32 {
    shares.iter().map(|&(at, share)| share * share * inverse_mass(body, at)).sum()
}

fn push(body: &mut SoftBody, particle: u32, impulse: Vec4) {
    let inverse = inverse_mass(body, particle);
    body.velocities[particle as usize] += impulse * inverse;
}
