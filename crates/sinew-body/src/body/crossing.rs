//! Crossings: places where neighboring patches pass through each other.
//!
//! Both patches become triangles. Patches that share an edge or a corner touch there, so triangles at those borders do not count against
//! each other within the length of their own sides: what turns back that near is a fold (see `fold.rs`).

use super::Body;
use glam::DVec3;
use std::collections::BTreeSet;

/// Cells along each direction of a patch. On patches of 4 cm they are 2.5 mm wide. Fewer: small crossings are missed.
const STEPS: usize = 16;

/// Two neighboring patches that cross.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossing {
    /// Indices of the patches, ascending.
    pub patches: [usize; 2],
    /// Where, model space, m.
    pub place: DVec3,
}

impl Body {
    /// All pairs of neighboring patches that pass through each other, each with one place. Takes about 0.2 s.
    pub fn crossings(&self) -> Vec<Crossing> {
        let skins: Vec<Skin> = self.patches.iter().map(|patch| Skin::of(&patch.patch)).collect();
        let cross = |(a, b): (usize, usize)| {
            let place = first_crossing(&skins[a], &skins[b])?;
            Some(Crossing { patches: [a, b], place })
        };
        self.neighbors().into_iter().filter_map(cross).collect()
    }

    /// Pairs of patches that share an edge or a corner.
    fn neighbors(&self) -> BTreeSet<(usize, usize)> {
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); self.topology.corner_count];
        for (patch, corners) in self.topology.patch_corners.iter().enumerate() {
            corners.iter().for_each(|&corner| groups[corner].push(patch));
        }
        groups
            .extend(self.topology.wires.iter().map(|wire| wire.uses.iter().map(|side| side.patch).collect()));
        let pairs = groups.iter().flat_map(|group| {
            group.iter().flat_map(|&a| group.iter().filter(move |&&b| a < b).map(move |&b| (a, b)))
        });
        pairs.collect()
    }
}

/// A triangle with its box and whether it lies at the patch's border.
#[derive(Clone, Copy, Debug)]
struct Triangle {
    corners: [DVec3; 3],
    low: DVec3,
    high: DVec3,
    is_border: bool,
}

/// A patch as triangles.
struct Skin {
    triangles: Vec<Triangle>,
    low: DVec3,
    high: DVec3,
}

impl Skin {
    fn of(patch: &crate::Patch) -> Skin {
        let at = |step: usize| step as f64 / STEPS as f64;
        let lines = STEPS + 1;
        let points: Vec<DVec3> =
            (0..lines * lines).map(|k| patch.position(at(k / lines), at(k % lines))).collect();
        let mut triangles = Vec::with_capacity(2 * STEPS * STEPS);
        for cell in 0..STEPS * STEPS {
            let (i, j) = (cell / STEPS, cell % STEPS);
            let first = i * lines + j;
            let is_border = [i, j].iter().any(|&step| step == 0 || step + 1 == STEPS);
            for corners in [[first, first + lines, first + 1], [first + lines + 1, first + 1, first + lines]]
            {
                let [a, b, c] = corners.map(|k| points[k]);
                let (low, high) = (a.min(b).min(c), a.max(b).max(c));
                triangles.push(Triangle { corners: [a, b, c], low, high, is_border });
            }
        }
        let low = points.iter().copied().fold(DVec3::MAX, DVec3::min);
        let high = points.iter().copied().fold(DVec3::MIN, DVec3::max);
        Skin { triangles, low, high }
    }

    /// Triangles that reach into a box, ascending along x.
    fn within(&self, low: DVec3, high: DVec3) -> Vec<Triangle> {
        let is_inside = |found: &&Triangle| found.low.cmple(high).all() && found.high.cmpge(low).all();
        let mut found: Vec<Triangle> = self.triangles.iter().filter(is_inside).copied().collect();
        found.sort_by(|a, b| a.low.x.total_cmp(&b.low.x));
        found
    }
}

fn first_crossing(a: &Skin, b: &Skin) -> Option<DVec3> {
    let (low, high) = (a.low.max(b.low), a.high.min(b.high));
    if low.cmpgt(high).any() {
        return None;
    }
    let (of_a, of_b) = (a.within(low, high), b.within(low, high));
    for a in &of_a {
        for b in of_b.iter().take_while(|b| b.low.x <= a.high.x) {
            if let Some(place) = crossing(a, b) {
                return Some(place);
            }
        }
    }
    None
}

/// Where an edge of one triangle passes through the inside of another.
fn crossing(a: &Triangle, b: &Triangle) -> Option<DVec3> {
    let is_apart = a.low.cmpgt(b.high).any() || b.low.cmpgt(a.high).any();
    if is_apart || (a.is_border && b.is_border && touch(a, b)) {
        return None;
    }
    let pierced =
        |a: &Triangle, b: &Triangle| (0..3).find_map(|k| pierces([a.corners[k], a.corners[(k + 1) % 3]], b));
    pierced(a, b).or_else(|| pierced(b, a))
}

/// Whether triangles are nearer to each other than their sides are long.
fn touch(a: &Triangle, b: &Triangle) -> bool {
    let side = |t: &Triangle| {
        (0..3).map(|k| t.corners[k].distance_squared(t.corners[(k + 1) % 3])).fold(0.0, f64::max)
    };
    let reach = side(a).max(side(b));
    a.corners.iter().any(|p| b.corners.iter().any(|q| p.distance_squared(*q) < reach))
}

/// Möller and Trumbore's test, strictly inside.
fn pierces([from, to]: [DVec3; 2], triangle: &Triangle) -> Option<DVec3> {
    let [a, b, c] = triangle.corners;
    let (way, ab, ac, start) = (to - from, b - a, c - a, from - a);
    let normal = way.cross(ac);
    let area = ab.dot(normal);
    if area.abs() < 1e-18 {
        return None;
    }
    let u = start.dot(normal) / area;
    let side = start.cross(ab);
    let (v, t) = (way.dot(side) / area, ac.dot(side) / area);
    let inside = 1e-6..1.0 - 1e-6;
    let is_inside = inside.contains(&u) && v > 1e-6 && u + v < 1.0 - 1e-6 && inside.contains(&t);
    is_inside.then(|| from + t * way)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Patch;

    /// A sheet of 4 cm over a place of the plane, tilted about the line x = 0.
    fn sheet(first_x: f64, slope: f64) -> Patch {
        let at = |k: usize| 0.01 * k as f64;
        let point = |i: usize, j: usize| DVec3::new(first_x + at(i), at(j), slope * (first_x + at(i)));
        Patch::bezier(std::array::from_fn(|i| std::array::from_fn(|j| point(i, j))))
    }

    #[test]
    fn sheets_that_share_an_edge_do_not_cross() {
        for slope in [0.0, 1.0, -20.0] {
            let (before, after) = (Skin::of(&sheet(-0.04, 0.0)), Skin::of(&sheet(0.0, slope)));
            assert_eq!(first_crossing(&before, &after), None, "{slope}");
        }
    }

    #[test]
    fn a_sheet_that_comes_back_through_its_neighbor_crosses_it() {
        let flat = sheet(-0.04, 0.0);
        let mut back = sheet(0.0, 0.0);
        for row in &mut back.net[1..] {
            for point in row {
                *point = DVec3::new(-0.01 - point.x, point.y, 0.03 - point.x * 1.5);
            }
        }
        let place = first_crossing(&Skin::of(&flat), &Skin::of(&back)).expect("it comes back");
        assert!(place.z.abs() < 1e-9 && place.x < -0.005, "{place}");
    }
}
