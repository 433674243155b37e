//! The patches of a fill from its border and its center.

use super::hole::HalvedSide;
use super::{FillCenter, MAX_SIDES, SpokeOffsets};
use crate::g1::symmetric_legs;
use crate::{GregoryCorners, Patch, Quartic};
use glam::DVec3;

/// A spoke from the middle of a side to the center, and the rows beside it.
#[derive(Clone, Copy)]
struct Spoke {
    curve: Quartic,
    /// The row in the patch before it, which ends at this side's corner.
    row_before: Quartic,
    /// The row in the patch after it.
    row_after: Quartic,
}

/// `h`: that of eq. 4 at the center; anything but `h_at_center(n)` creases, as tests show.
pub(super) fn assemble(
    sides: &[HalvedSide],
    center: &FillCenter,
    (h, offsets): (f64, &[SpokeOffsets]),
    patches: &mut [Patch],
) {
    let count = sides.len();
    let zero = Quartic([DVec3::ZERO; 5]);
    let mut spokes = [Spoke { curve: zero, row_before: zero, row_after: zero }; MAX_SIDES];
    for k in 0..count {
        let around =
            [center.spokes[(k + count - 1) % count], center.spokes[k], center.spokes[(k + 1) % count]];
        let offset = offsets.get(k).copied().unwrap_or_default();
        spokes[k] = spoke(&sides[k], (center.position, around), h, &offset);
    }
    for (k, patch) in patches.iter_mut().enumerate() {
        let before = (k + count - 1) % count;
        *patch = corner_patch(&sides[k], &sides[before], &spokes[k], &spokes[before]);
    }
}

/// `around`: the spokes before, here and after.
fn spoke(side: &HalvedSide, (center, around): (DVec3, [DVec3; 3]), h: f64, offset: &SpokeOffsets) -> Spoke {
    let middle = side.curves[0].0[4];
    let mut curve = Quartic::from_legs(middle, side.legs[0].0[4], around[1], center);
    curve.0[2] += offset.bulge;
    // The middle field goes from the side's own leg to half the way between the neighboring spokes.
    let mut field = Quartic::line(middle - side.curves[0].0[3], 0.5 * (around[2] - around[0]));
    for (leg, by) in field.0[1..4].iter_mut().zip(offset.across) {
        *leg += by;
    }
    let (to_spoke, from_spoke) = symmetric_legs(&field, &curve, 0.0, h);
    Spoke {
        curve,
        row_before: curve.zip(&to_spoke, |point, leg| point - leg),
        row_after: curve.zip(&from_spoke, |point, leg| point + leg),
    }
}

/// The patch at corner k: its edge w = 0 is the first half of side k, u = 0 the reversed second half of the previous side.
fn corner_patch(side: &HalvedSide, before: &HalvedSide, right: &Spoke, left: &Spoke) -> Patch {
    let (bottom, bottom_legs) = (side.curves[0], side.legs[0]);
    let (start, start_legs) = (before.curves[1].reversed(), before.legs[1].reversed());
    let row_w = bottom.zip(&bottom_legs, |point, leg| point + leg).0;
    let row_u = start.zip(&start_legs, |point, leg| point + leg).0;
    let (far_u, far_w) = (right.row_before.0, left.row_after.0);
    let mut net = [[DVec3::ZERO; 5]; 5];
    for (k, row) in net.iter_mut().enumerate() {
        (row[0], row[4]) = (bottom.0[k], left.curve.0[k]);
    }
    (net[0], net[4]) = (start.0, right.curve.0);
    (net[2][1], net[1][2], net[3][2], net[2][3]) = (row_w[2], row_u[2], far_u[2], far_w[2]);
    let corners = GregoryCorners {
        cross_u: [row_u[1], row_u[3], far_u[1], far_u[3]],
        cross_w: [row_w[1], far_w[1], row_w[3], far_w[3]],
    };
    let mut patch = Patch::gregory(net, corners);
    patch.net[2][2] = Patch::quiet_center(&patch.net);
    patch
}
