//! Pictures of characters: a scene made once, posed again for every frame; charts, comparisons, films.

pub mod chart;
mod choices;
pub mod compare;
mod cover_sheet;
mod looks;
pub mod screen;
mod stage;
pub mod video;

pub use choices::{BackgroundChoice, CameraChoice, PictureSettings, Show};
pub use cover_sheet::cover_sheet;
pub use stage::{PictureError, Stage, objects};

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
