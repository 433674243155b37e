//! The surface of a body as a tape and a caliper meet it: points on a grid of each patch, and cuts through it.

use crate::bernstein::quartic;
use crate::body::{Body, BodyPatch};
use crate::patch::{CORNERS, corner_value};
use glam::{DVec2, DVec3};
use std::cell::OnceCell;

/// Steps along a patch's edge: cells of at most 1 cm. The hull of such a cut is 1e-4 of a waist too short.
const STEPS: usize = 16;
const LINES: usize = STEPS + 1;

/// A plane that a tape lies in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plane {
    pub(super) point: DVec3,
    /// Unit.
    pub(super) normal: DVec3,
}

impl Plane {
    pub(super) fn level(height_m: f64) -> Self {
        Plane { point: DVec3::Y * height_m, normal: DVec3::Y }
    }

    pub(super) fn across(point: DVec3, way: DVec3) -> Self {
        Plane { point, normal: way.normalize_or(DVec3::Y) }
    }

    fn distance(&self, place: DVec3) -> f64 {
        (place - self.point).dot(self.normal)
    }
}

/// A box around a patch's control points, which enclose the patch.
struct Bounds {
    low: DVec3,
    high: DVec3,
}

impl Bounds {
    fn of(patch: &BodyPatch) -> Self {
        let split =
            patch.patch.corners.iter().flat_map(|corners| corners.cross_u.iter().chain(&corners.cross_w));
        let around = |bounds: Bounds, &point: &DVec3| Bounds {
            low: bounds.low.min(point),
            high: bounds.high.max(point),
        };
        let none = Bounds { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };
        patch.patch.net.iter().flatten().chain(split).fold(none, around)
    }

    /// How far it reaches in a direction.
    fn reach(&self, way: DVec3) -> f64 {
        (self.low * way).max(self.high * way).element_sum()
    }

    fn meets(&self, plane: &Plane) -> bool {
        let (middle, half) = (0.5 * (self.low + self.high), 0.5 * (self.high - self.low));
        plane.distance(middle).abs() <= half.dot(plane.normal.abs())
    }
}

/// Points of every patch, row by row, `LINES` each. A patch is evaluated when it is first needed: few tapes touch few patches.
pub(super) struct Skin<'a> {
    pub(super) body: &'a Body,
    bounds: Vec<Bounds>,
    grids: Vec<OnceCell<Vec<DVec3>>>,
}

/// Places on the boundaries of two patches that are this near are one, m. Patches meet within 1e-9 m.
const SAME_M: f64 = 1e-7;
/// Points of one cut are this near where patches meet that have their places elsewhere along their common edge, m: a quarter of the step between
/// places.
const NEAR_M: f64 = 3e-3;

impl<'a> Skin<'a> {
    pub(super) fn of(body: &'a Body) -> Self {
        let grids = body.patches.iter().map(|_| OnceCell::new()).collect();
        Skin { body, bounds: body.patches.iter().map(Bounds::of).collect(), grids }
    }

    fn grid(&self, patch: usize) -> &[DVec3] {
        self.grids[patch].get_or_init(|| grid_of(&self.body.patches[patch]))
    }

    /// Height of the lowest point, m.
    pub(super) fn lowest(&self) -> Option<f64> {
        self.farthest(DVec3::NEG_Y, |_| true, &|_| true).map(|low| -low)
    }

    /// How far the places reach in a direction, of the patches that count.
    pub(super) fn farthest(
        &self,
        way: DVec3,
        counts: impl Fn(&BodyPatch) -> bool,
        is_in: &dyn Fn(DVec3) -> bool,
    ) -> Option<f64> {
        let reach = |patch: usize| self.bounds[patch].reach(way);
        let mut order: Vec<usize> =
            (0..self.bounds.len()).filter(|&patch| counts(&self.body.patches[patch])).collect();
        order.sort_by(|&a, &b| reach(b).total_cmp(&reach(a)));
        let mut farthest: Option<f64> = None;
        for patch in order {
            // The others' control points reach no further.
            if farthest.is_some_and(|farthest| reach(patch) <= farthest) {
                break;
            }
            let places = self.grid(patch).iter().filter(|place| is_in(**place));
            farthest = places
                .map(|place| place.dot(way))
                .fold(farthest, |most, at| Some(most.map_or(at, |most| most.max(at))));
        }
        farthest
    }

