//! Pictures of characters: a scene made once, posed again for every frame; charts, comparisons, films.
//!
//! A [`Stage`] draws a character; a [`Shoot`] draws a whole subject to a file. A [`PictureFile`] is the one writer of pictures of frames.

pub mod chart;
mod choices;
pub mod compare;
mod cover_sheet;
mod error;
mod looks;
mod pictures;
pub mod screen;
mod shoot;
mod stage;
pub mod video;

pub use choices::{BackgroundChoice, CameraChoice, PictureSettings, Show};
pub use cover_sheet::cover_sheet;
pub use error::PictureError;
pub use pictures::{FilmShape, PictureFile, PictureKind, strip, strip_frames, write_bytes, write_png};
pub use shoot::{RenderOutcome, Shoot};
pub use stage::{Stage, objects};

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
