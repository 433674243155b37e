//! What bodies run into.

mod collider;
mod shape;
mod skin;
mod tree;
mod triangle;

pub use collider::{Collider, ContactSettings};
pub use shape::{Shape, Touch};
pub(crate) use skin::{Across, Ridge, SkinTrees};
pub use skin::{Skin, SkinError};
pub(crate) use tree::Box3;
pub(crate) use triangle::{nearest_shares, plane_shares};
