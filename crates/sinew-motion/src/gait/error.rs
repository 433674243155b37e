//! Errors of gaits and jumps.

/// Error of planning a gait or jump.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum GaitError {
    #[error("a speed of {speed} m/s is too slow to walk; use {least} m/s or more")]
    TooSlow { speed: f64, least: f64 },
    #[error("a speed of {speed} m/s is too fast for these legs; the maximum is {most:.1} m/s")]
    TooFast { speed: f64, most: f64 },
    #[error("a walk at {speed} m/s is too fast for these legs; use at most {most:.1} m/s, or run")]
    WalkTooFast { speed: f64, most: f64 },
    #[error("a run at {speed} m/s is too slow for these legs; use at least {least:.1} m/s, or walk")]
    RunTooSlow { speed: f64, least: f64 },
    #[error("a duration of {seconds} s is out of range; use {least:.1} to {most} s")]
    Duration { seconds: f64, least: f64, most: f64 },
    #[error("the speed at {time} s is out of order; sort speeds by time, at least 0.2 s apart")]
    SpeedOrder { time: f64 },
    #[error("{name} = {value} is out of range; use {low} to {high}")]
    OutOfRange { name: &'static str, value: f64, low: f64, high: f64 },
    #[error(
        "steps of {step:.2} m are out of range for these legs at {speed} m/s; use {low:.2} to {high:.2} m"
    )]
    StepLength { step: f64, speed: f64, low: f64, high: f64 },
    #[error("a path needs at least two points, found {count}")]
    PathTooShort { count: usize },
    #[error("point {index} of the path is out of range; use points within 100 km of the origin")]
    PathTooFar { index: usize },
    #[error("points {index} and {next} of the path are less than 1 cm apart; remove one", next = index + 1)]
    PathTooNear { index: usize },
}

impl GaitError {
    /// The first value out of range, with its name.
    pub(crate) fn check_ranges(values: &[(&'static str, f64, [f64; 2])]) -> Result<(), Self> {
        let is_out = |(_, value, [low, high]): &&(_, f64, [f64; 2])| !(*low..=*high).contains(value);
        match values.iter().find(is_out) {
            Some(&(name, value, [low, high])) => Err(Self::OutOfRange { name, value, low, high }),
            None => Ok(()),
        }
    }
}
