//! Why there is no fit.

use crate::controllers::ControllersError;
use crate::examples::ExamplesError;
use crate::helpers::SettingsError;

/// Why helpers, controllers or swings could not be fitted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum HelperError {
    /// The examples.
    #[error(transparent)]
    Examples(#[from] ExamplesError),
    /// The settings.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A state of another fit.
    #[error("the state is of another fit: it has {found} {what}, this one {expected}; begin anew")]
    State { what: &'static str, found: usize, expected: usize },
    /// Rotations do not match poses and drivers.
    #[error("{found} local rotations of drivers; {expected} are needed, one per pose and driver")]
    Rotations { found: usize, expected: usize },
    /// A rotation that is none.
    #[error("the rotation of driver {driver} in pose {pose} is no unit quaternion")]
    Rotation { pose: usize, driver: usize },
    /// A fit of other examples.
    #[error("the helpers were fitted to other examples: {what} has {found} entries, {expected} are needed")]
    Fit { what: &'static str, found: usize, expected: usize },
    /// Inputs for another number of drivers.
    #[error("{found} driver inputs for {expected} drivers")]
    Inputs { found: usize, expected: usize },
    /// A degree out of range.
    #[error("degree {found}; give 1 to 3")]
    Degree { found: usize },
    /// A penalty that is negative or no number.
    #[error("a penalty of {found} a pose; give a finite number that is not negative")]
    Penalty { found: f64 },
    /// More functions than 16 bits count or poses can tell.
    #[error(
        "{functions} functions of {inputs} inputs are too many; lower the degree, or give fewer or simpler driver inputs"
    )]
    TooMany { functions: usize, inputs: usize },
    /// The controllers.
    #[error(transparent)]
    Controllers(#[from] ControllersError),
    /// Counts that do not match.
    #[error("{found} {what}; {expected} are needed")]
    Count { what: &'static str, found: usize, expected: usize },
    /// A rate that is none.
    #[error("{fps} frames a second; use a number above 0")]
    Rate { fps: f64 },
}
