//! A part of the examples: some poses, some vertices, and what of their sums does not change during a fit.

use faer::{Accum, MatMut, MatRef};
use glam::{DAffine3, DVec3};
use rayon::prelude::*;

use crate::examples::Examples;
use crate::numeric::multiply;

/// Sums over poses are made in this many parts, in order, so that they do not depend on the number of threads.
const PARTS: usize = 16;
/// Targets are unpacked to 64 bits in blocks of about this many bytes, so that a block is still in a core's second cache (1 MiB or more on
/// today's processors) when it is multiplied.
const BLOCK_BYTES: usize = 512 << 10;
/// More poses a block gain nothing.
const MAX_BLOCK_POSES: usize = 64;

/// Some poses and vertices of the examples.
pub(crate) struct View<'a> {
    pub(crate) examples: Examples<'a>,
    /// Ascending.
    pub(crate) poses: Vec<u32>,
    /// Ascending.
    pub(crate) vertices: Vec<u32>,
    /// Rest positions are taken from here, so that sums of squares stay small.
    pub(crate) center: DVec3,
    /// Diagonal of the box round the rest positions of all vertices.
    pub(crate) extent: f64,
    /// One per vertex of the view: rest position from `center`, and 1.
    pub(crate) points: Vec<[f64; 4]>,
    /// Three rows a pose with four numbers a driver: the matrices that take `points` to posed positions.
    pub(crate) driver_rows: Vec<f64>,
    /// Four numbers a driver for each vertex: Σ over poses of Mᵀ v.
    pub(crate) driver_targets: Vec<f64>,
    /// Σ over poses of MᵀM, square, four rows a driver.
    pub(crate) driver_gram: Vec<f64>,
    /// One per vertex: Σ over poses of |v|².
    pub(crate) squares: Vec<f64>,
}

/// A run of poses and its rows of helper matrices.
pub(crate) struct Block<'a> {
    /// Targets: a column of all vertices for each of x, y, z of each pose.
    pub(crate) targets: MatRef<'a, f64>,
    /// First pose of the block, counted in the view.
    pub(crate) first: usize,
    pub(crate) count: usize,
}

impl<'a> View<'a> {
    pub(crate) fn new(examples: Examples<'a>, poses: Vec<u32>, vertices: Vec<u32>) -> Self {
        let mut view = Self::untallied(examples, poses, vertices);
        view.driver_gram =
            gram(&view.driver_rows, &view.driver_rows, view.driver_width(), view.driver_width());
        view.sum_targets();
        view
    }

    /// Without the sums over poses.
    pub(crate) fn untallied(examples: Examples<'a>, poses: Vec<u32>, vertices: Vec<u32>) -> Self {
        let (center, extent) = middle_and_extent(&examples);
        let points = vertices.iter().map(|&vertex| {
            let place = examples.rest_positions[vertex as usize].as_dvec3() - center;
            [place.x, place.y, place.z, 1.0]
        });
        let points = points.collect();
        let mut driver_rows = Vec::with_capacity(poses.len() * 12 * examples.driver_count);
        for &pose in &poses {
            driver_rows.extend(rows_from(examples.drivers(pose as usize), center));
        }
        Self {
            examples,
            poses,
            vertices,
            center,
            extent,
            points,
            driver_rows,
            driver_targets: Vec::new(),
            driver_gram: Vec::new(),
            squares: Vec::new(),
        }
    }

    /// Numbers in a row of all drivers.
    pub(crate) fn driver_width(&self) -> usize {
        4 * self.examples.driver_count
    }

    pub(crate) fn vertex_count(&self) -> usize {
        self.vertices.len()
    }

    pub(crate) fn pose_count(&self) -> usize {
        self.poses.len()
    }

