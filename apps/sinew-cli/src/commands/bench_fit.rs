//! `sinew bench fit`.

use super::bench::Bench;
use crate::interrupt;
use crate::output::{print, print_json};
use crate::talk::Talk;
use anyhow::Result;
use sinew::fit::{ControllerSettings, HelperSettings, Penalty, controller_errors};
use sinew::geometry::progress::{Progress, one_at_a_time};
use sinew::helpers::{ExampleSet, fit_set};
use sinew_figures::bench::{
    ARM_STEPS, ARM_VERTICES, LegPoses, benchmark_arm, benchmark_leg, frame_nanoseconds,
};
use std::time::Instant;

/// A measured fit.
struct Row {
    vertices: usize,
    poses: usize,
    helpers: usize,
    rmse: f64,
    rmse_controllers: f64,
    rmse_held_out: f64,
    coefficients: usize,
    fit_secs: f64,
    /// Sweeps over all poses, and how long they took.
    sweeps: (usize, f64),
    controller_secs: f64,
    ns_per_frame: f64,
}

pub(crate) fn bench_fit(options: &Bench, talk: &Talk) -> Result<()> {
    let threads = rayon::current_num_threads();
    talk.say(&format!("a leg of 663 vertices in 6,750 poses, {threads} threads, controllers of degree 2; lengths of the leg are cm, of the arm m"));
    let leg = benchmark_leg(39, 17, LegPoses::Grid);
    let held_out = benchmark_leg(39, 17, LegPoses::Random(1000, 99));
    let measured = [4, 8].into_iter().map(|helpers| measure(&leg, &held_out, helpers));
    let mut rows = measured.collect::<Result<Vec<_>>>()?;
    if options.is_large {
        talk.say("making an arm of 11,356 vertices in 20,736 poses");
        let begin = Instant::now();
        let arm = benchmark_arm(ARM_VERTICES, ARM_STEPS)?;
        talk.say(&format!("made in {:.0} s; fitting", begin.elapsed().as_secs_f64()));
        rows.push(measure(&arm, &benchmark_arm(ARM_VERTICES, HELD_OUT_STEPS)?, 4)?);
    }
    if options.is_json {
        let rows: Vec<serde_json::Value> = rows.iter().map(|row| json(row, threads)).collect();
        print_json(&rows)?;
        return Ok(());
    }
    print(format_args!(
        "{:>8} {:>6} {:>7} {:>7} {:>11} {:>8} {:>12} {:>7} {:>6} {:>8} {:>11} {:>8}",
        "vertices",
        "poses",
        "helpers",
        "RMS",
        "controllers",
        "held out",
        "coefficients",
        "fit s",
        "sweeps",
        "sweeps s",
        "controll. s",
        "ns/frame"
    ));
    for row in &rows {
        print(format_args!(
            "{:>8} {:>6} {:>7} {:>7.4} {:>11.4} {:>8.4} {:>12} {:>7.2} {:>6} {:>8.2} {:>11.2} {:>8.0}",
            row.vertices,
            row.poses,
            row.helpers,
            row.rmse,
            row.rmse_controllers,
            row.rmse_held_out,
            row.coefficients,
            row.fit_secs,
            row.sweeps.0,
            row.sweeps.1,
            row.controller_secs,
            row.ns_per_frame
        ));
    }
    Ok(())
}

/// Steps of poses of the arm between those that are fitted.
const HELD_OUT_STEPS: [usize; 5] = [3, 3, 2, 4, 2];

fn measure(leg: &ExampleSet, held_out: &ExampleSet, helpers: usize) -> Result<Row> {
    let settings = HelperSettings { helper_count: helpers, ..HelperSettings::default() };
    let controllers = ControllerSettings { penalty: Penalty::Auto, ..ControllerSettings::default() };
    let begin = Instant::now();
    let (mut full, mut end) = ((0, begin, begin), begin);
    let watch = one_at_a_time(|step| {
        end = Instant::now();
        match step.stage {
            "full" if step.done == 0 => full = (0, end, end),
            "full" => full = (step.done, full.1, end),
            _ => (),
        }
        interrupt::flow()
    });
    let fitted = fit_set(leg, &settings, &controllers, None, &Progress::new(&watch))?;
    drop(watch);
    // What comes after the last report of stage 1 is stage 2.
    let controller_secs = end.elapsed().as_secs_f64();
    let found = &fitted.found;
    let others = controller_errors(
        &held_out.examples(),
        &held_out.driver_rotations,
        &found.weights,
        &found.controllers,
    );
    Ok(Row {
        vertices: leg.rest_positions.len(),
        poses: leg.pose_count(),
        helpers,
        rmse: fitted.helpers.errors.rms,
        rmse_controllers: found.errors.rms,
        rmse_held_out: others.rms,
        coefficients: found.controllers.coefficient_count(),
        fit_secs: (end - begin).as_secs_f64(),
        sweeps: (full.0, (full.2 - full.1).as_secs_f64()),
        controller_secs,
        ns_per_frame: frame_nanoseconds(leg, &found.controllers)?,
    })
}

fn json(row: &Row, threads: usize) -> serde_json::Value {
    serde_json::json!({
        "vertices": row.vertices,
        "poses": row.poses,
        "threads": threads,
        "helpers": row.helpers,
        "rmse": row.rmse,
        "rmse_controllers": row.rmse_controllers,
        "rmse_held_out": row.rmse_held_out,
        "coefficients": row.coefficients,
        "fit_secs": row.fit_secs,
        "sweeps": row.sweeps.0,
        "sweep_secs": row.sweeps.1,
        "controller_secs": row.controller_secs,
        "ns_per_frame": row.ns_per_frame,
    })
}
