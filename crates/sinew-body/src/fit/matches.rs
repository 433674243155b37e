//! Pairs of places on the body and on the target.

use super::hollow::{hollows, inner};
use super::nearest::TriangleTree;
use super::surface::{Combination, SurfaceTriangles};
use super::{FitSettings, TargetMesh};
use crate::{Jet, Patch};
use glam::DVec3;

/// A point is visible if the target is this close, m.
const SEEN_M: f64 = 0.03;

/// A tilt of the surface by a small angle costs as much as the error of that angle over this length, m. Smaller: dents and seams
/// visible in shading. Larger: less accurate positions.
const TILT_LENGTH_M: f64 = 0.015;

/// Weight of vertices that do not count: toes, which no body of patches follows, still show where the foot ends. At zero the surface
/// there follows its neighbors.
const EXCLUDED_HOLD: f64 = 0.25;

/// A place on the body with its distance from the target's tangent plane, or a tangent with its tilt out of it.
pub(super) struct Match {
    pub(super) sum: Combination,
    /// A second term, on another patch.
    pub(super) other: Option<Combination>,
    /// The target's unit normal.
    pub(super) normal: DVec3,
    /// Signed distance, mm; positive outside the target.
    pub(super) distance_mm: f64,
    pub(super) weight: f64,
}

/// The target, prepared for finding pairs.
pub(super) struct Matcher<'a> {
    target: &'a TargetMesh,
    tree: TriangleTree,
    triangle_normals: Vec<DVec3>,
    /// Weight of each triangle.
    triangle_holds: Vec<f64>,
    /// Weight of each vertex in the measure of the fit.
    vertex_weights: Vec<f64>,
    /// Whether each vertex of the target is inside, where it is not visible.
    steps: usize,
    tilt: f64,
}

/// Limits of pairs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Maximum distance of pairs, m.
    pub(super) reach_m: f64,
    /// Distances beyond this count less, mm.
    pub(super) huber_mm: f64,
    /// Cosine of the largest angle between normals: a smaller angle leaves distant parts unpaired, a larger one pairs the wrong sides of
    /// folds.
    pub(super) least_cosine: f64,
}

/// A place on the body to be paired.
struct Sample {
    patch: usize,
    u: f64,
    w: f64,
    jet: Jet,
    normal: DVec3,
    /// Area that it represents, up to a common factor.
    area: f64,
}

/// All pairs and their cost.
pub(super) struct Matches {
    pub(super) list: Vec<Match>,
    /// Mean robust squared distance, mm².
    pub(super) cost: f64,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(target: &'a TargetMesh, settings: &FitSettings) -> Self {
        let place = |vertex: u32| target.positions()[vertex as usize];
        let corners: Vec<[DVec3; 3]> = target.triangles().iter().map(|corners| corners.map(place)).collect();
        let triangle_normals =
            corners.iter().map(|[a, b, c]| (b - a).cross(c - a).normalize_or_zero()).collect();
        let tree = TriangleTree::new(corners);
        let (is_hollow, is_inner) = (hollows(target, &tree), inner(target, &tree));
        // Weight of each vertex.
        let hold = |(vertex, &is_excluded): (usize, &bool)| match is_excluded {
            _ if is_hollow[vertex] || is_inner[vertex] => 0.0,
            true => EXCLUDED_HOLD,
            false => 1.0,
        };
        let holds: Vec<f64> = target.is_excluded().iter().enumerate().map(hold).collect();
        let of_triangle = |t: &[u32; 3]| t.iter().map(|&vertex| holds[vertex as usize]).fold(1.0, f64::min);
        let triangle_holds = target.triangles().iter().map(of_triangle).collect();
        // A compromise between counting vertices and counting area: dense parts such as faces matter, but are not everything.
        let areas = target.vertex_areas();
        let mut vertex_weights: Vec<f64> =
            areas.iter().zip(&holds).map(|(area, hold)| hold * area.sqrt()).collect();
        let sum: f64 = vertex_weights.iter().sum();
        vertex_weights.iter_mut().for_each(|weight| *weight /= sum);
        let FitSettings { steps, tilt, .. } = *settings;
        Matcher { target, tree, triangle_normals, triangle_holds, vertex_weights, steps, tilt }
    }

    /// Whether the target near a point counts.
    pub(super) fn is_seen(&self, at: DVec3) -> bool {
        let found = self.tree.nearest(at, SEEN_M, |_| true);
        found.is_some_and(|found| {
            let corners = self.target.triangles()[found.triangle];
            corners.iter().all(|&vertex| !self.target.is_excluded()[vertex as usize])
        })
    }

