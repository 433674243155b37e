//! A figure of blended round cones, meshed by surface nets; shared by the examples.

use glam::{Vec2, Vec3};
use rayon::prelude::*;
use sinew_render::{Object, Texture};

/// One limb: a cone with round ends. Also a bone for the skeleton overlay.
#[derive(Clone, Copy)]
pub(crate) struct Limb {
    /// Where it starts and ends, metres.
    pub(crate) head: Vec3,
    pub(crate) tip: Vec3,
    head_radius: f32,
    tip_radius: f32,
    /// Index of the limb it hangs on.
    #[allow(dead_code, reason = "only one of the examples shows bones")]
    pub(crate) parent: Option<usize>,
}

/// A standing figure, 1.8 m tall, facing +Z.
pub(crate) fn limbs() -> Vec<Limb> {
    let mut limbs = Vec::new();
    let mut add = |head: [f32; 3], tip: [f32; 3], radii: [f32; 2], parent: Option<usize>| {
        let (head, tip) = (Vec3::from_array(head), Vec3::from_array(tip));
        limbs.push(Limb { head, tip, head_radius: radii[0], tip_radius: radii[1], parent });
        limbs.len() - 1
    };
    let pelvis = add([0.0, 0.94, 0.0], [0.0, 1.04, 0.005], [0.108, 0.098], None);
    let spine = add([0.0, 1.04, 0.005], [0.0, 1.22, 0.01], [0.092, 0.104], Some(pelvis));
    let chest = add([0.0, 1.22, 0.01], [0.0, 1.40, -0.01], [0.112, 0.086], Some(spine));
    let neck = add([0.0, 1.43, -0.01], [0.01, 1.55, 0.01], [0.046, 0.043], Some(chest));
    add([0.01, 1.60, 0.035], [0.015, 1.685, 0.015], [0.074, 0.090], Some(neck));
    for (side, swing) in [(1.0_f32, 0.06), (-1.0, -0.04)] {
        let clavicle =
            add([side * 0.04, 1.41, -0.01], [side * 0.17, 1.40, -0.015], [0.052, 0.056], Some(chest));
        let elbow = [side * 0.33, 1.17, -0.03 + swing];
        let wrist = [side * 0.43, 0.94, 0.06 + 2.0 * swing];
        let upper = add([side * 0.185, 1.39, -0.015], elbow, [0.054, 0.036], Some(clavicle));
        let fore = add(elbow, wrist, [0.038, 0.024], Some(upper));
        let hand = [side * 0.455, 0.83, 0.10 + 2.3 * swing];
        add(wrist, hand, [0.026, 0.027], Some(fore));
        let hip = [side * 0.09, 0.90, 0.0];
        let knee = [side * (0.115 + swing), 0.50, 0.03 + swing];
        let ankle = [side * (0.125 + swing), 0.09, -0.03 + 0.6 * swing];
        let thigh = add(hip, knee, [0.090, 0.054], Some(pelvis));
        let shin = add(knee, ankle, [0.055, 0.034], Some(thigh));
        let toe = [side * (0.15 + swing), 0.028, 0.15 + 0.6 * swing];
        add([side * (0.125 + swing), 0.042, -0.045 + 0.6 * swing], toe, [0.042, 0.030], Some(shin));
    }
    limbs
}

