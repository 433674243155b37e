//! Which parts of bodies may touch in a step.
//!
//! Looked for once a step, where bodies are when it begins, within the distance that they can come nearer in it. Where that is more than
//! half an edge, also on their way, at as many moments as it takes.

use super::Between;
use super::contact::Contact;
use super::gap::{KNOWN_BEYOND, NEW_BEYOND, Parts, Surface, write_corner_normals};
use super::surface_view::{Facing, Own, SurfaceView, refit, write_normals};
use crate::contact::{Ridge, Skin, SkinTrees};
use crate::{SoftBody, StepSettings};
use glam::{Vec3, Vec4};
use sinew_geometry::Bounds;
use std::sync::Arc;

/// A body with a skin, at the beginning of a step.
#[derive(Clone, Debug)]
pub(super) struct Tracked {
    pub(super) skin: Arc<Skin>,
    trees: SkinTrees,
    normals: Vec<Vec3>,
    corner_normals: Vec<[Vec3; 3]>,
    /// Of its particles in the step, as far as can be foreseen.
    bounds: Bounds,
    /// Its mean motion in the step, and how far a particle's may be from it, meters.
    motion: (Vec3, f32),
}

impl Tracked {
    pub(super) fn new(skin: &Arc<Skin>) -> Self {
        Self {
            skin: skin.clone(),
            trees: skin.trees.clone(),
            normals: Vec::new(),
            corner_normals: Vec::new(),
            bounds: Bounds::EMPTY,
            motion: (Vec3::ZERO, 0.0),
        }
    }

    /// Takes over where a body is, which has begun a step.
    pub(super) fn update(&mut self, body: &SoftBody) {
        refit(&mut self.trees, &self.skin, &body.before);
        write_normals(&self.skin, &body.before, &mut self.normals);
        write_corner_normals(&self.skin, &self.normals, &mut self.corner_normals);
        let places =
            || body.before.iter().zip(&body.positions).map(|(from, to)| (from.truncate(), to.truncate()));
        self.bounds = Bounds::around(places().flat_map(|(from, to)| [from, to]));
        let mean = places().map(|(from, to)| to - from).sum::<Vec3>() / body.before.len().max(1) as f32;
        let spread = places().map(|(from, to)| (to - from).distance_squared(mean)).fold(0.0, f32::max);
        self.motion = (mean, spread.sqrt());
    }

    pub(super) fn surface(&self) -> Surface<'_> {
        Surface { skin: &self.skin, corner_normals: &self.corner_normals }
    }

    fn view<'a>(&'a self, body: &'a SoftBody) -> SurfaceView<'a> {
        self.seen(&body.before, &self.trees, &self.normals)
    }

    fn seen<'a>(&'a self, places: &'a [Vec4], trees: &'a SkinTrees, normals: &'a [Vec3]) -> SurfaceView<'a> {
        SurfaceView { skin: &self.skin, places, trees, normals, surface: self.surface() }
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
    /// How near they must be at one of them, meters.
    reach_m: f32,
    /// How far they are kept apart, meters.
    margin_m: f32,
}

/// Our body, our particle, their body.
type FaceKey = [u32; 3];

/// What touched in one of the last steps, and on which side of sheets particles were.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// In the order of keys.
    faces: Vec<(FaceKey, Contact)>,
    /// In the order of bodies.
    edges: Vec<Contact>,
}

/// What touched lately may face away by so much more than what comes anew, by the dot product.
const KNOWN_SLACK: f32 = 0.15;

/// So many steps are lately. What is remembered for one step only can touch in every other for ever.
const LATELY: u32 = 10;

impl Known {
    /// Of the contacts of a step, those that touched lately and those with sheets.
    pub(super) fn remember(&mut self, contacts: &[Contact], tracked: &[Option<Tracked>]) {
        self.faces.clear();
        self.edges.clear();
        for contact in contacts {
            let [ours, theirs] = contact.bodies;
            let idle_steps = if contact.is_touched { 0 } else { contact.idle_steps.saturating_add(1) };
            let is_sheet = tracked[theirs as usize].as_ref().is_some_and(|theirs| theirs.skin.is_sheet());
            if idle_steps >= LATELY && !is_sheet {
                continue;
            }
            let mut known = Contact { idle_steps, is_touched: false, ..*contact };
            match &mut known.parts {
                Parts::Face { particle, beyond, .. } => {
                    *beyond = KNOWN_BEYOND;
                    self.faces.push(([ours, *particle, theirs], known));
                }
                Parts::Edges { beyond, .. } => {
                    *beyond = KNOWN_BEYOND;
                    self.edges.push(known);
                }
            }
        }
        self.faces.sort_by_key(|entry| entry.0);
        self.edges.sort_by_key(|entry| entry.bodies);
    }

