//! Which parts of bodies may touch in a step.
//!
//! Looked for once a step, where bodies are when it begins, within the distance that they can come nearer in it. Where that is more than
//! half an edge, also on their way, at as many moments as it takes.

use super::Between;
use super::contact::Contact;
use super::gap::{Parts, edge_shares};
use super::seen::{Own, Seen, refit};
use crate::contact::{Box3, Ridge, Skin, SkinTrees};
use crate::{SoftBody, StepSettings};
use glam::{Vec3, Vec4};
use std::sync::Arc;

/// A body with a skin, at the beginning of a step.
#[derive(Clone, Debug)]
pub(super) struct Tracked {
    pub(super) skin: Arc<Skin>,
    trees: SkinTrees,
    /// Of its particles in the step, as far as can be foreseen.
    bounds: Box3,
    /// Its mean motion in the step, and how far a particle's may be from it, metres.
    motion: (Vec3, f32),
}

impl Tracked {
    pub(super) fn new(skin: &Arc<Skin>) -> Self {
        Self { skin: skin.clone(), trees: skin.trees.clone(), bounds: Box3::EMPTY, motion: (Vec3::ZERO, 0.0) }
    }

    /// Takes over where a body is, which has begun a step.
    pub(super) fn update(&mut self, body: &SoftBody) {
        refit(&mut self.trees, &self.skin, &body.before);
        let places =
            || body.before.iter().zip(&body.positions).map(|(from, to)| (from.truncate(), to.truncate()));
        self.bounds = Box3::of(places().flat_map(|(from, to)| [from, to]));
        let mean = places().map(|(from, to)| to - from).sum::<Vec3>() / body.before.len().max(1) as f32;
        let spread = places().map(|(from, to)| (to - from).distance_squared(mean)).fold(0.0, f32::max);
        self.motion = (mean, spread.sqrt());
    }

    fn seen<'a>(&'a self, body: &'a SoftBody) -> Seen<'a> {
        Seen { skin: &self.skin, places: &body.before, trees: &self.trees }
    }
}

/// Two bodies that may touch: particles of ours and triangles of theirs.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) bodies: [u32; 2],
    pub(super) found: Vec<Contact>,
    /// Moments at which they are looked at, and which it is.
    moments: u32,
    moment: u32,
    /// How near they must be at one of them, metres.
    reach_m: f32,
    /// How far they are kept apart, metres.
    margin_m: f32,
}

/// On which side of which sheet a particle was: our body, our particle, their body.
pub(super) type SideKey = [u32; 3];

/// A body does not meet what is nearer to its own points at rest than so many edges.
const OWN_EDGES: f32 = 1.5;

/// Beyond this many moments a step the reach grows instead.
const MOST_MOMENTS: u32 = 32;

impl Pair {
    /// Of two bodies, if they may come near each other.
    pub(super) fn of(
        bodies: [u32; 2],
        [ours, theirs]: [&Tracked; 2],
        between: &Between,
        step: &StepSettings,
    ) -> Option<Self> {
        let is_own = bodies[0] == bodies[1];
        let has_faces = !theirs.skin.triangles.is_empty() && !ours.skin.probes.is_empty();
        if !has_faces || (is_own && !between.is_self) {
            return None;
        }
        let nearer = if is_own {
            2.0 * ours.motion.1
        } else {
            ours.motion.0.distance(theirs.motion.0) + ours.motion.1 + theirs.motion.1
        };
        let edge = theirs.skin.edge_m.max(1e-6);
        let moments = ((nearer / (0.5 * edge)).ceil() as u32).clamp(1, MOST_MOMENTS);
        let margin_m = ours.skin.margin_m + theirs.skin.margin_m + between.settings.margin_m.max(0.0);
        // What gravity and the body's own springs add to what can be foreseen.
        let unforeseen = 2.0 * step.dt_secs * step.dt_secs * step.gravity.length() + 0.1 * edge;
        let reach_m = margin_m + unforeseen.min(0.5 * edge) + nearer / moments as f32;
        let is_near = ours.bounds.grown(reach_m).overlaps(&theirs.bounds);
        is_near.then_some(Self { bodies, found: Vec::new(), moments, moment: 0, reach_m, margin_m })
    }

    /// Finds all contacts.
    pub(super) fn find(
        &mut self,
        bodies: &[SoftBody],
        tracked: &[Option<Tracked>],
        sides: &[(SideKey, f32)],
        parted_m: f32,
    ) {
        let [a, b] = self.bodies.map(|body| body as usize);
        let (Some(ours), Some(theirs)) = (&tracked[a], &tracked[b]) else { return };
        let at_begin = [ours.seen(&bodies[a]), theirs.seen(&bodies[b])];
        self.look(at_begin, at_begin, sides);
        for moment in 1..self.moments {
            self.moment = moment;
            let share = moment as f32 / self.moments as f32;
            let (our_places, our_trees) = on_the_way(ours, &bodies[a], share);
            let (their_places, their_trees) = on_the_way(theirs, &bodies[b], share);
            let now = [
                Seen { skin: &ours.skin, places: &our_places, trees: &our_trees },
                Seen { skin: &theirs.skin, places: &their_places, trees: &their_trees },
            ];
            self.look(now, at_begin, sides);
        }
        // What began inside is let out slowly.
        for contact in &mut self.found {
            let mut parts = contact.parts;
            if let Some(gap) = parts.gap(&bodies[a].before, &bodies[b].before, &theirs.skin) {
                let depth = self.margin_m - gap.distance_m;
                contact.least_m -= (depth - parted_m).max(0.0);
            }
        }
    }

