//! `sinew bench`.

use crate::args::{Bench, BenchSubject};
use crate::talk::Talk;
use anyhow::{Result, ensure};
use rayon::ThreadPoolBuilder;
use sinew::geometry::simd::Backend;
use sinew::skin::fast::{MeasureSettings, MeasuredMethod, Measurement, OutputOrder, measure};
use sinew::soft::measure::{MEASURED_BARS, MeasuredBar, MeasuredExamples};

pub(crate) fn bench(options: &Bench, threads: Option<usize>, talk: &Talk) -> Result<()> {
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
        "{} vertices, {bones} bones, {influences} influences (sdef 2), positions and unit normals",
        options.vertices
    ));
    let measurements = measure(&settings);
    if options.is_json {
        let rows: Vec<serde_json::Value> = measurements.iter().map(json).collect();
        println!("{}", serde_json::to_string_pretty(&rows)?);
        return Ok(());
    }
    println!(
        "{:<6} {:<9} {:<8} {:<9} {:>7} {:<7} {:>9} {:>7} {:>8}",
        "method", "normals", "order", "stores", "threads", "backend", "ns/vertex", "GB/s", "of copy"
    );
    for row in &measurements {
        let (method, normals) = method_and_normals(row.method);
        let (order, stores) = order_and_stores(row.order);
        println!(
            "{method:<6} {normals:<9} {order:<8} {stores:<9} {:>7} {:<7} {:>9.2} {:>7.1} {:>7.0}%",
            row.threads,
            row.backend.name(),
            row.ns_per_vertex,
            row.gigabytes_per_sec,
            100.0 * row.share_of_copy_bandwidth
        );
    }
    Ok(())
}

fn bench_soft(options: &Bench, threads: Option<usize>, talk: &Talk) -> Result<()> {
    let thread_counts = threads.map_or_else(default_threads, |threads| vec![threads]);
    talk.say("bars held at one end, steps of 1/120 s, 20 iterations; nanoseconds a particle and iteration");
    let rows = measure_soft(options.seconds, &thread_counts)?;
    if options.is_json {
        let rows: Vec<serde_json::Value> = rows.iter().map(soft_json).collect();
        println!("{}", serde_json::to_string_pretty(&rows)?);
        return Ok(());
    }
    println!("{:>9} {:<8} {:>7} {:<7} {:>11}", "particles", "examples", "threads", "backend", "ns/particle");
    for row in &rows {
        println!(
            "{:>9} {:<8} {:>7} {:<7} {:>11.1}",
            row.particles, row.examples, row.threads, row.backend, row.ns_per_particle
        );
    }
    Ok(())
}

/// A measurement of `sinew bench soft`.
struct SoftRow {
    particles: usize,
    examples: &'static str,
    threads: usize,
    backend: &'static str,
    /// Per iteration.
    ns_per_particle: f64,
}

fn soft_json(row: &SoftRow) -> serde_json::Value {
    serde_json::json!({
        "particles": row.particles,
        "examples": row.examples,
        "threads": row.threads,
        "backend": row.backend,
        "ns_per_particle": row.ns_per_particle,
    })
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
        MeasuredMethod::Dlb => ("dlb", "rotation"),
        MeasuredMethod::Sdef => ("sdef", "rotation"),
    }
}

/// The order of the result, and whether it is stored through the caches or past them.
fn order_and_stores(order: OutputOrder) -> (&'static str, &'static str) {
    match order {
        OutputOrder::Grouped => ("grouped", "cached"),
        OutputOrder::GroupedStreaming => ("grouped", "streaming"),
        OutputOrder::Caller => ("caller", "auto"),
    }
}

fn json(row: &Measurement) -> serde_json::Value {
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
        "gigabytes_per_sec": row.gigabytes_per_sec,
        "share_of_copy_bandwidth": row.share_of_copy_bandwidth,
    })
}
