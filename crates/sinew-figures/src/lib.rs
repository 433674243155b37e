//! The figures of Sinew's sources, its demo and its benchmarks.

pub mod bench;
pub mod demo;
pub mod figures;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
