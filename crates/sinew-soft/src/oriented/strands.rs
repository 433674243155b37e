//! Chains of particles, each solved from end to end.
//!
//! Bending makes long waves along a chain some n⁴ times softer than short ones, so that iterations over particles would need
//! thousands to tell a tip what its root does. Along a line, though, the linear system of a Newton step is block-tridiagonal, and
//! elimination from one end to the other solves it outright in time that grows with n. The matrix is Gauss–Newton's, with the
//! stiffness that tension gives against turning, and without the negative one that pressure gives, so that it is always positive.

use super::block::{Block, Six, six, split};
use super::element::{Element, Strain, cross_matrix};
use super::frames::{Frames, limited};
use super::oriented::Outer;
use glam::{DMat3, DQuat, DVec3, Vec4};

/// One chain of particles with consecutive numbers, with elements between neighbors.
#[derive(Clone, Debug)]
pub(crate) struct Strand {
    pub(crate) first: usize,
    elements: Vec<Element>,
    pub(crate) nodes: Vec<Node>,
    progress: Progress,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Progress {
    Begun,
    Underway,
    /// The last step of Newton's was too small to count.
    Settled,
}

/// A particle of a strand at work.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Where the last step of Newton's put the particle.
    pub(crate) place: Vec4,
    pub(crate) turn: DQuat,
    /// The matrix of the node, and then its factor.
    own: Block,
    /// To the next node, and then L⁻¹ of it.
    next: Block,
    right: Six,
    contact: Option<Plane>,
}

/// A particle was pushed out of something: it may not go back beyond a plane. With friction the push is not along the surface's normal,
/// and neither is the plane's.
#[derive(Clone, Copy, Debug)]
struct Plane {
    normal: DVec3,
    point: DVec3,
}

/// Stiffness of a plane, as a multiple of a particle's inertia. Smaller, and strands sink in between iterations; larger, and the
/// elimination loses digits.
const PLANE: f64 = 1e4;

/// A step of Newton's turns no frame by more, radians.
const MOST_TURN: f64 = 0.8;

/// Steps that are smaller are not worth another: as a share of an element's length, and radians.
const SETTLED: f64 = 1e-7;

impl Strand {
    pub(crate) fn new(first: usize, elements: Vec<Element>) -> Self {
        let node = Node {
            place: Vec4::ZERO,
            turn: DQuat::IDENTITY,
            own: Block::ZERO,
            next: Block::ZERO,
            right: [0.0; 6],
            contact: None,
        };
        let nodes = vec![node; elements.len() + 1];
        Self { first, elements, nodes, progress: Progress::Begun }
    }

    pub(crate) fn begin(&mut self) {
        self.progress = Progress::Begun;
        self.nodes.iter_mut().for_each(|node| node.contact = None);
    }

    /// One step of Newton's from where particles and frames are. The outcome stays in the nodes.
    pub(crate) fn improve(&mut self, outer: &Outer<'_>, frames: &Frames) {
        self.see_contacts(outer);
        if self.progress == Progress::Settled && outer.pulls.is_empty() {
            return;
        }
        for (at, node) in self.nodes.iter_mut().enumerate() {
            node.turn = frames.turns[self.first + at];
            node.place = outer.positions[self.first + at];
        }
        self.assemble(outer, frames);
        self.solve();
        self.advance(outer, frames);
    }

    /// Learns which particles were moved since the last step of Newton's.
    fn see_contacts(&mut self, outer: &Outer<'_>) {
        if self.progress == Progress::Begun {
            self.progress = Progress::Underway;
            return;
        }
        for (node, now) in self.nodes.iter_mut().zip(&outer.positions[self.first..]) {
            let (push, point) = ((*now - node.place).truncate().as_dvec3(), now.truncate().as_dvec3());
            if push != DVec3::ZERO {
                node.contact = push.try_normalize().map(|normal| Plane { normal, point });
                self.progress = Progress::Underway;
            } else if node.contact.is_some_and(|plane| plane.normal.dot(point - plane.point) > 0.0) {
                // It has left by itself.
                node.contact = None;
                self.progress = Progress::Underway;
            }
        }
    }

    fn assemble(&mut self, outer: &Outer<'_>, frames: &Frames) {
        let per_square = 1.0 / (outer.dt_secs * outer.dt_secs);
        for (at, node) in self.nodes.iter_mut().enumerate() {
            let particle = self.first + at;
            let (stiffness, force) = outer.inertia(particle, node.place.truncate().as_dvec3());
            let mut place_part = DMat3::from_diagonal(DVec3::splat(stiffness));
            let mut force = force;
            if let Some(Plane { normal, point }) = node.contact {
                let stiff = PLANE * stiffness;
                place_part +=
                    DMat3::from_cols(normal * normal.x, normal * normal.y, normal * normal.z) * stiff;
                force += normal * (stiff * normal.dot(point - node.place.truncate().as_dvec3()));
            }
            let turn_part = DMat3::from_diagonal(DVec3::splat(frames.moments[particle] * per_square));
            node.own = Block::ZERO;
            node.next = Block::ZERO;
            node.own.add(0, 0, &place_part);
            node.own.add(3, 3, &turn_part);
            node.right = six(force, frames.pull(particle, node.turn, outer.dt_secs));
        }
        for at in 0..self.elements.len() {
            self.add_element(at);
        }
        self.pin(outer, frames);
    }

