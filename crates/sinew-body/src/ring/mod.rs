//! Rings around bones: ellipses of quartic arcs, and their girth.

mod arc;
mod frame;
mod girth;

pub use arc::{UnitArc, unit_ring};
pub(crate) use frame::arc_of;
pub use frame::{LegField, Ring, RingFrame};
pub use girth::{ellipse_girth, loop_length, semi_axes_from_girth};
