//! The rings of a joint: sections of its rest surface across the axis.

use super::slice::{Cuttable, EdgePoint, Piece, Segment};
use super::{JointProbe, ProbedJoint};
use glam::{DVec3, Vec3};
use sinew_rig::BoundSurface;

/// Sections of a rest surface across the axis of a joint, from where its bones begin to blend to where they end.
///
/// Every ring is a set of points on rest edges and moves with their vertices. The first and last ring lie where the weights of the child and
/// of the parent become zero, at most a derived soft range beyond that range. The rings between them are evenly spaced, as far apart as the
/// rows of the mesh: a surface of triangles turns only at its vertices, so closer rings measure the same turns.
///
/// Planes are across the parent at r0, across the child at r1, and turn evenly between them. A section's pieces count if they go around the axis
/// and both bones have at least half of their weight: this leaves out other limbs and clothes that hang beside. If no section goes around
/// (a strip, a card of hair), the surface is *open*, and each ring is followed at its point nearest to the axis.
#[derive(Clone, Debug, Default)]
pub struct JointRings {
    pub(super) rings: Vec<Ring>,
    pub(super) is_open: bool,
    /// Whether the first and the last ring are where the blending ends.
    pub(super) has_ends: [bool; 2],
}

/// One section.
#[derive(Clone, Debug)]
pub(super) struct Ring {
    /// Distance from the joint along the axis, rest space, negative on the parent.
    pub(super) along: f64,
    pub(super) segments: Vec<Segment>,
    /// Mean weights of the parent and of the child.
    shares: [f64; 2],
    /// The point nearest to the axis, for open rings.
    nearest: Option<EdgePoint>,
}

/// A piece belongs to a joint if both bones have at least this share of its weight.
const LEAST_PIECE_SHARE: f64 = 0.5;

/// A bone with less weight than this has none: rounding of weights that a file has normalized.
const NO_WEIGHT: f64 = 1e-6;

/// How far the ends are searched beyond the derived soft range, as a share of it. Weights that end smoothly reach 0.11 beyond the line that is
/// fitted to them; a vertex weighted by mistake at the far end of a bone must not stretch the range.
const REACH_SHARE: f64 = 1.0;

/// How far weights may be spread beyond the derived soft range, as a share of it, and over how much of a bone.
const WIDE_SHARE: f64 = 2.5;
const MOST_OF_BONE: f64 = 0.8;

/// Steps of the search for an end between two rings.
const BISECTIONS: usize = 8;

/// Fewer rings say nothing about a curve; more cost time and change nothing.
const RING_GAPS: std::ops::RangeInclusive<f64> = 4.0..=256.0;

impl JointRings {
    /// Cuts the rest surface around a joint. Without a soft range, or where nothing can be cut, there are no rings.
    pub fn of(bound: &BoundSurface, joint: &ProbedJoint) -> Self {
        let cutter = Cutter { surface: Cuttable::of(bound, joint), probe: &joint.probe };
        cutter.rings(false).or_else(|| cutter.rings(true)).unwrap_or_default()
    }

    /// Rings around the axis as far as weights could reach, whatever they are: the ends are where rings stop, or near the ends of the bones.
    pub(crate) fn reaching(bound: &BoundSurface, joint: &ProbedJoint) -> Self {
        let cutter = Cutter { surface: Cuttable::of(bound, joint), probe: &joint.probe };
        let probe = &joint.probe;
        let bones = [probe.parent_head, probe.child_tip].map(|end| f64::from(end.distance(probe.head)));
        cutter
            .rings_between(false, |_, end, sign| {
                let bone = bones[usize::from(sign > 0.0)];
                ((end + WIDE_SHARE * probe.range_length()).min(MOST_OF_BONE * bone).max(end), None)
            })
            .unwrap_or_default()
    }

    /// Distances of the rings from the joint along the axis, negative on the parent.
    pub(crate) fn stations(&self) -> Vec<f64> {
        self.rings.iter().map(|ring| ring.along).collect()
    }

