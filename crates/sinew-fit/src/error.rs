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
    #[error("the state is from another fit: it has {found} {what}, this one {expected}; start again")]
    State { what: &'static str, found: usize, expected: usize },
    /// Rotations do not match poses and drivers.
    #[error("expected {expected} local rotations, one per pose and driver, found {found}")]
    Rotations { found: usize, expected: usize },
    /// A rotation that is none.
    #[error(
        "the rotation of driver {driver} in pose {pose} is not a unit quaternion, or its shift is not finite"
    )]
    Rotation { pose: usize, driver: usize },
    /// A fit of other examples.
    #[error(
        "the helpers were fitted to other examples: expected {expected} entries of {what}, found {found}"
    )]
    Fit { what: &'static str, found: usize, expected: usize },
    /// A parent that does not exist.
    #[error("driver {parent} cannot be a parent; there are {driver_count}")]
    ParentDriver { parent: usize, driver_count: usize },
    /// Inputs for another number of drivers.
    #[error("expected {expected} driver inputs, one per driver, found {found}")]
    Inputs { found: usize, expected: usize },
    /// A degree out of range.
    #[error("degree {found} is out of range; use 1 to 3")]
    Degree { found: usize },
    /// A penalty that is negative or no number.
    #[error("penalty {found} is out of range; use 0 or more")]
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
    #[error("expected {expected} {what}, found {found}")]
    Count { what: &'static str, found: usize, expected: usize },
    /// A rate that is none.
    #[error("invalid frame rate {fps}; use a number above 0")]
    Rate { fps: f64 },
}
