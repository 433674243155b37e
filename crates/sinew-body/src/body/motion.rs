//! Motion of a body's bones, and of the skin there.

use crate::fill::FillShape;
use crate::limb::BendSettings;
use crate::template::{BentWay, CarryText};
use glam::DVec3;
use std::f64::consts::FRAC_PI_2;

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
    /// Muscles that swell as it turns, on tubes.
    pub muscles: Vec<TubeMuscle>,
    /// The same on fills.
    pub fill_muscles: Vec<FillMuscle>,
    /// Fills that change as it turns.
    pub fills: Vec<BentFill>,
    /// Corners of its ring as it turns.
    pub rings: Vec<BentRing>,
    /// Edges that change as it turns.
    pub edges: Vec<BentEdge>,
    /// Nodes that move as it turns.
    pub nodes: Vec<BentNode>,
    /// How far the parent bone goes along.
    pub carry: Option<CarryText>,
}

/// When a muscle swells. Bends of hinges count from the straight limb, all other angles from rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tension {
    /// The angle that tenses the muscle.
    pub way: BentWay,
    /// Angle at which it begins to swell, rad.
    pub from_rad: f64,
    /// Angle at which it is fully tense, rad; less than `from_rad` if it swells as the joint straightens.
    pub to_rad: f64,
}

impl Tension {
    /// From the straight limb to a right angle.
    pub const BEND: Tension = Tension { way: BentWay::Bend, from_rad: 0.0, to_rad: FRAC_PI_2 };

    /// Tension at an angle, 0 to 1.
    pub fn at(&self, angle_rad: f64) -> f64 {
        ((angle_rad - self.from_rad) / (self.to_rad - self.from_rad)).clamp(0.0, 1.0)
    }
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
    /// Rise of its middle when fully tense, m.
    pub height_m: f64,
    /// When it swells.
    pub tension: Tension,
}

/// A muscle on a patch of a fill.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FillMuscle {
    /// Index into the body's fills.
    pub fill: usize,
    /// Counted round the fill: the index of its middle offset.
    pub place: usize,
    /// Rise of its middle when fully tense, m.
    pub height_m: f64,
    /// When it swells.
    pub tension: Tension,
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

/// The ring at a joint that has turned by 90° one way: one value per corner, in the order of the tube's columns.
#[derive(Clone, Debug, PartialEq)]
pub struct BentRing {
    /// The relevant angle.
    pub way: BentWay,
    /// Share of the angle that each corner turns by; empty: the motion's share.
    pub turn: Vec<f64>,
    /// Factor on the legs at each corner; empty: 1.
    pub leg: Vec<f64>,
    /// Shift away from the ring's middle, m; empty: 0.
    pub push_m: Vec<f64>,
}

/// An edge that changes as a joint turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BentEdge {
    /// Index into the body's edges.
    pub edge: usize,
    /// The relevant angle.
    pub way: BentWay,
    /// Added to its bulge at 90°, model space in rest, m.
    pub bulge: DVec3,
}

/// A node that moves as a joint turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BentNode {
    /// Index into the body's nodes.
    pub node: usize,
    /// The relevant angle.
    pub way: BentWay,
    /// Added to its position at 90°, model space in rest, m.
    pub shift: DVec3,
}
