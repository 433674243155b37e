//! The painted body of the car, as an implicit surface.

use super::super::parts::{Shells, color, skin_of};
use glam::{Vec2, Vec3, Vec4};
use sinew_geometry::{Grid, ellipsoid_distance, smooth_max, smooth_min, smooth_step_between};

const PAINT: [u8; 3] = [206, 46, 40];
const ROOF: [u8; 3] = [244, 238, 226];
const UNDER: [u8; 3] = [52, 50, 52];

/// Edge of the cells in which the surface is found, metres.
const CELL: f32 = 0.043;

/// Where the wheels' middles are: beside the middle plane, above the ground, before and behind the middle.
pub(super) const WHEEL: Vec3 = Vec3::new(0.7, 0.33, 1.2);
pub(super) const WHEEL_RADIUS: f32 = 0.33;

/// Distance to the body: negative inside.
pub(super) fn distance(point: Vec3) -> f32 {
    let p = Vec3::new(point.x.abs(), point.y, point.z);
    let at = |center: Vec3, semi_axes: Vec3| ellipsoid_distance(p - center, semi_axes);
    let tub = rounded_box(p - Vec3::new(0.0, 0.55, 0.0), Vec3::new(0.78, 0.25, 1.88), 0.2);
    let hood = at(Vec3::new(0.0, 0.57, 1.0), Vec3::new(0.7, 0.34, 0.98));
    let tail = at(Vec3::new(0.0, 0.6, -1.15), Vec3::new(0.72, 0.34, 0.8));
    let front_fender = at(Vec3::new(0.66, 0.46, WHEEL.z), Vec3::new(0.22, 0.42, 0.56));
    let rear_fender = at(Vec3::new(0.67, 0.46, -WHEEL.z), Vec3::new(0.22, 0.44, 0.58));
    let body = smooth_min(smooth_min(tub, hood, 0.16), tail, 0.16);
    let body = smooth_min(smooth_min(body, front_fender, 0.1), rear_fender, 0.1);
    let body = smooth_min(body, cabin(p), 0.1);
    // Arches round the wheels, and no floor below the sills.
    let from_axle = Vec2::new(p.y - WHEEL.y, p.z.abs() - WHEEL.z).length();
    let arch = (WHEEL_RADIUS + 0.07 - from_axle).min(p.x - 0.42);
    let body = smooth_max(body, arch, 0.06);
    smooth_max(body, 0.26 - p.y, 0.06)
}

/// The part with the windows: narrower and shorter above.
fn cabin(p: Vec3) -> f32 {
    let up = ((p.y - 0.85) / 0.6).clamp(0.0, 1.2);
    let narrow = 1.0 - 0.2 * up;
    let shifted = Vec3::new(p.x / narrow, p.y - 1.0, (p.z + 0.3) / (1.0 - 0.3 * up));
    rounded_box(shifted, Vec3::new(0.68, 0.45, 0.98), 0.3) * 0.7
}

fn rounded_box(p: Vec3, half: Vec3, radius: f32) -> f32 {
    let over = p.abs() - (half - radius);
    over.max(Vec3::ZERO).length() + over.max_element().min(0.0) - radius
}

/// Adds the body, painted.
pub(super) fn coachwork(shells: &mut Shells) {
    let grid = Grid::covering(Vec3::new(-0.95, 0.2, -2.05), Vec3::new(0.95, 1.5, 2.05), CELL);
    let mesh = skin_of(&grid, distance, 2e-3);
    let (paint, roof, under) = (color(PAINT), color(ROOF), color(UNDER));
    let colors: Vec<Vec4> = mesh
        .positions
        .iter()
        .map(|place| {
            let from_axle = Vec2::new(place.y - WHEEL.y, place.z.abs() - WHEEL.z).length();
            // Within the arches, behind their lips.
            let depth =
                smooth_step_between(0.78, 0.7, place.x.abs()) * smooth_step_between(0.44, 0.41, from_axle);
            let below = smooth_step_between(0.3, 0.27, place.y);
            paint.lerp(roof, smooth_step_between(1.322, 1.348, place.y)).lerp(under, depth.max(below))
        })
        .collect();
    shells.add_colored(&mesh, colors);
}
