//! What several tests need.

pub(crate) mod npy;
pub(crate) mod tube;

use sinew_fit::{HelperFit, HelperSettings, fit_helpers};
use sinew_geometry::progress::Progress;
use tube::Tube;

/// Settings with which the tube takes a moment.
pub(crate) fn quick(helper_count: usize) -> HelperSettings {
    HelperSettings {
        helper_count,
        start_count: 6,
        start_poses: 20,
        start_vertices: 60,
        refine_poses: 30,
        refine_sweeps: 20,
        full_sweeps: 6,
        ..HelperSettings::default()
    }
}

pub(crate) fn fit(tube: &Tube, settings: &HelperSettings) -> HelperFit {
    fit_helpers(&tube.examples(), settings, &Progress::none()).expect("the tube is fine")
}
