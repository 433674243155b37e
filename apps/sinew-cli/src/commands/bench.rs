//! `sinew bench`.

use crate::output::{print, print_json};
use crate::talk::Talk;
use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};
use rayon::ThreadPoolBuilder;
use serde::Serialize;
use sinew::geometry::simd::Backend;
use sinew::skin::fast::{MeasureSettings, MeasuredMethod, Measurement, OutputOrder, measure};
use sinew::soft::measure::{MEASURED_BARS, MeasuredBar, MeasuredExamples};

/// `sinew bench`.
#[derive(Args, Debug)]
#[command(after_help = "\
skin: every method beside its scalar twin (backend scalar), for results in the order of groups and in the caller's order.
soft: a step of soft bars of three sizes, without examples, with 5 for the whole body and with 5 a region.
fit: 4 and 8 helpers of a leg of 663 vertices in 6,750 poses: seconds by stage, errors, and nanoseconds a frame of the controllers.

Examples:
  sinew bench skin
  sinew bench skin --vertices 1000000 --threads 2 --json
  sinew bench soft --seconds 20
  sinew bench fit --threads 1 --json")]
pub(crate) struct Bench {
    /// What to measure
    #[arg(value_enum)]
    pub(crate) subject: BenchSubject,
    /// Vertices of the synthetic model
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(16..=100_000_000))]
    pub(crate) vertices: usize,
    /// Its bones
    #[arg(long, value_name = "B", default_value_t = 60, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(2..=60_000))]
    pub(crate) bones: usize,
    /// Influences of a vertex
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=8))]
    pub(crate) influences: usize,
    /// How long soft bodies are measured altogether, seconds; longer is steadier
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = seconds)]
    pub(crate) seconds: f64,
    /// With fit: also an arm of 11,356 vertices in 20,736 poses, which takes minutes and 4 GB
    #[arg(long = "large")]
    pub(crate) is_large: bool,
    /// Print the measurements as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchSubject {
    /// The skinning kernels.
    Skin,
    /// Steps of soft bodies.
    Soft,
    /// Helper bones of a leg.
    Fit,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("must be a number of seconds from 0 to 3600".to_owned()),
    }
}

pub(crate) fn run(options: &Bench, threads: Option<usize>, talk: &Talk) -> Result<()> {
    match options.subject {
        BenchSubject::Skin => bench_skin(options, threads, talk),
        BenchSubject::Soft => bench_soft(options, threads, talk),
        BenchSubject::Fit => super::bench_fit::bench_fit(options, talk),
    }
}

fn bench_skin(options: &Bench, threads: Option<usize>, talk: &Talk) -> Result<()> {
    let (bones, influences) = (options.bones, options.influences);
    ensure!(
        bones > influences,
        "a model of {bones} bones cannot have {influences} influences a vertex; use more --bones"
    );
    let settings = MeasureSettings {
        vertex_count: options.vertices,
        bone_count: bones,
        influence_count: influences,
        thread_counts: threads.map_or_else(default_threads, |threads| vec![threads]),
        ..MeasureSettings::default()
    };
    talk.say(&format!(
        "{} vertices, {bones} bones, {influences} influences (sdef, sbs, bezier, delta-mush 2), positions and unit normals",
        options.vertices
    ));
    let measurements = measure(&settings);
    if options.is_json {
        let rows: Vec<_> = measurements.iter().map(|row| json(row, times_sdef(row, &measurements))).collect();
        print_json(&rows)?;
        return Ok(());
    }
    print(format_args!(
        "{:<10} {:<9} {:<8} {:<9} {:>7} {:<7} {:>9} {:>7} {:>7} {:>8}",
        "method",
        "normals",
        "order",
        "stores",
        "threads",
        "backend",
        "ns/vertex",
        "x sdef",
        "GB/s",
        "of copy"
    ));
    for row in &measurements {
        let (method, normals) = method_and_normals(row.method);
        let (order, stores) = order_and_stores(row.order);
        print(format_args!(
            "{method:<10} {normals:<9} {order:<8} {stores:<9} {:>7} {:<7} {:>9.2} {:>7.2} {:>7.1} {:>7.0}%",
            row.threads,
            row.backend.name(),
            row.ns_per_vertex,
            times_sdef(row, &measurements),
            row.gigabytes_per_sec,
            100.0 * row.share_of_copy_bandwidth
        ));
    }
    Ok(())
}

