//! The source's own twist: patches cut round the limb and put together anew.
//!
//! \[Komatsu88\] section 5.2, eq. 11, figures 22 to 25. The tube has two patches round. A copy of it is rotated by the angle; original and
//! copy are cut where the other's seams lie; new patches take the rows at the start from the original and those at the end from
//! the piece of the copy that faces it. Nothing pinches, but the seams at both ends no longer meet those of the next bays. Our patches
//! both run counter-clockwise, the source's run against each other; the pairs below are the same ones.

use super::TwistAxis;
use crate::{Patch, Tube};
use glam::DQuat;
use std::f64::consts::PI;

/// Twists one bay of a tube of two patches by an angle in −π…π: four patches, counter-clockwise from the tube's first seam.
///
/// At zero and at half a turn two of the patches are empty. Smooth if the seams of the tube have equal legs on both sides.
///
/// # Panics
/// If the tube has not two patches round.
pub fn source_twist(tube: &Tube, bay: usize, axis: &TwistAxis, angle_rad: f64) -> [Patch; 4] {
    assert_eq!(tube.patch_count(), 2, "the source's twist cuts two patches round");
    let turn = DQuat::from_axis_angle(axis.direction, angle_rad);
    let still = [tube.patch(bay, 0), tube.patch(bay, 1)];
    let turned = still.map(|patch| patch.map(|point| axis.origin + turn * (point - axis.origin)));
    let share = (angle_rad.abs() / PI).min(1.0);
    // Eq. 11: w1 = θ/180 in one sense, 1 − |θ|/180 in the other.
    let cut = if angle_rad >= 0.0 { share } else { 1.0 - share };
    let [[a, b], [c, d]] = still.map(|patch| halves(&patch, cut));
    let [[e, f], [g, h]] = turned.map(|patch| halves(&patch, 1.0 - cut));
    if angle_rad >= 0.0 {
        [joined(&a, &h), joined(&b, &e), joined(&c, &f), joined(&d, &g)]
    } else {
        [joined(&a, &f), joined(&b, &g), joined(&c, &h), joined(&d, &e)]
    }
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