    /// The vertices whose edges the rings cross, sorted.
    pub(crate) fn vertices(&self) -> Vec<u32> {
        let segments = self.rings.iter().flat_map(|ring| &ring.segments);
        let mut vertices: Vec<u32> =
            segments.flat_map(|segment| segment.ends).flat_map(|end| end.vertices()).collect();
        vertices.sort_unstable();
        vertices.dedup();
        vertices
    }

    /// The largest distance of a ring's points from its center.
    pub(crate) fn greatest_radius(&self, positions: &[Vec3]) -> f64 {
        let of_ring = |ring: &Ring| {
            let center = ring.center(positions);
            let ends = ring.segments.iter().flat_map(|segment| segment.ends);
            ends.map(|end| end.at(positions).distance(center)).fold(0.0, f64::max)
        };
        self.rings.iter().map(of_ring).fold(0.0, f64::max)
    }

    /// Number of rings.
    pub fn count(&self) -> usize {
        self.rings.len()
    }

    /// Distances of the first and of the last ring from the joint along the axis, rest space, negative on the parent; `None` without rings.
    pub fn range(&self) -> Option<[f64; 2]> {
        Some([self.rings.first()?.along, self.rings.last()?.along])
    }

    /// The center of every ring: the centroid of its line, weighted by its length in rest; for an open surface the point followed.
    ///
    /// `positions`: one per vertex of the surface that was cut, in rest or posed.
    ///
    /// # Panics
    /// If there are fewer positions than vertices.
    pub fn centers(&self, positions: &[Vec3]) -> Vec<DVec3> {
        self.rings.iter().map(|ring| ring.center(positions)).collect()
    }
}

impl Ring {
    fn center(&self, positions: &[Vec3]) -> DVec3 {
        if let Some(nearest) = &self.nearest {
            return nearest.at(positions);
        }
        let (mut sum, mut length) = (DVec3::ZERO, 0.0);
        for segment in &self.segments {
            let [a, b] = segment.ends.map(|end| end.at(positions));
            sum += (a + b) * (0.5 * segment.rest_length);
            length += segment.rest_length;
        }
        sum / length
    }
}

/// What rings are cut from.
struct Cutter<'a> {
    surface: Cuttable<'a>,
    probe: &'a JointProbe,
}

