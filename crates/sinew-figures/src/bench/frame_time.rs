//! How long controllers take a frame.

use glam::{Affine3A, DAffine3, Quat};
use sinew_fit::{Controllers, ControllersError, HelperRig};
use sinew_helpers::ExampleSet;
use std::time::Instant;

/// Runs over all poses; the best counts, because the machine does other things too.
const RUNS: usize = 10;

/// Nanoseconds of all controllers in one pose, on one core.
///
/// # Errors
/// Controllers that cannot be run.
pub fn frame_nanoseconds(set: &ExampleSet, controllers: &Controllers) -> Result<f64, ControllersError> {
    let rig = HelperRig::new(controllers)?;
    let driver_count = set.driver_names.len();
    let rotations: Vec<Quat> = set.driver_rotations.iter().map(|turn| turn.as_quat()).collect();
    let narrow = |m: &DAffine3| Affine3A::from_cols_array(&m.to_cols_array().map(|entry| entry as f32));
    let drivers: Vec<Affine3A> = set.driver_posed_from_rest.iter().map(narrow).collect();
    let (mut workspace, mut posed) = (rig.workspace(), vec![Affine3A::IDENTITY; rig.helper_count()]);
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let begin = Instant::now();
        for (rotations, drivers) in rotations.chunks(driver_count).zip(drivers.chunks(driver_count)) {
            rig.pose(rotations, drivers, &mut workspace, std::hint::black_box(&mut posed));
        }
        best = best.min(begin.elapsed().as_nanos() as f64 / set.pose_count().max(1) as f64);
    }
    Ok(best)
}
