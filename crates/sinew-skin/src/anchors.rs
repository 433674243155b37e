//! Centers and soft ranges for any rigged model: c, r0 and r1 of every vertex, from skeleton and weights.
//!
//! A joint is a parent and a child; its axis runs parent's head → child's head → child's tip. A vertex's center is its foot on that
//! axis. The soft range is where the weights change along the axis: for every joint, a straight line is fitted to the place on the
//! axis as a function of t, the parent's share; where it reaches t = 1 and t = 0 are r0 and r1.
//!
//! A vertex of several joints takes the mean of their centers, weighted by the product of the two bones' weights, so that the center
//! does not jump where the heaviest pair changes.

use crate::JointHead;
use crate::palette_joints::PaletteJoints;
use glam::Vec3;
use sinew_rig::{BoundSurface, Influences};
use std::collections::BTreeMap;

/// Centers and soft ranges of all vertices.
#[derive(Clone, Debug, Default)]
pub(crate) struct Anchors {
    /// c, one per vertex.
    pub(crate) centers: Vec<Vec3>,
    /// rᵢ, one per influence, in the order of the influences.
    pub(crate) ranges: Vec<Vec3>,
    /// Where each vertex's entries of `ranges` begin.
    pub(crate) range_starts: Vec<u32>,
    /// Joints between the bones of each vertex, one per pair.
    pub(crate) heads: Vec<JointHead>,
    /// Where each vertex's entries of `heads` begin.
    pub(crate) head_starts: Vec<u32>,
}

/// The ends of a joint's soft range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftRange {
    /// Where the parent lets go, rest space: the source's r0.
    pub begin: Vec3,
    /// Where the child has taken over, rest space: the source's r1.
    pub end: Vec3,
}

impl Anchors {
    /// Derives everything from skeleton and weights. `given`: soft ranges that somebody set by hand, by parent and child entry.
    pub(crate) fn derive(
        joints: &PaletteJoints,
        bound: &BoundSurface,
        given: &BTreeMap<(u16, u16), SoftRange>,
    ) -> Self {
        let influences = bound.influences();
        let mut ranges = soft_ranges(joints, bound);
        ranges.extend(given.iter().map(|(&pair, &range)| (pair, range)));
        let mut anchors = Self { range_starts: vec![0], head_starts: vec![0], ..Self::default() };
        for vertex in 0..influences.vertex_count() {
            let position = bound.rest().positions[vertex];
            anchors.push(joints, &ranges, position, influences.of(vertex));
        }
        anchors
    }

    fn push(
        &mut self,
        joints: &PaletteJoints,
        ranges: &BTreeMap<(u16, u16), SoftRange>,
        position: Vec3,
        (entries, weights): (&[u16], &[f32]),
    ) {
        let center = center(joints, position, entries, weights);
        self.centers.push(center);
        for (at, &entry) in entries.iter().enumerate() {
            let (mut sum, mut total) = (Vec3::ZERO, 0.0);
            for (other_at, &other) in entries.iter().enumerate().filter(|&(other_at, _)| other_at != at) {
                let Some(pair) = joints.related(entry, other) else { continue };
                let Some(range) = ranges.get(&pair) else { continue };
                let own_end = if pair.0 == entry { range.begin } else { range.end };
                sum += own_end * weights[other_at];
                total += weights[other_at];
            }
            self.ranges.push(if total > 0.0 { sum / total } else { center });
            self.heads.extend(entries[at + 1..].iter().map(|&other| joints.head(entry, other)));
        }
        self.range_starts.push(self.ranges.len() as u32);
        self.head_starts.push(self.heads.len() as u32);
    }

    /// The entries of one vertex.
    pub(crate) fn of(&self, vertex: usize) -> (Vec3, &[Vec3], &[JointHead]) {
        let ranges = self.range_starts[vertex] as usize..self.range_starts[vertex + 1] as usize;
        let heads = self.head_starts[vertex] as usize..self.head_starts[vertex + 1] as usize;
        (self.centers[vertex], &self.ranges[ranges], &self.heads[heads])
    }
}

/// The axis of a joint: two half lines that meet at the child's head.
struct Axis {
    head: Vec3,
    /// Unit, from the head towards the parent's head.
    back: Vec3,
    /// Unit, from the head towards the child's tip.
    forth: Vec3,
    /// Lengths of the bones along it.
    back_length: f32,
    forth_length: f32,
}

impl Axis {
    fn of(joints: &PaletteJoints, parent: u16, child: u16) -> Self {
        let (parent, child) = (joints.bone(parent), joints.bone(child));
        let (back, forth) = (parent.head - child.head, child.tip - child.head);
        // A bone without length runs on from the other; two without have no axis, and everything is at the head.
        let back_unit =
            back.try_normalize().or(forth.try_normalize().map(|unit| -unit)).unwrap_or(Vec3::ZERO);
        let forth_unit = forth.try_normalize().unwrap_or(-back_unit);
        Self {
            head: child.head,
            back: back_unit,
            forth: forth_unit,
            back_length: back.length(),
            forth_length: forth.length(),
        }
    }

