//! Triangles on the shape: surface nets, then vertices projected to the skin and spread evenly over it.

use super::shape::Shape;
use glam::{UVec3, Vec3};
use sinew_geometry::{Grid, Neighbors, TriangleMesh, smooth_step, surface_nets};

/// Edge of a grid cell, m: 7/512, so that the grid's corners are exact and mirror each other to the bit.
const CELL_M: f32 = 7.0 / 512.0;
/// Half step of the differences that give gradients, m: below every detail, far above rounding.
const GRADIENT_STEP_M: f32 = 5e-4;
/// Rounds of spreading; more would wear off the finer cells of hands and head.
const RELAX_ROUNDS: usize = 5;
/// Part of the way to the neighbors' mean that a vertex goes in a round.
const RELAX_STEP: f32 = 0.5;

/// The mesh and its unit normals, one per vertex.
pub(super) fn skin(shape: &Shape) -> (TriangleMesh, Vec<Vec3>) {
    // The figure spans 0.71 m to each side, hands magnified 1.1 m, and from the ground to 1.75 m.
    let half_width = 82.0 * CELL_M;
    let grid =
        Grid::covering(Vec3::new(-half_width, -0.02, -0.18), Vec3::new(half_width, 1.84, 0.24), CELL_M);
    let blocks = Blocks::new(shape, &grid);
    let mut mesh = surface_nets(&grid, |point| {
        blocks.far_value(point).unwrap_or_else(|| shape.distance(model_from_grid(point)))
    });
    for position in &mut mesh.positions {
        *position = model_from_grid(*position);
    }
    let neighbors = neighbors_along_quads(&mesh);
    for _ in 0..RELAX_ROUNDS {
        mesh.positions = relaxed(shape, &neighbors, &mesh.positions);
    }
    for position in &mut mesh.positions {
        *position = FieldSample::at(shape, *position).projected(*position);
    }
    split_quads(&mut mesh);
    let normals = mesh.positions.iter().map(|&position| FieldSample::at(shape, position).normal()).collect();
    (mesh, normals)
}

/// Values at the centers of blocks of cells: most of the grid is far from the skin and costs nothing.
struct Blocks {
    origin: Vec3,
    size: UVec3,
    /// x fastest, then y.
    values: Vec<f32>,
}

/// Edge of a block, m.
const BLOCK_M: f32 = 4.0 * CELL_M;
/// Where the value at a block's center is beyond this, the skin does not pass the block or a cell beside it, m: half the
/// block's diagonal (0.87 edges), a cell more, and as much again because distances are right to first order only.
const BLOCK_CLEARANCE_M: f32 = 2.2 * BLOCK_M;

impl Blocks {
    fn new(shape: &Shape, grid: &Grid) -> Self {
        let size = grid.cells / 4 + UVec3::ONE;
        let mut values = Vec::with_capacity(size.element_product() as usize);
        for z in 0..size.z {
            for y in 0..size.y {
                for x in 0..size.x {
                    let center = grid.origin + (UVec3::new(x, y, z).as_vec3() + 0.5) * BLOCK_M;
                    values.push(shape.distance(model_from_grid(center)));
                }
            }
        }
        Self { origin: grid.origin, size, values }
    }

    /// The value of the block around `point` if the skin is nowhere near.
    fn far_value(&self, point: Vec3) -> Option<f32> {
        let block = ((point - self.origin) / BLOCK_M).as_uvec3().min(self.size - UVec3::ONE);
        let value = self.values[((block.z * self.size.y + block.y) * self.size.x + block.x) as usize];
        (value.abs() > BLOCK_CLEARANCE_M).then_some(value)
    }
}

/// Where cells begin to shrink on the way to the hand and where they have become small, along x in grid space, m.
const HAND_SPAN_M: [f32; 2] = [0.38, 0.58];
/// Height at which the hand is magnified, m.
const HAND_HEIGHT_M: f32 = 1.02;
/// Size of the hand's cells, of those of the trunk: small enough for gaps between fingers.
const HAND_SCALE: f32 = 0.38;
/// Around what the head is magnified, and where that ends, m.
const HEAD_LENS: (Vec3, f32) = (Vec3::new(0.0, 1.63, 0.05), 0.3);
/// Size of the head's cells, of those of the trunk.
const HEAD_SCALE: f32 = 0.75;

