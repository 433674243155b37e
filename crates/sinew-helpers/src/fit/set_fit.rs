//! Helpers for one set of examples, fitted as a whole.

use crate::{ExampleSet, FitError};
use sinew_fit::{
    ControllerFit, ControllerSettings, DetailLevel, HelperFit, HelperSettings, detail_levels,
    fit_controllers, fit_helpers,
};
use sinew_geometry::progress::Progress;

/// Share of the time that helpers take; the rest is that of controllers.
pub(super) const HELPERS_SHARE: f64 = 0.9;

/// Stage that [`fit_set`] reports when controllers are done; what is reported before are stages of helpers.
pub const CONTROLLERS: &str = "controllers";

/// Both stages of a fit.
#[derive(Clone, Debug)]
pub struct SetFit {
    /// Stage 1: helpers of every pose.
    pub helpers: HelperFit,
    /// Stage 2: controllers.
    pub found: ControllerFit,
    /// Errors with fewer and fewer helpers; empty where no level was asked for.
    pub levels: Vec<DetailLevel>,
}

/// Fits helpers and controllers. `most`: how many helpers are kept, the most important ones.
///
/// # Errors
/// Examples or settings that cannot be used, or [`FitError::Interrupted`].
pub fn fit_set(
    set: &ExampleSet,
    settings: &HelperSettings,
    controllers: &ControllerSettings,
    most: Option<usize>,
    progress: &Progress<'_>,
) -> Result<SetFit, FitError> {
    let examples = set.examples();
    let mut helpers = fit_helpers(&examples, settings, &progress.part("", 0.0..HELPERS_SHARE))?;
    if helpers.state.is_some() {
        return Err(FitError::Interrupted);
    }
    let levels = match most {
        Some(_) => detail_levels(&examples, settings, &helpers)?,
        None => Vec::new(),
    };
    if let Some(level) = most.and_then(|most| level_of(&levels, most)) {
        helpers = helpers.with_helpers(&level.helpers);
    }
    let found = fit_controllers(&examples, &set.driver_rotations, &helpers, settings, controllers)?;
    progress.part(CONTROLLERS, HELPERS_SHARE..1.0).step(1, 1)?;
    Ok(SetFit { helpers, found, levels })
}

/// The level with the most helpers that are not more than `most`.
pub(super) fn level_of(levels: &[DetailLevel], most: usize) -> Option<&DetailLevel> {
    levels.iter().filter(|level| level.helpers.len() <= most).max_by_key(|level| level.helpers.len())
}
