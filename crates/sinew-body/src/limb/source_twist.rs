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
    let turned = |k: usize| tube.patch(bay, k).map(|point| axis.origin + turn * (point - axis.origin));
    let mut patches = Vec::with_capacity(2 * tube.patch_count());
    recombine(tube.patch_count(), angle_rad, |k| tube.patch(bay, k), turned, &mut patches);
    patches
}

/// The same for a bay whose end is turned already and whose middle row is not, in place of what `patches` held. The axis is the posed one.
/// Does not allocate if there is room for twice the patches around.
pub(crate) fn source_twist_of_posed(
    tube: &Tube,
    bay: usize,
    axis: &TwistAxis,
    angle_rad: f64,
    patches: &mut Vec<Patch>,
) {
    let turn = DQuat::from_axis_angle(axis.direction, angle_rad);
    let turned = |k: usize| {
        let mut patch = tube.patch(bay, k);
        for column in &mut patch.net {
            column[2] = axis.origin + turn * (column[2] - axis.origin);
        }
        patch
    };
    patches.clear();
    recombine(tube.patch_count(), angle_rad, |k| tube.patch(bay, k), turned, patches);
}

/// Cuts still patches and turned ones at each other's seams and pairs the pieces.
fn recombine(
    count: usize,
    angle_rad: f64,
    still: impl Fn(usize) -> Patch,
    turned: impl Fn(usize) -> Patch,
    patches: &mut Vec<Patch>,
) {
    let (whole, cut) = passed_patches(count, angle_rad);
    let facing = |k: i64| halves(&turned(k.rem_euclid(count as i64) as usize), 1.0 - cut);
    for k in 0..count {
        let [first, second] = halves(&still(k), cut);
        let across = k as i64 - whole;
        patches.push(joined(&first, &facing(across - 1)[1]));
        patches.push(joined(&second, &facing(across)[0]));
    }
}

/// Number of patches covered by an angle: whole ones, and the share of the next where the copy's seams cut the original.
pub(crate) fn passed_patches(count: usize, angle_rad: f64) -> (i64, f64) {
    let passed = angle_rad * count as f64 / TAU;
    (passed.floor() as i64, passed - passed.floor())
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
