//! Sheets of particles, by iterations over all of them at once.
//!
//! Each particle goes where it alone would bring the forces on it into balance, if all others did the same at once: by the inverse
//! of an upper bound of its part of the matrix, one for its place and one for its frame, each of three rows. Unlike one number, such
//! a bound lets a sheet that hardly stretches fall and fold freely across. For members i of an element
//! |Σ β_i x_i + Σ w [f]× φ_i|² ≤ 2 γ Σ β_i² |x_i|² + 2 Σ w |[f]× φ_i|², with γ of [`Element::spread`].

use super::element::{Element, Strain, cross_matrix};
use super::frames::{Frames, limited};
use super::oriented::Outer;
use crate::kernel::goal_pass::Blend;
use crate::threads::in_parts;
use glam::{DMat3, DQuat, DVec3, Vec4};

/// Elements of any form, with the tables to gather what they do.
#[derive(Clone, Debug)]
pub(crate) struct Net {
    elements: Vec<Element>,
    strains: Vec<Strain>,
    /// Per particle: where its list in `uses` begins, and where the last one's ends.
    starts: Vec<u32>,
    /// Elements of each particle, and which of their members it is.
    uses: Vec<(u32, u8)>,
    /// γ of each element.
    spreads: Vec<f64>,
    /// New frames, and those an iteration ago.
    turns: Vec<DQuat>,
}

/// Elements or particles that one thread works on at a time.
const PART: usize = 128;

impl Net {
    pub(crate) fn new(particle_count: usize, elements: Vec<Element>) -> Self {
        let mut lists = vec![Vec::new(); particle_count];
        for (number, element) in elements.iter().enumerate() {
            for (at, &member) in element.members[..element.count].iter().enumerate() {
                lists[member as usize].push((number as u32, at as u8));
            }
        }
        let mut starts = vec![0];
        let mut uses = Vec::new();
        for list in lists {
            uses.extend(list);
            starts.push(uses.len() as u32);
        }
        Self {
            strains: vec![Strain::default(); elements.len()],
            spreads: elements.iter().map(Element::spread).collect(),
            turns: vec![DQuat::IDENTITY; particle_count],
            elements,
            starts,
            uses,
        }
    }

    pub(crate) fn begin(&mut self, frames: &Frames) {
        self.turns.copy_from_slice(&frames.turns);
    }

    /// The largest bound of a place's stiffness over its mass at rest, 1/s².
    pub(crate) fn most_stiffness(&self, masses: &[f32]) -> f64 {
        let of = |particle: usize| {
            let uses = &self.uses[self.starts[particle] as usize..self.starts[particle + 1] as usize];
            let sum: f64 = uses
                .iter()
                .map(|&(element, at)| {
                    let spread = self.spreads[element as usize];
                    let element = &self.elements[element as usize];
                    let square: f64 = element.slopes.iter().map(|slopes| slopes[at as usize].powi(2)).sum();
                    2.0 * spread * square * element.stretch[0].max(element.stretch[1])
                })
                .sum();
            sum / f64::from(masses[particle]).max(1e-12)
        };
        (0..self.turns.len()).map(of).fold(0.0, f64::max)
    }

    /// One iteration: new places go to `former`, which has those of an iteration ago, and new frames to `frames`.
    pub(crate) fn improve(
        &mut self,
        outer: &Outer<'_>,
        frames: &mut Frames,
        former: &mut [Vec4],
        blend: &Blend,
    ) {
        let Self { elements, strains, starts, uses, spreads, turns } = self;
        let (elements, starts, uses, spreads) = (&elements[..], &starts[..], &uses[..], &spreads[..]);
        let shared = &*frames;
        in_parts(&mut strains[..], PART, |first, strains| {
            for (at, strain) in strains.iter_mut().enumerate() {
                let place = |member: u32| outer.positions[member as usize].truncate().as_dvec3();
                let turn = |member: u32| shared.turns[member as usize];
                *strain = elements[first + at].strain(place, turn);
            }
        });
        let strains = &strains[..];
        let (reach, omega) = (f64::from(blend.reach), f64::from(blend.omega));
        in_parts((former, &mut turns[..]), PART, |first, (former, turns)| {
            for (at, (former, former_turn)) in former.iter_mut().zip(turns).enumerate() {
                let particle = first + at;
                let list = &uses[starts[particle] as usize..starts[particle + 1] as usize];
                let gathered = Gathered::of(outer, shared, particle, list, (elements, strains, spreads));
                let (shift, turn) = gathered.step();
                let now = outer.positions[particle].truncate().as_dvec3();
                let before = former.truncate().as_dvec3();
                if outer.is_held(particle) {
                    *former = outer.positions[particle];
                } else {
                    *former = (before + (now + shift * reach - before) * omega).as_vec3().extend(0.0);
                }
                let turned = DQuat::from_scaled_axis(limited(turn * reach)) * shared.turns[particle];
                *former_turn = match shared.holds[particle] {
                    Some(held) => held,
                    None => extrapolated(*former_turn, turned, omega),
                };
            }
        });
        // The new ones become present, the present ones those of an iteration ago.
        frames.turns.swap_with_slice(turns);
    }
}

/// From one rotation through another, and as far beyond as `omega` says.
fn extrapolated(from: DQuat, to: DQuat, omega: f64) -> DQuat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    let beyond = from + (to + from * -1.0) * omega;
    if beyond.length_squared() > 1e-6 { beyond.normalize() } else { to.normalize() }
}

/// What acts on a particle, and bounds of how it resists.
struct Gathered {
    force: DVec3,
    moment: DVec3,
    place_bound: DMat3,
    turn_bound: DMat3,
}

impl Gathered {
    fn of(
        outer: &Outer<'_>,
        frames: &Frames,
        particle: usize,
        uses: &[(u32, u8)],
        (elements, strains, spreads): (&[Element], &[Strain], &[f64]),
    ) -> Self {
        let (stiffness, force) = outer.inertia(particle);
        let inertia = frames.moments[particle] / (outer.dt_secs * outer.dt_secs);
        let mut all = Self {
            force,
            moment: frames.pull(particle, frames.turns[particle], outer.dt_secs),
            place_bound: DMat3::from_diagonal(DVec3::splat(stiffness)),
            turn_bound: DMat3::from_diagonal(DVec3::splat(inertia)),
        };
        for &(number, at) in uses {
            let (element, strain) = (&elements[number as usize], &strains[number as usize]);
            let (spread, at) = (spreads[number as usize], at as usize);
            let (force, moment) = element.pull(strain, at);
            all.force += force;
            all.moment += moment;
            for k in 0..element.dimension() {
                let square = spread * element.slopes[k][at].powi(2);
                let tension = strain.tensions[0].max(strain.tensions[1]);
                all.place_bound +=
                    strain.stretch * (2.0 * square) + DMat3::from_diagonal(DVec3::splat(tension * square));
                let cross = cross_matrix(strain.edges[k]);
                all.turn_bound += cross.transpose() * (strain.stretch * cross) * (2.0 * element.weight());
                all.turn_bound += strain.bend * square;
            }
        }
        all
    }

    fn step(&self) -> (DVec3, DVec3) {
        let (shift, turn) =
            (self.place_bound.inverse() * self.force, self.turn_bound.inverse() * self.moment);
        let finite = |v: DVec3| if v.is_finite() { v } else { DVec3::ZERO };
        (finite(shift), finite(turn))
    }
}
