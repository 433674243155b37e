//! A human surface of Bézier and Gregory patches on a stick figure, after \[Komatsu88\].
//!
//! This crate's mathematical core: patches ([`Patch`]), exact volume ([`quadrature`]), smooth joins ([`g1`]), fills of n-sided holes
//! ([`fill`]), tubes of elliptic rings ([`ring`], [`tube`]), bending and twisting them ([`limb`]), and fast evaluation
//! ([`tessellation`]). Everything is computed in f64, in metres and model space; only tessellation writes f32.
//!
//! Convention: the outside of a patch is where `S_u × S_w` points. On a tube u runs round the bone, counter-clockwise seen against the
//! bone's direction, and w along it.

pub mod bernstein;
pub mod body;
mod build;
mod curve;
pub mod design;
pub mod fill;
pub mod g1;
pub mod limb;
pub mod patch;
pub mod quadrature;
#[cfg(test)]
mod random;
pub mod ring;
pub mod template;
pub mod tessellation;
pub mod tube;

pub use body::{Body, BodyMesh};
pub use build::{BuildError, DesignProblem, build};
pub use curve::Quartic;
pub use design::Design;
pub use patch::{Edge, GregoryCorners, Jet, Patch, SecondDerivatives, Side};
pub use template::{Flank, Template};
