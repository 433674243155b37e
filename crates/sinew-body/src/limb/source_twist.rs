//! The source's own twist: patches cut around the limb and reassembled.
//!
//! \[Komatsu88\] section 5.2, eq. 11, figures 22 to 25. A copy of the tube is rotated by the angle; original and copy are cut at each
//! other's seams; new patches take the rows at the start from the original and those at the end from the facing piece of the copy.
//! Nothing pinches, but the seams at both ends no longer meet those of the next bays. Our patches both run counter-clockwise, the
//! source's run against each other; the pairs below are the same.

use super::TwistAxis;
use crate::{Patch, Tube};
use glam::DQuat;
use std::f64::consts::TAU;

/// Twists one bay of a tube by an angle: twice as many patches as around the tube, counter-clockwise from its first seam. The source has
/// two patches around, for which this is eq. 11; with more, the copy is also shifted by whole patches.
///
/// If the seams of tube and copy meet, at zero and at each whole patch, every other patch is empty. Smooth if the seams of the tube have
/// equal legs on both sides.
pub fn source_twist(tube: &Tube, bay: usize, axis: &TwistAxis, angle_rad: f64) -> Vec<Patch> {
    let turn = DQuat::from_axis_angle(axis.direction, angle_rad);
    let count = tube.patch_count();
    // Number of patches covered by the angle: whole ones, and the share of the next where the copy's seams cut the original.
    let passed = angle_rad * count as f64 / TAU;
    let (whole, cut) = (passed.floor() as i64, passed - passed.floor());
    let still = |k: usize| halves(&tube.patch(bay, k), cut);
    let turned = |k: i64| {
        let patch = tube.patch(bay, k.rem_euclid(count as i64) as usize);
        halves(&patch.map(|point| axis.origin + turn * (point - axis.origin)), 1.0 - cut)
    };
    let mut patches = Vec::with_capacity(2 * count);
    for k in 0..count {
        let [first, second] = still(k);
        let facing = k as i64 - whole;
        patches.push(joined(&first, &turned(facing - 1)[1]));
        patches.push(joined(&second, &turned(facing)[0]));
    }
    patches
}

fn halves(patch: &Patch, u: f64) -> [Patch; 2] {
    let (low, high) = patch.split_u(u).expect("patches of a tube are Bézier patches");
    [low, high]
}

/// Rows 0 and 1 of one patch, 3 and 4 of another, the middle row halfway.
fn joined(start: &Patch, end: &Patch) -> Patch {
    let mut patch = *start;
    for (row, other) in patch.net.iter_mut().zip(&end.net) {
        row[2] = row[2].midpoint(other[2]);
        row[3] = other[3];
        row[4] = other[4];
    }
    patch
}
