//! Decoder of Draco meshes as `KHR_draco_mesh_compression` holds them: bitstream 2.2, triangle meshes, sequential and edgebreaker
//! connectivity, all predictions that encoders write. Safe Rust without dependencies; memory is bounded.
//!
//! After the public bitstream specification of Draco. Names follow Sinew's glossary where that differs: a *value* is an attribute's
//! entry, a *point* is a vertex of glTF, an *order* is a traversal.
//!
//! ```
//! use sinew_draco::{DracoError, decode};
//!
//! let max_memory = 1 << 20;
//! assert_eq!(decode(b"not a mesh", max_memory), Err(DracoError::NotDraco));
//! ```

mod attribute;
mod corners;
mod decode;
mod edgebreaker;
mod error;
mod memory;
mod metadata;
mod points;
mod prediction;
mod rans;
mod reader;
mod seams;
mod sequence;
mod sequential;
mod symbols;
mod traversal_symbols;

pub use attribute::{DracoAttribute, DracoType};
pub use decode::{DracoMesh, decode};
pub use error::DracoError;

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
