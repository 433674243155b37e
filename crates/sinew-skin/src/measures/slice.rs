//! Sections of a rest surface by planes, made of points that move with the surface.

use super::ProbedJoint;
use glam::{DVec3, Vec3};
use sinew_rig::BoundSurface;
use std::collections::HashMap;
use std::f64::consts::PI;

/// A point of a rest edge; in a pose it lies at the same share of the posed edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EdgePoint {
    from: u32,
    to: u32,
    share: f64,
}

impl EdgePoint {
    pub(super) fn at(&self, positions: &[Vec3]) -> DVec3 {
        let [from, to] = [self.from, self.to].map(|vertex| positions[vertex as usize].as_dvec3());
        from.lerp(to, self.share)
    }

    pub(super) fn vertices(&self) -> [u32; 2] {
        [self.from, self.to]
    }

    /// A value of the vertices at this point.
    fn of(&self, values: &[f64]) -> f64 {
        let [from, to] = [self.from, self.to].map(|vertex| values[vertex as usize]);
        from + (to - from) * self.share
    }
}

/// The piece of a section in one triangle, with the outside of the surface always on the same side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Segment {
    pub(super) ends: [EdgePoint; 2],
    pub(super) rest_length: f64,
}

/// A connected piece of a section.
pub(super) struct Piece {
    pub(super) segments: Vec<Segment>,
    /// Mean weights of the parent and of the child along it.
    pub(super) shares: [f64; 2],
    /// Whether it goes around the axis.
    pub(super) is_around: bool,
}

/// A section counts as going around the axis from three quarters of a turn: a small hole in a mesh does not matter.
const LEAST_AROUND_RAD: f64 = 1.5 * PI;

/// The meshes that a joint moves, ready to be cut.
pub(super) struct Cuttable<'a> {
    pub(super) rest_positions: &'a [Vec3],
    pub(super) triangles: Vec<[u32; 3]>,
    /// The first vertex at the same place: seams hang together.
    places: Vec<u32>,
    /// Weights of the parent and of the child, one per vertex.
    pub(super) parent_share: Vec<f64>,
    pub(super) child_share: Vec<f64>,
}

impl<'a> Cuttable<'a> {
    pub(super) fn of(bound: &'a BoundSurface, joint: &ProbedJoint) -> Self {
        let share = |entry: u16| -> Vec<f64> {
            let own = |vertex: usize| bound.influences().pairs(vertex).filter(move |pair| pair.0 == entry);
            (0..bound.vertex_count())
                .map(|vertex| own(vertex).map(|(_, weight)| f64::from(weight)).sum())
                .collect()
        };
        let (parent_share, child_share) = (share(joint.parent_entry), share(joint.child_entry));
        // Meshes of other binds have another rest space.
        let is_moved = |vertex: usize| parent_share[vertex] + child_share[vertex] > 0.0;
        let moved = bound.instances().iter().filter(|placed| placed.vertices.clone().any(is_moved));
        let triangles = moved.flat_map(|placed| &bound.triangles()[placed.triangles.clone()]).copied();
        let triangles = triangles.collect();
        let rest_positions = &bound.rest().positions;
        Self { rest_positions, triangles, places: places(rest_positions), parent_share, child_share }
    }

    /// The pieces of the section by the plane through `point`, a point of the axis.
    pub(super) fn cut(&self, point: DVec3, normal: DVec3) -> Vec<Piece> {
        let heights: Vec<f64> =
            self.rest_positions.iter().map(|position| (position.as_dvec3() - point).dot(normal)).collect();
        let mut segments = Vec::new();
        for triangle in &self.triangles {
            if let Some(ends) = cut_triangle(triangle, &heights) {
                let rest_length = ends[0].at(self.rest_positions).distance(ends[1].at(self.rest_positions));
                segments.push(Segment { ends, rest_length });
            }
        }
        let pieces = self.connected(&segments).into_iter();
        pieces.map(|segments| self.piece(segments, point, normal)).collect()
    }

