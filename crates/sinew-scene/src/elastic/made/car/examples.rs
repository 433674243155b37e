//! What the car becomes when it runs into something.

use super::super::{Examples, shaped};
use super::{BOX, CELLS};
use glam::Vec3;
use sinew_geometry::{TetMesh, smooth_step_between};
use std::f32::consts::PI;

pub(super) fn examples(tets: &TetMesh) -> Examples {
    vec![
        ("crumple", shaped(tets, crumpled)),
        ("accordion", shaped(tets, folded)),
        ("cartoon", shaped(tets, braking)),
        ("leap", shaped(tets, leaping)),
    ]
}

/// From fold to fold at rest, metres: four planes of particles.
const FOLD_M: f32 = 4.0 * BOX.z / CELLS[2] as f32;

/// The front pushed in: shorter, thrown up and aside, while the cabin stays.
fn crumpled(point: Vec3) -> Vec3 {
    let share = smooth_step_between(0.3, 1.9, point.z);
    // Lengths shrink by more and more, to 0.36, over half a metre: the integral of a smooth step.
    let (from, width, most) = (0.2, 0.5, 0.64);
    let t = ((point.z - from) / width).clamp(0.0, 1.0);
    let beyond = (point.z - from - width).max(0.0);
    let shorter = point.z - most * (width * t * t * t * (1.0 - 0.5 * t) + beyond);
    // Folds that are deeper toward the front, and not the same left and right.
    let fold = (2.0 * PI * (point.z - 0.35) / FOLD_M).sin();
    // The wheels stay on the ground.
    let up = (0.24 * share * fold + 0.1 * share * point.y) * smooth_step_between(0.0, 0.6, point.y);
    let wide = 1.0 + 0.12 * share;
    let aside = 0.13 * share * (2.3 * point.x + 1.7 * point.y).sin();
    Vec3::new(point.x * wide + aside, point.y + up, shorter + 0.1 * share * (point.x * 1.9).sin() * share)
}

/// The whole car in folds: waists and bulges along its length.
fn folded(point: Vec3) -> Vec3 {
    // Regions are three planes of particles thick: shorter folds than four would be none to them.
    let fold = (2.0 * PI * (point.z + 0.5 * BOX.z) / FOLD_M).cos();
    let wide = 1.06 + 0.2 * fold;
    // Up from the ground, on which the wheels stay.
    Vec3::new(point.x * wide, point.y * (1.06 + 0.22 * fold), 0.58 * point.z)
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
