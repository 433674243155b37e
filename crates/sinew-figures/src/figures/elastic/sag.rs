//! How far a bar that is held at one end sags, for different lengths of the step: it must not matter.

use super::super::{chart, curve, table};
use glam::Vec3;
use serde::Serialize;
use sinew_geometry::TetMesh;
use sinew_picture::chart::Chart;
use sinew_soft::{Integration, RegionMaterial, Regions, Rings, SoftBody, StepSettings};

/// A bar at rest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SagRow {
    /// How it was stepped.
    pub update: String,
    /// Steps a second.
    pub rate: f64,
    /// How far the free end is below the held one, metres.
    pub sag: f64,
}

const RATES: [f64; 4] = [60.0, 120.0, 240.0, 480.0];
const SIZE_M: Vec3 = Vec3::new(0.8, 0.2, 0.2);
const CELLS: [usize; 3] = [16, 4, 4];

/// E / ρ, m²/s²: by the theory of Timoshenko the end sags by 113 mm (108 of bending, 5 of shear).
const SQUARE_SPEED: f32 = 1400.0;

/// Seconds until it rests.
const REST_SECS: f64 = 12.0;

pub(super) fn rows() -> Vec<SagRow> {
    let own = |iterations: u32| {
        let settings = StepSettings { iterations, ..StepSettings::default() };
        (format!("Sinew, {iterations} iterations"), settings)
    };
    let integration = Integration::Source { alpha: SOURCE_ALPHA };
    let source = StepSettings { integration, ..StepSettings::default() };
    let updates = [own(10), own(20), (format!("the source's update, α = {SOURCE_ALPHA}"), source)];
    let stepped = |(update, settings): &(String, StepSettings), rate: f64| {
        let settings = StepSettings { dt_secs: (1.0 / rate) as f32, damping: 2.0, ..*settings };
        SagRow { update: update.clone(), rate, sag: sag(&settings, (REST_SECS * rate) as usize) }
    };
    updates.iter().flat_map(|update| RATES.map(|rate| stepped(update, rate))).collect()
}

/// The source's stiffness goes from 0 to 1 and has no unit; this is the stiffest.
const SOURCE_ALPHA: f32 = 1.0;

/// How far the free end sags.
fn sag(settings: &StepSettings, step_count: usize) -> f64 {
    let mesh = TetMesh::lattice(CELLS, SIZE_M);
    let mut masses = vec![0.0; mesh.points().len()];
    for (tet, corners) in mesh.tets().iter().enumerate() {
        corners.iter().for_each(|&corner| masses[corner as usize] += 250.0 * mesh.tet_volume(tet) as f32);
    }
    let material = RegionMaterial { square_speed: SQUARE_SPEED, bulk: 0.0 };
    let regions = Regions::bind(mesh.points(), &masses, &Rings::of_tets(&mesh), |_| material);
    let mut body = SoftBody::new(mesh.points(), &masses, vec![(regions, None)]);
    for (particle, point) in mesh.points().iter().enumerate().filter(|(_, point)| point.x == 0.0) {
        body.hold(particle, Some(*point));
    }
    (0..step_count).for_each(|_| body.step(settings, &[]));
    let ends = mesh.points().iter().enumerate().filter(|(_, point)| point.x == SIZE_M.x);
    let drops: Vec<f64> = ends.map(|(at, rest)| f64::from(rest.y - body.position(at).y)).collect();
    drops.iter().sum::<f64>() / drops.len() as f64
}

pub(super) fn by_rate(rows: &[SagRow]) -> Chart {
    let curves = rows.chunk_by(|a, b| a.update == b.update).enumerate();
    let points = |rows: &[SagRow]| rows.iter().map(|row| [row.rate, row.sag]).collect();
    let curves = curves.map(|(number, rows)| curve(number, &rows[0].update, points(rows))).collect();
    let y_range = [0.0, rows.iter().map(|row| row.sag).fold(0.2, f64::max)];
    let title = "Sag of a bar of 0.8 m, held at one end";
    Chart { is_log_x: true, ..chart(title, ["steps a second", "metres"], y_range, curves) }
}

pub(super) fn csv(rows: &[SagRow]) -> String {
    table("update,rate,sag", rows, |row| format!("{},{},{:.5}", row.update, row.rate, row.sag))
}
