//! Gaits that cannot be.

use super::path::PathError;

/// Why there is no such gait.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GaitError {
    /// Standing, or backwards.
    #[error(
        "a speed of {speed} m/s is no gait; use {least} m/s or more (to stand at the end use --to-rest, to go another way a path)"
    )]
    TooSlow {
        /// What was asked for.
        speed: f64,
        /// The least.
        least: f64,
    },
    /// Nobody runs so fast.
    #[error("nobody with these legs moves at {speed} m/s; the most is {most:.1} m/s")]
    TooFast {
        /// What was asked for.
        speed: f64,
        /// The most.
        most: f64,
    },
    /// Too fast for a walk.
    #[error("with these legs a walk is at most {most:.1} m/s; at {speed} m/s use run")]
    WalkTooFast {
        /// What was asked for.
        speed: f64,
        /// The most.
        most: f64,
    },
    /// Too slow for a run.
    #[error("with these legs a run is at least {least:.1} m/s; at {speed} m/s use walk")]
    RunTooSlow {
        /// What was asked for.
        speed: f64,
        /// The least.
        least: f64,
    },
    /// Too short or too long.
    #[error("{seconds} seconds cannot be made; use {least:.1} to {most} seconds")]
    Duration {
        /// What was asked for.
        seconds: f64,
        /// The least.
        least: f64,
        /// The most.
        most: f64,
    },
    /// Key times that do not ascend.
    #[error(
        "the speed at {time} s comes after a later one; put speeds in the order of time, at least 0.2 s apart"
    )]
    SpeedOrder {
        /// The key's time.
        time: f64,
    },
    /// A personality beyond what bodies do.
    #[error("{name} = {value} is out of range; use {low} to {high}")]
    Personality {
        /// The field.
        name: &'static str,
        /// What was asked for.
        value: f64,
        /// The least.
        low: f64,
        /// The most.
        high: f64,
    },
    /// Steps that the legs cannot make.
    #[error(
        "steps of {step:.2} m cannot be made with these legs at {speed} m/s; use {low:.2} to {high:.2} m"
    )]
    StepLength {
        /// What was asked for.
        step: f64,
        /// At this speed.
        speed: f64,
        /// The least.
        low: f64,
        /// The most.
        high: f64,
    },
    /// A way that is none.
    #[error("{0}")]
    Path(#[from] PathError),
}
