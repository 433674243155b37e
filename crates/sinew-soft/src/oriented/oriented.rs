//! Frames and elements of a body at work.

use super::element::Element;
use super::frames::Frames;
use super::net::Net;
use super::strands::Strand;
use crate::threads::in_parts;
use glam::{DVec3, Vec4};

/// What acts on particles from outside the elements.
pub(crate) struct Outer<'a> {
    pub(crate) dt_secs: f64,
    pub(crate) masses: &'a [f32],
    pub(crate) positions: &'a [Vec4],
    /// Where particles would go by themselves; the fourth is 0 for those that are held.
    pub(crate) predicted: &'a [Vec4],
    /// What plain levels want of each particle, Σ k g with Σ k as fourth, 1/s²; empty if there are none.
    pub(crate) pulls: &'a [Vec4],
}

impl Outer<'_> {
    pub(crate) fn is_held(&self, particle: usize) -> bool {
        self.predicted[particle].w == 0.0
    }

    /// How inertia and plain levels resist, N/m, and which force they exert on a particle at a place, N.
    pub(crate) fn inertia(&self, particle: usize, place: DVec3) -> (f64, DVec3) {
        let mass = f64::from(self.masses[particle]).max(1e-12);
        let ahead = self.predicted[particle].truncate().as_dvec3() - place;
        let per_square = mass / (self.dt_secs * self.dt_secs);
        let Some(pull) = self.pulls.get(particle) else { return (per_square, ahead * per_square) };
        let stiffness = mass * f64::from(pull.w);
        let pulled = pull.truncate().as_dvec3() * mass - place * stiffness;
        (per_square + stiffness, ahead * per_square + pulled)
    }
}

/// Frames with what holds them together.
#[derive(Clone, Debug)]
pub(crate) struct Oriented {
    pub(crate) frames: Frames,
    solver: Solver,
    /// What plain levels want; room, if there are any.
    pub(crate) pulls: Vec<Vec4>,
}

#[derive(Clone, Debug)]
enum Solver {
    Strands(Vec<Strand>),
    /// With the rate at which it rubs, 1/s.
    Net(Net, f64),
}

/// Strands that one thread works on at a time.
const PART_STRANDS: usize = 4;

impl Oriented {
    /// Chains: each a list of elements between consecutive particles, and the number of the first of these.
    pub(crate) fn strands(frames: Frames, strands: Vec<(usize, Vec<Element>)>) -> Self {
        let strands = strands.into_iter().map(|(first, elements)| Strand::new(first, elements)).collect();
        Self { frames, solver: Solver::Strands(strands), pulls: Vec::new() }
    }

    /// Elements of any form.
    pub(crate) fn net(frames: Frames, elements: Vec<Element>, particle_count: usize, rubbing: f64) -> Self {
        let net = Net::new(particle_count, elements);
        Self { frames, solver: Solver::Net(net, rubbing), pulls: Vec::new() }
    }

    pub(crate) fn begin(&mut self, dt_secs: f64, positions: &[Vec4]) {
        self.frames.begin(dt_secs);
        match &mut self.solver {
            Solver::Strands(strands) => strands.iter_mut().for_each(Strand::begin),
            Solver::Net(net, _) => net.begin(positions),
        }
    }

    /// Finds how fast frames have turned, and lets what rubs within the body slow it down.
    pub(crate) fn end(&mut self, dt_secs: f64, masses: &[f32], velocities: &mut [Vec4]) {
        self.frames.end(dt_secs);
        if let Solver::Net(net, rate) = &self.solver {
            net.rub(*rate, dt_secs, masses, velocities);
        }
    }

    /// One iteration: new places go to `moved`.
    pub(crate) fn improve(&mut self, outer: &Outer<'_>, moved: &mut [Vec4]) {
        let frames = &mut self.frames;
        match &mut self.solver {
            Solver::Net(net, _) => net.improve(outer, frames, moved),
            Solver::Strands(strands) => {
                let shared = &*frames;
                in_parts(&mut strands[..], PART_STRANDS, |_, strands| {
                    strands.iter_mut().for_each(|strand| strand.improve(outer, shared));
                });
                for strand in &*strands {
                    for (at, node) in strand.nodes.iter().enumerate() {
                        moved[strand.first + at] = node.place;
                        frames.turns[strand.first + at] = node.turn;
                    }
                }
            }
        }
    }
}
