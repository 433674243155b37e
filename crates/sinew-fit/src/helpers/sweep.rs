//! One pass over the targets: new helper transforms, and the sums that the weights need.
//!
//! Both half-steps of \[Mukai15\] Sec. 4 as matrix products. With L the rows `w_h (x, 1)` of all vertices, a pose's `V L` is all that its
//! transforms need of the targets; with M the helper rows of all poses, `Mᵀ V` is all that the weights need. A pose's
//! transforms depend on no other pose, so that both are made while a block of targets lies in the cache: one pass a sweep.

use faer::{Accum, MatMut, MatRef};
use glam::{DAffine3, DVec3};
use serde::{Deserialize, Serialize};

use super::motion::{HelperMotion, Pivot, Pull, Rows, linear_part};
use super::view::{Block, View, accumulate, add, gram, transposed};
use crate::numeric::multiply;

/// Helper transforms and weights of a view.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Solution {
    pub(crate) helper_count: usize,
    /// Three rows a pose with four numbers a helper.
    pub(crate) helper_rows: Vec<f64>,
    /// A row a vertex with a number a bone, drivers first.
    pub(crate) weights: Vec<f64>,
    /// One per helper where helpers hang; from `View::center`.
    pub(crate) pivots: Vec<Pivot>,
    /// One per helper: where it was put in, from `View::center`.
    pub(crate) homes: Vec<DVec3>,
    /// One per helper where there is a mirror: its mirror image, `None` for those in the middle.
    pub(crate) pairs: Vec<Option<usize>>,
}

/// Sums over all poses that involve helpers.
pub(crate) struct Moments {
    /// Four numbers a helper for each vertex: Σ Mᵀ v.
    pub(crate) targets: Vec<f64>,
    /// Four rows a helper, four columns a driver.
    pub(crate) with_drivers: Vec<f64>,
    /// Square, four rows a helper.
    pub(crate) with_helpers: Vec<f64>,
}

/// Sums over all vertices that involve helpers: `Σ (w_a x)(w_b x)ᵀ`.
pub(crate) struct Loads {
    /// A column of all vertices for each of four numbers a helper: w x.
    pub(crate) columns: Vec<f64>,
    /// Four rows a driver, four columns a helper.
    pub(crate) with_drivers: Vec<f64>,
    /// Square, four rows a helper.
    pub(crate) with_helpers: Vec<f64>,
}

impl Solution {
    /// Helpers that were put in nowhere.
    pub(crate) fn bare(helper_count: usize, helper_rows: Vec<f64>, weights: Vec<f64>) -> Self {
        let homes = vec![DVec3::ZERO; helper_count];
        Self { helper_count, helper_rows, weights, homes, ..Self::default() }
    }

    pub(crate) fn helper_width(&self) -> usize {
        4 * self.helper_count
    }

    /// The helpers' matrices in all poses. `center`: see [`View::center`].
    pub(crate) fn posed_from_rest(&self, center: DVec3) -> Vec<DAffine3> {
        let width = self.helper_width();
        let matrix = |rows: Rows| {
            let (linear, moved) = (linear_part(&rows), DVec3::from_array(rows.map(|row| row[3])));
            DAffine3 { matrix3: linear, translation: moved - linear * center }
        };
        let of_pose = |rows| (0..self.helper_count).map(move |helper| matrix(rows_of(rows, helper, width)));
        self.helper_rows.chunks(3 * width.max(1)).flat_map(of_pose).collect()
    }
}

impl Loads {
    pub(crate) fn new(view: &View<'_>, solution: &Solution) -> Self {
        let (vertex_count, driver_count) = (view.vertex_count(), view.examples.driver_count);
        let bone_count = driver_count + solution.helper_count;
        let columns_of = |first: usize, count: usize| {
            let mut columns = vec![0.0; 4 * count * vertex_count];
            for (vertex, point) in view.points.iter().enumerate() {
                for bone in 0..count {
                    let weight = solution.weights[vertex * bone_count + first + bone];
                    if weight != 0.0 {
                        for (part, coordinate) in point.iter().enumerate() {
                            columns[(4 * bone + part) * vertex_count + vertex] = weight * coordinate;
                        }
                    }
                }
            }
            columns
        };
        let columns = columns_of(driver_count, solution.helper_count);
        let drivers = columns_of(0, driver_count);
        let width = solution.helper_width();
        let product = |a: &[f64], a_width: usize| {
            let mut out = vec![0.0; a_width * width];
            if width > 0 {
                let a = MatRef::from_column_major_slice(a, vertex_count, a_width);
                let b = MatRef::from_column_major_slice(&columns, vertex_count, width);
                let into = MatMut::from_row_major_slice_mut(&mut out, a_width, width);
                multiply(into, Accum::Replace, a.transpose(), b, 1.0);
            }
            out
        };
        let (with_drivers, with_helpers) = (product(&drivers, view.driver_width()), product(&columns, width));
        Self { columns, with_drivers, with_helpers }
    }

    pub(crate) fn block(&self, a: usize, b: usize, width: usize) -> [[f64; 4]; 4] {
        [0, 1, 2, 3]
            .map(|row| [0, 1, 2, 3].map(|column| self.with_helpers[(4 * a + row) * width + 4 * b + column]))
    }

