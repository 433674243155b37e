//! Sheets of particles, by iterations over all of them at once.
//!
//! Each particle goes where it alone would bring the forces on it into balance, if all others did the same at once: by the inverse
//! of an upper bound of its part of the matrix, one for its place and one for its frame, each of three rows. Unlike one number, such
//! a bound lets a sheet that hardly stretches fall and fold freely across. For members i of an element
//! |Σ β_i x_i + Σ w [f]× φ_i|² ≤ 2 γ Σ β_i² |x_i|² + 2 Σ w |[f]× φ_i|², with γ of [`Element::spread`].

use super::element::{Element, Strain, cross_matrix};
use super::frames::Frames;
use super::oriented::Outer;
use crate::kernel::goal_pass::Blend;
use crate::threads::in_parts;
use glam::{DMat3, DQuat, DVec3, Vec4};

/// Elements of any form, with the tables to gather what they do.
#[derive(Clone, Debug)]
pub(crate) struct Net {
    elements: Vec<Element>,
    done: Vec<Ready>,
    /// Per particle: where its list in `uses` begins, and where the last one's ends.
    starts: Vec<u32>,
    /// Elements of each particle, and which of their members it is.
    uses: Vec<(u32, u8)>,
    /// γ of each element.
    spreads: Vec<f64>,
    /// Frames an iteration ago, and then the new ones.
    turns: Vec<DQuat>,
    /// Places with all their digits: in fine stiff sheets an iteration moves particles by less than the last of an f32.
    places: Vec<DVec3>,
    /// Places an iteration ago, and then the new ones.
    former: Vec<DVec3>,
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
            done: vec![Ready::default(); elements.len()],
            spreads: elements.iter().map(Element::spread).collect(),
            turns: vec![DQuat::IDENTITY; particle_count],
            places: vec![DVec3::ZERO; particle_count],
            former: vec![DVec3::ZERO; particle_count],
            elements,
            starts,
            uses,
        }
    }

    pub(crate) fn begin(&mut self, frames: &Frames, positions: &[Vec4]) {
        self.turns.copy_from_slice(&frames.turns);
        for (particle, position) in positions.iter().enumerate() {
            self.places[particle] = position.truncate().as_dvec3();
        }
        self.former.copy_from_slice(&self.places);
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

    /// One iteration: new places go to `moved`, new frames to `frames`.
    pub(crate) fn improve(
        &mut self,
        outer: &Outer<'_>,
        frames: &mut Frames,
        moved: &mut [Vec4],
        blend: &Blend,
    ) {
        let Self { elements, done, starts, uses, spreads, turns, places, former } = self;
        for (place, position) in places.iter_mut().zip(outer.positions) {
            // What a contact has moved begins anew from there.
            if place.as_vec3() != position.truncate() {
                *place = position.truncate().as_dvec3();
            }
        }
        let (elements, starts, uses, spreads) = (&elements[..], &starts[..], &uses[..], &spreads[..]);
        let (shared, now) = (&*frames, &places[..]);
        in_parts(&mut done[..], PART, |first, done| {
            for (at, ready) in done.iter_mut().enumerate() {
                let element = &elements[first + at];
                let strain =
                    element.strain(|member| now[member as usize], |member| shared.turns[member as usize]);
                *ready = Ready::of(element, spreads[first + at], &strain);
            }
        });
        let done = &done[..];
        let (reach, omega) = (f64::from(blend.reach), f64::from(blend.omega));
        in_parts((&mut former[..], &mut turns[..]), PART, |first, (former, turns)| {
            for (at, (former, former_turn)) in former.iter_mut().zip(turns).enumerate() {
                let particle = first + at;
                let mut gathered = Gathered::of(outer, shared, particle, now[particle]);
                for &(element, at) in &uses[starts[particle] as usize..starts[particle + 1] as usize] {
                    let (at, slopes) = (at as usize, &elements[element as usize].slopes);
                    gathered.add(&done[element as usize], at, [slopes[0][at], slopes[1][at]]);
                }
                let (shift, turn) = gathered.step();
                *former = if outer.is_held(particle) {
                    now[particle]
                } else {
                    *former + (now[particle] + shift * reach - *former) * omega
                };
                let turned = DQuat::from_scaled_axis((turn * reach).clamp_length_max(MOST_TURN))
                    * shared.turns[particle];
                *former_turn = match shared.holds[particle] {
                    Some(held) => held,
                    None => extrapolated(*former_turn, turned, omega),
                };
            }
        });
        // The new ones become present, the present ones those of an iteration ago.
        frames.turns.swap_with_slice(turns);
        std::mem::swap(places, former);
        for (moved, place) in moved.iter_mut().zip(places) {
            *moved = place.as_vec3().extend(0.0);
        }
    }
}

