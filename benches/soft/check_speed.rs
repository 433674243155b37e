//! How long it takes to look through the blends of three examples of 2,000 tetrahedra: `cargo run --release --manifest-path benches/Cargo.toml --example check_speed`.

#![expect(clippy::print_stdout, reason = "what it is for")]

use glam::{Quat, Vec3};
use sinew_geometry::TetMesh;
use sinew_soft::{CheckSettings, ExampleError, ExampleSet};
use std::time::Instant;

const SIZE: Vec3 = Vec3::new(1.2, 0.2, 0.2);

fn main() -> Result<(), ExampleError> {
    let mesh = TetMesh::lattice([16, 5, 5], SIZE);
    let shape = |deform: &dyn Fn(Vec3) -> Vec3| mesh.points().iter().map(|point| deform(*point)).collect();
    let shapes: [Vec<Vec3>; 3] = [
        shape(&|point| Quat::from_rotation_x(2.0 * point.x / SIZE.x) * (point - 0.5 * SIZE)),
        shape(&|point| point * Vec3::new(0.6, 1.3, 1.3)),
        shape(&|point| point + Vec3::Y * point.x * point.x),
    ];
    let mut least = f64::INFINITY;
    for _ in 0..5 {
        let begin = Instant::now();
        let warnings = ExampleSet::check(&mesh, &shapes, None, &CheckSettings::default())?;
        assert!(warnings.is_empty(), "{warnings:?}");
        least = least.min(begin.elapsed().as_secs_f64());
    }
    println!("{} tetrahedra, {} examples: {least:.3} s", mesh.tets().len(), shapes.len());
    Ok(())
}
