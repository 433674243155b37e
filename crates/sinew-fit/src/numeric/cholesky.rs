//! Dense symmetric positive systems.

use faer::linalg::solvers::{Llt, Solve};
use faer::{Mat, MatRef, Side};
use sinew_geometry::simd::zero_upper_registers;

/// A factor that solves for several right sides.
pub(crate) struct Cholesky(Llt<f64>);

impl Cholesky {
    /// `None` where the matrix (its lower half is read) is not positive.
    pub(crate) fn new(matrix: MatRef<'_, f64>) -> Option<Self> {
        let factor = Llt::new(matrix, Side::Lower).ok().map(Self);
        zero_upper_registers();
        factor
    }

    pub(crate) fn solve(&self, right: &Mat<f64>) -> Mat<f64> {
        let solution = self.0.solve(right);
        zero_upper_registers();
        solution
    }
}

/// Solves with the least multiple of the diagonal added, from `ridge` times upwards, that makes the matrix positive. `None` where even
/// that does not help, so where a number is not finite.
pub(crate) fn solve_spd(matrix: &Mat<f64>, right: &Mat<f64>, ridge: f64) -> Option<Mat<f64>> {
    let size = matrix.nrows();
    let largest = (0..size).map(|i| matrix[(i, i)]).fold(0.0, f64::max);
    let mut ridge = ridge.max(1e-14);
    while ridge < 1.0 {
        let mut raised = matrix.clone();
        for i in 0..size {
            raised[(i, i)] += ridge * matrix[(i, i)] + 1e-12 * ridge * largest + f64::MIN_POSITIVE;
        }
        if let Some(factor) = Cholesky::new(raised.as_ref()) {
            let solution = factor.solve(right);
            if solution.col_iter().all(|column| column.iter().all(|entry| entry.is_finite())) {
                return Some(solution);
            }
        }
        ridge *= 100.0;
    }
    None
}
