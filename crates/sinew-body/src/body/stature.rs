//! How tall a body is.

use super::Body;

/// Steps along a patch's edge.
const STEPS: usize = 16;
const LINES: usize = STEPS + 1;

impl Body {
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
    line as f64 / STEPS as f64
}
