//! Settings as TOML.
//!
//! [`read`] lays a file's values over settings and reports every mistake with its line. [`write()`] makes a file with every value explained, which
//! reads back to the same settings. [`check`] applies the same ranges to settings that come from no file. All three walk the table of fields that a
//! settings struct exposes; see [`sinew_geometry::settings`].
//!
//! [`Source`], [`Table`] and [`Value`] are the layer below, for files whose shape no table of fields can describe.
//!
//! ```
//! use sinew_geometry::settings::{Field, Settings, Slot};
//!
//! #[derive(Clone, Debug, Default, PartialEq)]
//! struct Floor {
//!     height_m: f64,
//! }
//!
//! impl Settings for Floor {
//!     const FIELDS: &'static [Field<Self>] =
//!         &[Field::new("height_m", "Above the origin.", |floor| Slot::Number(&mut floor.height_m, [-10.0, 10.0]))];
//! }
//!
//! let floor: Floor = sinew_settings::read("height_m = 2", |_| Floor::default())?;
//! assert_eq!(sinew_settings::write(&floor, &Floor::default(), ""), "# Above the origin.\nheight_m = 2\n");
//! let mistake = sinew_settings::read("hight_m = 2", |_| Floor::default()).unwrap_err();
//! assert_eq!(mistake.to_string(), "line 1: unknown key `hight_m`; did you mean `height_m`?");
//! # Ok::<(), sinew_settings::TextErrors>(())
//! ```

mod check;
mod error;
mod read;
mod tables;
#[cfg(test)]
mod tests;
mod write;

pub use check::check;
pub use error::{TextError, TextErrors};
pub use read::{fill, read};
pub use tables::{Source, Spot, Table, Value};
pub use write::write;

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
