//! How long fits of helper bones take, and how well they do.

use super::{ARM_STEPS, ARM_VERTICES, LegPoses, benchmark_arm, benchmark_leg};
use anyhow::Result;
use glam::{Affine3A, DAffine3, Quat};
use serde::{Deserialize, Serialize};
use sinew_fit::{ControllerSettings, Controllers, HelperRig, HelperSettings, Penalty, controller_errors};
use sinew_geometry::progress::{Interrupted, Progress, one_at_a_time};
use sinew_helpers::{CONTROLLERS, ExampleSet, fit_set};
use std::ops::ControlFlow;
use std::time::Instant;

/// What is measured: 4 and 8 helpers of a leg of 663 vertices in 6,750 poses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FitBenchRequest {
    /// Also 4 helpers of an arm of 11,356 vertices in 20,736 poses, which takes minutes and 4 GB.
    pub is_large: bool,
}

/// A measured fit. Lengths of the leg are centimetres, of the arm metres.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct FitBenchRow {
    /// Vertices of the skin.
    pub vertices: usize,
    /// Poses that are fitted.
    pub poses: usize,
    /// Threads that fit.
    pub threads: usize,
    /// Helpers that are fitted.
    pub helpers: usize,
    /// RMS error with helpers where they are best.
    pub rmse: f64,
    /// RMS error with controllers.
    pub rmse_controllers: f64,
    /// RMS error with controllers on other poses.
    pub rmse_held_out: f64,
    /// Numbers of all controllers.
    pub coefficients: usize,
    /// Seconds of all helpers.
    pub fit_secs: f64,
    /// Sweeps over all poses.
    pub sweeps: usize,
    /// Seconds of those.
    pub sweep_secs: f64,
    /// Seconds of controllers.
    pub controller_secs: f64,
    /// Nanoseconds of all controllers in one pose, on one core.
    pub ns_per_frame: f64,
}

/// Stage that is reported before and after the arm is made.
pub const MAKING_ARM: &str = "making an arm";

/// Steps of poses of the arm between those that are fitted.
const HELD_OUT_STEPS: [usize; 5] = [3, 3, 2, 4, 2];

/// Measures fits, one after the other.
///
/// # Errors
/// The arm cannot be made, or the caller stops.
pub fn bench_fit(request: &FitBenchRequest, progress: &Progress<'_>) -> Result<Vec<FitBenchRow>> {
    let leg = benchmark_leg(39, 17, LegPoses::Grid);
    let held_out = benchmark_leg(39, 17, LegPoses::Random(1000, 99));
    let mut rows = Vec::new();
    for helpers in [4, 8] {
        rows.push(measure(&leg, &held_out, helpers, progress)?);
    }
    if request.is_large {
        let making = progress.part(MAKING_ARM, 0.0..1.0);
        making.step(0, 1)?;
        let arm = benchmark_arm(ARM_VERTICES, ARM_STEPS)?;
        making.step(1, 1)?;
        rows.push(measure(&arm, &benchmark_arm(ARM_VERTICES, HELD_OUT_STEPS)?, 4, progress)?);
    }
    Ok(rows)
}

/// When parts of a fit ended.
struct Clock {
    begin: Instant,
    /// The last step of helpers.
    helpers: Instant,
    controllers: Instant,
    /// Sweeps over all poses, the first step of them and the last.
    full: (usize, Instant, Instant),
}

fn measure(
    set: &ExampleSet,
    held_out: &ExampleSet,
    helpers: usize,
    progress: &Progress<'_>,
) -> Result<FitBenchRow> {
    let settings = HelperSettings { helper_count: helpers, ..HelperSettings::default() };
    let controllers = ControllerSettings { penalty: Penalty::Auto, ..ControllerSettings::default() };
    let now = Instant::now();
    let mut clock = Clock { begin: now, helpers: now, controllers: now, full: (0, now, now) };
    let watch = one_at_a_time(|step| {
        let now = Instant::now();
        match step.stage {
            CONTROLLERS => clock.controllers = now,
            "full" if step.done == 0 => clock.full = (0, now, now),
            "full" => clock.full = (step.done, clock.full.1, now),
            _ => (),
        }
        if step.stage != CONTROLLERS {
            clock.helpers = now;
        }
        match progress.step(step.done, step.total) {
            Ok(()) => ControlFlow::Continue(()),
            Err(Interrupted) => ControlFlow::Break(()),
        }
    });
    let fitted = fit_set(set, &settings, &controllers, None, &Progress::new(&watch))?;
    drop(watch);
    let (found, others) = (&fitted.found, held_out.examples());
    let changes = &held_out.driver_changes;
    Ok(FitBenchRow {
        vertices: set.rest_positions.len(),
        poses: set.pose_count(),
        threads: rayon::current_num_threads(),
        helpers,
        rmse: fitted.helpers.errors.rms,
        rmse_controllers: found.errors.rms,
        rmse_held_out: controller_errors(&others, changes, &found.weights, &found.controllers).rms,
        coefficients: found.controllers.coefficient_count(),
        fit_secs: (clock.helpers - clock.begin).as_secs_f64(),
        sweeps: clock.full.0,
        sweep_secs: (clock.full.2 - clock.full.1).as_secs_f64(),
        controller_secs: (clock.controllers - clock.helpers).as_secs_f64(),
        ns_per_frame: frame_nanoseconds(set, &found.controllers)?,
    })
}

/// Runs over all poses; the best counts, because the machine does other things too.
const RUNS: usize = 10;

/// Nanoseconds of all controllers in one pose, on one core.
fn frame_nanoseconds(set: &ExampleSet, controllers: &Controllers) -> Result<f64> {
    let rig = HelperRig::new(controllers)?;
    let driver_count = set.driver_names.len();
    let rotations: Vec<Quat> = set.driver_changes.iter().map(|change| change.rotation.as_quat()).collect();
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