    /// The foot of a point: where on the axis, and how far along it from the head, positive towards the tip.
    fn foot(&self, point: Vec3) -> (Vec3, f32) {
        let from_head = point - self.head;
        let along_back = from_head.dot(self.back).max(0.0);
        let along_forth = from_head.dot(self.forth).max(0.0);
        let (on_back, on_forth) = (self.head + self.back * along_back, self.head + self.forth * along_forth);
        if point.distance_squared(on_back) < point.distance_squared(on_forth) {
            (on_back, -along_back)
        } else {
            (on_forth, along_forth)
        }
    }
}

/// The center of a vertex: the mean of its feet on the axes of its joints; its own place where it has none, so that it turns about
/// itself, which is linear blending.
fn center(joints: &PaletteJoints, position: Vec3, entries: &[u16], weights: &[f32]) -> Vec3 {
    let (mut sum, mut total) = (Vec3::ZERO, 0.0);
    for (at, &a) in entries.iter().enumerate() {
        for (other_at, &b) in entries.iter().enumerate().skip(at + 1) {
            let Some((parent, child)) = joints.related(a, b) else { continue };
            let share = weights[at] * weights[other_at];
            sum += Axis::of(joints, parent, child).foot(position).0 * share;
            total += share;
        }
    }
    if total > 0.0 { sum / total } else { position }
}

/// A vertex counts for a joint's soft range if the two bones have at least this share of it.
const LEAST_PAIR_WEIGHT: f32 = 0.9;

/// Longest soft range on either side, as a share of the bone: beyond its middle the next joint begins.
const LONGEST_SHARE: f32 = 0.5;

/// The soft range of every joint that has vertices: parent and child entry to its ends.
pub(crate) fn soft_ranges(joints: &PaletteJoints, bound: &BoundSurface) -> BTreeMap<(u16, u16), SoftRange> {
    let mut fits: BTreeMap<(u16, u16), LineFit> = BTreeMap::new();
    let influences: &Influences = bound.influences();
    for vertex in 0..influences.vertex_count() {
        let (entries, weights) = influences.of(vertex);
        for (at, &a) in entries.iter().enumerate() {
            for (other_at, &b) in entries.iter().enumerate().skip(at + 1) {
                let Some((parent, child)) = joints.related(a, b) else { continue };
                let both = weights[at] + weights[other_at];
                if both < LEAST_PAIR_WEIGHT {
                    continue;
                }
                let of_parent = if parent == a { weights[at] } else { weights[other_at] };
                let along = Axis::of(joints, parent, child).foot(bound.rest().positions[vertex]).1;
                fits.entry((parent, child)).or_default().add(of_parent / both, along);
            }
        }
    }
    fits.iter()
        .map(|(&(parent, child), fit)| ((parent, child), range_of(&Axis::of(joints, parent, child), fit)))
        .collect()
}

fn range_of(axis: &Axis, fit: &LineFit) -> SoftRange {
    let (at_parent, at_child) = fit.ends();
    let back = (-at_parent).clamp(0.0, LONGEST_SHARE * axis.back_length.max(axis.forth_length));
    let forth = at_child.clamp(0.0, LONGEST_SHARE * axis.forth_length.max(axis.back_length));
    SoftRange { begin: axis.head + axis.back * back, end: axis.head + axis.forth * forth }
}

/// A straight line `along = a + b t` by least squares.
#[derive(Clone, Copy, Debug, Default)]
struct LineFit {
    count: f64,
    t: f64,
    along: f64,
    t_t: f64,
    t_along: f64,
    least: f64,
    most: f64,
}

impl LineFit {
    fn add(&mut self, t: f32, along: f32) {
        let (t, along) = (f64::from(t), f64::from(along));
        self.count += 1.0;
        self.t += t;
        self.along += along;
        self.t_t += t * t;
        self.t_along += t * along;
        self.least = self.least.min(along);
        self.most = self.most.max(along);
    }

    /// Where the line reaches t = 1 and t = 0. Where the weights do not fall along the axis, the whole extent of the vertices.
    fn ends(&self) -> (f32, f32) {
        let variance = self.t_t - self.t * self.t / self.count;
        let slope = (self.t_along - self.t * self.along / self.count) / variance;
        let is_falling = variance > 1e-9 * self.count && slope < 0.0;
        if !is_falling {
            return (self.least as f32, self.most as f32);
        }
        let at_zero = (self.along - slope * self.t) / self.count;
        ((at_zero + slope) as f32, at_zero as f32)
    }
}
