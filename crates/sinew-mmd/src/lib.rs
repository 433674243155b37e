//! MikuMikuDance formats: PMX and PMD models, VMD motions, VPD poses.
//!
//! Each format has a raw form with the content of the file in MMD's own units (left-handed, y up, 1 unit = 0.08 m, triangles
//! clockwise). An unchanged file is written back byte for byte. Everything converted for the rest of Sinew is right-handed and in
//! m: MMD's conventions end here.

mod bytes;
mod cp932;
mod names;
pub mod pmd;
pub mod pmx;
mod rest_axes;
#[cfg(test)]
mod sample;
mod sink;
mod space;
mod standard;
mod stored;
mod text;
pub mod vmd;
pub mod vpd;

use bytes::Result;
pub use bytes::{MmdProblem, MmdReadError};
pub use cp932::{FixedText, TextLoss, encode_cp932};
pub use space::METRES_PER_UNIT;
pub use standard::StandardBones;
pub use text::MmdText;

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
