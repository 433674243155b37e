//! Which points of the skin may touch in a step, and how.

use super::SkinPoint;
use super::near_pairs::NearPairs;
use glam::{Mat3, Vec3};
use sinew_soft::{Barrier, Collider, SharedPoint, SoftBody};

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
    points: Vec<Point>,
    settings: TouchSettings,
    /// No two points touch that are farther from each other in the skinned shape, metres.
    reach_m: f32,
    /// Where skinning has them in this step, with their normals.
    seen: Vec<Seen>,
    near: NearPairs,
    barriers: Vec<Barrier>,
}

#[derive(Clone, Copy, Debug)]
struct Point {
    place: SharedPoint,
    part: u32,
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
        let of = |values: &[f32], place: &SharedPoint| -> f32 {
            place.iter().map(|&(at, share)| values[at as usize] * share.max(0.0)).sum()
        };
        let made = |point: &SkinPoint| {
            let SkinPoint { place, normal, part } = *point;
            let axes_from_edges = edges(&place, rest);
            let volume = axes_from_edges.determinant();
            Point {
                place,
                part,
                rest: Seen { place: at(&place, rest), normal },
                axes_from_edges: if volume != 0.0 { axes_from_edges.inverse() } else { Mat3::ZERO },
                free_m: 0.5 * of(reaches, &place),
                depth_m: of(reaches, &place).min(of(backstops, &place)),
            }
        };
        let points: Vec<Point> = points.iter().map(made).collect();
        let most = |of: fn(&Point) -> f32| points.iter().map(of).fold(0.0, f32::max);
        // Along the normal, and across it.
        let along_m = 2.0 * most(|point| point.free_m.max(point.depth_m));
        Self {
            seen: vec![Seen::default(); points.len()],
            reach_m: along_m.hypot(DISC[1] * settings.apart_m),
            points,
            settings,
            near: NearPairs::default(),
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
        let (mut near, mut barriers) = (std::mem::take(&mut self.near), std::mem::take(&mut self.barriers));
        near.find(
            |at| self.seen[at].place,
            self.points.len(),
            self.reach_m,
            |i, j| {
                barriers.extend(self.barrier([i, j], bodies));
            },
        );
        (self.near, self.barriers) = (near, barriers);
    }

    /// What keeps two points apart, if they may touch.
    fn barrier(&self, [i, j]: [usize; 2], bodies: &Bodies<'_>) -> Option<Barrier> {
        let (seen_i, seen_j) = (&self.seen[i], &self.seen[j]);
        if seen_i.normal.dot(seen_j.normal) > FACING {
            return None;
        }
        let (ours, theirs) = (&self.points[i], &self.points[j]);
        if ours.part == theirs.part {
            return None;
        }
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
