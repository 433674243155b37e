//! How long a step takes, for the models of \[Koyama13\] table 1.

use super::super::FiguresError;
use serde::Serialize;
use sinew_geometry::progress::Progress;
use sinew_io::Report;
use sinew_scene::elastic::{ElasticScene, Playback, SCENES};
use sinew_scene::{Reading, SceneChoices};
use std::fmt::Write;

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
struct Case {
    model: &'static str,
    bodies: fn() -> String,
    source_particles: usize,
    source_ms: [f64; 3],
}

const CUBOID: &str = "[[body]]\nmade = \"cuboid\"\nbeta = 0.9\nyoung = 100000\nat = [0, 1, 0]\n";
const TWIST: &str = "[[body.example]]\non = \"twist\"\nshape = \"squash\"\namount = 0.75\n";

const CASES: [Case; 5] = [
    Case {
        model: "cuboid",
        bodies: || format!("{CUBOID}{TWIST}"),
        source_particles: 225,
        source_ms: [0.21, 0.091, 0.33],
    },
    Case {
        model: "cuboid, per region",
        bodies: || format!("{CUBOID}grouping = \"each\"\n{TWIST}"),
        source_particles: 225,
        source_ms: [0.21, 0.17, 0.40],
    },
    Case {
        model: "four cylinders",
        bodies: || bodies_of("cylinders"),
        source_particles: 2025,
        source_ms: [2.0, 0.86, 3.1],
    },
    Case {
        model: "teddy",
        bodies: || bodies_of("teddy"),
        source_particles: 1280,
        source_ms: [1.3, 0.72, 2.2],
    },
    Case {
        model: "car",
        bodies: || {
            let car =
                "[[body]]\nmade = \"car\"\ndensity = 100\nyoung = 900000\nbeta = 0.9\nat = [0, 0.2, 0]\n";
            format!("{car}[[body.example]]\nname = \"crumple\"\n")
        },
        source_particles: 192,
        source_ms: [0.17, 0.078, 0.27],
    },
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
pub(super) fn rows() -> Result<Vec<TimingRow>, FiguresError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|error| FiguresError::Threads { message: error.to_string() })?;
    pool.install(|| CASES.iter().map(row).collect())
}

fn row(case: &Case) -> Result<TimingRow, FiguresError> {
    let text = format!("[scene]\nduration = 2\nfps = 60\n{}", (case.bodies)());
    let (choices, mut report) = (SceneChoices::default(), Report::default());
    let scene = ElasticScene::read(&text, &choices, &mut Reading::here(&mut report))?;
    let times = Playback::of(&scene, &Progress::none())?.times.clone();
    Ok(TimingRow {
        model: case.model.into(),
        particles: scene.casts().iter().map(|cast| cast.masses.len()).sum(),
        iterations: scene.step_settings().iterations,
        matching_ms: times.matching_ms,
        projection_ms: times.projection_ms,
        contact_ms: times.contact_ms,
        total_ms: times.median_ms,
        real_time_factor: times.real_time_factor,
        source_particles: case.source_particles,
        source_ms: case.source_ms,
    })
}

/// The table, beside the source's.
pub(super) fn markdown(rows: &[TimingRow]) -> String {
    let mut text = String::from(
        "Milliseconds of the processor a step, one thread. Sinew does several iterations a step and keeps bodies out of the floor; the source does one and counts \
         no contact. Matching, examples and contact are differences of steps with and without them, the least of three at 24 moments; the whole \
         is the middle one of all steps.\n\n\
         | model | particles | iterations | matching | examples | contact | whole | times real time | source: particles | matching | projection | whole |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let [matching, projection, whole] = row.source_ms;
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
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
        );
    }
    text
}