    fn faces_of(&self, key: FaceKey) -> impl Iterator<Item = &Contact> {
        let first = self.faces.partition_point(|entry| entry.0 < key);
        self.faces[first..].iter().take_while(move |entry| entry.0 == key).map(|entry| &entry.1)
    }

    fn edges_of(&self, bodies: [u32; 2]) -> impl Iterator<Item = &Contact> {
        let first = self.edges.partition_point(|entry| entry.bodies < bodies);
        self.edges[first..].iter().take_while(move |entry| entry.bodies == bodies)
    }
}

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
        known: &Known,
        parted_m: f32,
    ) {
        let [a, b] = self.bodies.map(|body| body as usize);
        let (Some(ours), Some(theirs)) = (&tracked[a], &tracked[b]) else { return };
        let at_begin = [ours.view(&bodies[a]), theirs.view(&bodies[b])];
        self.look(at_begin, at_begin, known);
        for moment in 1..self.moments {
            self.moment = moment;
            let share = moment as f32 / self.moments as f32;
            let now = [on_the_way(ours, &bodies[a], share), on_the_way(theirs, &bodies[b], share)];
            let now = [now[0].view(), now[1].view()];
            self.look(now, at_begin, known);
        }
        // What began inside is let out slowly.
        for contact in &mut self.found {
            let mut parts = contact.parts;
            if let Some(gap) = parts.gap(&bodies[a].before, &bodies[b].before, theirs.surface()) {
                let depth = self.margin_m - gap.distance_m;
                contact.least_m -= (depth - parted_m).max(0.0);
            }
        }
    }

    /// Adds what is near at a moment.
    fn look(&mut self, now: [SurfaceView<'_>; 2], at_begin: [SurfaceView<'_>; 2], known: &Known) {
        let [ours, theirs] = now;
        let bounds = theirs.trees.triangles.bounds().grown(self.reach_m);
        let is_own = self.bodies[0] == self.bodies[1];
        for (probe, &particle) in ours.skin.probes.iter().enumerate() {
            let point = ours.places[particle as usize].truncate();
            if !bounds.contains(point) {
                continue;
            }
            let facing = ours.facing(probe);
            if self.moment == 0 {
                self.add_known(particle, facing, at_begin, known);
            }
            let own = is_own.then(|| Own {
                rest: theirs.skin.rest[particle as usize],
                least_m: OWN_EDGES * theirs.skin.edge_m + self.margin_m,
            });
            if let Some(triangle) = theirs.triangle_at(point, facing, self.reach_m, own) {
                self.add_face(particle, triangle, at_begin, known);
            }
        }
        // Each two edges once.
        if self.bodies[0] < self.bodies[1] {
            self.look_at_edges(now, known);
        }
    }

    /// What touched in the last step may touch in this, if the particle is still there.
    fn add_known(
        &mut self,
        particle: u32,
        facing: Facing<'_>,
        [ours, theirs]: [SurfaceView<'_>; 2],
        known: &Known,
    ) {
        for old in known.faces_of([self.bodies[0], particle, self.bodies[1]]) {
            let mut parts = old.parts;
            let gap = parts.gap(ours.places, theirs.places, theirs.surface);
            let is_there = gap.is_some_and(|gap| {
                gap.distance_m.abs() < self.reach_m
                    && facing.meets(gap.normal, theirs.skin.is_sheet(), KNOWN_SLACK)
            });
            if is_there && !self.is_found(&parts) {
                self.add(parts, old.idle_steps);
            }
        }
    }

    fn add_face(&mut self, particle: u32, triangle: u32, at_begin: [SurfaceView<'_>; 2], known: &Known) {
        let [ours, theirs] = at_begin;
        let mut parts = Parts::Face { particle, triangle, side: 1.0, beyond: NEW_BEYOND };
        if self.is_found(&parts) {
            return;
        }
        let gap = { parts }.gap(ours.places, theirs.places, theirs.surface);
        let is_behind = gap.is_some_and(|gap| gap.distance_m < 0.0);
        if theirs.skin.is_sheet() {
            let old = known.faces_of([self.bodies[0], particle, self.bodies[1]]).next();
            if let Parts::Face { side, .. } = &mut parts {
                *side = match old.map(|old| old.parts) {
                    Some(Parts::Face { side, .. }) => side,
                    _ if is_behind => -1.0,
                    _ => 1.0,
                };
            }
        } else if self.moment > 0 && is_behind {
            // It is where the particle would leave, not where it comes in.
            return;
        }
        self.add(parts, LATELY);
    }

    /// Whether the same parts are listed. Those of a particle are among the last at the first moment.
    fn is_found(&self, parts: &Parts) -> bool {
        let is_same = |contact: &Contact| match (contact.parts, parts) {
            (Parts::Face { particle: p, triangle: t, .. }, Parts::Face { particle, triangle, .. }) => {
                (p, t) == (*particle, *triangle)
            }
            (Parts::Edges { ours: a, theirs: b, .. }, Parts::Edges { ours, theirs, .. }) => {
                (a, b) == (*ours, *theirs)
            }
            _ => false,
        };
        let recent = if self.moment == 0 { 4 } else { self.found.len() };
        self.found.iter().rev().take(recent).any(is_same)
    }

    /// Edges that cross within reach, each on the outside of the other.
    fn look_at_edges(&mut self, [ours, theirs]: [SurfaceView<'_>; 2], known: &Known) {
        let bounds = theirs.trees.ridges.bounds().grown(self.reach_m);
        let mut near: Vec<&Ridge> = Vec::new();
        ours.ridges_at(&bounds, |ridge| near.push(ridge));
        for our_ridge in near {
            let wanted = Bounds::around(ours.ends(our_ridge)).grown(self.reach_m);
            theirs.ridges_at(&wanted, |their_ridge| {
                let mut old = known.edges_of(self.bodies);
                let old = old.find(|old| are_edges(&old.parts, our_ridge, their_ridge));
                let new = || Parts::Edges {
                    ours: our_ridge.corners,
                    theirs: their_ridge.corners,
                    side: edge_side([ours, theirs], our_ridge, their_ridge),
                    beyond: NEW_BEYOND,
                };
                let slack = if old.is_some() { KNOWN_SLACK } else { 0.0 };
                let mut parts = old.map_or_else(new, |old| old.parts);
                let gap = parts.gap(ours.places, theirs.places, theirs.surface);
                let is_near = gap.is_some_and(|gap| {
                    gap.distance_m.abs() < self.reach_m
                        && is_between(gap.normal, theirs, their_ridge, slack)
                        && is_between(-gap.normal, ours, our_ridge, slack)
                });
                if is_near && (self.moment == 0 || !self.is_found(&parts)) {
                    self.add(parts, old.map_or(LATELY, |old| old.idle_steps));
                }
            });
        }
    }

    fn add(&mut self, parts: Parts, idle_steps: u32) {
        let (bodies, least_m) = (self.bodies, self.margin_m);
        self.found.push(Contact { bodies, parts, least_m, is_touched: false, idle_steps });
    }
}

fn are_edges(parts: &Parts, our_ridge: &Ridge, their_ridge: &Ridge) -> bool {
    matches!(parts, Parts::Edges { ours, theirs, .. } if (*ours, *theirs) == (our_ridge.corners, their_ridge.corners))
}

/// The sign by which ours × theirs leads out of their ridge.
fn edge_side([ours, theirs]: [SurfaceView<'_>; 2], our_ridge: &Ridge, their_ridge: &Ridge) -> f32 {
    let ([a, b], [c, d]) = (ours.ends(our_ridge), theirs.ends(their_ridge));
    let [one, other] = theirs.sides(their_ridge);
    if (b - a).cross(d - c).dot(one + other) < 0.0 { -1.0 } else { 1.0 }
}

/// Whether a direction across a ridge lies between the normals of the triangles on both sides of it, by sines.
fn is_between(out: Vec3, view: SurfaceView<'_>, ridge: &Ridge, slack: f32) -> bool {
    let ([one, other], [start, end]) = (view.sides(ridge), view.ends(ridge));
    let along = (end - start).normalize_or_zero();
    let turn = one.cross(other).dot(along).signum();
    one.cross(out).dot(along) * turn >= -slack && out.cross(other).dot(along) * turn >= -slack
}

/// A body on its way.
struct Passing<'a> {
    tracked: &'a Tracked,
    places: Vec<Vec4>,
    trees: SkinTrees,
    normals: Vec<Vec3>,
}

impl Passing<'_> {
    fn view(&self) -> SurfaceView<'_> {
        self.tracked.seen(&self.places, &self.trees, &self.normals)
    }
}

/// A body after a share of the step, as far as can be foreseen.
fn on_the_way<'a>(tracked: &'a Tracked, body: &SoftBody, share: f32) -> Passing<'a> {
    let (skin, mut trees, mut normals) = (&*tracked.skin, tracked.trees.clone(), Vec::new());
    let ways = body.before.iter().zip(&body.positions);
    let places: Vec<Vec4> = ways.map(|(from, to)| from.lerp(*to, share)).collect();
    refit(&mut trees, skin, &places);
    write_normals(skin, &places, &mut normals);
    Passing { tracked, places, trees, normals }
}
