//! Designs: numbers on a template, from coarse to fine.
//!
//! The five kinds of data of \[Komatsu88\] section 3: joints, rings, parameters of the fills, thickness between joints, and single control
//! points. Those are stored as offsets and survive later changes of the rest. Everything is optional; the default is the template's. A
//! number applies to both sides unless `left` or `right` is given.

mod change;
mod read;
mod sided;
mod write;

pub use change::{EdgeChange, FillChange, MiddleChange, RingChange};
pub use read::DesignError;
pub use sided::Sided;

use crate::template::Flank;
use glam::DVec3;
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
}

impl Default for Design {
    fn default() -> Self {
        Design {
            scale: 1.0,
            joints: ByName::new(),
            lengths: ByName::new(),
            rings: ByName::new(),
            middles: ByName::new(),
            fills: ByName::new(),
            edges: ByName::new(),
            nodes: ByName::new(),
            offsets: ByName::new(),
        }
    }
}

/// The value of a name on a side, if the design has one.
pub(crate) fn given<T: Copy>(values: &ByName<T>, name: &str, flank: Flank) -> Option<T> {
    values.get(name)?.on(flank).copied()
}
