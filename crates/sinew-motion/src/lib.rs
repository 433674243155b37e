//! Motion: what moves characters and cameras over time.
//!
//! [`camera`] holds paths, follows, orbits, lenses and cuts.

pub mod camera;
