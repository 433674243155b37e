//! Shapes of people: a mean design and modes of its change, made from fits of many bodies.
//!
//! [`ShapeBasis`] is the data that ships, [`Build`] says what is usual for sex, age, muscle, fat and proportions, and [`ShapeMaker`] finds the
//! most usual body with given measures. `Modes` makes such data from fits (`fit::PairedFit`, both with the feature `make-shapes`).

mod basis;
mod growth;
#[cfg(feature = "make-shapes")]
pub(crate) mod modes;
mod parts;
mod people;
mod pose;
mod random;
pub(crate) mod slots;
mod solve;
#[cfg(test)]
mod tests;

pub(crate) use basis::Reader;
pub use basis::{BasisError, ShapeBasis, ShapeParameters};
pub use growth::{Percentiles, bent_back, people_of};
#[cfg(feature = "make-shapes")]
pub use modes::Modes;
pub use people::Build;
pub use pose::with_arms_of;
pub use random::{RANDOM_AGES, random_person};
pub use solve::{ShapeMaker, ShapedBody, USUAL_AGE, Wanted};
