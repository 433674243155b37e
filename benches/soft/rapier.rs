//! A step of a soft bar beside one of rapier3d's, one end held, on one thread: `cargo bench --manifest-path benches/Cargo.toml --features rapier --bench soft_rapier`.
//!
//! rapier3d matches the shape of the body as a whole, once a step, or solves finite elements; both with its own defaults: four substeps of
//! one sweep. Ours matches a region per particle. It is timed by the source's update, which also matches shapes once a step, and
//! implicitly with four iterations, the same number of passes over the particles, and with its own default of twenty. Each figure is
//! the least of many steps, so that other work on the machine counts little.
#![expect(clippy::print_stdout, reason = "a bench that prints")]

use rapier3d::prelude::{PhysicsWorld, SoftBodyBuilder, SoftBodyCellModel, SoftBodySolver, Vector};
use sinew_geometry::TetMesh;
use sinew_soft::measure::{BAR_SIZE, MEASURED_BARS, MeasuredBar, MeasuredExamples, measured_masses};
use sinew_soft::{Integration, StepSettings};
use std::time::Instant;

/// Length of a step, seconds.
const DT_SECS: f32 = 1.0 / 60.0;

/// Steps that are not timed: caches fill and lists grow.
const WARM_UP: usize = 5;

fn main() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    // `cargo test --benches` runs every bench once, with this flag.
    let seconds = if std::env::args().any(|argument| argument == "--test") { 0.0 } else { 2.0 };
    pool.install(|| compare(seconds));
}

fn compare(seconds: f64) {
    println!("milliseconds a step of 1/60 s, one thread");
    println!(
        "{:>9} {:>12} {:>12} {:>12} {:>14} {:>12} {:>9} {:>9} {:>9}",
        "particles",
        "sinew, 1",
        "sinew, 4",
        "sinew, 20",
        "rapier shape",
        "rapier fem",
        "shape/1",
        "shape/4",
        "shape/20"
    );
    for cells in MEASURED_BARS {
        let mesh = TetMesh::lattice(cells, BAR_SIZE);
        let source = Integration::Source { alpha: 1.0 };
        let one = ours(cells, source, 1, seconds);
        let [few, many] = [4, 20].map(|iterations| ours(cells, Integration::Implicit, iterations, seconds));
        let shape = theirs(&mesh, |builder| builder.shape_matching(true), seconds);
        let fem = theirs(&mesh, finite_elements(&mesh), seconds);
        println!(
            "{:>9} {one:>12.4} {few:>12.4} {many:>12.4} {shape:>14.4} {fem:>12.3} {:>9.1} {:>9.1} {:>9.1}",
            mesh.points().len(),
            shape / one,
            shape / few,
            shape / many
        );
    }
}

fn ours(cells: [usize; 3], integration: Integration, iterations: u32, seconds: f64) -> f64 {
    let mut bar = MeasuredBar::new(cells, MeasuredExamples::Plain);
    let settings = StepSettings { dt_secs: DT_SECS, iterations, integration, ..StepSettings::default() };
    least_ms(seconds, || bar.step(&settings))
}

fn finite_elements(mesh: &TetMesh) -> impl FnOnce(SoftBodyBuilder) -> SoftBodyBuilder {
    let cells = mesh.tets().to_vec();
    move |builder| {
        builder.cells(cells).cell_model(SoftBodyCellModel::Corotational).solver(SoftBodySolver::Fem)
    }
}

fn theirs(mesh: &TetMesh, held_by: impl FnOnce(SoftBodyBuilder) -> SoftBodyBuilder, seconds: f64) -> f64 {
    let points = mesh.points().iter().map(|point| Vector::new(point.x, point.y, point.z)).collect();
    let pinned = (0..mesh.points().len() as u32).filter(|&at| mesh.points()[at as usize].x == 0.0);
    let builder = SoftBodyBuilder::new(points)
        .masses(measured_masses(mesh))
        .pinned_particles(pinned)
        .no_surface_collider()
        .can_sleep(false);
    let mut world = PhysicsWorld::new();
    world.integration_parameters.dt = DT_SECS;
    world.insert_soft_body(held_by(builder));
    least_ms(seconds, || world.step())
}

/// The least time of many runs, in `seconds` altogether.
fn least_ms(seconds: f64, mut run: impl FnMut()) -> f64 {
    (0..WARM_UP).for_each(|_| run());
    let (begin, mut least) = (Instant::now(), f64::INFINITY);
    while least.is_infinite() || begin.elapsed().as_secs_f64() < seconds {
        let start = Instant::now();
        run();
        least = least.min(1e3 * start.elapsed().as_secs_f64());
    }
    least
}
