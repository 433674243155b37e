//! Errors of cameras.

use super::Lens;
use glam::DVec3;

/// Error of camera keys, lenses, cuts or views; keys and cuts are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum CameraError {
    #[error("a path needs at least one key")]
    NoKeys,
    #[error("key {key} has a number that is not finite")]
    KeyNotFinite { key: usize },
    #[error("key {key} at {time_secs} s is not after the previous key at {before_secs} s; sort the keys")]
    KeyOrder { key: usize, time_secs: f64, before_secs: f64 },
    #[error("field of view {found_deg}° is out of range; use {}° to {}°", Lens::LEAST_DEG, Lens::MOST_DEG)]
    Angle { found_deg: f64 },
    #[error(
        "invalid lens: focal length {focal_mm} mm, film height {film_back_mm} mm; use lengths above 0, such as 50 and 24"
    )]
    Length { focal_mm: f64, film_back_mm: f64 },
    #[error("a film needs at least one camera")]
    NoCuts,
    #[error("the first cut is at {time_secs} s, with no camera before it; set it to 0")]
    LateStart { time_secs: f64 },
    /// Not after the cut before it, or no time.
    #[error("cut {cut} at {time_secs} s is not after the previous one; sort the cuts")]
    CutOrder { cut: usize, time_secs: f64 },
    #[error("eye and target are the same point ({}, {}, {}); move one of them", .at.x, .at.y, .at.z)]
    SamePoint { at: DVec3 },
    #[error("the camera looks straight {}, which leaves the horizon undefined; move eye or target sideways", if *.is_down { "down" } else { "up" })]
    Vertical { is_down: bool },
    #[error("the camera's position is not finite")]
    NotFinite,
}
