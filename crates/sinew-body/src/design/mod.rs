//! Designs: numbers on a template, from coarse to fine.
//!
//! The five kinds of data of \[Komatsu88\] section 3: joints, rings, parameters of the fills, thickness between joints, and single control
//! points. Those are stored as offsets and survive later changes of the rest. Everything is optional; the default is the template's. A
//! number applies to both sides unless `left` or `right` is given.

mod apart;
mod base;
mod knob;
mod motion;
mod net;
mod overlay;
mod reach;
mod read;
mod sided;
mod sole;
mod unfold;
mod warp;
mod write;
mod written;

pub use base::DesignBase;
pub use motion::MotionChange;
pub(crate) use motion::changed_motion;
pub(crate) use net::unfolded;
pub use read::DesignError;
pub use sided::Sided;

use crate::template::{Flank, Template};
use glam::{DVec2, DVec3};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Values by name, ordered: nothing depends on hashing.
pub type ByName<T> = BTreeMap<String, Sided<T>>;

/// The differences of a body from its template.
///
/// [`Design::parse`] and [`Design::to_toml`] read and write it with comments; serde works too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Design {
    /// The body it changes; without one, the template's own figure or the body that is asked for.
    pub base: DesignBase,
    /// Factor on every length of the template, applied first; default 1.
    pub scale: f64,
    /// Positions of joints, model space, m. A pair's value is the left one's, the right one mirrors it.
    pub joints: ByName<DVec3>,
    /// Lengths of bones, m. Everything attached to the bone moves along.
    pub lengths: ByName<f64>,
    /// Thickness of rings.
    pub rings: ByName<RingChange>,
    /// Thickness in the middle of bays, by `tube/bay`.
    pub middles: ByName<MiddleChange>,
    /// Shapes of fills.
    pub fills: ByName<FillChange>,
    /// Shapes of edges between rings and nodes.
    pub edges: ByName<EdgeChange>,
    /// Shifts of nodes from their place in the template, m.
    pub nodes: ByName<DVec3>,
    /// Offsets of control points, m, for the left side of the figure in rest; they turn with their bone. Keys, counted from zero:
    /// `tube/bay/row/column`, or `fill/corner` for the free middle point of the patch at that corner. Free parameters between fills:
    /// `edge/legs/1` to `3` (legs across an edge, between its ends), `node/tilt` (added to the unit normal), `node/line/0` and `1` (legs
    /// along its lines). For the spoke of a side, named by the corner where the template's list starts it: `fill/side/spoke` (its middle),
    /// `fill/side/star` (its last leg) and `fill/side/across1` to `across3` (legs across it). The surface is smooth for all values of these.
    pub offsets: ByName<DVec3>,
    /// The form of the head.
    pub head: HeadChange,
    /// How bones move and what their skin does, by bone.
    pub motions: ByName<MotionChange>,
}

impl Default for Design {
    fn default() -> Self {
        Design {
            base: DesignBase::default(),
            scale: 1.0,
            joints: ByName::new(),
            lengths: ByName::new(),
            rings: ByName::new(),
            middles: ByName::new(),
            fills: ByName::new(),
            edges: ByName::new(),
            nodes: ByName::new(),
            offsets: ByName::new(),
            head: HeadChange::default(),
            motions: ByName::new(),
        }
    }
}

impl Design {
    /// Whether it places every joint of a template and names no base: a design of a whole body, not a change of another.
    pub fn is_whole(&self, template: &Template) -> bool {
        self.base.is_empty()
            && template.text().joints.iter().all(|joint| self.joints.contains_key(&joint.name))
    }
}

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
    /// Where the tube is cut for the fills beside the ring: the share of its bay there that the fills take, 0 to 0.6; default 0.
    pub cut: Option<f64>,
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

/// The form of a head: modes of [`crate::head::HeadBasis`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HeadChange {
    /// Amounts of the modes that go with the body's, in the order of the shapes of people.
    pub shape: Vec<f64>,
    /// Amounts of the modes of faces alone, in deviations among people.
    pub face: Vec<f64>,
    /// Factors on breadth, height and depth, from the joint below the head.
    pub size: Option<DVec3>,
    /// Stature of the body that the head is made for, m; default so that the top of a usual head is at the end of the bone.
    pub stature: Option<f64>,
}

impl HeadChange {
    /// Over another one: amounts of faces are added, factors multiplied, the rest is replaced.
    #[must_use]
    pub fn over(&self, base: &HeadChange) -> HeadChange {
        let count = self.face.len().max(base.face.len());
        let amount = |list: &[f64], k: usize| list.get(k).copied().unwrap_or(0.0);
        HeadChange {
            shape: if self.shape.is_empty() { base.shape.clone() } else { self.shape.clone() },
            face: (0..count).map(|k| amount(&self.face, k) + amount(&base.face, k)).collect(),
            size: match (self.size, base.size) {
                (Some(own), Some(base)) => Some(own * base),
                (own, base) => own.or(base),
            },
            stature: self.stature.or(base.stature),
        }
    }
}

/// As [`given`], by reference.
pub(crate) fn given_ref<'a, T>(values: &'a ByName<T>, name: &str, flank: Flank) -> Option<&'a T> {
    values.get(name)?.on(flank)
}

/// The value of a name on a side, if the design has one.
pub(crate) fn given<T: Copy>(values: &ByName<T>, name: &str, flank: Flank) -> Option<T> {
    values.get(name)?.on(flank).copied()
}
