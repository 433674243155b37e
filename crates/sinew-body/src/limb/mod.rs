//! Moves tubes: bending at joints, twisting along bones, keeping volume, muscles.
//!
//! \[Komatsu88\] section 5: two angles per joint. Bends come first, then twists, from the extremities inward: at every joint the part before
//! it is still in rest and the part beyond it is done.

mod bend;
mod source_bend;
mod source_twist;
mod twist;
mod volume;

pub use bend::{BendReport, BendSettings, Joint, bend};
pub(crate) use bend::{RestOverlap, press_between_folds, press_twisted_bay, press_twisted_start};
pub use source_bend::{BendMode, source_bend};
pub use source_twist::source_twist;
pub(crate) use source_twist::{passed_patches, source_twist_of_posed};
pub(crate) use twist::turn_end;
pub use twist::{TwistAxis, TwistMode, TwistSpread, twist, twist_untreated};
pub(crate) use volume::hold_by_factor;
pub use volume::{VolumeWorkspace, bend_holding_volume, hold_volume, hold_volume_by_centers};

use crate::Tube;
use serde::{Deserialize, Serialize};
use std::f64::consts::FRAC_PI_2;

/// Treatment of the volume of the bays at a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum VolumeMode {
    /// Follows from the rules of bend, twist and muscles.
    #[default]
    Free,
    /// Stays as in rest: first by the outside of the bend, then by the thickness of the middles.
    Held,
}

/// Weight of the middle control point in the middle of its patch: the surface rises by this share of its move.
pub(crate) const MIDDLE_WEIGHT: f64 = 9.0 / 64.0;

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

/// Raises a muscle for a bend of its joint, in either direction: the free middle point of its patch moves outward, \[Komatsu88\] section 5.1.
/// No edge depends on the middle point, so nothing else has to follow.
pub fn bulge(tube: &mut Tube, muscle: &MuscleBulge, bend_rad: f64) {
    let share = (bend_rad.abs() / FRAC_PI_2).min(1.0);
    if share == 0.0 {
        return;
    }
    let normal = tube.patch(muscle.bay, muscle.patch).normal(0.5, 0.5);
    let middle = &mut tube.row_mut(4 * muscle.bay + 2)[4 * muscle.patch + 2];
    *middle += share * muscle.height_m / MIDDLE_WEIGHT * normal;
}

#[cfg(test)]
mod source_bend_tests;
#[cfg(test)]
mod tests;
