//! The figures of Sinew's sources, its demo and its benchmarks.

pub mod bench;
pub mod demo;
pub mod figures;
