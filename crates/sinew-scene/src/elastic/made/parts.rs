//! Surfaces of several shells, each of one colour.

use glam::{Quat, Vec2, Vec3, Vec4};
use sinew_geometry::{Grid, TriangleMesh, shapes, surface_nets};
use sinew_render::linear_from_rgb8;

/// A surface that grows shell by shell.
#[derive(Default)]
pub(super) struct Shells {
    pub(super) mesh: TriangleMesh,
    pub(super) colors: Vec<Vec4>,
}

impl Shells {
    /// Adds a shell of one color.
    pub(super) fn add(&mut self, shell: &TriangleMesh, rgb: [u8; 3]) {
        self.mesh.append(shell);
        self.colors.resize(self.mesh.positions.len(), color(rgb));
    }

    /// Adds a shell whose vertices each have a color.
    pub(super) fn add_colored(&mut self, shell: &TriangleMesh, colors: impl IntoIterator<Item = Vec4>) {
        self.mesh.append(shell);
        self.colors.extend(colors);
        self.colors.resize(self.mesh.positions.len(), Vec4::ONE);
    }
}

pub(super) fn color(rgb: [u8; 3]) -> Vec4 {
    linear_from_rgb8(rgb).extend(1.0)
}

/// A mesh with every vertex moved.
pub(super) fn placed(mut mesh: TriangleMesh, place: impl Fn(Vec3) -> Vec3) -> TriangleMesh {
    mesh.positions.iter_mut().for_each(|position| *position = place(*position));
    mesh
}

/// An ellipsoid with these semi-axes, turned and then moved.
pub(super) fn ellipsoid(center: Vec3, semi_axes: Vec3, turn: Quat, fineness: u32) -> TriangleMesh {
    placed(shapes::sphere(1.0, 2 * fineness, fineness), |point| turn * (point * semi_axes) + center)
}

/// A closed body of revolution about the x axis, of a profile of radius and x from one end to the other.
pub(super) fn turned(profile: &[Vec2], sides: u32) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for at in profile {
        for side in 0..sides {
            let (sin, cos) = (std::f32::consts::TAU * side as f32 / sides as f32).sin_cos();
            mesh.positions.push(Vec3::new(at.y, at.x * cos, at.x * sin));
        }
    }
    for row in 0..profile.len() as u32 - 1 {
        for side in 0..sides {
            let next = (side + 1) % sides;
            let [a, b, c, d] =
                [row * sides + side, row * sides + next, (row + 1) * sides + next, (row + 1) * sides + side];
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    // Both ends are closed round a point.
    for (row, is_first) in [(0, true), (profile.len() as u32 - 1, false)] {
        let tip = mesh.positions.len() as u32;
        mesh.positions.push(Vec3::X * profile[row as usize].y);
        for side in 0..sides {
            let (a, b) = (row * sides + side, row * sides + (side + 1) % sides);
            mesh.triangles.push(if is_first { [tip, b, a] } else { [tip, a, b] });
        }
    }
    mesh
}

/// A patch that lies on a surface and a little above it: the points of a grid, each gone along `toward` until `distance` is `lift`.
///
/// `corners` span it in space before the surface, counter-clockwise as seen against `toward`; `round` from 0 to 0.4 rounds its outline.
pub(super) fn decal(
    distance: impl Fn(Vec3) -> f32,
    corners: [Vec3; 4],
    toward: Vec3,
    (round, lift): (f32, f32),
    cells: [u32; 2],
) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for row in 0..=cells[1] {
        for column in 0..=cells[0] {
            let square = Vec2::new(column as f32 / cells[0] as f32, row as f32 / cells[1] as f32) * 2.0 - 1.0;
            let rounded = Vec2::new(
                square.x * (1.0 - round * square.y.powi(4)).sqrt(),
                square.y * (1.0 - round * square.x.powi(4)).sqrt(),
            );
            let share = rounded * 0.5 + 0.5;
            let low = corners[0].lerp(corners[1], share.x);
            let high = corners[3].lerp(corners[2], share.x);
            mesh.positions.push(drop_on(&distance, low.lerp(high, share.y), toward.normalize(), lift));
        }
    }
    let stride = cells[0] + 1;
    for row in 0..cells[1] {
        for column in 0..cells[0] {
            let a = row * stride + column;
            let [b, c, d] = [a + 1, a + stride + 1, a + stride];
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh
}

/// The surface where a distance is 0. What the grid's cells leave of their edges goes.
pub(super) fn skin_of(grid: &Grid, distance: impl Fn(Vec3) -> f32, step: f32) -> TriangleMesh {
    let mut mesh = surface_nets(grid, &distance);
    for position in &mut mesh.positions {
        for _ in 0..3 {
            let along = |axis: Vec3| distance(*position + axis * step) - distance(*position - axis * step);
            let slope = Vec3::new(along(Vec3::X), along(Vec3::Y), along(Vec3::Z)) / (2.0 * step);
            *position -= slope * (distance(*position) / slope.length_squared().max(0.2));
        }
    }
    mesh
}

/// The point that is reached from another along a direction where `distance` is `lift`.
pub(super) fn drop_on(distance: &impl Fn(Vec3) -> f32, from: Vec3, toward: Vec3, lift: f32) -> Vec3 {
    let mut point = from;
    for _ in 0..60 {
        let left = distance(point) - lift;
        point += toward * left * 0.7;
        if left.abs() < 1e-4 {
            break;
        }
    }
    point
}
