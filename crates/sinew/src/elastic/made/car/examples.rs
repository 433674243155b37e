//! What the car becomes when it runs into something.

use super::super::curves::smooth_step;
use super::super::shaped;
use super::BOX;
use glam::Vec3;
use sinew_geometry::TetMesh;
use std::f32::consts::PI;

pub(super) fn examples(tets: &TetMesh) -> Vec<(&'static str, Vec<Vec3>)> {
    vec![
        ("crumple", shaped(tets, crumpled)),
        ("accordion", shaped(tets, folded)),
        ("cartoon", shaped(tets, braking)),
        ("leap", shaped(tets, leaping)),
    ]
}

/// The front pushed in: shorter, thrown up and aside, while the cabin stays.
fn crumpled(point: Vec3) -> Vec3 {
    let share = smooth_step(0.3, 1.9, point.z);
    let over = (point.z - 0.3).max(0.0);
    let shorter = point.z - 0.7 * over * smooth_step(0.0, 0.6, over);
    // Folds of one cell and a half, deeper toward the front, and not the same left and right.
    let fold = (2.0 * PI * point.z / 1.2).sin();
    let up = 0.24 * share * fold + 0.1 * share * point.y;
    let wide = 1.0 + 0.12 * share;
    let aside = 0.13 * share * (2.3 * point.x + 1.7 * point.y).sin();
    Vec3::new(point.x * wide + aside, point.y + up, shorter + 0.1 * share * (point.x * 1.9).sin() * share)
}

/// The whole car in folds: waists and bulges along its length.
fn folded(point: Vec3) -> Vec3 {
    // Every other plane of particles.
    let spacing = BOX.z / 7.0;
    let fold = (PI * (point.z + 0.5 * BOX.z) / spacing).cos();
    let wide = 1.06 + 0.17 * fold;
    let middle = 0.6;
    Vec3::new(point.x * wide, middle + (point.y - middle) * (1.06 + 0.2 * fold), 0.58 * point.z)
}

/// Squeezed from front to back into a ball, leaning forward, as cartoons brake.
fn braking(point: Vec3) -> Vec3 {
    let along = point.z / (0.5 * BOX.z);
    let round = 1.0 + 0.38 * (0.5 * PI * along).cos();
    let lean = 0.25 * (point.y - 0.2);
    Vec3::new(point.x * round, point.y * (0.92 + 0.42 * (0.5 * PI * along).cos()), 0.62 * point.z + lean)
}

/// Drawn long and low, with the cabin swept back, as cartoons set off.
fn leaping(point: Vec3) -> Vec3 {
    let height = point.y / BOX.y;
    Vec3::new(0.86 * point.x, 0.8 * point.y, 1.38 * point.z - 0.42 * height * height)
}
