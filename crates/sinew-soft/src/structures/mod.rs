//! Bodies of other forms than tetrahedra: chains and sheets, whose particles have frames, and lattices.

mod chain;
mod error;
mod lattice;
mod sheet;

pub use chain::{Chain, ChainMaterial, Strand};
pub use error::StructureError;
pub use lattice::Lattice;
pub use sheet::{Sheet, SheetMaterial};
