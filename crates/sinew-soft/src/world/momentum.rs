//! Momentum and rest of bodies that touch each other.
//!
//! What touch does to one body it does to the other with opposite sign, so that the momentum of all together is kept; what iterations
//! that end early lose of it is put back as a motion of all together.

use super::contact::Contact;
use crate::body::{Momentum, Progress, add_motion, inertia, inverted, joined};
use crate::{SoftBody, StepSettings};
use glam::{DMat3, DVec3};

/// Gives each group of bodies that touch the momentum that it must have, if nothing else held or touched it.
pub(super) fn restore(bodies: &mut [SoftBody], progress: &[Progress], group_of: &[usize], dt_secs: f32) {
    for first in (0..bodies.len()).filter(|&body| group_of[body] == body) {
        let members: Vec<usize> = (first..bodies.len()).filter(|&body| group_of[body] == first).collect();
        let wanted: Option<Vec<Momentum>> = members
            .iter()
            .map(|&body| progress[body].wanted.filter(|_| bodies[body].touched.iter().all(Option::is_none)))
            .collect();
        if let Some(wanted) = wanted {
            if let ([alone], [wanted]) = (&members[..], &wanted[..]) {
                bodies[*alone].restore_spin(*wanted);
            }
            restore_group(bodies, &members, &joined(&wanted), dt_secs);
        }
    }
}

/// Damps all bodies, and stops those that are still, with all that they touch. One alone would not be moved by what it touches, which
/// would crawl over it.
pub(super) fn end_step(bodies: &mut [SoftBody], settings: &StepSettings, group_of: &[usize]) {
    let count_of = |group: usize| group_of.iter().filter(|other| **other == group).count();
    let mut moves = vec![false; bodies.len()];
    for (body, &group) in bodies.iter_mut().zip(group_of) {
        moves[group] |= !body.is_still_after_damping(settings, count_of(group) > 1);
    }
    bodies.iter_mut().zip(group_of).filter(|(_, group)| !moves[**group]).for_each(|(body, _)| body.stop());
}

/// For each body the first of those that it touches, directly or through others.
pub(super) fn groups(body_count: usize, contacts: &[Contact]) -> Vec<usize> {
    let mut parent: Vec<usize> = (0..body_count).collect();
    let root = |parent: &[usize], mut body: usize| {
        while parent[body] != body {
            body = parent[body];
        }
        body
    };
    for contact in contacts.iter().filter(|contact| contact.is_touched) {
        let [a, b] = contact.bodies.map(|body| root(&parent, body as usize));
        parent[a.max(b)] = a.min(b);
    }
    (0..body_count).map(|body| root(&parent, body)).collect()
}

fn restore_group(bodies: &mut [SoftBody], members: &[usize], wanted: &Momentum, dt_secs: f32) {
    let found: Vec<Momentum> = members.iter().map(|&body| bodies[body].momentum()).collect();
    let found = joined(&found);
    let of = |body: &usize| inertia(&bodies[*body].masses, &bodies[*body].positions, found.center);
    let together = members.iter().map(of).fold(DMat3::ZERO, |sum, part| sum + part);
    let Some(lost) = lost(wanted, &found, &together) else { return };
    for &body in members {
        let SoftBody { positions, velocities, .. } = &mut bodies[body];
        add_motion(positions, velocities, found.center, lost, dt_secs);
    }
}

/// Gives a body that touches no other the momentum that it must have, if nothing held or touched it.
pub(super) fn restore_alone(body: &mut SoftBody, progress: &Progress, dt_secs: f32) {
    let Some(wanted) = progress.wanted.filter(|_| body.touched.iter().all(Option::is_none)) else { return };
    body.restore_spin(wanted);
    let found = body.momentum();
    let own = inertia(&body.masses, &body.positions, found.center);
    let Some(lost) = lost(&wanted, &found, &own) else { return };
    let SoftBody { positions, velocities, .. } = body;
    add_motion(positions, velocities, found.center, lost, dt_secs);
}

/// The velocity and the spin that make up for lost momentum.
fn lost(wanted: &Momentum, found: &Momentum, inertia: &DMat3) -> Option<[DVec3; 2]> {
    if found.mass <= 0.0 {
        return None;
    }
    let push = (wanted.linear - found.linear) / found.mass;
    let spin = inverted(inertia) * (wanted.angular - found.angular);
    (push.is_finite() && spin.is_finite()).then_some([push, spin])
}
