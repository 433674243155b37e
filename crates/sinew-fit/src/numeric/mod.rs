//! Small solvers that both stages share.

mod align;
mod rotation_vector;
mod simplex;

pub(crate) use align::nearest_rotation;
pub(crate) use rotation_vector::{left_jacobian, skew};
pub(crate) use simplex::{MAX_CANDIDATES, SimplexProblem};

use faer::linalg::matmul::matmul;
use faer::linalg::solvers::{Llt, Solve};
use faer::{Accum, Mat, MatMut, MatRef, Par, Side};
use sinew_geometry::simd::zero_upper_registers;

/// `into = a b · factor`, or added to it. On the calling thread alone.
pub(crate) fn multiply(
    into: MatMut<'_, f64>,
    accum: Accum,
    a: MatRef<'_, f64>,
    b: MatRef<'_, f64>,
    factor: f64,
) {
    matmul(into, accum, a, b, factor, Par::Seq);
    // The kernels leave them dirty; a fit, and the frames that are posed after it, would take up to three times as long.
    zero_upper_registers();
}

/// Solves a symmetric system, whose lower half is read, with the least multiple of the diagonal added, from `ridge` times upwards, that
/// makes the matrix positive. `None` where even that does not help, so where a number is not finite.
pub(crate) fn solve_spd(matrix: &Mat<f64>, right: &Mat<f64>, ridge: f64) -> Option<Mat<f64>> {
    let size = matrix.nrows();
    let largest = (0..size).map(|i| matrix[(i, i)]).fold(0.0, f64::max);
    let mut ridge = ridge.max(1e-14);
    while ridge < 1.0 {
        let mut raised = matrix.clone();
        for i in 0..size {
            raised[(i, i)] += ridge * matrix[(i, i)] + 1e-12 * ridge * largest + f64::MIN_POSITIVE;
        }
        let solution = Llt::new(raised.as_ref(), Side::Lower).map(|factor| factor.solve(right));
        zero_upper_registers();
        let is_finite = |solution: &Mat<f64>| {
            solution.col_iter().all(|column| column.iter().all(|entry| entry.is_finite()))
        };
        if let Some(solution) = solution.ok().filter(is_finite) {
            return Some(solution);
        }
        ridge *= 100.0;
    }
    None
}
