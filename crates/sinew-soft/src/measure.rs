//! How fast bodies are on this machine. The one place in this crate that reads a clock.

use crate::{ExampleSet, ExampleSettings, Grouping, RegionMaterial, Regions, Rings, SoftBody, StepSettings};
use glam::{Quat, Vec3};
use sinew_geometry::TetMesh;
use sinew_geometry::simd::Backend;
use std::time::Instant;

/// Examples of a measured body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasuredExamples {
    /// None.
    Plain,
    /// Five, weighed for the body as a whole.
    Whole,
    /// Five, weighed for every region.
    Each,
}

impl MeasuredExamples {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Plain, Self::Whole, Self::Each];

    /// `"none"`, `"5 global"` or `"5 local"`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "none",
            Self::Whole => "5 global",
            Self::Each => "5 local",
        }
    }
}

/// Cells of the bars that are measured: 225, 2,025 and 20,000 particles.
pub const MEASURED_BARS: [[usize; 3]; 3] = [[8, 4, 4], [24, 8, 8], [49, 19, 19]];

/// Size of all of them, meters.
pub const BAR_SIZE: Vec3 = Vec3::new(0.8, 0.4, 0.4);

/// Kilograms of each particle of a mesh of a thousand kilograms a cubic meter: a quarter of every tetrahedron for each corner.
pub fn measured_masses(mesh: &TetMesh) -> Vec<f32> {
    let mut masses = vec![0.0; mesh.points().len()];
    for (tet, corners) in mesh.tets().iter().enumerate() {
        corners.iter().for_each(|&corner| masses[corner as usize] += 250.0 * mesh.tet_volume(tet) as f32);
    }
    masses
}

/// A bar held at one end, ready to be stepped.
#[derive(Clone, Debug)]
pub struct MeasuredBar {
    body: SoftBody,
}

impl MeasuredBar {
    /// A bar of so many cells.
    pub fn new(cells: [usize; 3], examples: MeasuredExamples) -> Self {
        let mesh = TetMesh::lattice(cells, BAR_SIZE);
        let masses = measured_masses(&mesh);
        let material = RegionMaterial::default();
        let regions = Regions::bind(mesh.points(), &masses, &Rings::of_tets(&mesh), |_| material);
        let grouping = match examples {
            MeasuredExamples::Plain => None,
            MeasuredExamples::Whole => Some(Grouping::Whole),
            MeasuredExamples::Each => Some(Grouping::Each),
        };
        let set = grouping.and_then(|grouping| {
            let settings = ExampleSettings { grouping, ..ExampleSettings::default() };
            // Cannot fail: the shapes are made from the bar's own points.
            ExampleSet::bind(&regions, &shapes(mesh.points()), &settings).ok()
        });
        let mut body = SoftBody::new(mesh.points(), &masses, vec![(regions, set)]);
        for (particle, point) in mesh.points().iter().enumerate().filter(|(_, point)| point.x == 0.0) {
            body.hold(particle, Some(*point));
        }
        Self { body }
    }

    /// How many particles there are.
    pub fn particle_count(&self) -> usize {
        self.body.particle_count()
    }

    /// Goes on by one step.
    pub fn step(&mut self, settings: &StepSettings) {
        self.body.step(settings, &[]);
    }

    /// Nanoseconds a particle and iteration on the current pool's threads: the least of many short runs, in `seconds` altogether.
    pub fn measure(&mut self, backend: Backend, seconds: f64) -> f64 {
        let settings = StepSettings { dt_secs: 1.0 / 120.0, backend, ..StepSettings::default() };
        let work = self.particle_count() as f64 * f64::from(settings.iterations);
        let begin = Instant::now();
        let mut least = f64::INFINITY;
        while begin.elapsed().as_secs_f64() < seconds || least.is_infinite() {
            let start = Instant::now();
            self.body.step(&settings, &[]);
            least = least.min(start.elapsed().as_nanos() as f64 / work);
        }
        least
    }
}

/// A twist, a shear, a squash, a bend and a stretch.
fn shapes(points: &[Vec3]) -> Vec<Vec<Vec3>> {
    let middle = 0.5 * BAR_SIZE;
    let along = |point: Vec3| point.x / BAR_SIZE.x;
    let deforms: [&dyn Fn(Vec3) -> Vec3; 5] = [
        &|point| Quat::from_rotation_x(along(point)) * (point - middle) + middle,
        &|point| point + Vec3::Y * (0.5 * point.x),
        &|point| point * Vec3::new(0.6, 1.25, 1.25),
        &|point| {
            let (turn, radius) = (0.8 * along(point), BAR_SIZE.x / 0.8);
            Vec3::new((radius - point.y) * turn.sin(), radius - (radius - point.y) * turn.cos(), point.z)
        },
        &|point| point * Vec3::new(1.4, 0.85, 0.85),
    ];
    deforms.iter().map(|deform| points.iter().map(|point| deform(*point)).collect()).collect()
}
