//! Products of matrices.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
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
