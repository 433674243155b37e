//! Chains and sheets: bodies whose particles have frames.

mod chain;
mod error;
mod sheet;

pub use chain::{Chain, ChainMaterial, Strand};
pub use error::StructureError;
pub use sheet::{Sheet, SheetMaterial};
