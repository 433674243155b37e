//! Centers and soft ranges: c, r0 and r1 of every vertex, from the file or computed from skeleton and weights.
//!
//! A joint is a parent and a child; its axis runs parent's head → child's head → child's tip. A vertex's center is its projection onto that
//! axis. The soft range is where the weights change along the axis: for every joint, a line is fitted to the position on the axis as a
//! function of t, the parent's share; it reaches t = 1 at r0 and t = 0 at r1.
//!
//! A vertex of several bones uses the mean over its pairs of bones, weighted by the product of their weights: the projection for a joint,
//! the nearest point of the chain for bones further apart in it, and its own position for bones of two branches, which then blend linearly.
//! Nothing jumps where a bone's weight fades in.

use crate::JointHead;
use crate::axis::{Axis, nearest_on_line};
use crate::palette_joints::{Bond, PaletteJoints};
use glam::Vec3;
use sinew_rig::{BoundSurface, Influences, Spherical};
use std::collections::BTreeMap;

/// Centers and soft ranges of all vertices.
#[derive(Clone, Debug, Default)]
pub(crate) struct Anchors {
    /// c, one per vertex.
    pub(crate) centers: Vec<Vec3>,
    /// rᵢ, one per influence, in the order of the influences.
    pub(crate) ranges: Vec<Vec3>,
    /// Start of each vertex's entries in `ranges`.
    pub(crate) range_starts: Vec<u32>,
    /// Joints between the bones of each vertex, one per pair.
    pub(crate) heads: Vec<JointHead>,
    /// Start of each vertex's entries in `heads`.
    pub(crate) head_starts: Vec<u32>,
}

/// The ends of a joint's soft range.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SoftRange {
    /// Where the parent's influence ends, rest space: the source's r0.
    pub begin: Vec3,
    /// Where the child's influence is complete, rest space: the source's r1.
    pub end: Vec3,
}

/// Soft ranges by parent and child entry.
pub(crate) type SoftRanges = BTreeMap<(u16, u16), SoftRange>;

impl Anchors {
    /// Computes everything from skeleton and weights. `given`: soft ranges set by hand. `authored`: the file's c, r0 and r1, one per vertex,
    /// or empty.
    pub(crate) fn derive(
        joints: &PaletteJoints,
        bound: &BoundSurface,
        given: &SoftRanges,
        authored: &[Option<Spherical>],
    ) -> Self {
        let influences = bound.influences();
        let ranges = soft_ranges_with(joints, bound, given);
        let mut anchors = Self { range_starts: vec![0], head_starts: vec![0], ..Self::default() };
        for vertex in 0..influences.vertex_count() {
            let position = bound.rest().positions[vertex];
            let (entries, weights) = influences.of(vertex);
            anchors.push(joints, &ranges, position, (entries, weights));
            if let (Some(&Some(authored)), [first, second, ..]) = (authored.get(vertex), entries) {
                let has_given = joints.related(*first, *second).is_some_and(|pair| given.contains_key(&pair));
                anchors.set_last(&authored, entries.len(), has_given);
            }
        }
        anchors
    }

    fn push(
        &mut self,
        joints: &PaletteJoints,
        ranges: &SoftRanges,
        position: Vec3,
        (entries, weights): (&[u16], &[f32]),
    ) {
        let center = center(joints, position, entries, weights);
        self.centers.push(center);
        for (at, &entry) in entries.iter().enumerate() {
            let (mut sum, mut total) = (Vec3::ZERO, 0.0);
            for (other_at, &other) in entries.iter().enumerate().filter(|&(other_at, _)| other_at != at) {
                let pair = joints.related(entry, other);
                let own_end = pair.and_then(|pair| {
                    let range = ranges.get(&pair)?;
                    Some(if pair.0 == entry { range.begin } else { range.end })
                });
                sum += own_end.unwrap_or(center) * weights[other_at];
                total += weights[other_at];
            }
            self.ranges.push(if total > 0.0 { sum / total } else { center });
            self.heads.extend(entries[at + 1..].iter().map(|&other| joints.head(entry, other)));
        }
        self.range_starts.push(self.ranges.len() as u32);
        self.head_starts.push(self.heads.len() as u32);
    }

    /// Applies the file's parameters to the last vertex: those of its first two influences. Further ones stay computed.
    fn set_last(&mut self, authored: &Spherical, influence_count: usize, has_given_range: bool) {
        let first = self.ranges.len() - influence_count;
        if let Some(center) = self.centers.last_mut() {
            *center = authored.center;
        }
        if !has_given_range {
            (self.ranges[first], self.ranges[first + 1]) = (authored.r0, authored.r1);
        }
    }

    /// The entries of one vertex.
    pub(crate) fn of(&self, vertex: usize) -> (Vec3, &[Vec3], &[JointHead]) {
        let ranges = self.range_starts[vertex] as usize..self.range_starts[vertex + 1] as usize;
        let heads = self.head_starts[vertex] as usize..self.head_starts[vertex + 1] as usize;
        (self.centers[vertex], &self.ranges[ranges], &self.heads[heads])
    }
}

