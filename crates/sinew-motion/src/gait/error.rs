//! Gaits and jumps that cannot be.

/// Why there is no such gait or jump.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GaitError {
    /// Standing, or backwards.
    #[error("a speed of {speed} m/s is no gait; use {least} m/s or more")]
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
    /// A personality or a jump beyond what bodies do.
    #[error("{name} = {value} is out of range; use {low} to {high}")]
    OutOfRange {
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
    /// Fewer than two.
    #[error("a path needs at least two points, this has {count}")]
    PathTooShort {
        /// How many.
        count: usize,
    },
    /// Not a number, or too far.
    #[error("point {index} of the path is not within 100 km of the origin")]
    PathTooFar {
        /// Which.
        index: usize,
    },
    /// The same place twice in a row.
    #[error("points {index} and {next} of the path are less than 1 cm apart; leave one out", next = index + 1)]
    PathTooNear {
        /// The first of both.
        index: usize,
    },
}

impl GaitError {
    /// The first of names and values that is out of its range.
    pub(crate) fn check_ranges(values: &[(&'static str, f64, [f64; 2])]) -> Result<(), Self> {
        let is_out = |(_, value, [low, high]): &&(_, f64, [f64; 2])| !(*low..=*high).contains(value);
        match values.iter().find(is_out) {
            Some(&(name, value, [low, high])) => Err(Self::OutOfRange { name, value, low, high }),
            None => Ok(()),
        }
    }
}
