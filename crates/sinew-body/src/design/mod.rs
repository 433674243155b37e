//! Designs: numbers on a template, from coarse to fine.
//!
//! The five kinds of data of \[Komatsu88\] section 3: joints, rings, parameters of the fills, thickness between joints, and single control
//! points, which are kept as offsets so that they survive later changes of the rest. Everything is optional; what is not given is the
//! template's. A number counts for both sides unless `left` or `right` is given.

mod change;
mod read;
mod shipped;
mod sided;
mod write;

pub use change::{EdgeChange, FillChange, MiddleChange, RingChange};
pub use read::DesignError;
pub use sided::Sided;

use crate::template::Flank;
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Values by name, in the order of names, so that nothing depends on hashing.
pub type ByName<T> = BTreeMap<String, Sided<T>>;

/// What a body has that its template has not.
///
/// [`Design::parse`] and [`Design::to_toml`] read and write it with comments; serde works too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Design {
    /// Factor on every length of the template, before anything below; default 1.
    pub scale: f64,
    /// Positions of joints, model space, metres. A pair's value is the left one's, the right one mirrors it.
    pub joints: ByName<DVec3>,
    /// Lengths of bones, metres. What hangs on the bone moves along.
    pub lengths: ByName<f64>,
    /// Thickness of rings.
    pub rings: ByName<RingChange>,
    /// Thickness in the middle of bays, by `tube/bay`.
    pub middles: ByName<MiddleChange>,
    /// Shapes of fills.
    pub fills: ByName<FillChange>,
    /// Shapes of edges between rings and nodes.
    pub edges: ByName<EdgeChange>,
    /// Positions of nodes are the template's, moved by this, metres.
    pub nodes: ByName<DVec3>,
    /// Offsets of control points, metres, as for the listed (left) side of the figure in rest; they turn with their bone. Keys are
    /// `tube/bay/row/column`, or `fill/corner` for the free middle point of the patch at that corner, both counted from zero. What is
    /// free where fills meet has keys too: `edge/legs/1` to `3` (legs across an edge, between its ends), `node/tilt` (added to the unit
    /// normal), `node/line/0` and `1` (legs along its lines), and for the spoke of a side, named by the corner where the template's
    /// list begins it, `fill/side/spoke` (its middle), `fill/side/star` (its last leg) and `fill/side/across1` to `across3` (legs
    /// across it). Every value of these gives a smooth surface.
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
