//! What a tape measures on a body.

use super::Body;
use crate::template::Flank;
use glam::{DVec2, DVec3};

/// Steps along a patch's edge for sections: triangles of about a centimetre leave 0.1 mm of a waist's radius.
const SECTION_STEPS: usize = 16;

impl Body {
    /// The tape girth at a height: the length of the convex hull of the horizontal section through the named groups, metres. Zero where
    /// they do not reach.
    ///
    /// # Accuracy
    /// About 1e-4 of the girth.
    pub fn girth_at(&self, height_m: f64, groups: &[&str]) -> f64 {
        hull_length(self.section(height_m, |patch| groups.contains(&patch.group.as_str())))
    }

    /// The tape girth of one limb: as [`Body::girth_at`], patches of one side only.
    pub fn limb_girth_at(&self, height_m: f64, groups: &[&str], flank: Flank) -> f64 {
        let is_part =
            |patch: &super::BodyPatch| groups.contains(&patch.group.as_str()) && patch.flank == flank;
        hull_length(self.section(height_m, is_part))
    }

    /// Breadth (along x) and depth (along z) of the section through the named groups, metres.
    pub fn extent_at(&self, height_m: f64, groups: &[&str]) -> DVec2 {
        let points = self.section(height_m, |patch| groups.contains(&patch.group.as_str()));
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for point in points {
            (low, high) = (low.min(point), high.max(point));
        }
        (high - low).max(DVec2::ZERO)
    }

    /// Height from the lowest point of the surface to the highest, metres.
    pub fn stature(&self) -> f64 {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for patch in &self.patches {
            for step in 0..(SECTION_STEPS + 1).pow(2) {
                let (i, j) = (step % (SECTION_STEPS + 1), step / (SECTION_STEPS + 1));
                let (u, w) = (i as f64 / SECTION_STEPS as f64, j as f64 / SECTION_STEPS as f64);
                let height = patch.patch.position(u, w).y;
                (low, high) = (low.min(height), high.max(height));
            }
        }
        high - low
    }

    /// Points (x, z) where lines of the patches cross a height.
    fn section(&self, height_m: f64, is_part: impl Fn(&super::BodyPatch) -> bool) -> Vec<DVec2> {
        let mut points = Vec::new();
        for patch in self.patches.iter().filter(|patch| is_part(patch) && reaches(&patch.patch, height_m)) {
            for line in 0..=SECTION_STEPS {
                let fixed = line as f64 / SECTION_STEPS as f64;
                add_crossings(height_m, |t| patch.patch.position(fixed, t), &mut points);
                add_crossings(height_m, |t| patch.patch.position(t, fixed), &mut points);
            }
        }
        points
    }
}

/// Whether a height lies within the control points, which hold the patch.
fn reaches(patch: &crate::Patch, height_m: f64) -> bool {
    let split = patch.corners.iter().flat_map(|corners| corners.cross_u.iter().chain(&corners.cross_w));
    let heights = || patch.net.iter().flatten().chain(split.clone()).map(|point| point.y);
    heights().fold(f64::INFINITY, f64::min) <= height_m
        && heights().fold(f64::NEG_INFINITY, f64::max) >= height_m
}

/// Crossings of one line, refined by the secant rule.
fn add_crossings(height_m: f64, line: impl Fn(f64) -> DVec3, points: &mut Vec<DVec2>) {
    let mut before = line(0.0);
    for step in 1..=SECTION_STEPS {
        let (low, high) = ((step - 1) as f64 / SECTION_STEPS as f64, step as f64 / SECTION_STEPS as f64);
        let after = line(high);
        let (below, above) = (before.y - height_m, after.y - height_m);
        if (below > 0.0) != (above > 0.0) {
            let first = low + (high - low) * below / (below - above);
            let near = line(first);
            // One more step on the steeper secant leaves micrometres.
            let slope = (above - below) / (high - low);
            let refined = line((first - (near.y - height_m) / slope).clamp(low, high));
            points.push(DVec2::new(refined.x, refined.z));
        }
        before = after;
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
    // An empty sum is minus zero.
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
