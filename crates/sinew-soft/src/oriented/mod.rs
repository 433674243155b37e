//! Particles with frames: chains and sheets.
//!
//! A straight region has no rotation about itself, and a flat one none across; particles that are turned themselves have
//! \[Muller11\]. Here each has a rotation against rest, an angular velocity and a moment of inertia, and elements of two or three
//! particles (`element.rs`) are strained where places do not follow frames, and frames do not follow each other. Chains are solved
//! from end to end (`strands.rs`), sheets by iterations (`net.rs`).

mod block;
mod element;
mod frames;
mod net;
#[expect(clippy::module_inception, reason = "the folder's one type")]
mod oriented;
mod strands;

pub(crate) use element::Element;
pub(crate) use frames::Frames;
pub(crate) use oriented::{Oriented, Outer};