    /// Calls `work` for every block of poses, parts in parallel, and returns what the parts made, in order. `state` is cut by poses,
    /// `stride` numbers each.
    pub(crate) fn each_part<S: Send, T: Send>(
        &self,
        state: &mut [S],
        stride: usize,
        begin: impl Fn() -> T + Sync,
        work: impl Fn(&mut T, Block<'_>, &mut [S]) + Sync,
    ) -> Vec<T> {
        let (pose_count, vertex_count) = (self.pose_count(), self.vertex_count());
        let block_poses = (BLOCK_BYTES / (24 * vertex_count)).clamp(1, MAX_BLOCK_POSES);
        let mut parts = Vec::with_capacity(PARTS);
        let mut rest = state;
        for part in 0..PARTS {
            let (from, to) = (pose_count * part / PARTS, pose_count * (part + 1) / PARTS);
            let (mine, others) = rest.split_at_mut((to - from) * stride);
            rest = others;
            if from < to {
                parts.push((from, to, mine));
            }
        }
        parts
            .into_par_iter()
            .map(|(from, to, state)| {
                let mut made = begin();
                let mut unpacked = vec![0.0; 3 * vertex_count * block_poses.min(to - from)];
                let mut rest = state;
                for first in (from..to).step_by(block_poses) {
                    let count = block_poses.min(to - first);
                    let (state, others) = rest.split_at_mut(count * stride);
                    rest = others;
                    self.unpack(first, count, &mut unpacked);
                    let targets = MatRef::from_column_major_slice(
                        &unpacked[..3 * count * vertex_count],
                        vertex_count,
                        3 * count,
                    );
                    work(&mut made, Block { targets, first, count }, state);
                }
                made
            })
            .collect()
    }

    fn unpack(&self, first: usize, count: usize, unpacked: &mut [f64]) {
        let vertex_count = self.vertex_count();
        let is_all = vertex_count == self.examples.vertex_count();
        for (columns, &pose) in unpacked.chunks_mut(3 * vertex_count).zip(&self.poses[first..first + count]) {
            let shape = self.examples.targets(pose as usize);
            let (x, yz) = columns.split_at_mut(vertex_count);
            let (y, z) = yz.split_at_mut(vertex_count);
            let places = x.iter_mut().zip(y).zip(z);
            if is_all {
                for (((x, y), z), place) in places.zip(shape) {
                    (*x, *y, *z) = (f64::from(place.x), f64::from(place.y), f64::from(place.z));
                }
            } else {
                for (((x, y), z), &vertex) in places.zip(&self.vertices) {
                    let place = shape[vertex as usize];
                    (*x, *y, *z) = (f64::from(place.x), f64::from(place.y), f64::from(place.z));
                }
            }
        }
    }

    fn sum_targets(&mut self) {
        let (vertex_count, width) = (self.vertex_count(), self.driver_width());
        let parts = self.each_part::<(), _>(
            &mut [],
            0,
            || (vec![0.0; vertex_count * width], vec![0.0; vertex_count]),
            |(sums, squares), block, _| {
                accumulate(sums, &block, &self.driver_rows, width);
                for column in block.targets.col_iter() {
                    for (square, &entry) in squares.iter_mut().zip(column.iter()) {
                        *square += entry * entry;
                    }
                }
            },
        );
        let mut sums = vec![0.0; vertex_count * width];
        let mut squares = vec![0.0; vertex_count];
        for (part_sums, part_squares) in &parts {
            add(&mut sums, part_sums);
            add(&mut squares, part_squares);
        }
        self.driver_targets = transposed(&sums, vertex_count, width);
        self.squares = squares;
    }
}

/// Row `component` of an affine matrix that takes points from `center` instead of from the origin.
pub(crate) fn row_of(matrix: &DAffine3, center: DVec3, component: usize) -> [f64; 4] {
    let moved = matrix.transform_point3(center);
    let row = matrix.matrix3.row(component);
    [row.x, row.y, row.z, moved[component]]
}

/// The rows of some bones in a pose: the first of all, then the second and third.
pub(crate) fn rows_from(matrices: &[DAffine3], center: DVec3) -> impl Iterator<Item = f64> + '_ {
    (0..3).flat_map(move |component| matrices.iter().flat_map(move |m| row_of(m, center, component)))
}

fn middle_and_extent(examples: &Examples<'_>) -> (DVec3, f64) {
    let places = || examples.rest_positions.iter().map(|place| place.as_dvec3());
    let least = places().fold(DVec3::INFINITY, DVec3::min);
    let most = places().fold(DVec3::NEG_INFINITY, DVec3::max);
    ((least + most) * 0.5, (most - least).length().max(f64::MIN_POSITIVE))
}

/// Adds targets times rows to `sums`, a column of all vertices for each of the `width` numbers of a row.
pub(crate) fn accumulate(sums: &mut [f64], block: &Block<'_>, rows: &[f64], width: usize) {
    if width == 0 {
        return;
    }
    let rows = &rows[3 * block.first * width..][..3 * block.count * width];
    let vertex_count = block.targets.nrows();
    let sums = MatMut::from_column_major_slice_mut(sums, vertex_count, width);
    let rows = MatRef::from_row_major_slice(rows, 3 * block.count, width);
    multiply(sums, Accum::Add, block.targets, rows, 1.0);
}

/// `Aᵀ B` of row-major matrices; row-major.
pub(crate) fn gram(a: &[f64], b: &[f64], a_width: usize, b_width: usize) -> Vec<f64> {
    let mut product = vec![0.0; a_width * b_width];
    if a_width > 0 && b_width > 0 {
        let row_count = a.len() / a_width;
        let a = MatRef::from_row_major_slice(a, row_count, a_width);
        let b = MatRef::from_row_major_slice(b, row_count, b_width);
        let out = MatMut::from_row_major_slice_mut(&mut product, a_width, b_width);
        multiply(out, Accum::Replace, a.transpose(), b, 1.0);
    }
    product
}

pub(crate) fn add(sum: &mut [f64], part: &[f64]) {
    for (sum, part) in sum.iter_mut().zip(part) {
        *sum += part;
    }
}

/// From a column for each of `width` numbers to a row for each of `count` entries.
pub(crate) fn transposed(columns: &[f64], count: usize, width: usize) -> Vec<f64> {
    let mut rows = vec![0.0; count * width];
    for (at, row) in rows.chunks_mut(width.max(1)).enumerate() {
        for (column, entry) in row.iter_mut().enumerate() {
            *entry = columns[column * count + at];
        }
    }
    rows
}