    /// Points of the patches that count.
    pub(super) fn points(&self, counts: impl Fn(&BodyPatch) -> bool) -> impl Iterator<Item = DVec3> {
        let parts = self.body.patches.iter().enumerate().filter(move |(_, patch)| counts(patch));
        parts.flat_map(|(place, _)| self.grid(place).iter().copied())
    }

    /// The farthest reach in a direction of the cuts at ascending heights, by one pass over the lines of the patches that count.
    pub(super) fn reaches(
        &self,
        heights: &[f64],
        way: DVec3,
        counts: impl Fn(&BodyPatch) -> bool,
    ) -> Vec<Option<f64>> {
        let mut found = vec![None; heights.len()];
        let [Some(&first), Some(&last)] = [heights.first(), heights.last()] else { return found };
        for (patch, bounds) in self.bounds.iter().enumerate() {
            if !counts(&self.body.patches[patch]) || bounds.high.y < first || bounds.low.y > last {
                continue;
            }
            let grid = self.grid(patch);
            for (a, b) in lines() {
                let (low, high) = if grid[a].y < grid[b].y { (grid[a], grid[b]) } else { (grid[b], grid[a]) };
                let from = heights.partition_point(|&height| height < low.y);
                let between = heights[from..].iter().zip(&mut found[from..]);
                for (&height, found) in between.take_while(|(height, _)| **height < high.y) {
                    let place = low.lerp(high, (height - low.y) / (high.y - low.y)).dot(way);
                    *found = Some(found.map_or(place, |found: f64| found.max(place)));
                }
            }
        }
        found
    }

    /// Where lines of the patches that count cross a plane.
    pub(super) fn cut(&self, plane: &Plane, counts: impl Fn(&BodyPatch) -> bool) -> Vec<DVec3> {
        let mut found = Vec::new();
        self.each_cut(plane, counts, |_, grid, distances| {
            found.extend(lines().filter_map(|(a, b)| crossing(grid, distances, a, b)));
        });
        found
    }

    /// The connected part of a cut whose middle is nearest to the plane's point: a wrist's plane may cut the thumb too. Parts are followed
    /// through the cells of all patches and over the edges that they share; only points of those that count are returned.
    pub(super) fn nearest_loop(&self, plane: &Plane, counts: impl Fn(&BodyPatch) -> bool) -> Vec<DVec3> {
        let mut places = Parts::default();
        let mut boundary: Vec<usize> = Vec::new();
        self.each_cut(
            plane,
            |_| true,
            |patch, grid, distances| {
                places.add_patch(grid, distances, &mut boundary);
                places.counted.resize(places.points.len(), counts(patch));
            },
        );
        let mut is_met = vec![false; boundary.len()];
        for (k, &one) in boundary.iter().enumerate() {
            for (l, &other) in boundary.iter().enumerate().skip(k + 1) {
                if places.points[one].distance_squared(places.points[other]) < SAME_M * SAME_M {
                    places.join(one, other);
                    (is_met[k], is_met[l]) = (true, true);
                }
            }
        }
        // Along a ring two patches of one side may meet one of the other, whose places lie elsewhere on it: what is left over is joined with
        // all that is near, or the chest would end at the arms.
        let left = boundary.iter().zip(is_met).filter(|(_, is_met)| !is_met).map(|(&point, _)| point);
        for one in left {
            for &other in &boundary {
                if places.points[one].distance_squared(places.points[other]) < NEAR_M * NEAR_M {
                    places.join(one, other);
                }
            }
        }
        places.nearest(plane.point)
    }

    fn each_cut(
        &self,
        plane: &Plane,
        counts: impl Fn(&BodyPatch) -> bool,
        mut visit: impl FnMut(&BodyPatch, &[DVec3], &[f64]),
    ) {
        let mut distances = Vec::new();
        for (place, patch) in self.body.patches.iter().enumerate() {
            if counts(patch) && self.bounds[place].meets(plane) {
                let grid = self.grid(place);
                distances.clear();
                // Many tapes lie on a ring where patches meet: both patches must agree which side its points are on.
                let distance = |&point: &DVec3| match plane.distance(point) {
                    near if near.abs() < SAME_M => SAME_M,
                    far => far,
                };
                distances.extend(grid.iter().map(distance));
                visit(patch, grid, &distances);
            }
        }
    }

