//! Wheels, windows, lights and trim.

use super::super::parts::{Shells, decal, ellipsoid, placed, turned};
use super::coachwork::{WHEEL, WHEEL_RADIUS, distance};
use glam::{Quat, Vec2, Vec3};
use sinew_geometry::{TriangleMesh, shapes};

const TYRE: [u8; 3] = [34, 34, 36];
const CHROME: [u8; 3] = [206, 210, 214];
const HUB: [u8; 3] = [240, 238, 232];
const GLASS: [u8; 3] = [52, 74, 92];
const LAMP: [u8; 3] = [255, 246, 206];
const TAIL_LAMP: [u8; 3] = [150, 16, 20];
const SIGNAL: [u8; 3] = [240, 150, 40];
const BADGE: [u8; 3] = [246, 242, 232];
const LINE: [u8; 3] = [110, 22, 22];

/// Adds all of them.
pub(super) fn add(shells: &mut Shells) {
    for side in [-1.0f32, 1.0] {
        for end in [-1.0, 1.0] {
            add_wheel(shells, Vec3::new(side * WHEEL.x, WHEEL.y, end * WHEEL.z), side);
        }
        add_side(shells, side);
        add_lamps(shells, side);
    }
    add_ends(shells);
}

fn add_wheel(shells: &mut Shells, center: Vec3, side: f32) {
    let r = WHEEL_RADIUS;
    // From the inner side to the outer: a tyre with round shoulders.
    let tyre_radii = [0.5, 0.86, 0.97, 1.0, 1.0, 0.97, 0.86, 0.62, 0.58];
    let tyre_sides = [-0.1, -0.105, -0.075, -0.03, 0.03, 0.075, 0.105, 0.095, 0.07];
    let hub_radii = [0.58, 0.585, 0.54, 0.45, 0.3, 0.22, 0.1];
    let hub_sides = [0.05, 0.085, 0.1, 0.092, 0.104, 0.118, 0.128];
    let facing = if side > 0.0 { Quat::IDENTITY } else { Quat::from_rotation_y(std::f32::consts::PI) };
    let made = |radii: &[f32], x: &[f32], sides: u32| {
        let profile: Vec<Vec2> = radii.iter().zip(x).map(|(radius, x)| Vec2::new(radius * r, *x)).collect();
        placed(turned(&profile, sides), |point| facing * point + center)
    };
    shells.add(&made(&tyre_radii, &tyre_sides, 40), TYRE);
    shells.add(&made(&hub_radii[..4], &hub_sides[..4], 32), CHROME);
    shells.add(&made(&hub_radii[3..], &hub_sides[3..], 32), HUB);
}

/// A patch on one side of the car, by places along z and up, from below in front on round.
fn side_decal(side: f32, corners: [Vec2; 4], round: f32, lift: f32, cells: [u32; 2]) -> TriangleMesh {
    let mut corners = corners.map(|at| Vec3::new(side * 1.2, at.y, at.x));
    if side > 0.0 {
        // Seen from the other side, front is on the right.
        corners = [corners[1], corners[0], corners[3], corners[2]];
    }
    decal(distance, corners, Vec3::X * -side, (round, lift), cells)
}

fn add_side(shells: &mut Shells, side: f32) {
    let at = Vec2::new;
    let quad = |back: f32, front: f32, low: f32, high: f32, lean: (f32, f32)| {
        [at(back, low), at(front, low), at(front - lean.1, high), at(back + lean.0, high)]
    };
    shells.add(&side_decal(side, quad(-0.30, 0.53, 0.97, 1.29, (0.02, 0.27)), 0.16, 0.02, [14, 8]), GLASS);
    shells.add(&side_decal(side, quad(-1.10, -0.38, 0.97, 1.28, (0.28, 0.02)), 0.16, 0.02, [14, 8]), GLASS);
    // Door, handle, badge and the chrome line below.
    for z in [-0.36, 0.62] {
        let post = [at(z - 0.007, 0.4), at(z + 0.007, 0.4), at(z + 0.007, 0.9), at(z - 0.007, 0.9)];
        shells.add(&side_decal(side, post, 0.0, 0.004, [1, 12]), LINE);
    }
    shells.add(&side_decal(side, quad(-0.27, -0.12, 0.815, 0.845, (0.0, 0.0)), 0.4, 0.02, [6, 2]), CHROME);
    shells.add(&round_badge(side), BADGE);
    shells.add(&side_decal(side, quad(-0.72, 0.72, 0.325, 0.365, (0.0, 0.0)), 0.2, 0.012, [20, 2]), CHROME);
    let mirror = Vec3::new(side * 0.74, 0.98, 0.5);
    shells.add(&ellipsoid(mirror, Vec3::new(0.1, 0.05, 0.04), Quat::IDENTITY, 10), CHROME);
}