    /// Adds what is near at a moment.
    fn look(&mut self, now: [Seen<'_>; 2], at_begin: [Seen<'_>; 2], sides: &[(SideKey, f32)]) {
        let [ours, theirs] = now;
        let bounds = theirs.trees.triangles.bounds().grown(self.reach_m);
        let is_own = self.bodies[0] == self.bodies[1];
        for &particle in &ours.skin.probes {
            let point = ours.places[particle as usize].truncate();
            if !bounds.contains(point) {
                continue;
            }
            let own = is_own.then(|| Own {
                rest: theirs.skin.rest[particle as usize],
                least_m: OWN_EDGES * theirs.skin.edge_m + self.margin_m,
            });
            if let Some(triangle) = theirs.triangle_at(point, self.reach_m, own) {
                self.add_face(particle, triangle, at_begin, sides);
            }
        }
        // Each two edges once.
        if self.bodies[0] < self.bodies[1] {
            self.look_at_edges(now);
        }
    }

    fn add_face(
        &mut self,
        particle: u32,
        triangle: u32,
        [ours, theirs]: [Seen<'_>; 2],
        sides: &[(SideKey, f32)],
    ) {
        let mut parts = Parts::Face { particle, triangle, side: 1.0 };
        let is_known = self.moment > 0
            && self.found.iter().any(|contact| {
                matches!(contact.parts, Parts::Face { particle: p, triangle: t, .. } if (p, t) == (particle, triangle))
            });
        if is_known {
            return;
        }
        let at_begin = parts.gap(ours.places, theirs.places, theirs.skin);
        let is_behind = at_begin.is_some_and(|gap| gap.distance_m < 0.0);
        if theirs.skin.is_sheet() {
            let known =
                sides.binary_search_by_key(&[self.bodies[0], particle, self.bodies[1]], |entry| entry.0);
            let here = if is_behind { -1.0 } else { 1.0 };
            let side = known.map_or(here, |known| sides[known].1);
            self.add(Parts::Face { particle, triangle, side });
        } else if self.moment == 0 || !is_behind {
            // Otherwise it is where the particle would leave, not where it comes in.
            self.add(Parts::Face { particle, triangle, side: 1.0 });
        }
    }

    /// Edges that cross within reach, each on the outside of the other.
    fn look_at_edges(&mut self, [ours, theirs]: [Seen<'_>; 2]) {
        let bounds = theirs.trees.ridges.bounds().grown(self.reach_m);
        let mut near: Vec<&Ridge> = Vec::new();
        ours.ridges_at(&bounds, |ridge| near.push(ridge));
        for our_ridge in near {
            let ends = ours.ends(our_ridge);
            let wanted = Box3::of(ends).grown(self.reach_m);
            theirs.ridges_at(&wanted, |their_ridge| {
                if let Some(side) = edge_side([ours, theirs], our_ridge, their_ridge, self.reach_m) {
                    let parts = Parts::Edges { ours: our_ridge.corners, theirs: their_ridge.corners, side };
                    let is_known = self.moment > 0
                        && self.found.iter().any(|contact| match contact.parts {
                            Parts::Edges { ours, theirs, .. } => {
                                ours == our_ridge.corners && theirs == their_ridge.corners
                            }
                            Parts::Face { .. } => false,
                        });
                    if !is_known {
                        self.add(parts);
                    }
                }
            });
        }
    }

    fn add(&mut self, parts: Parts) {
        self.found.push(Contact { bodies: self.bodies, parts, least_m: self.margin_m, is_touched: false });
    }
}

/// The sign by which ours × theirs leads from their ridge to ours, if the ridges are within reach and outside of each other: the way out
/// lies between the normals of the triangles on both sides of either.
fn edge_side(
    [ours, theirs]: [Seen<'_>; 2],
    our_ridge: &Ridge,
    their_ridge: &Ridge,
    reach_m: f32,
) -> Option<f32> {
    let ([a, b], [c, d]) = (ours.ends(our_ridge), theirs.ends(their_ridge));
    let (along, normal) = edge_shares([a, b, c, d])?;
    let distance = normal.dot(a - c);
    if !along.into_iter().all(|along| (0.0..=1.0).contains(&along)) || distance.abs() > reach_m {
        return None;
    }
    let [one, other] = theirs.sides(their_ridge);
    let side = if normal.dot(one + other) < 0.0 { -1.0 } else { 1.0 };
    let out = normal * side;
    let is_out = is_between(out, [one, other], d - c) && is_between(-out, ours.sides(our_ridge), b - a);
    is_out.then_some(side)
}

/// Whether a direction across an edge lies between two normals across it.
fn is_between(out: Vec3, [one, other]: [Vec3; 2], edge: Vec3) -> bool {
    let turn = one.cross(other).dot(edge).signum();
    one.cross(out).dot(edge) * turn >= 0.0 && out.cross(other).dot(edge) * turn >= 0.0
}

/// A body after a share of the step, as far as can be foreseen.
fn on_the_way(tracked: &Tracked, body: &SoftBody, share: f32) -> (Vec<Vec4>, SkinTrees) {
    let places: Vec<Vec4> =
        body.before.iter().zip(&body.positions).map(|(from, to)| from.lerp(*to, share)).collect();
    let mut trees = tracked.trees.clone();
    refit(&mut trees, &tracked.skin, &places);
    (places, trees)
}