    /// Height of the skin straight above a point; `None` if there is none.
    pub(super) fn above(&self, place: DVec3) -> Option<f64> {
        let mut highest: Option<f64> = None;
        for (patch, bounds) in self.bounds.iter().enumerate() {
            let is_beside = |low: f64, high: f64, at: f64| at < low || at > high;
            if is_beside(bounds.low.x, bounds.high.x, place.x)
                || is_beside(bounds.low.z, bounds.high.z, place.z)
            {
                continue;
            }
            let grid = self.grid(patch);
            for cell in 0..STEPS * STEPS {
                let first = cell / STEPS * LINES + cell % STEPS;
                let [a, b, c, d] = [first, first + 1, first + LINES, first + LINES + 1].map(|k| grid[k]);
                for height in [height_in([a, b, c], place), height_in([d, c, b], place)].into_iter().flatten()
                {
                    highest = Some(highest.map_or(height, |highest| highest.max(height)));
                }
            }
        }
        highest.filter(|&height| height > place.y)
    }
}

/// Points on a grid of a patch. The sums of [`crate::Patch::position`], each made once a line.
fn grid_of(patch: &BodyPatch) -> Vec<DVec3> {
    let patch = &patch.patch;
    let at = |line: usize| line as f64 / STEPS as f64;
    let weights: [[f64; 5]; LINES] = std::array::from_fn(|line| quartic(at(line)));
    let mut net = patch.net;
    if let Some(corners) = &patch.corners {
        CORNERS.iter().zip(corners.cross_u).for_each(|(&(i, j), point)| net[i][j] = point);
    }
    let sum = |weights: &[f64; 5], points: [DVec3; 5]| -> DVec3 {
        weights.iter().zip(points).map(|(weight, point)| *weight * point).sum()
    };
    let across = net.map(|row| weights.map(|weights| sum(&weights, row)));
    let mut points = Vec::with_capacity(LINES * LINES);
    for by_u in &weights {
        points.extend((0..LINES).map(|line| sum(by_u, std::array::from_fn(|i| across[i][line]))));
    }
    if let Some(corners) = &patch.corners {
        for (corner, &(i, j)) in CORNERS.iter().enumerate() {
            let spread = corners.cross_w[corner] - corners.cross_u[corner];
            for (k, point) in points.iter_mut().enumerate() {
                *point += spread * corner_value(i, j, at(k / LINES), at(k % LINES));
            }
        }
    }
    points
}

/// Ends of the steps along all lines of a grid.
fn lines() -> impl Iterator<Item = (usize, usize)> {
    (0..LINES * STEPS).flat_map(|k| {
        let (line, step) = (k / STEPS, k % STEPS);
        [(line * LINES + step, line * LINES + step + 1), (step * LINES + line, (step + 1) * LINES + line)]
    })
}

/// Where a step of a grid crosses the plane at these distances.
fn crossing(grid: &[DVec3], distances: &[f64], a: usize, b: usize) -> Option<DVec3> {
    let (from, to) = (distances[a], distances[b]);
    ((from > 0.0) != (to > 0.0)).then(|| grid[a].lerp(grid[b], from / (from - to)))
}

/// Connected parts of a cut.
#[derive(Default)]
struct Parts {
    points: Vec<DVec3>,
    /// Another point of the same part, or itself.
    parents: Vec<usize>,
    /// Whether the point's patch counts.
    counted: Vec<bool>,
}

impl Parts {
    fn root(&mut self, mut point: usize) -> usize {
        while self.parents[point] != point {
            self.parents[point] = self.parents[self.parents[point]];
            point = self.parents[point];
        }
        point
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.parents[one.max(other)] = one.min(other);
    }

    /// Adds the cut of a patch: crossings of one cell are connected. Crossings of its boundary are listed.
    fn add_patch(&mut self, grid: &[DVec3], distances: &[f64], boundary: &mut Vec<usize>) {
        // By the first end of a step: along its row, and along its column.
        let mut found = [[None; LINES * LINES]; 2];
        for (a, b) in lines() {
            let Some(point) = crossing(grid, distances, a, b) else { continue };
            let is_column = b - a == LINES;
            let line = if is_column { a % LINES } else { a / LINES };
            if line == 0 || line == STEPS {
                boundary.push(self.points.len());
            }
            found[usize::from(is_column)][a] = Some(self.points.len());
            self.parents.push(self.points.len());
            self.points.push(point);
        }
        for cell in 0..STEPS * STEPS {
            let first = cell / STEPS * LINES + cell % STEPS;
            let sides = [found[0][first], found[0][first + LINES], found[1][first], found[1][first + 1]];
            let mut met = sides.into_iter().flatten();
            if let Some(one) = met.next() {
                met.for_each(|other| self.join(one, other));
            }
        }
    }

