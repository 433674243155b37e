//! Tape measurements of a body.

use super::{Body, BodyPatch};
use crate::template::Flank;
use glam::{DVec2, DVec3};

/// Steps along a patch's edge for sections: triangles of about 1 cm are accurate to 0.1 mm of a waist's radius.
const SECTION_STEPS: usize = 16;
const LINES: usize = SECTION_STEPS + 1;

impl Body {
    /// The tape girth at a height: the length of the convex hull of the horizontal section through the named groups, m. Zero if they do
    /// not reach that height.
    ///
    /// # Accuracy
    /// About 1e-4 of the girth.
    pub fn girth_at(&self, height_m: f64, groups: &[&str]) -> f64 {
        hull_length(self.section(height_m, groups, |_| true))
    }

    /// As [`Body::girth_at`], with points farther from the middle plane than a breadth moved to that breadth.
    pub(crate) fn girth_within(&self, height_m: f64, groups: &[&str], half_breadth_m: f64) -> f64 {
        let mut points = self.section(height_m, groups, |_| true);
        points.iter_mut().for_each(|point| point.x = point.x.clamp(-half_breadth_m, half_breadth_m));
        hull_length(points)
    }

    /// The tape girth of one limb: as [`Body::girth_at`], with patches of one side only.
    pub fn limb_girth_at(&self, height_m: f64, groups: &[&str], flank: Flank) -> f64 {
        hull_length(self.section(height_m, groups, |found| found == flank))
    }

    /// Breadth (along x) and depth (along z) of the section through the named groups, m.
    pub fn extent_at(&self, height_m: f64, groups: &[&str]) -> DVec2 {
        let points = self.section(height_m, groups, |_| true);
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for point in points {
            (low, high) = (low.min(point), high.max(point));
        }
        (high - low).max(DVec2::ZERO)
    }

    /// Height from the lowest point of the surface to the highest, m.
    pub fn stature(&self) -> f64 {
        let corners =
            self.patches.iter().flat_map(|patch| [patch.patch.net[0][0].y, patch.patch.net[4][4].y]);
        let (mut low, mut high) = range_of(corners);
        for patch in &self.patches {
            // The control points enclose the patch: if they reach no further, neither does the patch.
            let (lowest, highest) = height_range(&patch.patch);
            if lowest >= low && highest <= high {
                continue;
            }
            for step in 0..LINES.pow(2) {
                let height = patch.patch.position(parameter(step % LINES), parameter(step / LINES)).y;
                (low, high) = (low.min(height), high.max(height));
            }
        }
        high - low
    }

    /// Points (x, z) where lines of the patches cross a height.
    fn section(&self, height_m: f64, groups: &[&str], is_side: impl Fn(Flank) -> bool) -> Vec<DVec2> {
        let mut points = Vec::new();
        // The control points enclose the patch.
        let reaches = |(low, high): (f64, f64)| low <= height_m && height_m <= high;
        let is_of = |patch: &BodyPatch| groups.contains(&patch.group.as_str()) && is_side(patch.flank);
        let is_part = |patch: &&BodyPatch| is_of(patch) && reaches(height_range(&patch.patch));
        for patch in self.patches.iter().filter(is_part) {
            let grid: [[DVec3; LINES]; LINES] = std::array::from_fn(|i| {
                std::array::from_fn(|j| patch.patch.position(parameter(i), parameter(j)))
            });
            for (line, along) in grid.iter().enumerate() {
                let fixed = parameter(line);
                add_crossings(height_m, along, |t| patch.patch.position(fixed, t), &mut points);
                let across = std::array::from_fn(|step| grid[step][line]);
                add_crossings(height_m, &across, |t| patch.patch.position(t, fixed), &mut points);
            }
        }
        points
    }
}

/// The lowest and the highest control point's height.
fn height_range(patch: &crate::Patch) -> (f64, f64) {
    let split = patch.corners.iter().flat_map(|corners| corners.cross_u.iter().chain(&corners.cross_w));
    let heights = patch.net.iter().flatten().chain(split).map(|point| point.y);
    range_of(heights)
}

fn range_of(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

/// The parameter of a line of the grid.
fn parameter(line: usize) -> f64 {
    line as f64 / SECTION_STEPS as f64
}

/// Crossings of one line, given by its points and as a function, refined by the secant method.
fn add_crossings(
    height_m: f64,
    points_on_it: &[DVec3; LINES],
    line: impl Fn(f64) -> DVec3,
    points: &mut Vec<DVec2>,
) {
    for step in 1..LINES {
        let (low, high) = (parameter(step - 1), parameter(step));
        let (below, above) = (points_on_it[step - 1].y - height_m, points_on_it[step].y - height_m);
        if (below > 0.0) != (above > 0.0) {
            let first = low + (high - low) * below / (below - above);
            let near = line(first);
            // One more secant step is accurate to µm.
            let slope = (above - below) / (high - low);
            let refined = line((first - (near.y - height_m) / slope).clamp(low, high));
            points.push(DVec2::new(refined.x, refined.z));
        }
    }
}

/// Length of the convex hull, by Andrew's monotone chain.
fn hull_length(mut points: Vec<DVec2>) -> f64 {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let half = |points: &mut dyn Iterator<Item = DVec2>| {
        let mut hull: Vec<DVec2> = Vec::new();
        for point in points {
            while hull.len() > 1 {
                let (last, before) = (hull[hull.len() - 1], hull[hull.len() - 2]);
                if (last - before).perp_dot(point - last) > 0.0 {
                    break;
                }
                hull.pop();
            }
            hull.push(point);
        }
        hull.windows(2).map(|pair| pair[0].distance(pair[1])).sum::<f64>()
    };
    // An empty sum is −0.
    half(&mut points.iter().copied()) + half(&mut points.iter().rev().copied()) + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_of_a_square_is_its_border() {
        let inside = [DVec2::ZERO, DVec2::new(0.2, -0.3)];
        let corners = [DVec2::ONE, -DVec2::ONE, DVec2::new(1.0, -1.0), DVec2::new(-1.0, 1.0)];
        let points: Vec<DVec2> = inside.into_iter().chain(corners).collect();
        assert!((hull_length(points) - 8.0).abs() < 1e-15);
        assert_eq!(hull_length(Vec::new()), 0.0);
    }
}
