//! A cuboid that stands upright.

use super::curves::Line;
use super::{Examples, MadeBody, moved, shaped, tiles};
use glam::{Quat, Vec3};
use sinew_geometry::TetMesh;
use std::f32::consts::PI;

const SIZE: Vec3 = Vec3::new(0.4, 0.8, 0.4);
const COLORS: [[u8; 3]; 2] = [[31, 122, 140], [238, 230, 210]];

/// A cuboid of 0.4 × 0.8 × 0.4 m round the origin, 225 particles, with a twist, an S, a bend, a squash and a stretch.
pub fn cuboid() -> MadeBody {
    let tets = moved(&TetMesh::lattice([4, 8, 4], SIZE), -0.5 * SIZE);
    let skin = tiles::rounded_box(0.5 * SIZE, 0.035, 0.1);
    MadeBody::new("cuboid", tets, skin.colored(&COLORS), examples)
}

fn examples(tets: &TetMesh) -> Examples {
    let along = |point: Vec3| point.y / SIZE.y;
    let snake = Line::new(SIZE.y, |s| -0.5 * (2.0 * PI * s).cos());
    let bow = Line::new(SIZE.y, |s| 1.6 * (s - 0.5));
    // Barrels and waists: wider in the middle and narrower at the ends, or the other way.
    let swelled = move |point: Vec3, height: f32, ends: f32, middle: f32| {
        let round = (PI * along(point)).cos();
        let wide = ends + (middle - ends) * round;
        Vec3::new(point.x * wide, point.y * height, point.z * wide)
    };
    vec![
        ("twist", shaped(tets, |point| Quat::from_rotation_y(2.1 * along(point)) * point)),
        ("s", shaped(tets, |point| snake.carry(point))),
        ("bend", shaped(tets, |point| bow.carry(point))),
        ("squash", shaped(tets, |point| swelled(point, 0.55, 1.2, 1.45))),
        ("stretch", shaped(tets, |point| swelled(point, 1.6, 0.9, 0.72))),
    ]
}