    /// Points of the part whose mean is nearest to a place.
    fn nearest(mut self, place: DVec3) -> Vec<DVec3> {
        let count = self.points.len();
        let roots: Vec<usize> = (0..count).map(|point| self.root(point)).collect();
        let mut sums = vec![(DVec3::ZERO, 0.0); count];
        for (&root, &point) in roots.iter().zip(&self.points) {
            sums[root] = (sums[root].0 + point, sums[root].1 + 1.0);
        }
        let parts = sums.iter().enumerate().filter(|(_, (_, count))| *count > 0.0);
        let far = |&(sum, count): &(DVec3, f64)| (sum / count).distance_squared(place);
        let nearest = parts.min_by(|a, b| far(a.1).total_cmp(&far(b.1))).map(|(root, _)| root);
        let own = roots.into_iter().zip(self.counted).zip(self.points);
        own.filter(|((root, counts), _)| *counts && Some(*root) == nearest).map(|(_, point)| point).collect()
    }
}

/// Height of a triangle over a point of the ground, if it lies there.
fn height_in([a, b, c]: [DVec3; 3], place: DVec3) -> Option<f64> {
    let flat = |point: DVec3| DVec2::new(point.x, point.z);
    let (ab, ac, ap) = (flat(b - a), flat(c - a), flat(place - a));
    let area = ab.perp_dot(ac);
    let (v, w) = (ap.perp_dot(ac) / area, ab.perp_dot(ap) / area);
    (v >= 0.0 && w >= 0.0 && v + w <= 1.0).then_some(a.y + v * (b.y - a.y) + w * (c.y - a.y))
}

/// Least and greatest coordinate along a direction.
pub(super) fn range(points: impl IntoIterator<Item = DVec3>, way: DVec3) -> Option<[f64; 2]> {
    let along = points.into_iter().map(|point| point.dot(way));
    along.fold(None, |range, at| match range {
        None => Some([at, at]),
        Some([low, high]) => Some([f64::min(low, at), f64::max(high, at)]),
    })
}

/// Extent along a direction, m.
pub(super) fn extent(points: impl IntoIterator<Item = DVec3>, way: DVec3) -> Option<f64> {
    range(points, way).map(|[low, high]| high - low)
}

/// Length of a tape around points of a plane: that of their convex hull, by Andrew's monotone chain.
pub(super) fn tape_round(points: &[DVec3], normal: DVec3) -> Option<f64> {
    let (right, up) = normal.any_orthonormal_pair();
    let mut flat: Vec<DVec2> = points.iter().map(|p| DVec2::new(p.dot(right), p.dot(up))).collect();
    flat.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let half = |points: &mut dyn Iterator<Item = &DVec2>| {
        let mut hull: Vec<DVec2> = Vec::new();
        for &point in points {
            while let [.., before, last] = hull[..]
                && (last - before).perp_dot(point - last) <= 0.0
            {
                hull.pop();
            }
            hull.push(point);
        }
        hull.windows(2).map(|pair| pair[0].distance(pair[1])).sum::<f64>()
    };
    (flat.len() > 2).then(|| half(&mut flat.iter()) + half(&mut flat.iter().rev()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tape_round_a_square_bridges_what_lies_inside() {
        let corners = [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0), (0.1, 0.2)];
        let points: Vec<DVec3> = corners.iter().map(|&(x, z)| DVec3::new(x, 3.0, z)).collect();
        assert!((tape_round(&points, DVec3::Y).unwrap() - 8.0).abs() < 1e-12);
        assert_eq!(tape_round(&points[..2], DVec3::Y), None);
        assert_eq!(extent(points.iter().copied(), DVec3::X), Some(2.0));
    }

    #[test]
    fn the_skin_above_a_point_is_the_highest_triangle_there() {
        let triangle = [DVec3::ZERO, DVec3::new(1.0, 2.0, 0.0), DVec3::new(0.0, 0.0, 1.0)];
        assert_eq!(height_in(triangle, DVec3::new(0.5, 0.0, 0.25)), Some(1.0));
        assert_eq!(height_in(triangle, DVec3::new(0.9, 0.0, 0.9)), None);
    }
}
