//! What bodies run into: shapes, and the skins of other bodies.
//!
//! ## Colliders
//! A particle that would end inside a shape is moved out along the shape's normal, and back along what it slid over the surface in the
//! step, by up to μ times the push: Coulomb's law, because at rest push and slide of an iteration are to each other as the forces are. One
//! that comes from outside is caught where its way first meets the shape, so that a thin wall neither lets it through nor lets it
//! out behind. Closed meshes are solids, open ones walls with two sides that are at least a ten-thousandth of their size thick.
//!
//! ## Between bodies
//! A body touches others by its [`Skin`]: particles against triangles, and sharp edges against sharp edges. What may touch is found
//! once a step, within the distance that bodies can come nearer, and where that is more than half an edge at several moments on the
//! way. After each iteration both sides are moved apart; see `world/contact.rs`. Normals blend across smooth edges.
//! Particles deep inside leave through the triangle that is nearest to their place in the other's rest shape. What begins inside is let
//! out at a given speed.
//!
//! Limits: edges of a smooth surface and of sheets do not meet each other, only their particles meet triangles; nothing stays out of
//! chains, which have no triangles; bodies that are placed wholly inside each other stay calm but need not come apart.

mod collider;
mod error;
mod hull;
mod mesh_shape;
mod near;
mod shape;
mod skin;

pub use collider::{Collider, ContactSettings};
pub use error::ContactError;
pub use mesh_shape::MeshShape;
pub(crate) use near::{Asked, Near};
pub(crate) use shape::Crossing;
pub use shape::{Shape, Touch};
pub use skin::Skin;
pub(crate) use skin::{Across, Ridge, SkinTrees};
