//! Settings of flesh found from recorded shapes.
//!
//! A motion is played with settings, compared with what was recorded, and played again with others until both agree as well as they can.
//! Tetrahedra, weights, depths and muscles are made once; each try lays only layers and fibres anew.
//!
//! 1. `examples`: what was recorded, and which of it the search does not see.
//! 2. `judge`: how far a try is from it.
//! 3. `knobs`: numbers of the settings as coordinates; `layer_count`: the same flesh in more or fewer layers.
//! 4. `least_squares`: the search itself, which knows nothing of flesh.
//! 5. `tuner`: the order in which numbers are sought.

mod examples;
mod judge;
mod knobs;
mod layer_count;
mod least_squares;
mod report;
#[cfg(test)]
mod tests;
mod tuner;

pub use examples::{ExamplesError, read_examples};
pub use judge::ExampleError;
pub use knobs::TuneTarget;
pub use layer_count::with_layer_count;
pub use least_squares::{Found, Residuals, SearchSettings, least_squares};
pub use report::{LayerCountTried, TuneReport, TunedFibres, TunedLayer};
pub use tuner::{TuneError, TuneInput, TuneSettings, tune_flesh};
