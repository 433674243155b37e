//! The same quadratic program by clarabel.

use super::cases::Case;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettingsBuilder, DefaultSolver, IPSolver, SupportedConeT};

/// What clarabel is asked for, as a share of the case's square size.
const JUDGE_TOLERANCE: f64 = 1e-11;

/// Weights of the examples; that of rest is what they leave of 1. The case is brought to size 1 first, because tolerances are of that
/// size, and the answer onto λ ≥ 0, Σλ = 1, because it lies there to a tolerance only.
pub(crate) fn weights(case: &Case) -> Vec<f64> {
    let count = case.examples.len();
    let square = case.square_size();
    let products: Vec<f64> = case.products().iter().map(|product| product / square).collect();
    let linear: Vec<f64> = case.with_target().iter().map(|product| -product / square).collect();
    // λ ≥ 0, and Σλ ≤ 1, which leaves the rest's weight.
    let mut rows: Vec<Vec<f64>> = (0..count)
        .map(|row| (0..count).map(|column| if row == column { -1.0 } else { 0.0 }).collect())
        .collect();
    rows.push(vec![1.0; count]);
    let mut limits = vec![0.0; count];
    limits.push(1.0);
    let quadratic: Vec<Vec<f64>> = (0..count)
        .map(|row| {
            (0..count).map(|column| if column < row { 0.0 } else { products[row * count + column] }).collect()
        })
        .collect();
    let settings = DefaultSettingsBuilder::default()
        .verbose(false)
        .tol_gap_abs(JUDGE_TOLERANCE)
        .tol_gap_rel(JUDGE_TOLERANCE)
        .tol_feas(JUDGE_TOLERANCE)
        .max_iter(200)
        .build()
        .expect("these settings are in range");
    let cones = [SupportedConeT::NonnegativeConeT(count + 1)];
    let mut solver = DefaultSolver::new(
        &CscMatrix::from(&quadratic),
        &linear,
        &CscMatrix::from(&rows),
        &limits,
        &cones,
        settings,
    )
    .expect("a program of fitting sizes");
    solver.solve();
    let mut weights: Vec<f64> = solver.solution.x.iter().map(|weight| weight.max(0.0)).collect();
    let sum: f64 = weights.iter().sum();
    if sum > 1.0 {
        weights.iter_mut().for_each(|weight| *weight /= sum);
    }
    weights
}
