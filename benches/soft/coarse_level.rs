//! Prints how a bar settles with and without a coarse level: `cargo run --release --manifest-path benches/Cargo.toml --example coarse_level`.
#![expect(clippy::print_stdout, reason = "an example that prints")]

use glam::Vec3;
use sinew_geometry::TetMesh;
use sinew_soft::{RegionMaterial, Regions, Rings, SoftBody, StepSettings};

const SIZE: Vec3 = Vec3::new(0.8, 0.4, 0.4);
const SQUARE_SPEED: f32 = 2000.0;

fn main() {
    // w L⁴ / 8 E I + w L² / 2 κ A G.
    let theory = 9.81 / SQUARE_SPEED * (1.5 * SIZE.x.powi(4) / SIZE.y.powi(2) + SIZE.x.powi(2) / (5.0 / 6.0));
    for cells in [[8, 4, 4], [24, 8, 8], [49, 19, 19]] {
        let mesh = TetMesh::lattice(cells, SIZE);
        for (clusters, share) in [(0, 0.0), (120, 0.5), (120, 0.8)] {
            let sags = settle(&mesh, clusters, share);
            let last = sags[sags.len() - 1];
            // The first step after which it stays within 5 % of where it ends.
            let settled =
                sags.iter().rposition(|sag| (sag / last - 1.0).abs() > 0.05).map_or(0, |step| step + 1);
            println!(
                "{:6} particles, {clusters:3} wide regions with {share}: sag {:.4} m, {:+.1} % of theory, settled after {:.2} s",
                mesh.points().len(),
                last,
                100.0 * (last / theory - 1.0),
                settled as f32 / 60.0
            );
        }
    }
}

/// Sag of the free end after each of 4 seconds' steps.
fn settle(mesh: &TetMesh, clusters: usize, share: f32) -> Vec<f32> {
    let points = mesh.points();
    let mut masses = vec![0.0; points.len()];
    for (tet, corners) in mesh.tets().iter().enumerate() {
        corners.iter().for_each(|&corner| masses[corner as usize] += 250.0 * mesh.tet_volume(tet) as f32);
    }
    let bind = |rings: &Rings, share: f32| {
        let material = RegionMaterial { square_speed: share * SQUARE_SPEED, bulk: 0.0 };
        (Regions::bind(points, &masses, rings, |_| material), None)
    };
    let mut levels = vec![bind(&Rings::of_tets(mesh), 1.0 - share)];
    if clusters > 0 {
        levels.push(bind(&Rings::clustered(points, clusters, 8), share));
    }
    let mut body = SoftBody::new(points, &masses, levels);
    for (particle, point) in points.iter().enumerate().filter(|(_, point)| point.x == 0.0) {
        body.hold(particle, Some(*point));
    }
    let tip = points.len() - 1;
    let settings = StepSettings { damping: 4.0, ..StepSettings::default() };
    let step = |_| {
        body.step(&settings, &[]);
        points[tip].y - body.position(tip).y
    };
    (0..240).map(step).collect()
}
