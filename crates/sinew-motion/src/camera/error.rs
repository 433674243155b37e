//! Cameras that cannot be.

use super::Lens;
use glam::DVec3;

/// Why keys make no curve, numbers no lens, cuts leave a time without a camera, or a camera sees nothing.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CameraError {
    /// No keys.
    #[error("a path needs at least one key")]
    NoKeys,
    /// A number that is none.
    #[error("key {key} holds a number that is not finite")]
    KeyNotFinite {
        /// Which key, from 0.
        key: usize,
    },
    /// A key that is not after the one before it.
    #[error("key {key} is at {time_secs} s, not after the key before it at {before_secs} s")]
    KeyOrder {
        /// Which key, from 0.
        key: usize,
        /// Its time.
        time_secs: f64,
        /// The time of the key before it.
        before_secs: f64,
    },
    /// An angle that no lens has.
    #[error("a field of view of {found_deg}° cannot be drawn; use {} to {}", Lens::LEAST_DEG, Lens::MOST_DEG)]
    Angle {
        /// What was asked for.
        found_deg: f64,
    },
    /// A length that is none.
    #[error(
        "a focal length of {focal_mm} mm before a film of {film_back_mm} mm is no lens; use lengths above 0, such as 50 and 24"
    )]
    Length {
        /// Focal length.
        focal_mm: f64,
        /// Height of the film.
        film_back_mm: f64,
    },
    /// No cuts.
    #[error("a film needs at least one camera")]
    NoCuts,
    /// Nothing to see at first.
    #[error("the first cut is at {time_secs} s, and no camera is on before it; let it begin at 0")]
    LateStart {
        /// The first cut.
        time_secs: f64,
    },
    /// Not after the cut before it, or no time.
    #[error("cut {cut} is at {time_secs} s, not after the one before it")]
    CutOrder {
        /// Which, from 0.
        cut: usize,
        /// Its time.
        time_secs: f64,
    },
    /// Eye and target together.
    #[error("eye and target are the same point ({}, {}, {}); move one of them", .at.x, .at.y, .at.z)]
    SamePoint {
        /// Where.
        at: DVec3,
    },
    /// No horizon to hold level.
    #[error("it looks straight {}, where no horizon can be held level; move eye or target a little aside", if *.is_down { "down" } else { "up" })]
    Vertical {
        /// Down rather than up.
        is_down: bool,
    },
    /// Numbers that are none.
    #[error("its place is not finite")]
    NotFinite,
}
