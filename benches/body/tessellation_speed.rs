//! How long it takes to evaluate a body's worth of patches: 184 Bézier and 172 Gregory patches of 81 vertices, with normals.
//!
//! Run with `cargo run --release --manifest-path benches/Cargo.toml --example tessellation_speed`.
#![expect(clippy::print_stdout, reason = "an example that prints its measurement")]

use glam::{DVec3, Vec3};
use sinew_body::tessellation::Tessellation;
use sinew_body::{GregoryCorners, Patch};
use std::time::Instant;

fn main() {
    let patches: Vec<Patch> = (0..356).map(|k| patch(k, k >= 184)).collect();
    let tessellation = Tessellation::new(8, 8);
    let mut positions = vec![Vec3::ZERO; tessellation.vertex_count() * patches.len()];
    let mut normals = positions.clone();
    let mut best = f64::INFINITY;
    for _ in 0..200 {
        let start = Instant::now();
        for (patch, (positions, normals)) in patches.iter().zip(
            positions
                .chunks_exact_mut(tessellation.vertex_count())
                .zip(normals.chunks_exact_mut(tessellation.vertex_count())),
        ) {
            tessellation.evaluate_into(patch, positions, normals);
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{} vertices with normals: {:.3} ms", positions.len(), best * 1e3);
    println!("mean normal {}", normals.iter().sum::<Vec3>() / normals.len() as f32);
}

/// A patch of about 5 cm, somewhere on a sheet.
fn patch(number: usize, is_gregory: bool) -> Patch {
    let point = |i: usize, j: usize| {
        let (x, y) =
            (0.01 * i as f64 + 0.04 * (number % 20) as f64, 0.01 * j as f64 + 0.04 * (number / 20) as f64);
        DVec3::new(x, y, 0.02 * (30.0 * x).sin() * (25.0 * y).cos())
    };
    let net = std::array::from_fn(|i| std::array::from_fn(|j| point(i, j)));
    if !is_gregory {
        return Patch::bezier(net);
    }
    let moved = |by: DVec3| [(1, 1), (1, 3), (3, 1), (3, 3)].map(|(i, j)| point(i, j) + by);
    Patch::gregory(net, GregoryCorners { cross_u: moved(DVec3::Z * 1e-3), cross_w: moved(DVec3::X * 1e-3) })
}
