//! `sinew bench fit`.

use super::bench::Bench;
use crate::interrupt;
use crate::output::{print, print_json};
use crate::talk::Talk;
use anyhow::Result;
use sinew::geometry::progress::{Progress, one_at_a_time};
use sinew_figures::bench::{FitBenchRequest, MAKING_ARM, bench_fit as measure};
use std::time::Instant;

pub(crate) fn bench_fit(options: &Bench, talk: &Talk) -> Result<()> {
    let threads = rayon::current_num_threads();
    talk.say(&format!("a leg of 663 vertices in 6,750 poses, {threads} threads, controllers of degree 2; lengths of the leg are cm, of the arm m"));
    let mut begin = Instant::now();
    let watch = one_at_a_time(|step| {
        match (step.stage, step.done) {
            (MAKING_ARM, 0) => {
                begin = Instant::now();
                talk.say("making an arm of 11,356 vertices in 20,736 poses");
            }
            (MAKING_ARM, _) => {
                talk.say(&format!("made in {:.0} s; fitting", begin.elapsed().as_secs_f64()));
            }
            _ => (),
        }
        interrupt::flow()
    });
    let rows = measure(&FitBenchRequest { is_large: options.is_large }, &Progress::new(&watch))?;
    if options.is_json {
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
            row.sweeps,
            row.sweep_secs,
            row.controller_secs,
            row.ns_per_frame
        ));
    }
    Ok(())
}
