//! Why a rig could not be fitted.

use super::{DriversError, ExchangeError, JoinError, MirrorError, ShapesError};
use sinew_fit::HelperError;
use sinew_geometry::progress::Interrupted;

/// Why a rig could not be fitted.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// The folder of examples.
    #[error(transparent)]
    Exchange(#[from] ExchangeError),
    /// The character.
    #[error(transparent)]
    Drivers(#[from] DriversError),
    /// Helper bones, controllers, lag and swing.
    #[error(transparent)]
    Helpers(#[from] HelperError),
    /// Regions that do not go together.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// Shapes in files.
    #[error(transparent)]
    Shapes(#[from] ShapesError),
    /// Left and right.
    #[error(transparent)]
    Mirror(#[from] MirrorError),
    /// A character that cannot be made.
    #[error(transparent)]
    Character(#[from] sinew_rig::InvalidCharacter),
    /// The bones that drive.
    #[error(transparent)]
    OutputDrivers(#[from] crate::DriverBindsError),
    /// The character with helpers.
    #[error(transparent)]
    Output(#[from] crate::HelperOutputError),
    /// Corrective morphs.
    #[error(transparent)]
    Correctives(Box<crate::CorrectiveError>),
    /// Too many examples of too many vertices.
    #[error(
        "correctives of {examples} examples need {needed} bytes, {allowed} are allowed; ask for fewer poses or allow more with --max-memory"
    )]
    CorrectiveMemory {
        /// Examples.
        examples: u64,
        /// As estimated.
        needed: u64,
        /// As set.
        allowed: u64,
    },
    /// Flesh.
    #[error(transparent)]
    Flesh(#[from] sinew_flesh::FleshRigError),
    /// Nothing to fit.
    #[error("no joint that is asked for bends skin; leave --joints out, or name others")]
    NoRegion,
    /// The caller wants no more.
    #[error("interrupted")]
    Interrupted,
}

impl From<Interrupted> for FitError {
    fn from(_: Interrupted) -> Self {
        Self::Interrupted
    }
}