    /// `V L` less what the drivers do, for one block: four numbers a helper in each of its rows.
    pub(crate) fn pulls(&self, view: &View<'_>, block: &Block<'_>, width: usize) -> Vec<f64> {
        let mut pulls = vec![0.0; 3 * block.count * width];
        let columns = MatRef::from_column_major_slice(&self.columns, view.vertex_count(), width);
        let into = MatMut::from_column_major_slice_mut(&mut pulls, width, 3 * block.count);
        multiply(into, Accum::Replace, columns.transpose(), block.targets, 1.0);
        let driver_width = view.driver_width();
        let rows = &view.driver_rows[3 * block.first * driver_width..][..3 * block.count * driver_width];
        let rows = MatRef::from_row_major_slice(rows, 3 * block.count, driver_width);
        let with_drivers = MatRef::from_row_major_slice(&self.with_drivers, driver_width, width);
        let into = MatMut::from_row_major_slice_mut(&mut pulls, 3 * block.count, width);
        multiply(into, Accum::Add, rows, with_drivers, -1.0);
        pulls
    }
}

/// Updates the transforms of all helpers `rounds` times, one after the other, and gives the sums for the weights. The error never rises.
pub(crate) fn sweep(
    view: &View<'_>,
    solution: &mut Solution,
    motion: HelperMotion,
    rounds: usize,
) -> Moments {
    let width = solution.helper_width();
    let loads = (rounds > 0 && width > 0).then(|| Loads::new(view, solution));
    let mut rows = std::mem::take(&mut solution.helper_rows);
    let vertex_count = view.vertex_count();
    let parts = view.each_part(
        &mut rows,
        3 * width,
        || vec![0.0; vertex_count * width],
        |sums, block, rows| {
            if width == 0 {
                return;
            }
            if let Some(loads) = &loads {
                update_block(view, loads, solution, motion, rounds, &block, rows);
            }
            let start = Block { first: 0, ..block };
            accumulate(sums, &start, rows, width);
        },
    );
    let mut sums = vec![0.0; vertex_count * width];
    parts.iter().for_each(|part| add(&mut sums, part));
    let moments = Moments {
        targets: transposed(&sums, vertex_count, width),
        with_drivers: gram(&rows, &view.driver_rows, width, view.driver_width()),
        with_helpers: gram(&rows, &rows, width, width),
    };
    solution.helper_rows = rows;
    moments
}

fn update_block(
    view: &View<'_>,
    loads: &Loads,
    solution: &Solution,
    motion: HelperMotion,
    rounds: usize,
    block: &Block<'_>,
    rows: &mut [f64],
) {
    let width = solution.helper_width();
    let pulls = loads.pulls(view, block, width);
    let driver_width = view.driver_width();
    let spreads: Vec<_> =
        (0..solution.helper_count).map(|helper| loads.block(helper, helper, width)).collect();
    for (pose, (rows, pulls)) in rows.chunks_mut(3 * width).zip(pulls.chunks(3 * width)).enumerate() {
        let drivers = &view.driver_rows[3 * (block.first + pose) * driver_width..][..3 * driver_width];
        for _ in 0..rounds {
            for (helper, spread) in spreads.iter().enumerate() {
                let correlation = left_over(rows, pulls, loads, helper, width);
                let before = rows_of(rows, helper, width);
                let hanging = solution
                    .pivots
                    .get(helper)
                    .map(|pivot| (pivot.point, posed(drivers, pivot.driver, driver_width, pivot.point)));
                let pull = Pull { correlation: &correlation, spread, extent: view.extent };
                let found = pull.best(&before, motion, hanging);
                for (component, row) in found.iter().enumerate() {
                    rows[component * width + 4 * helper..][..4].copy_from_slice(row);
                }
            }
        }
    }
}

/// What the other helpers leave over for one of them.
pub(crate) fn left_over(rows: &[f64], pulls: &[f64], loads: &Loads, helper: usize, width: usize) -> Rows {
    [0, 1, 2].map(|component| {
        let row = &rows[component * width..][..width];
        let mut sum = [0.0; 4];
        sum.copy_from_slice(&pulls[component * width + 4 * helper..][..4]);
        for (at, &entry) in row.iter().enumerate() {
            if at / 4 != helper {
                let load = &loads.with_helpers[at * width + 4 * helper..][..4];
                for (sum, load) in sum.iter_mut().zip(load) {
                    *sum -= entry * load;
                }
            }
        }
        sum
    })
}

/// The rows of one helper, or driver, of a pose.
pub(crate) fn rows_of(rows: &[f64], bone: usize, width: usize) -> Rows {
    [0, 1, 2].map(|component| {
        let mut row = [0.0; 4];
        row.copy_from_slice(&rows[component * width + 4 * bone..][..4]);
        row
    })
}

/// Where a bone takes a point.
pub(crate) fn posed(rows: &[f64], bone: usize, width: usize, point: DVec3) -> DVec3 {
    let [x, y, z] =
        rows_of(rows, bone, width).map(|row| row[0] * point.x + row[1] * point.y + row[2] * point.z + row[3]);
    DVec3::new(x, y, z)
}