/// The center of a vertex: the mean over its pairs of bones. Its own position for bones of two branches: it then turns about itself, which
/// is linear blending.
fn center(joints: &PaletteJoints, position: Vec3, entries: &[u16], weights: &[f32]) -> Vec3 {
    let (mut sum, mut total) = (Vec3::ZERO, 0.0);
    for (at, &a) in entries.iter().enumerate() {
        for (other_at, &b) in entries.iter().enumerate().skip(at + 1).filter(|&(_, &b)| b != a) {
            let foot = match joints.bond(a, b) {
                Bond::Joint(parent, child) => Axis::of(joints, parent, child).foot(position).0,
                Bond::Chain(upper, lower) => {
                    let mut line = joints.heads_between(upper, lower);
                    line.push(joints.bone(lower).tip);
                    nearest_on_line(&line, position)
                }
                Bond::Apart => position,
            };
            let share = weights[at] * weights[other_at];
            sum += foot * share;
            total += share;
        }
    }
    if total > 0.0 { sum / total } else { position }
}

/// A vertex counts for a joint's soft range if the two bones have at least this share of it.
const LEAST_PAIR_WEIGHT: f32 = 0.5;

/// Vertices of more than two bones count less, by this power of the two bones' share: at 0.75 a third.
const PAIR_WEIGHT_POWER: i32 = 4;

/// The soft range of every joint that has vertices: parent and child entry to its ends.
pub(crate) fn soft_ranges(joints: &PaletteJoints, bound: &BoundSurface) -> SoftRanges {
    let fits = line_fits(joints, bound);
    fits.iter()
        .map(|(&(parent, child), fit)| ((parent, child), range_of(&Axis::of(joints, parent, child), fit)))
        .collect()
}

/// The same, with those in `given` unchanged.
pub(crate) fn soft_ranges_with(
    joints: &PaletteJoints,
    bound: &BoundSurface,
    given: &SoftRanges,
) -> SoftRanges {
    let mut ranges = soft_ranges(joints, bound);
    ranges.extend(given.iter().map(|(&pair, &range)| (pair, range)));
    ranges
}

/// Fits of the weights along the axis of every joint.
pub(crate) fn line_fits(joints: &PaletteJoints, bound: &BoundSurface) -> BTreeMap<(u16, u16), LineFit> {
    let mut fits: BTreeMap<(u16, u16), LineFit> = BTreeMap::new();
    let influences: &Influences = bound.influences();
    for vertex in 0..influences.vertex_count() {
        let (entries, weights) = influences.of(vertex);
        for (at, &a) in entries.iter().enumerate() {
            for (other_at, &b) in entries.iter().enumerate().skip(at + 1) {
                let both = weights[at] + weights[other_at];
                if both < LEAST_PAIR_WEIGHT {
                    continue;
                }
                let Some((parent, child)) = joints.related(a, b) else { continue };
                let of_parent = if parent == a { weights[at] } else { weights[other_at] };
                let along = Axis::of(joints, parent, child).foot(bound.rest().positions[vertex]).1;
                fits.entry((parent, child)).or_default().add(
                    of_parent / both,
                    along,
                    both.powi(PAIR_WEIGHT_POWER),
                );
            }
        }
    }
    fits
}

/// Each end stays on its own bone; on a bone without length, within half of the other.
fn range_of(axis: &Axis, fit: &LineFit) -> SoftRange {
    let (at_parent, at_child) = fit.ends();
    let limit = |own: f32, other: f32| if own > 0.0 { own } else { 0.5 * other };
    let back = (-at_parent).clamp(0.0, limit(axis.back_length, axis.forth_length));
    let forth = at_child.clamp(0.0, limit(axis.forth_length, axis.back_length));
    SoftRange { begin: axis.head + axis.back * back, end: axis.head + axis.forth * forth }
}

/// A straight line `along = a + b t` by weighted least squares.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineFit {
    count: f64,
    t: f64,
    along: f64,
    t_t: f64,
    t_along: f64,
    along_along: f64,
    least: f64,
    most: f64,
}

impl LineFit {
    fn add(&mut self, t: f32, along: f32, weight: f32) {
        let (t, along, weight) = (f64::from(t), f64::from(along), f64::from(weight));
        self.count += weight;
        self.t += weight * t;
        self.along += weight * along;
        self.t_t += weight * t * t;
        self.t_along += weight * t * along;
        self.along_along += weight * along * along;
        self.least = self.least.min(along);
        self.most = self.most.max(along);
    }

    /// Share of the weights' change that the position on the axis explains, 0 to 1: the squared correlation, 0 if the parent's share does not
    /// fall towards the child.
    pub(crate) fn explained(&self) -> f64 {
        let covariance = self.t_along - self.t * self.along / self.count;
        let variances = (self.t_t - self.t * self.t / self.count)
            * (self.along_along - self.along * self.along / self.count);
        if covariance < 0.0 && variances > 0.0 { covariance * covariance / variances } else { 0.0 }
    }

    /// Where the line reaches t = 1 and t = 0. If the weights do not fall along the axis, the whole extent of the vertices.
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
