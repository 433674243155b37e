//! What a design may say about one ring, bay, fill or edge.

use glam::{DVec2, DVec3};
use serde::{Deserialize, Serialize};

/// A ring's size and place. Thicknesses are whole ones, from side to side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RingChange {
    /// Thickness seen from the front, along the ring's axis, metres.
    pub front: Option<f64>,
    /// Thickness seen from the side, across the ring's axis, metres.
    pub side: Option<f64>,
    /// Girth, metres; with one thickness it gives the other, alone it keeps the ratio.
    pub girth: Option<f64>,
    /// Front thickness over side thickness, with `girth` alone.
    pub ratio: Option<f64>,
    /// Shift of the center, metres, for the left side of the figure in rest.
    pub shift: Option<DVec3>,
    /// Widening along the tube, metres outward per metre: along the axis and across.
    pub flare: Option<DVec2>,
    /// Length of the legs into the fills beside the ring, metres.
    pub reach: Option<f64>,
}

/// The thickness in the middle of a bay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MiddleChange {
    /// Thickness seen from the front, metres.
    pub front: Option<f64>,
    /// Thickness seen from the side, metres.
    pub side: Option<f64>,
    /// Shift of the middle from the straight way between the rings, metres, for the left side of the figure in rest.
    pub shift: Option<DVec3>,
}

/// The shape of a fill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FillChange {
    /// How far inside the center lies, in half legs; 2.2 to 3.
    pub center: Option<f64>,
    /// Push of the center outward, metres.
    pub height: Option<f64>,
    /// Factor on the spokes: below 1 pointed, above 1 flat.
    pub spread: Option<f64>,
    /// Shift of the center, metres, for the left side of the figure in rest.
    pub shift: Option<DVec3>,
}

/// The shape of an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EdgeChange {
    /// What its middle control point is moved by, metres, for the left side of the figure in rest.
    pub bulge: Option<DVec3>,
}
