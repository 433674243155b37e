//! How long a step takes, for the models of \[Koyama13\] table 1.

use super::super::table;
use super::played;
use anyhow::{Context, Result};
use serde::Serialize;
use sinew_scene::SceneChoices;
use sinew_scene::elastic::SCENES;

/// A model's step on one thread, milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimingRow {
    /// Which.
    pub model: String,
    /// Particles of all bodies.
    pub particles: usize,
    /// Iterations a step.
    pub iterations: u32,
    /// Matching shapes.
    pub matching_ms: f64,
    /// Weighing examples and following them.
    pub projection_ms: f64,
    /// Contact with the floor.
    pub contact_ms: f64,
    /// All of it.
    pub total_ms: f64,
    /// Seconds of motion for each second of work, at 60 steps a second.
    pub real_time_factor: f64,
    /// The source's particles.
    pub source_particles: usize,
    /// The source's matching, projection and whole step, one iteration each.
    pub source_ms: [f64; 3],
}

/// A model of the source's table: what it is called, its bodies, the source's particles and times.
type Case = (&'static str, fn() -> String, usize, [f64; 3]);

const CUBOID: &str = "[[body]]\nmade = \"cuboid\"\nbeta = 0.9\nyoung = 100000\nat = [0, 1, 0]\n";
const TWIST: &str = "[[body.example]]\non = \"twist\"\nshape = \"squash\"\namount = 0.75\n";

const CAR: &str = "[[body]]\nmade = \"car\"\ndensity = 100\nyoung = 900000\nbeta = 0.9\nat = [0, 0.2, 0]\n\
    [[body.example]]\nname = \"crumple\"\n";

const CASES: [Case; 5] = [
    ("cuboid", || format!("{CUBOID}{TWIST}"), 225, [0.21, 0.091, 0.33]),
    ("cuboid, per region", || format!("{CUBOID}grouping = \"each\"\n{TWIST}"), 225, [0.21, 0.17, 0.40]),
    ("four cylinders", || bodies_of("cylinders"), 2025, [2.0, 0.86, 3.1]),
    ("teddy", || bodies_of("teddy"), 1280, [1.3, 0.72, 2.2]),
    ("car", || CAR.to_owned(), 192, [0.17, 0.078, 0.27]),
];

/// The bodies of a shipped scene, with its ground and handles.
fn bodies_of(name: &str) -> String {
    let scene = SCENES.iter().find(|(found, _)| *found == name).map_or("", |(_, text)| text);
    // What stands before the first body and after the last are settings of its own.
    let start = scene.find("[[body]]").unwrap_or(0);
    let end = scene.find("[camera]").unwrap_or(scene.len());
    scene[start..end].to_owned()
}

/// Plays two seconds of each model on one thread.
pub(super) fn rows() -> Result<Vec<TimingRow>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().context("cannot start threads")?;
    pool.install(|| CASES.iter().map(row).collect())
}

fn row(&(model, bodies, source_particles, source_ms): &Case) -> Result<TimingRow> {
    let text = format!("[scene]\nduration = 2\nfps = 60\n{}", bodies());
    let (scene, playback) = played(&text, &SceneChoices::default())?;
    let times = &playback.times;
    Ok(TimingRow {
        model: model.into(),
        particles: scene.casts().iter().map(|cast| cast.masses.len()).sum(),
        iterations: scene.step_settings().iterations,
        matching_ms: times.matching_ms,
        projection_ms: times.projection_ms,
        contact_ms: times.contact_ms,
        total_ms: times.median_ms,
        real_time_factor: times.real_time_factor,
        source_particles,
        source_ms,
    })
}

/// The table, beside the source's.
pub(super) fn markdown(rows: &[TimingRow]) -> String {
    let head = "Milliseconds of the processor a step, one thread. Sinew does several iterations a step and keeps bodies out of the floor; the source does one and counts \
         no contact. Matching, examples and contact are differences of steps with and without them, the least of three at 24 moments; the whole \
         is the middle one of all steps.\n\n\
         | model | particles | iterations | matching | examples | contact | whole | times real time | source: particles | matching | projection | whole |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|";
    table(head, rows, |row| {
        let [matching, projection, whole] = row.source_ms;
        format!(
            "| {} | {} | {} | {:.3} | {:.3} | {:.3} | {:.3} | {:.0} | {} | {matching} | {projection} | {whole} |",
            row.model,
            row.particles,
            row.iterations,
            row.matching_ms,
            row.projection_ms,
            row.contact_ms,
            row.total_ms,
            row.real_time_factor,
            row.source_particles,
        )
    })
}