fn bench_soft(options: &Bench, threads: Option<usize>, talk: &Talk) -> Result<()> {
    let thread_counts = threads.map_or_else(default_threads, |threads| vec![threads]);
    talk.say("bars held at one end, steps of 1/120 s, 20 iterations; nanoseconds a particle and iteration");
    let rows = measure_soft(options.seconds, &thread_counts)?;
    if options.is_json {
        print_json(&rows)?;
        return Ok(());
    }
    print(format_args!(
        "{:>9} {:<8} {:>7} {:<7} {:>11}",
        "particles", "examples", "threads", "backend", "ns/particle"
    ));
    for row in &rows {
        print(format_args!(
            "{:>9} {:<8} {:>7} {:<7} {:>11.1}",
            row.particles, row.examples, row.threads, row.backend, row.ns_per_particle
        ));
    }
    Ok(())
}

/// A measurement of `sinew bench soft`.
#[derive(Serialize)]
struct SoftRow {
    particles: usize,
    examples: &'static str,
    threads: usize,
    backend: &'static str,
    /// Per iteration.
    ns_per_particle: f64,
}

/// Every bar with every kind of examples, on every number of threads and every backend that this processor has.
fn measure_soft(seconds: f64, thread_counts: &[usize]) -> Result<Vec<SoftRow>> {
    let backends: Vec<Backend> = Backend::ALL.into_iter().filter(|backend| backend.is_available()).collect();
    let pools = thread_counts
        .iter()
        .map(|&threads| Ok((threads, ThreadPoolBuilder::new().num_threads(threads).build()?)))
        .collect::<Result<Vec<_>>>()?;
    let count = MEASURED_BARS.len() * MeasuredExamples::ALL.len() * pools.len() * backends.len();
    let mut rows = Vec::with_capacity(count);
    for cells in MEASURED_BARS {
        for examples in MeasuredExamples::ALL {
            let mut bar = MeasuredBar::new(cells, examples);
            for (threads, pool) in &pools {
                for &backend in &backends {
                    let ns_per_particle = pool.install(|| bar.measure(backend, seconds / count as f64));
                    rows.push(SoftRow {
                        particles: bar.particle_count(),
                        examples: examples.name(),
                        threads: *threads,
                        backend: backend.name(),
                        ns_per_particle,
                    });
                }
            }
        }
    }
    Ok(rows)
}

/// One thread, and all of them where there are more.
fn default_threads() -> Vec<usize> {
    let all = rayon::current_num_threads();
    if all > 1 { vec![1, all] } else { vec![1] }
}

/// The method, and how its normals are found.
fn method_and_normals(method: MeasuredMethod) -> (&'static str, &'static str) {
    match method {
        MeasuredMethod::Lbs => ("lbs", "cofactor"),
        MeasuredMethod::LbsBlendNormals => ("lbs", "blend"),
        MeasuredMethod::DeltaMush => (method.name(), "frame"),
        method => (method.name(), "rotation"),
    }
}

/// Time relative to SDEF's in the same order, on as many threads, with the same backend.
fn times_sdef(row: &Measurement, all: &[Measurement]) -> f64 {
    let settings = |row: &Measurement| (row.order, row.threads, row.backend);
    let sdef =
        all.iter().find(|other| other.method == MeasuredMethod::Sdef && settings(other) == settings(row));
    sdef.map_or(f64::NAN, |sdef| row.ns_per_vertex / sdef.ns_per_vertex)
}

/// The order of the result, and whether it is stored through the caches or past them.
fn order_and_stores(order: OutputOrder) -> (&'static str, &'static str) {
    match order {
        OutputOrder::Grouped => ("grouped", "cached"),
        OutputOrder::GroupedStreaming => ("grouped", "streaming"),
        OutputOrder::Caller => ("caller", "auto"),
    }
}

fn json(row: &Measurement, times_sdef: f64) -> serde_json::Value {
    let (method, normals) = method_and_normals(row.method);
    let (order, stores) = order_and_stores(row.order);
    serde_json::json!({
        "method": method,
        "normals": normals,
        "order": order,
        "stores": stores,
        "threads": row.threads,
        "backend": row.backend.name(),
        "ns_per_vertex": row.ns_per_vertex,
        "times_sdef": times_sdef,
        "gigabytes_per_sec": row.gigabytes_per_sec,
        "share_of_copy_bandwidth": row.share_of_copy_bandwidth,
    })
}