    /// Segments by what hangs together, in the order of the triangles.
    fn connected(&self, segments: &[Segment]) -> Vec<Vec<Segment>> {
        let mut ids: HashMap<[u32; 2], usize> = HashMap::new();
        let mut groups: Vec<usize> = Vec::new();
        let mut id_of = |end: &EdgePoint, groups: &mut Vec<usize>| {
            let key = [end.from, end.to].map(|vertex| self.places[vertex as usize]);
            *ids.entry(key).or_insert_with(|| {
                groups.push(groups.len());
                groups.len() - 1
            })
        };
        let mut firsts = Vec::with_capacity(segments.len());
        for segment in segments {
            let [a, b] = [0, 1].map(|at| id_of(&segment.ends[at], &mut groups));
            let [a_root, b_root] = [a, b].map(|id| root(&mut groups, id));
            groups[a_root.max(b_root)] = a_root.min(b_root);
            firsts.push(a);
        }
        let mut pieces: Vec<Vec<Segment>> = Vec::new();
        let mut piece_of: HashMap<usize, usize> = HashMap::new();
        for (segment, first) in segments.iter().zip(firsts) {
            let piece = *piece_of.entry(root(&mut groups, first)).or_insert_with(|| {
                pieces.push(Vec::new());
                pieces.len() - 1
            });
            pieces[piece].push(*segment);
        }
        pieces
    }

    fn piece(&self, segments: Vec<Segment>, point: DVec3, normal: DVec3) -> Piece {
        let mut around_rad = 0.0;
        let (mut shares, mut length) = ([0.0; 2], 0.0);
        for segment in &segments {
            let [a, b] = segment.ends.map(|end| end.at(self.rest_positions) - point);
            around_rad += normal.dot(a.cross(b)).atan2(a.dot(b));
            length += segment.rest_length;
            for (share, values) in shares.iter_mut().zip([&self.parent_share, &self.child_share]) {
                *share +=
                    0.5 * segment.rest_length * segment.ends.iter().map(|end| end.of(values)).sum::<f64>();
            }
        }
        let shares = shares.map(|share| if length > 0.0 { share / length } else { 0.0 });
        Piece { segments, shares, is_around: around_rad.abs() >= LEAST_AROUND_RAD }
    }
}

/// Where a triangle crosses height 0, along its own direction.
fn cut_triangle(triangle: &[u32; 3], heights: &[f64]) -> Option<[EdgePoint; 2]> {
    let height = |vertex: u32| heights[vertex as usize];
    let (mut up, mut down) = (None, None);
    for at in 0..3 {
        let (a, b) = (triangle[at], triangle[(at + 1) % 3]);
        // From the lower vertex in either direction, so that both triangles of an edge have the same point.
        let between = |from: u32, to: u32| {
            Some(EdgePoint { from, to, share: height(from) / (height(from) - height(to)) })
        };
        match (height(a) >= 0.0, height(b) >= 0.0) {
            (false, true) => up = between(a, b),
            (true, false) => down = between(b, a),
            _ => {}
        }
    }
    Some([up?, down?])
}

fn root(groups: &mut [usize], id: usize) -> usize {
    let mut at = id;
    while groups[at] != at {
        groups[at] = groups[groups[at]];
        at = groups[at];
    }
    at
}

/// The first vertex at the place of each.
fn places(rest_positions: &[Vec3]) -> Vec<u32> {
    let mut first_at: HashMap<[u32; 3], u32> = HashMap::new();
    let place = |(vertex, position): (usize, &Vec3)| {
        // Adding zero makes −0 and 0 the same place.
        let key = (*position + Vec3::ZERO).to_array().map(f32::to_bits);
        *first_at.entry(key).or_insert(vertex as u32)
    };
    rest_positions.iter().enumerate().map(place).collect()
}
