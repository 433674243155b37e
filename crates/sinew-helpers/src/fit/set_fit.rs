//! Helpers for one set of examples, fitted as a whole.

use super::{ExampleSet, FitError};
use sinew_fit::{
    ControllerFit, ControllerSettings, DetailLevel, HelperFit, HelperSettings, Progress, detail_levels,
    fit_controllers, fit_helpers,
};
use std::ops::ControlFlow;

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

/// Fits helpers and controllers. `most`: how many helpers are kept, the most important ones. `on_progress` returning `false` stops.
///
/// # Errors
/// Examples or settings that cannot be used, or `on_progress` stops.
pub fn fit_set(
    set: &ExampleSet,
    settings: &HelperSettings,
    controllers: &ControllerSettings,
    most: Option<usize>,
    on_progress: &mut dyn FnMut(&Progress) -> bool,
) -> Result<SetFit, FitError> {
    let examples = set.examples();
    let mut is_stopped = false;
    let mut helpers = fit_helpers(&examples, settings, &mut |progress| {
        if on_progress(progress) {
            return ControlFlow::Continue(());
        }
        is_stopped = true;
        ControlFlow::Break(())
    })?;
    if is_stopped {
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
    Ok(SetFit { helpers, found, levels })
}

/// The level with the most helpers that are not more than `most`.
pub(super) fn level_of(levels: &[DetailLevel], most: usize) -> Option<&DetailLevel> {
    levels.iter().filter(|level| level.helpers.len() <= most).max_by_key(|level| level.helpers.len())
}
