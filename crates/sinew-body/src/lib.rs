//! A human surface of Bézier and Gregory patches on a stick figure, after \[Komatsu88\].
//!
//! The mathematical core: patches ([`Patch`]), exact volume ([`quadrature`]), smooth joins ([`g1`]), fills of n-sided holes
//! ([`fill`]), tubes of elliptic rings ([`ring`], [`tube`]), bending and twisting them ([`limb`]), and fast evaluation
//! ([`tessellation`]). The head is a net of patches ([`head`], [`patchwork`]). Everything is computed in f64, in m and model space; only tessellation writes f32.
//!
//! On top of it, a whole body: a [`Template`] has the layout as data, a [`Design`] the numbers that differ, and [`build()`] makes a
//! [`Body`] with a closed, smooth surface that can be measured and tessellated.
//!
//! Convention: `S_u × S_w` points to the outside of a patch. On a tube u runs around the bone, counter-clockwise seen against the
//! bone's direction, and w along it.
//!
//! ```
//! use glam::DVec3;
//! use sinew_body::limb::{BendSettings, Joint, bend};
//! use sinew_body::quadrature::PatchRule;
//! use sinew_body::ring::{Ring, RingFrame, semi_axes_from_girth};
//! use sinew_body::tube::{BayShape, Station};
//! use sinew_body::Tube;
//!
//! // An arm along X: shoulder, elbow and wrist, with girths in metres.
//! let station = |x: f64, girth: f64| {
//!     let frame = RingFrame::new(DVec3::X * x, DVec3::X, DVec3::Y);
//!     Station::straight(Ring::new(frame, semi_axes_from_girth(girth, 1.0)))
//! };
//! let stations = [station(0.0, 0.34), station(0.3, 0.275), station(0.56, 0.176)];
//! let mut arm = Tube::from_stations(4, &stations, &[BayShape::default(), BayShape::default()]);
//! let litres = 1e3 * arm.volume(&PatchRule::tensor(6));
//! assert!((3.0..4.0).contains(&litres));
//!
//! // The elbow bent by 90°: still without gap or crease.
//! let elbow = Joint { center: DVec3::X * 0.3, axis: DVec3::Y, bone_before: DVec3::X, bone_beyond: DVec3::X };
//! bend(&mut arm, 1, &elbow, 90f64.to_radians(), &BendSettings::default());
//! assert!(arm.worst_ring(21).jump_deg < 1e-9 && arm.worst_seam(21).jump_deg < 1e-9);
//! ```

pub mod bernstein;
pub mod body;
mod build;
pub mod character;
mod curve;
pub mod design;
pub mod fill;
pub mod fit;
pub mod g1;
pub mod head;
pub mod limb;
#[cfg(feature = "make-shapes")]
mod normal_matrix;
pub mod patch;
pub mod patchwork;
pub mod pose;
pub mod quadrature;
pub mod ring;
pub mod shapes;
pub mod survey;
pub mod tapes;
pub mod template;
pub mod tessellation;
#[cfg(test)]
mod testing;
pub mod tube;

pub use body::{Body, BodyMesh};
pub use build::{BuildError, build};
pub use curve::Quartic;
pub use design::Design;
pub use patch::{Edge, GregoryCorners, Jet, Patch, SecondDerivatives, Side};
pub use template::{Flank, Template};
pub use tube::Tube;

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