/// Meshes the figure; `cell` is the grid spacing in metres (0.0085 gives about 60,000 triangles).
pub(crate) fn mannequin(cell: f32) -> Object {
    let limbs = limbs();
    let field = |point: Vec3| distance(&limbs, point);
    let low = Vec3::new(-0.56, -0.03, -0.24);
    let counts = (Vec3::new(1.12, 1.86, 0.56) / cell).as_uvec3();
    let (nx, ny, nz) = (counts.x as usize, counts.y as usize, counts.z as usize);
    let at = |x: usize, y: usize, z: usize| low + Vec3::new(x as f32, y as f32, z as f32) * cell;
    let values: Vec<f32> =
        (0..nx * ny * nz).into_par_iter().map(|i| field(at(i % nx, i / nx % ny, i / (nx * ny)))).collect();
    let value = |x: usize, y: usize, z: usize| values[(z * ny + y) * nx + x];
    let mut vertex_of = vec![u32::MAX; nx * ny * nz];
    let mut object = Object::default();
    for (z, y, x) in cells(nz - 1, ny - 1, nx - 1) {
        let corner = |i: usize| (x + (i & 1), y + (i >> 1 & 1), z + (i >> 2));
        let signs = (0..8)
            .filter(|&i| {
                let (x, y, z) = corner(i);
                value(x, y, z) < 0.0
            })
            .count();
        if signs == 0 || signs == 8 {
            continue;
        }
        // A few Newton steps from the cell's middle land on the surface.
        let mut point = at(x, y, z) + cell * 0.5;
        for _ in 0..4 {
            let slope = gradient(&field, point);
            let step = slope * (field(point) / slope.length_squared().max(0.1));
            point -= step.clamp_length_max(cell);
        }
        let normal = gradient(&field, point).normalize_or(Vec3::Y);
        vertex_of[(z * ny + y) * nx + x] = object.positions.len() as u32;
        object.positions.push(point);
        object.normals.push(normal);
        object.uvs.push(Vec2::new(point.x * 2.2 + point.z * 1.1, -point.y * 2.2));
    }
    for (z, y, x) in cells(nz - 1, ny - 1, nx - 1).filter(|&(z, y, x)| x > 0 && y > 0 && z > 0) {
        let inside = value(x, y, z) < 0.0;
        for axis in 0..3 {
            let step = |axis: usize| [0, 1, 2].map(|other| usize::from(axis % 3 == other));
            let (d, u, v) = (step(axis), step(axis + 1), step(axis + 2));
            if inside == (value(x + d[0], y + d[1], z + d[2]) < 0.0) {
                continue;
            }
            let cell_at = |a: usize, b: usize| {
                let [x, y, z] = [0, 1, 2].map(|i| [x, y, z][i] - a * u[i] - b * v[i]);
                vertex_of[(z * ny + y) * nx + x]
            };
            let mut quad = [cell_at(1, 1), cell_at(0, 1), cell_at(0, 0), cell_at(1, 0)];
            if !inside {
                quad.reverse();
            }
            if !quad.contains(&u32::MAX) {
                object.triangles.extend([[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]);
            }
        }
    }
    object
}

/// A quiet two-tone checker with a thin line grid.
pub(crate) fn checker() -> Texture {
    let side = 512_u32;
    let pixels: Vec<u8> = (0..side * side)
        .flat_map(|i| {
            let (x, y) = (i % side, i / side);
            let is_line = x % 64 < 2 || y % 64 < 2;
            let is_dark = (x / 64 + y / 64) % 2 == 0;
            if is_line {
                [96, 116, 140, 255]
            } else if is_dark {
                [196, 138, 110, 255]
            } else {
                [226, 190, 160, 255]
            }
        })
        .collect();
    Texture::new(side, side, &pixels).expect("the pixel count matches the size")
}

fn cells(nz: usize, ny: usize, nx: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..nz).flat_map(move |z| (0..ny).flat_map(move |y| (0..nx).map(move |x| (z, y, x))))
}

/// About the signed distance; limbs are joined by a soft minimum, so the surface has no creases.
fn distance(limbs: &[Limb], point: Vec3) -> f32 {
    const BLEND: f32 = 0.017;
    let sum: f32 = limbs
        .iter()
        .map(|limb| {
            let axis = limb.tip - limb.head;
            let along = ((point - limb.head).dot(axis) / axis.length_squared()).clamp(0.0, 1.0);
            // Torso limbs are wider than deep.
            let offset = point - limb.head - axis * along;
            let is_torso = limb.head_radius > 0.0915 && limb.tip_radius > 0.08;
            let offset = if is_torso { offset * Vec3::new(0.82, 1.0, 1.18) } else { offset };
            let taper = along * along * (3.0 - 2.0 * along);
            let here = offset.length() - (limb.head_radius + (limb.tip_radius - limb.head_radius) * taper);
            (-here / BLEND).exp()
        })
        .sum();
    -BLEND * sum.max(f32::MIN_POSITIVE).ln()
}

fn gradient(field: &impl Fn(Vec3) -> f32, point: Vec3) -> Vec3 {
    const STEP: f32 = 1e-3;
    let along = |axis: Vec3| (field(point + axis * STEP) - field(point - axis * STEP)) / (2.0 * STEP);
    Vec3::new(along(Vec3::X), along(Vec3::Y), along(Vec3::Z))
}
