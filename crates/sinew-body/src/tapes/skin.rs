//! The surface of a body as a tape and a caliper meet it: points on a grid of each patch, and cuts through it.

use crate::body::{Body, BodyPatch};
use glam::{DVec2, DVec3};

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

struct Grid {
    /// Row by row, `LINES` each.
    points: Vec<DVec3>,
    low: DVec3,
    high: DVec3,
}

/// Points of every patch.
pub(super) struct Skin<'a> {
    pub(super) body: &'a Body,
    grids: Vec<Grid>,
}

impl<'a> Skin<'a> {
    pub(super) fn of(body: &'a Body) -> Self {
        let at = |line: usize| line as f64 / STEPS as f64;
        let grid = |patch: &BodyPatch| {
            let places = (0..LINES * LINES).map(|k| patch.patch.position(at(k / LINES), at(k % LINES)));
            let points: Vec<DVec3> = places.collect();
            let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
            let high = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
            Grid { points, low, high }
        };
        Skin { body, grids: body.patches.iter().map(grid).collect() }
    }

    /// Points of the patches that count.
    pub(super) fn points(&self, counts: impl Fn(&BodyPatch) -> bool) -> impl Iterator<Item = DVec3> {
        let parts = self.body.patches.iter().zip(&self.grids);
        parts.filter(move |(patch, _)| counts(patch)).flat_map(|(_, grid)| grid.points.iter().copied())
    }

    /// Where lines of the patches that count cross a plane.
    pub(super) fn cut(&self, plane: &Plane, counts: impl Fn(&BodyPatch) -> bool) -> Vec<DVec3> {
        let mut found = Vec::new();
        for (patch, grid) in self.body.patches.iter().zip(&self.grids) {
            let (middle, half) = (0.5 * (grid.low + grid.high), 0.5 * (grid.high - grid.low));
            if !counts(patch) || plane.distance(middle).abs() > half.dot(plane.normal.abs()) {
                continue;
            }
            let distances: Vec<f64> = grid.points.iter().map(|&point| plane.distance(point)).collect();
            let mut cross = |a: usize, b: usize| {
                let (from, to) = (distances[a], distances[b]);
                if (from > 0.0) != (to > 0.0) {
                    found.push(grid.points[a].lerp(grid.points[b], from / (from - to)));
                }
            };
            for line in 0..LINES {
                for step in 0..STEPS {
                    cross(line * LINES + step, line * LINES + step + 1);
                    cross(step * LINES + line, (step + 1) * LINES + line);
                }
            }
        }
        found
    }

    /// Height of the skin straight above a point; `None` if there is none.
    pub(super) fn above(&self, place: DVec3) -> Option<f64> {
        let mut highest: Option<f64> = None;
        for grid in &self.grids {
            let is_beside = |low: f64, high: f64, at: f64| at < low || at > high;
            if is_beside(grid.low.x, grid.high.x, place.x) || is_beside(grid.low.z, grid.high.z, place.z) {
                continue;
            }
            for cell in 0..STEPS * STEPS {
                let first = cell / STEPS * LINES + cell % STEPS;
                let [a, b, c, d] =
                    [first, first + 1, first + LINES, first + LINES + 1].map(|k| grid.points[k]);
                for height in [height_in([a, b, c], place), height_in([d, c, b], place)].into_iter().flatten()
                {
                    highest = Some(highest.map_or(height, |highest| highest.max(height)));
                }
            }
        }
        highest.filter(|&height| height > place.y)
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
