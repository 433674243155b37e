//! What bodies run into.

mod collider;
mod hull;
mod mesh_shape;
mod near;
mod shape;
mod skin;
mod tree;
mod triangle;

pub use collider::{Collider, ContactSettings};
pub use hull::HullError;
pub use mesh_shape::{MeshShape, MeshShapeError};
pub(crate) use near::Near;
pub(crate) use shape::Crossing;
pub use shape::{Shape, Touch};
pub(crate) use skin::{Across, Ridge, SkinTrees};
pub use skin::{Skin, SkinError};
pub(crate) use tree::Box3;
pub(crate) use triangle::{nearest_shares, plane_shares};
