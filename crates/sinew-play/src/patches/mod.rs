//! Bodies of patches that a model's file carries: their design, and the skin that it moves.
//!
//! `modes.rs` says how patches bend, twist and keep their volume, `design.rs` goes from a design to a character's data and back to a body,
//! `fit.rs` finds the vertices and bones of a character on that body, `deformer.rs` moves them.

mod deformer;
mod design;
mod fit;
mod method;
mod modes;

pub use design::authored_body;
pub use fit::{PatchesError, bind_patches};
pub use method::{SkinMethod, SkinMethodError};
pub use modes::{MuscleMode, PatchModes, PatchModesError};

#[cfg(test)]
mod tests;
