//! Which points of the skin may touch in a step, and how.

use super::SkinPoint;
use glam::{Mat3, Vec3};
use sinew_geometry::Bounds;
use sinew_soft::{Barrier, Collider, SharedPoint, SoftBody};
use std::ops::Range;

/// How a skin touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::motion) struct TouchSettings {
    /// How far points are apart, metres.
    pub(in crate::motion) apart_m: f32,
    /// Whether parts of the body touch each other.
    pub(in crate::motion) is_self: bool,
    /// Coulomb's coefficient between them.
    pub(in crate::motion) friction: f32,
}

/// What a skin is carried by and meets in a step.
pub(in crate::motion) struct Bodies<'a> {
    /// Where skinning puts all particles at the end of the step.
    pub(in crate::motion) shape: &'a [Vec3],
    /// Where they are at its beginning.
    pub(in crate::motion) flesh: &'a SoftBody,
    pub(in crate::motion) colliders: &'a [Collider],
    pub(in crate::motion) dt_secs: f32,
}

/// Points of a skin and what is near them.
#[derive(Clone, Debug)]
pub(in crate::motion) struct SkinTouch {
    /// In the order of parts.
    points: Vec<Point>,
    /// The points of each part, and how far one of them leaves its place freely at most, metres.
    parts: Vec<(Range<usize>, f32)>,
    settings: TouchSettings,
    /// Where skinning has them in this step, with their normals.
    seen: Vec<Seen>,
    bounds: Vec<Bounds>,
    near: [Vec<u32>; 2],
    barriers: Vec<Barrier>,
}

#[derive(Clone, Copy, Debug)]
struct Point {
    place: SharedPoint,
    rest: Seen,
    /// From the tetrahedron's edges to the unit axes, at rest; 0 without volume.
    axes_from_edges: Mat3,
    /// How far its flesh leaves its place freely, metres.
    free_m: f32,
    /// How far it gives way when it is pressed, metres.
    depth_m: f32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    place: Vec3,
    normal: Vec3,
}

/// Surfaces face each other if their normals' product is below this: more than 110° apart.
const FACING: f32 = -0.35;

/// Inner and outer radius of the disc that a point stands for, as shares of the distance between points.
const DISC: [f32; 2] = [0.6, 1.1];

/// What is inside each other comes apart no faster, m/s.
const PARTING: f32 = 0.5;

impl SkinTouch {
    /// Of points on tetrahedra at `rest`. `reaches` and `backstops` are how far particles may go, and how far inwards, metres; both 0 for
    /// those that are held.
    pub(in crate::motion) fn new(
        points: &[SkinPoint],
        rest: &[Vec3],
        [reaches, backstops]: [&[f32]; 2],
        settings: TouchSettings,
    ) -> Self {
        let mut sorted = points.to_vec();
        sorted.sort_by_key(|point| point.part);
        let of = |values: &[f32], place: &SharedPoint| -> f32 {
            place.iter().map(|&(at, share)| values[at as usize] * share.max(0.0)).sum()
        };
        let made = |point: &SkinPoint| {
            let SkinPoint { place, normal, .. } = *point;
            let axes_from_edges = edges(&place, rest);
            let volume = axes_from_edges.determinant();
            Point {
                place,
                rest: Seen { place: at(&place, rest), normal },
                axes_from_edges: if volume != 0.0 { axes_from_edges.inverse() } else { Mat3::ZERO },
                free_m: 0.5 * of(reaches, &place),
                depth_m: of(reaches, &place).min(of(backstops, &place)),
            }
        };
        let points: Vec<Point> = sorted.iter().map(made).collect();
        let parts = sorted.chunk_by(|a, b| a.part == b.part).scan(0, |first, part| {
            let range = *first..*first + part.len();
            *first = range.end;
            Some((range.clone(), points[range].iter().map(|point| point.free_m).fold(0.0, f32::max)))
        });
        Self {
            seen: vec![Seen::default(); points.len()],
            parts: parts.collect(),
            points,
            settings,
            bounds: Vec::new(),
            near: [Vec::new(), Vec::new()],
            barriers: Vec::new(),
        }
    }

    /// What keeps the skin out in a step.
    pub(in crate::motion) fn barriers(&mut self, bodies: &Bodies<'_>) -> &[Barrier] {
        self.barriers.clear();
        let is_needed = self.settings.is_self || !bodies.colliders.is_empty();
        if is_needed {
            self.look(bodies.shape);
            self.meet_colliders(bodies);
        }
        if self.settings.is_self {
            self.meet_parts(bodies);
        }
        &self.barriers
    }

    /// Finds where points are in the skinned shape.
    fn look(&mut self, shape: &[Vec3]) {
        for (seen, point) in self.seen.iter_mut().zip(&self.points) {
            let map = edges(&point.place, shape) * point.axes_from_edges;
            let cofactor = Mat3::from_cols(
                map.y_axis.cross(map.z_axis),
                map.z_axis.cross(map.x_axis),
                map.x_axis.cross(map.y_axis),
            );
            // A tetrahedron that is flat or turned inside out tells nothing: its point touches nothing.
            let normal = if cofactor.x_axis.dot(map.x_axis) > 0.0 {
                (cofactor * point.rest.normal).normalize_or_zero()
            } else {
                Vec3::ZERO
            };
            *seen = Seen { place: at(&point.place, shape), normal };
        }
        self.bounds.clear();
        let of_part = |(part, _): &(Range<usize>, f32)| {
            Bounds::around(self.seen[part.clone()].iter().map(|seen| seen.place))
        };
        self.bounds.extend(self.parts.iter().map(of_part));
    }