    /// Adds what an element does to its two nodes. With B_i = [β_i, w [f]×], so that the change of f − R t is Σ B_i (δx, δφ), the
    /// matrix is β_i β_j A + s B_iᵀ B_j + β_i β_j B.
    fn add_element(&mut self, at: usize) {
        let (element, pair) = (&self.elements[at], &mut self.nodes[at..at + 2]);
        let place = |member: u32| pair[member as usize - self.first - at].place.truncate().as_dvec3();
        let turn = |member: u32| pair[member as usize - self.first - at].turn;
        let strain = element.strain(place, turn);
        for (k, node) in pair.iter_mut().enumerate() {
            let (force, moment) = element.pull(&strain, k);
            let pull = six(force, moment);
            node.right.iter_mut().zip(pull).for_each(|(sum, part)| *sum += part);
        }
        let slopes = element.slopes[0];
        add_products(&mut pair[0].own, element, &strain, [slopes[0], slopes[0]]);
        add_products(&mut pair[1].own, element, &strain, [slopes[1], slopes[1]]);
        add_products(&mut pair[0].next, element, &strain, [slopes[0], slopes[1]]);
    }

    /// Takes held places and frames out of the system.
    fn pin(&mut self, outer: &Outer<'_>, frames: &Frames) {
        for at in 0..self.nodes.len() {
            let particle = self.first + at;
            let is_held = [outer.is_held(particle), frames.holds[particle].is_some()];
            for (part, _) in is_held.into_iter().enumerate().filter(|(_, is_held)| *is_held) {
                let row = 3 * part;
                if at > 0 {
                    self.nodes[at - 1].next.clear_columns(row);
                }
                let node = &mut self.nodes[at];
                node.next.clear_rows(row);
                node.own.clear_rows(row);
                node.own.clear_columns(row);
                node.own.add(row, row, &DMat3::IDENTITY);
                node.right[row..row + 3].fill(0.0);
            }
        }
    }

    /// Elimination from the first node to the last, and back. The unknowns end up in `right`.
    fn solve(&mut self) {
        for at in 0..self.nodes.len() {
            let (done, rest) = self.nodes.split_at_mut(at);
            let node = &mut rest[0];
            if let Some(former) = done.last() {
                // D ← D − Cᵀ C and r ← r − Cᵀ L⁻¹ r of the former, where C is already L⁻¹ C.
                for row in 0..6 {
                    for k in 0..6 {
                        let factor = former.next.0[k][row];
                        node.right[row] -= factor * former.right[k];
                        for column in 0..=row {
                            node.own.0[row][column] -= factor * former.next.0[k][column];
                        }
                    }
                }
            }
            node.own.factorize();
            node.own.forward(&mut node.right);
            for column in 0..6 {
                let mut entries: Six = std::array::from_fn(|row| node.next.0[row][column]);
                node.own.forward(&mut entries);
                entries.iter().enumerate().for_each(|(row, entry)| node.next.0[row][column] = *entry);
            }
        }
        for at in (0..self.nodes.len()).rev() {
            let (head, tail) = self.nodes.split_at_mut(at + 1);
            let node = &mut head[at];
            if let Some(later) = tail.first() {
                for row in 0..6 {
                    for k in 0..6 {
                        node.right[row] -= node.next.0[row][k] * later.right[k];
                    }
                }
            }
            node.own.backward(&mut node.right);
        }
    }

    /// Goes along the step, and less far if it would turn a frame too far for its linear view of turns.
    fn advance(&mut self, outer: &Outer<'_>, frames: &Frames) {
        let most_turn = self.nodes.iter().map(|node| split(&node.right).1.length()).fold(0.0, f64::max);
        let scale = if most_turn > MOST_TURN { MOST_TURN / most_turn } else { 1.0 };
        let shortest = self.elements.iter().map(|element| 1.0 / element.slopes[0][1]).fold(1e30, f64::min);
        let mut largest = 0.0f64;
        for (at, node) in self.nodes.iter_mut().enumerate() {
            let (shift, turn) = split(&node.right);
            if !(shift.is_finite() && turn.is_finite()) {
                continue;
            }
            largest = largest.max(shift.length() / shortest).max(turn.length());
            let particle = self.first + at;
            if !outer.is_held(particle) {
                node.place = (node.place.truncate().as_dvec3() + shift * scale).as_vec3().extend(0.0);
            }
            if frames.holds[particle].is_none() {
                node.turn = (DQuat::from_scaled_axis(limited(turn * scale)) * node.turn).normalize();
            }
        }
        if largest < SETTLED {
            self.progress = Progress::Settled;
        }
    }
}

/// Adds β_i β_j A + s B_iᵀ B_j + β_i β_j B of an element, for the slopes of two of its members.
fn add_products(to: &mut Block, element: &Element, strain: &Strain, slopes: [f64; 2]) {
    let both = slopes[0] * slopes[1];
    let weight = element.weight();
    let cross = cross_matrix(strain.edges[0]) * weight;
    let tie_cross = cross * strain.tie;
    let even = DMat3::from_diagonal(DVec3::splat(strain.tensions[0] + strain.tie));
    to.add(0, 0, &((strain.stretch + even) * both));
    to.add(0, 3, &(tie_cross * slopes[0]));
    to.add(3, 0, &(tie_cross.transpose() * slopes[1]));
    to.add(3, 3, &(cross.transpose() * tie_cross + strain.bend * both));
}