/// Model space from grid space. In grid space hands and head are larger, which makes triangles there smaller. Only the hands are farther
/// out than [`HAND_SPAN_M`], so everything there is simply scaled.
fn model_from_grid(point: Vec3) -> Vec3 {
    let [start, end] = HAND_SPAN_M;
    let t = ((point.x.abs() - start) / (end - start)).clamp(0.0, 1.0);
    let shrink = (1.0 - HAND_SCALE) * t * t * (3.0 - 2.0 * t);
    let scale = 1.0 - shrink;
    // The integral of the shrinkage along x, so that x scales as y and z do.
    let pulled = (1.0 - HAND_SCALE) * (end - start) * (t * t * t - 0.5 * t * t * t * t)
        + shrink * (point.x.abs() - end).max(0.0);
    let hand = Vec3::new(
        (point.x.abs() - pulled).copysign(point.x),
        HAND_HEIGHT_M + (point.y - HAND_HEIGHT_M) * scale,
        point.z * scale,
    );
    let (center, radius) = HEAD_LENS;
    let share = hand.distance(center) / radius;
    center + (hand - center) * (HEAD_SCALE + (1.0 - HEAD_SCALE) * smooth_step(share))
}

/// The field at a point: its value and how it changes.
struct FieldSample {
    distance: f32,
    gradient: Vec3,
}

impl FieldSample {
    /// By central differences; the mean of the six values stands for the value, right to the square of the step.
    fn at(shape: &Shape, point: Vec3) -> Self {
        let [x, y, z] = Vec3::AXES.map(|axis| {
            let step = axis * GRADIENT_STEP_M;
            (shape.distance(point + step), shape.distance(point - step))
        });
        let distance = (x.0 + x.1 + y.0 + y.1 + z.0 + z.1) / 6.0;
        let gradient = Vec3::new(x.0 - x.1, y.0 - y.1, z.0 - z.1) / (2.0 * GRADIENT_STEP_M);
        Self { distance, gradient }
    }

    fn normal(&self) -> Vec3 {
        self.gradient.normalize_or(Vec3::Y)
    }

    /// `point`, where the sample was taken, after one Newton step to the skin.
    fn projected(&self, point: Vec3) -> Vec3 {
        // Where seams meet head-on the gradient vanishes; the bound keeps such a step short.
        point - self.gradient * (self.distance / self.gradient.length_squared().max(0.25))
    }
}

/// Every vertex drawn to the skin, and along it towards the mean of its neighbors.
fn relaxed(shape: &Shape, neighbors: &Neighbors, positions: &[Vec3]) -> Vec<Vec3> {
    let toward_mean = |(vertex, &here): (usize, &Vec3)| {
        let around = neighbors.of(vertex);
        let mean = around.iter().map(|&other| positions[other as usize]).sum::<Vec3>() / around.len() as f32;
        let sample = FieldSample::at(shape, here);
        sample.projected(here) + (mean - here).reject_from_normalized(sample.normal()) * RELAX_STEP
    };
    positions.iter().enumerate().map(toward_mean).collect()
}

/// Splits each quad along its shorter diagonal.
fn split_quads(mesh: &mut TriangleMesh) {
    let positions = &mesh.positions;
    for pair in mesh.triangles.chunks_exact_mut(2) {
        let ([a, b, c], d) = (pair[0], pair[1][2]);
        let length = |from: u32, to: u32| positions[from as usize].distance_squared(positions[to as usize]);
        if length(b, d) < length(a, c) {
            pair.copy_from_slice(&[[a, b, d], [b, c, d]]);
        }
    }
}

/// The vertices joined by edges of quads, which come as pairs of triangles, without diagonals: a mirrored mesh has mirrored neighbors. On
/// a closed surface each edge comes in both directions.
fn neighbors_along_quads(mesh: &TriangleMesh) -> Neighbors {
    let edges = mesh.triangles.chunks_exact(2).flat_map(|pair| {
        let ([a, b, c], d) = (pair[0], pair[1][2]);
        [(a, b), (b, c), (c, d), (d, a)]
    });
    Neighbors::new(mesh.positions.len(), edges.collect())
}