    /// Barriers between the skin and colliders.
    fn meet_colliders(&mut self, bodies: &Bodies<'_>) {
        for collider in bodies.colliders {
            for (point, seen) in self.points.iter().zip(&self.seen).filter(|(point, _)| point.depth_m > 0.0) {
                let touch = collider.touch(seen.place);
                if touch.distance_m >= point.free_m || !touch.distance_m.is_finite() {
                    continue;
                }
                let now = flesh_at(&point.place, bodies.flesh);
                // Flesh is pushed out, but no farther than it can give way; where the rig sinks in deeper, the rest stays.
                let push = (-touch.distance_m).clamp(0.0, point.depth_m);
                let surface = touch.normal.dot(seen.place) - touch.distance_m;
                let wanted = surface + (touch.distance_m + push).min(0.0);
                self.barriers.push(Barrier {
                    ours: point.place,
                    theirs: [(point.place[0].0, 0.0); 4],
                    normal: touch.normal,
                    least_m: wanted.min(touch.normal.dot(now) + PARTING * bodies.dt_secs),
                    carried: collider.carried(now) - now,
                    friction: collider.settings.friction,
                });
            }
        }
    }

    /// Barriers between parts of the skin.
    fn meet_parts(&mut self, bodies: &Bodies<'_>) {
        let disc_m = DISC[1] * self.settings.apart_m;
        for a in 0..self.parts.len() {
            for b in a + 1..self.parts.len() {
                let [mut ours, mut theirs] = std::mem::take(&mut self.near);
                self.points_near([a, b], disc_m, &mut ours);
                if !ours.is_empty() {
                    self.points_near([b, a], disc_m, &mut theirs);
                    for &i in &ours {
                        for &j in &theirs {
                            self.barriers.extend(self.barrier([i as usize, j as usize], bodies));
                        }
                    }
                }
                self.near = [ours, theirs];
            }
        }
    }

    /// Points of a part that are near another.
    fn points_near(&self, [part, other]: [usize; 2], disc_m: f32, near: &mut Vec<u32>) {
        near.clear();
        let (points, free_m) = &self.parts[part];
        let grown = self.bounds[other].grown(disc_m + free_m + self.parts[other].1);
        if grown.overlaps(&self.bounds[part]) {
            let found = points.clone().filter(|&at| grown.contains(self.seen[at].place));
            near.extend(found.map(|at| at as u32));
        }
    }

    /// What keeps two points apart, if they may touch.
    fn barrier(&self, [i, j]: [usize; 2], bodies: &Bodies<'_>) -> Option<Barrier> {
        let (seen_i, seen_j) = (&self.seen[i], &self.seen[j]);
        if seen_i.normal.dot(seen_j.normal) > FACING {
            return None;
        }
        let (ours, theirs) = (&self.points[i], &self.points[j]);
        let disc_m = DISC[1] * self.settings.apart_m;
        let depth_m = ours.depth_m + theirs.depth_m;
        let Gap { normal, gap_m, beside_m } = Gap::between(seen_i, seen_j);
        let is_near = beside_m < disc_m && gap_m < ours.free_m + theirs.free_m && gap_m > -depth_m;
        if !(is_near && depth_m > 0.0) {
            return None;
        }
        let mut least_m = if gap_m < 0.0 { gap_m * smooth_step(0.5 * depth_m, depth_m, -gap_m) } else { 0.0 };
        let at_rest = Gap::between(&ours.rest, &theirs.rest);
        if at_rest.beside_m < disc_m {
            least_m = least_m.min(at_rest.gap_m);
        }
        least_m -= depth_m * smooth_step(DISC[0] * self.settings.apart_m, disc_m, beside_m);
        let now = normal.dot(flesh_at(&ours.place, bodies.flesh) - flesh_at(&theirs.place, bodies.flesh));
        Some(Barrier {
            ours: ours.place,
            theirs: theirs.place,
            normal,
            least_m: least_m.min(now + PARTING * bodies.dt_secs),
            carried: Vec3::ZERO,
            friction: self.settings.friction,
        })
    }
}

/// How two points lie to each other.
struct Gap {
    /// From the second to the first.
    normal: Vec3,
    /// Along the normal.
    gap_m: f32,
    /// Across it.
    beside_m: f32,
}

impl Gap {
    fn between(i: &Seen, j: &Seen) -> Self {
        let normal = (j.normal - i.normal).normalize_or_zero();
        let from = i.place - j.place;
        let gap_m = normal.dot(from);
        Self { normal, gap_m, beside_m: (from - normal * gap_m).length() }
    }
}

fn edges(place: &SharedPoint, points: &[Vec3]) -> Mat3 {
    let [a, b, c, d] = place.map(|(at, _)| points[at as usize]);
    Mat3::from_cols(b - a, c - a, d - a)
}

fn at(place: &SharedPoint, points: &[Vec3]) -> Vec3 {
    place.iter().map(|&(at, share)| points[at as usize] * share).sum()
}

fn flesh_at(place: &SharedPoint, flesh: &SoftBody) -> Vec3 {
    place.iter().map(|&(at, share)| flesh.position(at as usize) * share).sum()
}

/// 0 below `from`, 1 above `to`, smooth between.
fn smooth_step(from: f32, to: f32, value: f32) -> f32 {
    let share = ((value - from) / (to - from).max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}
