//! Shapes of the skin when a joint has turned by 90°, as templates give them.

use super::BentWay;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// The ring at a joint when the joint has turned by 90° one way. Lists have one value per corner, in the order of the ring's names.
///
/// Turning a ring as a whole opens it on one side and crushes it on the other. With a value per corner the skin over a shoulder goes with
/// the arm while the armpit stays.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BentRingText {
    /// The relevant angle; default the bend.
    #[serde(default)]
    pub way: BentWay,
    /// Share of the joint's angle that each corner turns by; default the motion's `share`.
    #[serde(default)]
    pub turn: Vec<f64>,
    /// Factor on the legs at each corner; default 1. Short legs make a narrow crease.
    #[serde(default)]
    pub leg: Vec<f64>,
    /// Shift of each corner away from the ring's middle, m; default 0.
    #[serde(default)]
    pub push: Vec<f64>,
}

/// Change of an edge's bulge when a joint has turned by 90°.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BentEdgeText {
    /// Name in the template.
    pub edge: String,
    /// The relevant angle; default the bend.
    #[serde(default)]
    pub way: BentWay,
    /// Added to the middle control point, left side, m.
    pub bulge: DVec3,
}

/// Shift of a node when a joint has turned by 90°.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BentNodeText {
    /// Name in the template.
    pub node: String,
    /// The relevant angle; default the bend.
    #[serde(default)]
    pub way: BentWay,
    /// Added to its position, m. A node in the middle of the body takes the mean of both sides.
    pub shift: DVec3,
}

/// How far the bone before a joint goes along with it, as shares of the joint's angle: the collarbone and shoulder blade with the arm.
/// The bone beyond keeps its direction; its joint moves.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct CarryText {
    /// Share of a positive bend, as a sideways turn of the bone before: the shoulder goes forward with the arm.
    pub bend: f64,
    /// The same for a negative bend.
    pub back: f64,
    /// Share of a positive sideways turn, as a bend of the bone before: the shoulder rises with the arm.
    pub aside: f64,
    /// The same for a negative sideways turn.
    pub inward: f64,
}
