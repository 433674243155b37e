//! Motion of a body's bones, and of the skin there.

use crate::fill::FillShape;
use crate::limb::BendSettings;
use crate::template::BentWay;

/// Minimum and maximum angle, rad.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AngleRange {
    /// At most `greatest_rad`; zero is rest.
    pub least_rad: f64,
    /// At least `least_rad`.
    pub greatest_rad: f64,
}

impl AngleRange {
    /// A range given in degrees.
    pub fn from_degrees([least, greatest]: [f64; 2]) -> Self {
        AngleRange { least_rad: least.to_radians(), greatest_rad: greatest.to_radians() }
    }

    /// The nearest angle in the range.
    pub fn limited(&self, angle_rad: f64) -> f64 {
        angle_rad.max(self.least_rad).min(self.greatest_rad)
    }
}

/// Motion of a bone at its first joint.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyMotion {
    /// Whether it twists about itself; else about its parent bone.
    pub is_ball: bool,
    /// About the joint's own axis.
    pub bend: AngleRange,
    /// Perpendicular to bend and twist.
    pub aside: AngleRange,
    /// About the bone; see [`BodyMotion::is_ball`].
    pub twist: AngleRange,
    /// Whether the skin folds at the joint's ring; else the ring turns as a whole.
    pub is_fold: bool,
    /// Share of the bend that the ring turns by, if it does not fold.
    pub share: f64,
    /// The same for the sideways turn.
    pub aside_share: f64,
    /// Settings of the fold.
    pub settings: BendSettings,
    /// Muscles that swell as it bends.
    pub muscles: Vec<TubeMuscle>,
    /// Fills that change as it turns.
    pub fills: Vec<BentFill>,
}

/// A muscle on a patch of a tube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TubeMuscle {
    /// Index into the body's tubes.
    pub tube: usize,
    /// Counted from the tube's start.
    pub bay: usize,
    /// Counted round the bay from its first seam.
    pub patch: usize,
    /// Rise of its middle at 90°, m.
    pub height_m: f64,
}

/// A fill that changes as a joint turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BentFill {
    /// Index into the body's fills.
    pub fill: usize,
    /// The relevant angle.
    pub way: BentWay,
    /// Added to the fill's shape at 90°.
    pub change: FillShape,
}
