//! Files to test on, and the means to compare and to damage them.
//!
//! Nothing in this library reads or writes glTF through `sinew-io`: the fixtures are put together byte by byte by [`Builder`], and
//! [`RawFile`] takes written files apart again, so that reader and writer are judged by something that does not share their code.

mod builder;
mod corpus;
mod counting_allocator;
pub mod damage;
pub mod fixtures;
pub mod mmd;
pub mod motions;
mod prng;
mod raw_file;

pub use builder::{Array, Builder, Component, Sparse};
pub use corpus::{ModelFile, corpus_bytes, corpus_files};
pub use counting_allocator::{CountingAllocator, alone, count_allocations, measure_peak};
pub use fixtures::{Expected, ExpectedMesh, ExpectedTrack, Fixture};
pub use prng::Prng;
pub use raw_file::{RawFile, differences};
