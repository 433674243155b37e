//! Skinning methods: ways to move a character's vertices by its bones.
//!
//! Each method is bound once to a [`sinew_rig::BoundSurface`] and then deforms frames without failing or allocating.
//!
//! ```
//! use sinew_rig::{samples, BoundSurface, Deformer, Pose};
//! use sinew_skin::Lbs;
//!
//! let character = samples::limb(16, 24);
//! let bound = BoundSurface::of(&character);
//! let skin = Lbs::bind(&bound);
//! let mut posed = bound.rest().clone();
//! skin.deform(&bound.posed_from_rest(&character, &Pose::rest(&character)), bound.rest(), &mut posed);
//! // Identity matrices give the rest shape, to rounding.
//! assert!(posed.positions[0].abs_diff_eq(bound.rest().positions[0], 1e-6));
//! ```

mod blocks;
mod lbs;
mod method;

pub use lbs::Lbs;
pub use method::{Method, UnknownMethod};
