//! Changes of one ring, bay, fill or edge in a design.

use glam::{DVec2, DVec3};
use serde::{Deserialize, Serialize};

/// A ring's size and place. Thicknesses are full, from side to side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RingChange {
    /// Thickness seen from the front, along the ring's axis, m.
    pub front: Option<f64>,
    /// Thickness seen from the side, across the ring's axis, m.
    pub side: Option<f64>,
    /// Girth, m; together with one thickness it determines the other, alone it keeps the ratio.
    pub girth: Option<f64>,
    /// Front thickness divided by side thickness; only with `girth` and no thickness.
    pub ratio: Option<f64>,
    /// Shift of the center, m, for the left side of the figure in rest.
    pub shift: Option<DVec3>,
    /// Widening along the tube, m outward per m: along the axis and across.
    pub flare: Option<DVec2>,
    /// Length of the legs into the fills beside the ring, m.
    pub reach: Option<f64>,
}

/// The thickness in the middle of a bay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MiddleChange {
    /// Thickness seen from the front, m.
    pub front: Option<f64>,
    /// Thickness seen from the side, m.
    pub side: Option<f64>,
    /// Shift of the middle from the straight line between the rings, m, for the left side of the figure in rest.
    pub shift: Option<DVec3>,
}

/// The shape of a fill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FillChange {
    /// Distance of the center from the border, in half legs; 2.2 to 3.
    pub center: Option<f64>,
    /// Outward push of the center, m.
    pub height: Option<f64>,
    /// Factor on the spokes: below 1 pointed, above 1 flat.
    pub spread: Option<f64>,
    /// Shift of the center, m, for the left side of the figure in rest.
    pub shift: Option<DVec3>,
}

/// The shape of an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EdgeChange {
    /// Offset of its middle control point, m, for the left side of the figure in rest.
    pub bulge: Option<DVec3>,
}
