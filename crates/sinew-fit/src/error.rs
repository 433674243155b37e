//! Why there is no fit.

use crate::controllers::ControllersError;
use crate::examples::ExamplesError;
use crate::helpers::SettingsError;

/// Why helpers, controllers or swings could not be fitted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HelperError {
    /// The examples.
    #[error(transparent)]
    Examples(#[from] ExamplesError),
    /// The settings.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A state of another fit.
    #[error("the state is of another fit: it has {found} {what}, this one {expected}; begin anew")]
    State {
        /// What does not match.
        what: &'static str,
        /// In the state.
        found: usize,
        /// In the examples.
        expected: usize,
    },
    /// Rotations do not match poses and drivers.
    #[error("{found} local rotations of drivers; {expected} are needed, one per pose and driver")]
    Rotations {
        /// Rotations given.
        found: usize,
        /// Rotations needed.
        expected: usize,
    },
    /// A rotation that is none.
    #[error("the rotation of driver {driver} in pose {pose} is no unit quaternion")]
    Rotation {
        /// The pose.
        pose: usize,
        /// The driver.
        driver: usize,
    },
    /// A fit of other examples.
    #[error("the helpers were fitted to other examples: {what} has {found} entries, {expected} are needed")]
    Fit {
        /// What does not match.
        what: &'static str,
        /// Entries it has.
        found: usize,
        /// Entries it should have.
        expected: usize,
    },
    /// Inputs for another number of drivers.
    #[error("{found} driver inputs for {expected} drivers")]
    Inputs {
        /// Inputs given.
        found: usize,
        /// Drivers there are.
        expected: usize,
    },
    /// A degree out of range.
    #[error("degree {found}; give 1 to 3")]
    Degree {
        /// As given.
        found: usize,
    },
    /// A penalty that is negative or no number.
    #[error("a penalty of {found} a pose; give a finite number that is not negative")]
    Penalty {
        /// As given.
        found: f64,
    },
    /// More functions than 16 bits count or poses can tell.
    #[error(
        "{functions} functions of {inputs} inputs are too many; lower the degree, or give fewer or simpler driver inputs"
    )]
    TooMany {
        /// Functions there would be.
        functions: usize,
        /// Inputs there are.
        inputs: usize,
    },
    /// The controllers.
    #[error(transparent)]
    Controllers(#[from] ControllersError),
    /// Counts that do not match.
    #[error("{found} {what}; {expected} are needed")]
    Count {
        /// Of what.
        what: &'static str,
        /// As given.
        found: usize,
        /// As needed.
        expected: usize,
    },
    /// A rate that is none.
    #[error("{fps} frames a second; use a number above 0")]
    Rate {
        /// As given.
        fps: f64,
    },
}
