//! `sinew bench`.

use crate::args::{Bench, BenchSubject};
use crate::talk::Talk;
use anyhow::{Result, ensure};
use sinew::skin::fast::{MeasureSettings, Measurement, measure};

pub(crate) fn bench(options: &Bench, threads: Option<usize>, talk: &Talk) -> Result<()> {
    let BenchSubject::Skin = options.subject;
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
        "{:<18} {:<9} {:>7} {:<8} {:>10} {:>8} {:>8}",
        "method", "order", "threads", "backend", "ns/vertex", "GB/s", "of copy"
    );
    for row in &measurements {
        println!(
            "{:<18} {:<9} {:>7} {:<8} {:>10.2} {:>8.1} {:>7.0}%",
            row.method.name(),
            row.order.name(),
            row.threads,
            row.backend.name(),
            row.ns_per_vertex,
            row.gigabytes_per_sec,
            100.0 * row.share_of_copy_bandwidth
        );
    }
    Ok(())
}

/// One thread, and all of them where there are more.
fn default_threads() -> Vec<usize> {
    let all = rayon::current_num_threads();
    if all > 1 { vec![1, all] } else { vec![1] }
}

fn json(row: &Measurement) -> serde_json::Value {
    serde_json::json!({
        "method": row.method.name(),
        "order": row.order.name(),
        "threads": row.threads,
        "backend": row.backend.name(),
        "ns_per_vertex": row.ns_per_vertex,
        "gigabytes_per_sec": row.gigabytes_per_sec,
        "share_of_copy_bandwidth": row.share_of_copy_bandwidth,
    })
}