    /// Pairs in both directions: places all over the body with the target, and the target's vertices with the body.
    pub(super) fn find(&self, patches: &[Patch], counts: &[bool], limits: &Limits) -> Matches {
        let Limits { reach_m, huber_mm, .. } = *limits;
        let mut matches = Matches { list: Vec::new(), cost: 0.0 };
        let reach_mm = 1e3 * reach_m;
        let unpaired = robust_cost(reach_mm, huber_mm);
        let samples = self.samples(patches, counts);
        let area: f64 = samples.iter().map(|sample| sample.area).sum();
        for Sample { patch, u, w, jet, normal, area: weight } in samples {
            let at = jet.position;
            let accepts = |triangle: usize| self.triangle_normals[triangle].dot(normal) > limits.least_cosine;
            let weight = 0.5 * weight / area;
            let Some(found) = self.tree.nearest(at, reach_m, accepts) else {
                matches.cost += weight * unpaired;
                continue;
            };
            let weight = weight * self.triangle_holds[found.triangle];
            if weight == 0.0 {
                continue;
            }
            let normals =
                self.target.triangles()[found.triangle].map(|vertex| self.target.normals()[vertex as usize]);
            let normal = (0..3).map(|k| found.weights[k] * normals[k]).sum::<DVec3>().normalize_or_zero();
            let place = Combination::position(patches, patch, u, w);
            matches.add(place, normal, 1e3 * normal.dot(at - found.point), weight, huber_mm);
            let by = [jet.du, jet.dw].map(|tangent| TILT_LENGTH_M / tangent.length());
            if by.iter().all(|by| by.is_finite()) {
                let tangents = Combination::tangents(patches, patch, (u, w), by);
                for (sum, tangent) in tangents.into_iter().zip([by[0] * jet.du, by[1] * jet.dw]) {
                    matches.add(sum, normal, 1e3 * normal.dot(tangent), self.tilt * weight, huber_mm);
                }
            }
        }
        let surface = SurfaceTriangles::new(patches, |patch| counts[patch], self.steps);
        for (vertex, &at) in self.target.positions().iter().enumerate() {
            let (normal, weight) = (self.target.normals()[vertex], 0.5 * self.vertex_weights[vertex]);
            if weight == 0.0 {
                continue;
            }
            let accepts = |triangle: usize| surface.normals[triangle].dot(normal) > limits.least_cosine;
            let Some(found) = surface.tree.nearest(at, reach_m, accepts) else {
                matches.cost += weight * unpaired;
                continue;
            };
            let (patch, u, w) = surface.parameters(found.triangle, found.weights);
            let place = Combination::position(patches, patch, u, w);
            let distance_mm = 1e3 * normal.dot(patches[patch].position(u, w) - at);
            matches.add(place, normal, distance_mm, weight, huber_mm);
        }
        matches
    }

    /// Places in the middles of small squares of all patches, with normals and areas.
    fn samples(&self, patches: &[Patch], counts: &[bool]) -> Vec<Sample> {
        let mut samples = Vec::new();
        let at = |i: usize| (i as f64 + 0.5) / self.steps as f64;
        for (index, patch) in patches.iter().enumerate().filter(|&(index, _)| counts[index]) {
            for i in 0..self.steps {
                for j in 0..self.steps {
                    let (u, w) = (at(i), at(j));
                    let jet = patch.jet(u, w);
                    let cross = jet.du.cross(jet.dw);
                    let (normal, area) = (cross.normalize_or_zero(), cross.length());
                    samples.push(Sample { patch: index, u, w, jet, normal, area });
                }
            }
        }
        samples
    }
}

impl Matches {
    fn add(&mut self, sum: Combination, normal: DVec3, distance_mm: f64, weight: f64, huber_mm: f64) {
        self.add_match(Match { sum, other: None, normal, distance_mm, weight }, huber_mm);
    }

    pub(super) fn add_match(&mut self, found: Match, huber_mm: f64) {
        self.cost += found.weight * robust_cost(found.distance_mm, huber_mm);
        // The weight that turns a squared distance into a robust one.
        let share = (huber_mm / found.distance_mm.abs()).min(1.0);
        self.list.push(Match { weight: found.weight * share, ..found });
    }
}

/// Huber's function: quadratic up to a bound, linear beyond.
fn robust_cost(distance: f64, bound: f64) -> f64 {
    let distance = distance.abs();
    if distance <= bound { distance * distance } else { bound * (2.0 * distance - bound) }
}