/// A disc on the door.
fn round_badge(side: f32) -> TriangleMesh {
    const SIDES: u32 = 32;
    const RINGS: u32 = 5;
    let center = Vec3::new(side * 1.2, 0.6, 0.13);
    let mut mesh = TriangleMesh::default();
    let toward = Vec3::X * -side;
    let mut place = |radius: f32, turn: f32| {
        let (sin, cos) = turn.sin_cos();
        let from = center + Vec3::new(0.0, radius * sin, -side * radius * cos);
        let spot = decal(distance, [from; 4], toward, (0.0, 0.02), [1, 1]);
        mesh.positions.push(spot.positions[0]);
    };
    place(0.0, 0.0);
    for ring in 1..=RINGS {
        for step in 0..SIDES {
            place(0.16 * ring as f32 / RINGS as f32, std::f32::consts::TAU * step as f32 / SIDES as f32);
        }
    }
    let id = |ring: u32, step: u32| 1 + (ring - 1) * SIDES + step % SIDES;
    for step in 0..SIDES {
        mesh.triangles.push([0, id(1, step), id(1, step + 1)]);
        for ring in 1..RINGS {
            let [a, b, c, d] =
                [id(ring, step), id(ring + 1, step), id(ring + 1, step + 1), id(ring, step + 1)];
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh
}

fn add_lamps(shells: &mut Shells, side: f32) {
    let turn = Quat::from_rotation_y(side * 0.18) * Quat::from_rotation_x(-0.12);
    let lamp = Vec3::new(side * 0.55, 0.69, 1.79);
    shells.add(&ellipsoid(lamp, Vec3::new(0.155, 0.155, 0.1), turn, 14), CHROME);
    shells.add(&ellipsoid(lamp + turn * Vec3::Z * 0.03, Vec3::new(0.13, 0.13, 0.095), turn, 14), LAMP);
    let signal = Vec3::new(side * 0.56, 0.47, 1.87);
    shells.add(&ellipsoid(signal, Vec3::new(0.08, 0.04, 0.05), turn, 10), SIGNAL);
    let tail = Vec3::new(side * 0.58, 0.66, -1.83);
    shells.add(&ellipsoid(tail, Vec3::new(0.075, 0.13, 0.06), Quat::IDENTITY, 12), TAIL_LAMP);
}

fn add_ends(shells: &mut Shells) {
    let front = |x: f32, y: f32| Vec3::new(x, y, 2.4);
    let shield = [front(-0.6, 1.01), front(0.6, 1.01), front(0.46, 1.29), front(-0.46, 1.29)];
    shells.add(&decal(distance, shield, Vec3::NEG_Z, (0.16, 0.02), [18, 8]), GLASS);
    let back = |x: f32, y: f32| Vec3::new(x, y, -2.4);
    let window = [back(0.5, 1.03), back(-0.5, 1.03), back(-0.42, 1.28), back(0.42, 1.28)];
    shells.add(&decal(distance, window, Vec3::Z, (0.16, 0.02), [16, 6]), GLASS);
    // A smile of a grille, and bumpers.
    let grille = [front(-0.3, 0.42), front(0.3, 0.42), front(0.36, 0.53), front(-0.36, 0.53)];
    shells.add(&decal(distance, grille, Vec3::NEG_Z, (0.35, 0.012), [14, 4]), TYRE);
    for (z, width) in [(1.93f32, 0.66f32), (-1.96, 0.68)] {
        let bar = placed(shapes::capsule(2.0 * width, 0.055, 16, 16, 5), |point| {
            let x = point.y - width;
            let bow = 0.16 * (x / width).powi(2);
            Vec3::new(-x, 0.36 + point.x * 1.3, z - bow * z.signum() + point.z * 0.9)
        });
        shells.add(&bar, CHROME);
    }
    let plate = [front(-0.2, 0.3), front(0.2, 0.3), front(0.2, 0.4), front(-0.2, 0.4)];
    let plate = plate.map(|corner| Vec3::new(corner.x, corner.y, 1.985));
    let flat = decal(|point: Vec3| 1.99 - point.z, plate, Vec3::Z, (0.0, 0.0), [4, 1]);
    shells.add(&flat, BADGE);
}
