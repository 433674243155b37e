//! Flesh in motion: a soft body whose shape of rest is the skinned shape of the moment.
//!
//! Bones hold the particles next to them; the rest lags behind by its inertia, swings, and settles in the skinned shape exactly. What
//! comes out is each particle's deviation from its skinned place, which is added to the skin: no skinning method loses anything.

mod flesh;
mod loops;
mod timeline;

pub use flesh::{Drive, Flesh, FleshError, FleshParts, FleshState, MotionSettings};
pub use loops::close_loop;
pub use timeline::{Stage, Timeline, simulate};
