//! Helpers for one set of examples, fitted as a whole.

use crate::job::outcome::write_json;
use crate::{ExampleSet, FitError};
use serde::{Deserialize, Serialize};
use sinew_fit::{
    ControllerFit, ControllerSettings, DetailLevel, HelperFit, HelperSettings, HelperState, detail_levels,
    fit_controllers, resume_helpers,
};
use sinew_geometry::progress::Progress;
use std::path::Path;

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
    resume_set((set, settings, controllers), most, None, progress)
}

/// A fit that was interrupted, with what was asked of it.
#[derive(Serialize, Deserialize)]
struct SavedFit {
    settings: HelperSettings,
    state: HelperState,
}

/// As [`fit_set`]. If it is interrupted, where it stands is written to `saved`; if that file is there, it goes on from it, and deletes it at the end.
pub(crate) fn resume_set(
    (set, settings, controllers): (&ExampleSet, &HelperSettings, &ControllerSettings),
    most: Option<usize>,
    saved: Option<&Path>,
    progress: &Progress<'_>,
) -> Result<SetFit, FitError> {
    let examples = set.examples();
    let begun = saved.filter(|path| path.exists());
    let state = begun.map(|path| read_state(path, settings)).transpose()?.unwrap_or_default();
    let mut helpers = resume_helpers(&examples, settings, state, &progress.part("", 0.0..HELPERS_SHARE))?;
    if let Some(state) = helpers.state.take() {
        if let Some(path) = saved {
            let saved = SavedFit { settings: settings.clone(), state };
            write_json(path, &serde_json::to_value(saved).map_err(|error| not_saved(path, error))?)?;
        }
        return Err(FitError::Interrupted);
    }
    let levels = match most {
        Some(_) => detail_levels(&examples, settings, &helpers)?,
        None => Vec::new(),
    };
    if let Some(level) = most.and_then(|most| level_of(&levels, most)) {
        helpers = helpers.with_helpers(&level.helpers);
    }
    let found = fit_controllers(&examples, &set.driver_changes, &helpers, settings, controllers)?;
    progress.part(CONTROLLERS, HELPERS_SHARE..1.0).step(1, 1)?;
    if let Some(path) = begun {
        std::fs::remove_file(path).map_err(|error| not_saved(path, error))?;
    }
    Ok(SetFit { helpers, found, levels })
}

fn not_saved(path: &Path, why: impl ToString) -> FitError {
    FitError::Saved { path: path.into(), why: why.to_string() }
}

fn read_state(path: &Path, settings: &HelperSettings) -> Result<HelperState, FitError> {
    let text = std::fs::read_to_string(path).map_err(|error| not_saved(path, error))?;
    let saved: SavedFit = serde_json::from_str(&text)
        .map_err(|error| not_saved(path, format!("no interrupted fit: {error}; delete it to start again")))?;
    match saved.settings == *settings {
        true => Ok(saved.state),
        false => Err(not_saved(path, "an interrupted fit with other options; delete it to start again")),
    }
}

/// The level with the most helpers that are not more than `most`.
pub(super) fn level_of(levels: &[DetailLevel], most: usize) -> Option<&DetailLevel> {
    levels.iter().filter(|level| level.helpers.len() <= most).max_by_key(|level| level.helpers.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DriverBinds, Poser, Scope, Turns};
    use glam::DQuat;
    use sinew_rig::{BoneId, BoundSurface, samples};
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn bent_limb() -> ExampleSet {
        let limb = samples::limb(8, 12);
        let (bound, drivers) = (BoundSurface::of(&limb), DriverBinds::all(&limb).unwrap());
        let deformer = sinew_skin::bind(&limb, &bound, &sinew_skin::Method::Dlb.into()).into();
        let poser = Poser { character: &limb, bound: &bound, drivers: &drivers, deformer };
        let bend = |at: usize| -> Turns { vec![(BoneId::of(1), DQuat::from_rotation_x(0.1 * at as f64))] };
        let all: Vec<usize> = (0..drivers.bones().len()).collect();
        let scope = Scope { vertices: drivers.vertices(), drivers: &all };
        poser.examples(scope, &(0..16).map(bend).collect::<Vec<_>>())
    }

    #[test]
    fn an_interrupted_fit_goes_on_as_if_nothing_had_happened() {
        let (set, controllers) = (bent_limb(), ControllerSettings::default());
        let settings = HelperSettings { helper_count: 1, start_count: 3, ..HelperSettings::default() };
        let whole = fit_set(&set, &settings, &controllers, None, &Progress::none()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        let left = AtomicUsize::new(0);
        let watch = |_: &sinew_geometry::progress::Step<'_>| match left.load(Ordering::Relaxed) {
            0 => ControlFlow::Break(()),
            more => {
                left.store(more - 1, Ordering::Relaxed);
                ControlFlow::Continue(())
            }
        };
        let mut stops = 0;
        let found = loop {
            left.store(2 + stops % 3, Ordering::Relaxed);
            let asked = (&set, &settings, &controllers);
            match resume_set(asked, None, Some(&path), &Progress::new(&watch)) {
                Ok(found) => break found,
                Err(FitError::Interrupted) => stops += 1,
                Err(error) => panic!("{error}"),
            }
            assert!(path.is_file() && stops < 200);
        };
        assert!(stops > 2, "{stops}");
        assert_eq!(found.helpers.weights, whole.helpers.weights);
        assert_eq!(found.found.controllers, whole.found.controllers);
        assert!(!path.exists(), "nothing to go on from is left");
    }

    #[test]
    fn a_state_of_another_fit_is_refused_and_kept() {
        let (set, controllers) = (bent_limb(), ControllerSettings::default());
        let settings = HelperSettings { helper_count: 1, start_count: 3, ..HelperSettings::default() };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        let stop = |_: &sinew_geometry::progress::Step<'_>| ControlFlow::Break(());
        let run = |settings: &HelperSettings, progress: &Progress<'_>| {
            resume_set((&set, settings, &controllers), None, Some(&path), progress).map(|_| ())
        };
        assert!(matches!(run(&settings, &Progress::new(&stop)), Err(FitError::Interrupted)));
        let other = HelperSettings { seed: 9, ..settings.clone() };
        let refused = run(&other, &Progress::none()).unwrap_err().to_string();
        assert!(refused.contains("other options") && path.is_file(), "{refused}");
        std::fs::write(&path, "{").unwrap();
        let refused = run(&settings, &Progress::none()).unwrap_err().to_string();
        assert!(refused.contains("state.json") && refused.contains("delete it"), "{refused}");
    }
}
