//! Skinning at memory speed.
//!
//! [`GroupedSkin::bind`] groups vertices by method and bones into blocks of 16: kernels gather nothing, and bones are constants.
//! [`Tables::pose`] computes those constants once per frame; [`GroupedSkin::deform`] and [`GroupedSkin::deform_grouped`] move the blocks
//! with the widest instructions of the processor.
//!
//! ```
//! use sinew_rig::{samples, BoundSurface, Pose};
//! use sinew_skin::fast::{FrameSettings, GroupedSkin, Tables, VertexKind};
//! use sinew_skin::Folded;
//!
//! let character = samples::limb(16, 24);
//! let bound = BoundSurface::of(&character);
//! let kinds = vec![VertexKind::Dlb; bound.vertex_count()];
//! let skin = GroupedSkin::bind(bound.rest(), bound.influences(), bound.palette().len(), &kinds, &Folded::default());
//! let mut tables = Tables::new(&skin);
//! let mut posed = bound.rest().clone();
//! // Every frame:
//! tables.pose(&skin, &bound.posed_from_rest(&character, &Pose::rest(&character)));
//! skin.deform(&tables, FrameSettings::default(), posed.as_mut());
//! assert!(posed.positions[0].abs_diff_eq(bound.rest().positions[0], 1e-6));
//! ```
//!
//! The kernels (`lbs`, `dlb`, `folded`) are written once, in safe code, for an interface of vector instructions, [`sinew_geometry::simd`].
//! Blocks are independent, so threads and their number do not change a bit; backends differ by rounding, less than 1e-5 of the model's size.
//!
//! Costs: a bone set is padded to whole blocks, so a model with very many small sets wastes lanes; 20 to 200 sets are usual.

mod blend;
mod deform;
mod dlb;
mod folded;
mod grouping;
mod layout;
mod lbs;
mod measure;
mod output;
#[cfg(test)]
mod reference;
#[expect(unsafe_code, reason = "threads that write disjoint vertices of one list")]
mod simd;
mod skin;
mod stream_copy;
mod synthetic;
mod tables;
#[cfg(test)]
mod tests;
mod turn;
#[cfg(test)]
mod twins;
mod work;

pub use deform::{FrameSettings, NormalRule, Stores};
pub use grouping::VertexKind;
pub use measure::{MeasureSettings, MeasuredMethod, Measurement, OutputOrder, measure};
pub use output::GroupedSurface;
pub use sinew_geometry::simd::{AlignedFloats, BLOCK_LANES, Backend, Lanes};
pub use skin::GroupedSkin;
pub use tables::Tables;