/// An iteration turns no frame by more, radians: bounds hold near the present turns only.
const MOST_TURN: f64 = 0.5;

/// Cosine of half the angle up to which iterations are hastened.
const NEAR: f64 = 0.99;

/// From one rotation through another, and as far beyond as `omega` says, if they are near each other.
fn extrapolated(from: DQuat, to: DQuat, omega: f64) -> DQuat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    if from.dot(to) > NEAR { (from + (to + from * -1.0) * omega).normalize() } else { to.normalize() }
}

/// What an element does, ready to be gathered by its members.
#[derive(Clone, Copy, Debug, Default)]
struct Ready {
    stresses: [DVec3; 2],
    moments: [DVec3; 3],
    /// What a member's frame takes over of Σ f_k × S_k.
    turning: DVec3,
    /// Bound of a place's part, over the square of the slopes.
    place_bound: DMat3,
    /// Bounds of a frame's part: over the square of the slopes, and of what does not depend on them.
    bend_bound: DMat3,
    turn_bound: DMat3,
}

impl Ready {
    fn of(element: &Element, spread: f64, strain: &Strain) -> Self {
        let weight = element.weight();
        let tension = strain.tensions[0].max(strain.tensions[1]);
        let (mut turning, mut turn_bound) = (DVec3::ZERO, DMat3::ZERO);
        for (edge, stress) in strain.edges.iter().zip(&strain.stresses).take(element.dimension()) {
            turning += edge.cross(*stress) * weight;
            let cross = cross_matrix(*edge);
            turn_bound += cross.transpose() * (strain.stretch * cross) * (2.0 * weight);
        }
        Self {
            stresses: strain.stresses,
            moments: strain.moments,
            turning,
            place_bound: (strain.stretch * 2.0 + DMat3::from_diagonal(DVec3::splat(tension))) * spread,
            bend_bound: strain.bend * spread,
            turn_bound,
        }
    }
}

/// What acts on a particle, and bounds of how it resists.
struct Gathered {
    force: DVec3,
    moment: DVec3,
    place_bound: DMat3,
    turn_bound: DMat3,
}

impl Gathered {
    fn of(outer: &Outer<'_>, frames: &Frames, particle: usize, place: DVec3) -> Self {
        let (stiffness, force) = outer.inertia(particle, place);
        let inertia = frames.moments[particle] / (outer.dt_secs * outer.dt_secs);
        Self {
            force,
            moment: frames.pull(particle, frames.turns[particle], outer.dt_secs),
            place_bound: DMat3::from_diagonal(DVec3::splat(stiffness)),
            turn_bound: DMat3::from_diagonal(DVec3::splat(inertia)),
        }
    }

    fn add(&mut self, ready: &Ready, at: usize, slopes: [f64; 2]) {
        self.force -= ready.stresses[0] * slopes[0] + ready.stresses[1] * slopes[1];
        self.moment += ready.turning + ready.moments[at];
        let square = slopes[0] * slopes[0] + slopes[1] * slopes[1];
        self.place_bound += ready.place_bound * square;
        self.turn_bound += ready.bend_bound * square + ready.turn_bound;
    }

    fn step(&self) -> (DVec3, DVec3) {
        let shift = self.place_bound.inverse() * self.force;
        let turn = self.turn_bound.inverse() * self.moment;
        let finite = |v: DVec3| if v.is_finite() { v } else { DVec3::ZERO };
        (finite(shift), finite(turn))
    }
}
