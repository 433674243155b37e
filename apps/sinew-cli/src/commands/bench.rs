//! `sinew bench`.

use crate::args::{Bench, BenchSubject};
use crate::talk::Talk;
use anyhow::{Result, ensure};
use sinew::skin::fast::{MeasureSettings, MeasuredMethod, Measurement, OutputOrder, measure};

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
