//! Muscles: the free middle point of a patch moves outward as a joint bends.
//!
//! \[Komatsu88\] section 5.1. No edge depends on the middle point, so nothing else has to follow.

use crate::Tube;
use serde::{Deserialize, Serialize};
use std::f64::consts::FRAC_PI_2;

/// Weight of the middle control point in the middle of its patch: the surface rises by this share of its move.
const MIDDLE_WEIGHT: f64 = 9.0 / 64.0;

/// A muscle on one patch of a tube.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MuscleBulge {
    /// Counted from the tube's start.
    pub bay: usize,
    /// Counted around the bay from its first seam.
    pub patch: usize,
    /// Rise of the patch's middle along its normal at 90°, m; linear in the bend, constant beyond. Negative is hollow.
    pub height_m: f64,
}

/// Raises a muscle for a bend of its joint, in either direction.
pub fn bulge(tube: &mut Tube, muscle: &MuscleBulge, bend_rad: f64) {
    let share = (bend_rad.abs() / FRAC_PI_2).min(1.0);
    if share == 0.0 {
        return;
    }
    let normal = tube.patch(muscle.bay, muscle.patch).normal(0.5, 0.5);
    let middle = &mut tube.row_mut(4 * muscle.bay + 2)[4 * muscle.patch + 2];
    *middle += share * muscle.height_m / MIDDLE_WEIGHT * normal;
}
