//! Sheets of particles, by steepest descent.
//!
//! Sheets hardly stretch and bend with ease, so that neither a bound for all directions nor a fixed sequence of weights suits them:
//! what is right for stretch makes folds overshoot. Each iteration goes where the diagonal blocks of the matrix send each particle, one
//! block for its place and one for its frame, as far as the energy falls in a quadratic view of it: Gauss–Newton's with the stiffness
//! that tension gives, and without the negative one of pressure. Conjugate directions were tried: they are faster at first, but carry the
//! unevenness of one iteration into the next, and hanging cloth trembled six times as much.
//!
//! A particle that was pushed out of something since the last iteration does not go back that way until what acts on it points outwards.

use super::element::{Element, Strain, cross_matrix};
use super::frames::Frames;
use super::oriented::Outer;
use crate::threads::in_parts;
use glam::{DMat3, DQuat, DVec3, Vec4};

/// Elements of any form, with the tables to gather what they do.
#[derive(Clone, Debug)]
pub(crate) struct Net {
    elements: Vec<Element>,
    strains: Vec<Strain>,
    /// Per element: Δᵀ H Δ of a direction.
    squares: Vec<f64>,
    /// Per particle: where its list in `uses` begins, and where the last one's ends.
    starts: Vec<u32>,
    /// Elements of each particle, and which of their members it is.
    uses: Vec<(u32, u8)>,
    nodes: Vec<Node>,
    way: Way,
}

/// How far the last iteration went along its direction, and the slope r · d with which it began.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    length: f64,
    first_slope: f64,
}

/// A particle of a sheet at work.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// With all its digits: in fine stiff sheets an iteration moves particles by less than the last of an f32.
    place: DVec3,
    /// Which way the particle was last pushed out of something; nothing if it is free.
    contact: DVec3,
    /// Force and moment of force, r.
    pull: Pair,
    /// How the diagonal blocks answer to r.
    answer: Pair,
    direction: Pair,
}

/// Of a place and of a frame.
#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    place: DVec3,
    turn: DVec3,
}

impl Pair {
    fn dot(&self, other: &Self) -> f64 {
        self.place.dot(other.place) + self.turn.dot(other.turn)
    }
}

/// Elements or particles that one thread works on at a time.
const PART: usize = 128;

/// An iteration turns no frame by more, radians: the quadratic view is of the present turns.
const MOST_TURN: f64 = 0.5;

/// Of the slope at the beginning of a way, how much it may rise at its end.
const MOST_RISE: f64 = 0.2;

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
            squares: vec![0.0; elements.len()],
            nodes: vec![Node::default(); particle_count],
            way: Way::default(),
            elements,
            starts,
            uses,
        }
    }

    pub(crate) fn begin(&mut self, positions: &[Vec4]) {
        self.way = Way::default();
        for (node, position) in self.nodes.iter_mut().zip(positions) {
            *node = Node { place: position.truncate().as_dvec3(), ..Node::default() };
        }
    }

    /// One iteration: new places go to `moved`, new frames to `frames`.
    pub(crate) fn improve(&mut self, outer: &Outer<'_>, frames: &mut Frames, moved: &mut [Vec4]) {
        self.see_contacts(outer);
        self.find_strains(frames);
        self.find_pulls(outer, frames);
        let length = self.way_back().unwrap_or_else(|| {
            self.nodes.iter_mut().for_each(|node| node.direction = node.answer);
            self.way_on(outer, frames)
        });
        for (particle, (node, moved)) in self.nodes.iter_mut().zip(moved).enumerate() {
            node.place += node.direction.place * length;
            *moved = node.place.as_vec3().extend(0.0);
            let turn = (node.direction.turn * length).clamp_length_max(MOST_TURN);
            frames.turns[particle] = (DQuat::from_scaled_axis(turn) * frames.turns[particle]).normalize();
        }
    }

    /// If the last way went so far that the energy rises again, how far to go back: to where the slope along it would be nothing.
    /// Sheets that fold get stiffer on the way, which no quadratic view sees.
    fn way_back(&mut self) -> Option<f64> {
        let slope: f64 = self.nodes.iter().map(|node| node.pull.dot(&node.direction)).sum();
        let Way { length, first_slope } = self.way;
        if slope >= -MOST_RISE * first_slope || length <= 0.0 {
            return None;
        }
        let kept = length * first_slope / (first_slope - slope);
        self.way.length = kept;
        // Once more at most, so that every other iteration at least goes on.
        self.way.first_slope = f64::INFINITY;
        Some(kept - length)
    }

    /// Brings velocities of neighbors together at a rate, 1/s: what rubs within the sheet. Each element exchanges impulse among its members
    /// only, so that none is lost.
    pub(crate) fn rub(&self, rate: f64, dt_secs: f64, masses: &[f32], velocities: &mut [Vec4]) {
        let share = (1.0 - (-rate * dt_secs).exp()) as f32;
        for element in &self.elements {
            let members = &element.members[..element.count];
            // A particle's mass is split between its elements.
            let part = |member: u32| {
                let at = member as usize;
                masses[at] / (self.starts[at + 1] - self.starts[at]) as f32
            };
            let (mut mass, mut impulse) = (0.0, Vec4::ZERO);
            for &member in members {
                mass += part(member);
                impulse += velocities[member as usize] * part(member);
            }
            let mean = impulse / mass.max(1e-12);
            for &member in members {
                let lag = mean - velocities[member as usize];
                velocities[member as usize] +=
                    lag * (share * part(member) / masses[member as usize].max(1e-12));
            }
        }
    }

    fn see_contacts(&mut self, outer: &Outer<'_>) {
        for (node, position) in self.nodes.iter_mut().zip(outer.positions) {
            let now = position.truncate();
            if node.place.as_vec3() != now {
                node.contact = (now.as_dvec3() - node.place).normalize_or_zero();
                node.place = now.as_dvec3();
            }
        }
    }

    fn find_strains(&mut self, frames: &Frames) {
        let (elements, nodes) = (&self.elements[..], &self.nodes[..]);
        in_parts(&mut self.strains[..], PART, |first, strains| {
            for (strain, element) in strains.iter_mut().zip(&elements[first..]) {
                let place = |member: u32| nodes[member as usize].place;
                *strain = element.strain(place, |member| frames.turns[member as usize]);
            }
        });
    }

    fn find_pulls(&mut self, outer: &Outer<'_>, frames: &Frames) {
        let Self { elements, strains, starts, uses, nodes, .. } = self;
        let (elements, strains, starts, uses) = (&elements[..], &strains[..], &starts[..], &uses[..]);
        in_parts(&mut nodes[..], PART, |first, nodes| {
            for (at, node) in nodes.iter_mut().enumerate() {
                let particle = first + at;
                let list = &uses[starts[particle] as usize..starts[particle + 1] as usize];
                node.find_pull(
                    outer,
                    frames,
                    particle,
                    list.iter().map(|&(element, at)| {
                        (&elements[element as usize], &strains[element as usize], at as usize)
                    }),
                );
            }
        });
    }

    /// How far to go: r · d / dᵀ H d.
    fn way_on(&mut self, outer: &Outer<'_>, frames: &Frames) -> f64 {
        let (elements, strains, nodes) = (&self.elements[..], &self.strains[..], &self.nodes[..]);
        in_parts(&mut self.squares[..], PART, |first, squares| {
            for (at, square) in squares.iter_mut().enumerate() {
                *square = square_of(&elements[first + at], &strains[first + at], nodes);
            }
        });
        let mut square: f64 = self.squares.iter().sum();
        let mut slope = 0.0;
        for (particle, node) in self.nodes.iter().enumerate() {
            let Pair { place, turn } = node.direction;
            let inertia = frames.moments[particle] / (outer.dt_secs * outer.dt_secs);
            square += outer.inertia(particle, node.place).0 * place.length_squared();
            square += inertia * turn.length_squared();
            slope += node.pull.dot(&node.direction);
        }
        let length = slope / square;
        self.way = Way { length: if length.is_finite() { length.max(0.0) } else { 0.0 }, first_slope: slope };
        self.way.length
    }
}

