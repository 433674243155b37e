//! A solid cylinder with a hollow tube as its skin.

use super::curves::Line;
use super::tiles::{TiledSurface, chess, rows};
use super::{Examples, MadeBody, shaped};
use glam::{Quat, Vec2, Vec3, Vec3Swizzles};
use sinew_geometry::TetMesh;
use std::f32::consts::PI;

const LENGTH: f32 = 1.0;
/// Of the tube, outside and inside.
const OUTER: f32 = 0.16;
const INNER: f32 = 0.115;
const COLORS: [[u8; 3]; 3] = [[214, 84, 58], [243, 236, 224], [120, 44, 36]];

/// A cylinder round the origin along y, 1 m long, in layers of 25 particles, at least two: with a twist, a squash, a buckle and a bend.
pub fn cylinder(layer_count: usize) -> MadeBody {
    let tets = solid(layer_count.max(2));
    MadeBody::new("cylinder", tets, tube().colored(&COLORS), examples)
}

/// A lattice of squares bent to discs.
fn solid(layer_count: usize) -> TetMesh {
    let lattice = TetMesh::lattice([4, layer_count - 1, 4], Vec3::new(2.0, LENGTH, 2.0));
    // The outermost of 16 sides of a disc touches the tube.
    let radius = 1.002 * OUTER / (PI / 16.0).cos();
    let round = |point: &Vec3| {
        let disc = disc_from_square(Vec2::new(point.x - 1.0, point.z - 1.0)) * radius;
        Vec3::new(disc.x, point.y - 0.5 * LENGTH, disc.y)
    };
    TetMesh::new(lattice.points().iter().map(round).collect(), lattice.tets().to_vec()).unwrap_or_default()
}

/// Squares round the middle become circles, after \[Shirley97\].
fn disc_from_square(point: Vec2) -> Vec2 {
    let radius = point.abs().max_element();
    if radius <= 0.0 {
        return Vec2::ZERO;
    }
    let quarter = 0.25 * PI;
    let angle = if point.x.abs() >= point.y.abs() {
        quarter * point.y / point.x + if point.x < 0.0 { PI } else { 0.0 }
    } else {
        2.0 * quarter - quarter * point.x / point.y + if point.y < 0.0 { PI } else { 0.0 }
    };
    Vec2::from_angle(angle) * radius
}

/// Outside, inside and two round rims, in tiles.
fn tube() -> TiledSurface {
    const AROUND: usize = 12;
    const ALONG: usize = 8;
    let mut surface = TiledSurface::default();
    let around = rows(AROUND, 3);
    let rim = 0.5 * (OUTER - INNER);
    let middle = OUTER - rim;
    let half = 0.5 * LENGTH - rim;
    let place = |turn: f32, radius: f32, y: f32| {
        let (sin, cos) = (2.0 * PI * turn / AROUND as f32).sin_cos();
        Vec3::new(radius * sin, y, radius * cos)
    };
    let height = |v: f32| half * (2.0 * v / ALONG as f32 - 1.0);
    let along = rows(ALONG, 4);
    surface.add_grid(&around, &along, |u, v| (place(u, OUTER, height(v)), chess(u, v, (AROUND, ALONG))));
    let back: Vec<f32> = along.iter().rev().copied().collect();
    surface.add_grid(&around, &back, |u, v| (place(u, INNER, height(v)), 2));
    let bow: Vec<f32> = (0..=8).map(|at| PI * at as f32 / 8.0).collect();
    surface.add_grid(&around, &bow, |u, v| (place(u, middle + rim * v.cos(), half + rim * v.sin()), 2));
    surface.add_grid(&around, &bow, |u, v| (place(u, middle - rim * v.cos(), -half - rim * v.sin()), 2));
    surface
}

fn examples(tets: &TetMesh) -> Examples {
    let along = |point: Vec3| point.y / LENGTH;
    let bow = Line::new(LENGTH, |s| 2.0 * (s - 0.5));
    let squashed = |point: Vec3| {
        let wide = 1.1 + 0.65 * (PI * along(point)).cos();
        Vec3::new(point.x * wide, 0.55 * point.y, point.z * wide)
    };
    // Lobes that change places from fold to fold, as in a tube that is pressed until it buckles \[Yoshimura55\].
    let buckled = |point: Vec3| {
        let angle = point.x.atan2(point.z);
        let fold = (2.0 * PI * 2.5 * along(point)).cos();
        let rim = (1.0 - (2.0 * along(point).abs()).powi(6)).max(0.0);
        // The axis itself has no angle.
        let outward = point.xz().length() / OUTER;
        let wide = 1.04 + 0.21 * rim * outward * fold * (3.0 * angle).cos();
        Vec3::new(point.x * wide, 0.72 * point.y, point.z * wide)
    };
    vec![
        ("twist", shaped(tets, |point| Quat::from_rotation_y(2.6 * along(point)) * point)),
        ("squash", shaped(tets, squashed)),
        ("buckle", shaped(tets, buckled)),
        ("bend", shaped(tets, |point| bow.carry(point))),
    ]
}
