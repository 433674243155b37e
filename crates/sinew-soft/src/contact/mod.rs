//! What bodies run into.

mod collider;
mod shape;

pub use collider::{Collider, ContactSettings};
pub use shape::{Shape, Touch};