/// Without what goes back against a push.
fn outwards(v: DVec3, contact: DVec3) -> DVec3 {
    v - contact * v.dot(contact).min(0.0)
}

/// Δᵀ H Δ of an element along the directions of its members, with the matrix of [`Element::strain`]'s stretch, tie and bending.
fn square_of(element: &Element, strain: &Strain, nodes: &[Node]) -> f64 {
    let members = &element.members[..element.count];
    let weight = element.weight();
    let mean: DVec3 = members.iter().map(|&member| nodes[member as usize].direction.turn * weight).sum();
    let mut sum = 0.0;
    for k in 0..element.dimension() {
        let (mut edge, mut turning) = (DVec3::ZERO, DVec3::ZERO);
        for (at, &member) in members.iter().enumerate() {
            let Pair { place, turn } = nodes[member as usize].direction;
            edge += place * element.slopes[k][at];
            turning += turn * element.slopes[k][at];
        }
        let tied = edge + strain.edges[k].cross(mean);
        sum += edge.dot(strain.stretch * edge) + strain.tensions[k] * edge.length_squared();
        sum += strain.tie * tied.length_squared() + turning.dot(strain.bend * turning);
    }
    sum
}

impl Node {
    fn find_pull<'a>(
        &mut self,
        outer: &Outer<'_>,
        frames: &Frames,
        particle: usize,
        uses: impl Iterator<Item = (&'a Element, &'a Strain, usize)>,
    ) {
        let (stiffness, mut force) = outer.inertia(particle, self.place);
        let mut moment = frames.pull(particle, frames.turns[particle], outer.dt_secs);
        let mut place_block = DMat3::from_diagonal(DVec3::splat(stiffness));
        let inertia = frames.moments[particle] / (outer.dt_secs * outer.dt_secs);
        let mut turn_block = DMat3::from_diagonal(DVec3::splat(inertia));
        for (element, strain, at) in uses {
            let (more_force, more_moment) = element.pull(strain, at);
            force += more_force;
            moment += more_moment;
            let tie = strain.tie * element.weight() * element.weight();
            for k in 0..element.dimension() {
                let square = element.slopes[k][at] * element.slopes[k][at];
                let even = DMat3::from_diagonal(DVec3::splat(strain.tensions[k] + strain.tie));
                place_block += (strain.stretch + even) * square;
                let cross = cross_matrix(strain.edges[k]);
                turn_block += cross.transpose() * cross * tie + strain.bend * square;
            }
        }
        if force.dot(self.contact) > 0.0 {
            self.contact = DVec3::ZERO;
        }
        force = if outer.is_held(particle) { DVec3::ZERO } else { outwards(force, self.contact) };
        moment = if frames.holds[particle].is_some() { DVec3::ZERO } else { moment };
        let finite = |v: DVec3| if v.is_finite() { v } else { DVec3::ZERO };
        self.pull = Pair { place: finite(force), turn: finite(moment) };
        self.answer = Pair {
            place: outwards(finite(place_block.inverse() * self.pull.place), self.contact),
            turn: finite(turn_block.inverse() * self.pull.turn),
        };
    }
}