impl Cutter<'_> {
    fn rings(&self, is_open: bool) -> Option<JointRings> {
        // The child's weight ends on the parent's side, and the other way around.
        self.rings_between(is_open, |length, end, sign| {
            (end + REACH_SHARE * length, Some(if sign < 0.0 { 1 } else { 0 }))
        })
    }

    /// Rings between two ends. `limit`: from the length of the soft range, its own end and the sign of the side, how far to search, and whose weight
    /// must end there.
    fn rings_between(
        &self,
        is_open: bool,
        limit: impl Fn(f64, f64, f64) -> (f64, Option<usize>),
    ) -> Option<JointRings> {
        let (back, forth) = self.probe.reach();
        let length = back + forth;
        if length <= 0.0 {
            return None;
        }
        let spacing = self.row_spacing().unwrap_or(length / 16.0).min(length / RING_GAPS.start());
        // The middle first: at the ends other parts of a body are nearer.
        let start = [0.5, 0.25, 0.75, 0.0, 1.0]
            .into_iter()
            .map(|share| share * length - back)
            .find(|&along| self.ring(along, is_open).is_some())?;
        let end = |sign: f64, reach: f64| {
            let (limit, share_at) = limit(length, reach, sign);
            self.end([start, sign * limit], 0.5 * spacing * sign, is_open, share_at)
        };
        let ((from, has_begin), (to, has_end)) = (end(-1.0, back), end(1.0, forth));
        let gaps = ((to - from) / spacing).round().clamp(*RING_GAPS.start(), *RING_GAPS.end());
        let rings: Vec<Ring> = (0..=gaps as usize)
            .filter_map(|gap| self.ring(from + (to - from) * gap as f64 / gaps, is_open))
            .collect();
        Some(JointRings { rings, is_open, has_ends: [has_begin, has_end] })
    }

    /// Where a bone's weight ends on the way from a start to a limit, and whether it does: `false` where rings stop before.
    fn end(
        &self,
        [start, limit]: [f64; 2],
        step: f64,
        is_open: bool,
        share_at: Option<usize>,
    ) -> (f64, bool) {
        let is_soft = |along: f64| {
            let ring = self.ring(along, is_open)?;
            Some(share_at.is_none_or(|at| ring.shares[at] > NO_WEIGHT))
        };
        let mut soft = start;
        loop {
            if (limit - soft) * step.signum() <= 0.0 {
                return (limit, true);
            }
            match is_soft(soft + step) {
                None => return (soft, false),
                Some(true) => soft += step,
                Some(false) => break,
            }
        }
        let mut rigid = soft + step;
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (soft + rigid);
            *(if is_soft(middle) == Some(true) { &mut soft } else { &mut rigid }) = middle;
        }
        (rigid, true)
    }

    fn ring(&self, along: f64, is_open: bool) -> Option<Ring> {
        let (point, normal) = (self.probe.along_axis(along), self.normal(along)?);
        let is_own = |piece: &Piece| {
            piece.shares.iter().sum::<f64>() >= LEAST_PIECE_SHARE && (is_open || piece.is_around)
        };
        let pieces = self.surface.cut(point, normal).into_iter().filter(is_own);
        let (mut segments, mut shares, mut length) = (Vec::new(), [0.0; 2], 0.0);
        for piece in pieces {
            let piece_length: f64 = piece.segments.iter().map(|segment| segment.rest_length).sum();
            shares.iter_mut().zip(piece.shares).for_each(|(sum, share)| *sum += share * piece_length);
            length += piece_length;
            segments.extend(piece.segments);
        }
        if length <= 0.0 {
            return None;
        }
        let shares = shares.map(|share| share / length);
        let nearest = if is_open { self.nearest(&segments, point) } else { None };
        Some(Ring { along, segments, shares, nearest })
    }

    /// Across the parent before r0, across the child after r1, evenly turned between.
    fn normal(&self, along: f64) -> Option<DVec3> {
        let (back, forth) = self.probe.reach();
        let share = ((along + back) / (back + forth)).clamp(0.0, 1.0);
        let [parent, child] = self.probe.rest_directions();
        parent.lerp(child, share).try_normalize()
    }

    /// The end of a segment that is nearest to a point.
    fn nearest(&self, segments: &[Segment], point: DVec3) -> Option<EdgePoint> {
        let distance = |end: &EdgePoint| end.at(self.surface.rest_positions).distance(point);
        let ends = segments.iter().flat_map(|segment| segment.ends);
        ends.min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// How far apart the mesh's rows are along the axis: the median over the edges that run along it in the soft range. `None` without edges.
    fn row_spacing(&self) -> Option<f64> {
        let (back, forth) = self.probe.reach();
        let surface = &self.surface;
        let is_own = |vertex: u32| {
            let vertex = vertex as usize;
            surface.parent_share[vertex] + surface.child_share[vertex] >= LEAST_PIECE_SHARE
        };
        let along = |vertex: u32| self.probe.place_along(surface.rest_positions[vertex as usize].as_dvec3());
        let mut extents = Vec::new();
        for triangle in surface.triangles.iter().filter(|triangle| triangle.iter().all(|&v| is_own(v))) {
            for at in 0..3 {
                let (from, to) = (triangle[at], triangle[(at + 1) % 3]);
                let (start, end) = (along(from), along(to));
                let is_soft = start.max(end) > -back && start.min(end) < forth;
                let edge =
                    surface.rest_positions[from as usize].distance(surface.rest_positions[to as usize]);
                if is_soft && (end - start).abs() > LEAST_ALONG * f64::from(edge) {
                    extents.push((end - start).abs());
                }
            }
        }
        extents.sort_by(f64::total_cmp);
        extents.get(extents.len() / 2).copied()
    }
}

/// Cosine of the maximum angle between the axis and an edge along it, 60°.
const LEAST_ALONG: f64 = 0.5;
