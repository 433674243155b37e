//! Least squares with few coefficients: the LASSO of \[Tibshirani96\].
//!
//! `min ‖y − P b‖² + λ ‖b‖₁` over columns that are not scaled, with the constant (the first column) left free. Eq. 10 of \[Mukai15\] prints the
//! norm without the square and weighs the constant too; the square is what is solved there and here, the constant has no reason to
//! be small. Coordinate descent after \[Friedman10\] Sec. 2.1 on the Gram matrix, ended by solving for the coefficients above
//! zero, so that the result is exact once the signs are.

use faer::{Accum, Mat, MatRef};

use crate::numeric::{multiply, solve_spd};

/// Sweeps between two tries to end exactly.
const STRIDE: usize = 20;
const MAX_SWEEPS: usize = 20_000;
/// Slack of the optimality conditions, relative to the largest correlation.
const SLACK: f64 = 1e-9;

/// Sums over samples from which coefficients for any λ follow.
pub struct LassoProblem {
    /// Σ of products of columns, each less its mean or origin; the constant left out.
    gram: Mat<f64>,
    /// The same with each output.
    right: Mat<f64>,
    column_means: Vec<f64>,
    output_means: Vec<f64>,
}

impl LassoProblem {
    /// `columns`: row-major, a row of `width` numbers a sample, of which the first is 1. `outputs`: row-major, as many rows.
    ///
    /// # Panics
    /// If the numbers of rows differ, or a width is 0.
    pub fn new(columns: &[f64], width: usize, outputs: &[f64], output_width: usize) -> Self {
        assert!(width > 0 && output_width > 0, "a constant and an output");
        let count = columns.len() / width;
        assert_eq!(count, outputs.len() / output_width, "a row of outputs for each row of columns");
        let mean = |values: &[f64], width: usize| -> Vec<f64> {
            let mut sums = vec![0.0; width];
            for row in values.chunks(width) {
                row.iter().zip(&mut sums).for_each(|(value, sum)| *sum += value);
            }
            sums.iter().map(|sum| sum / count.max(1) as f64).collect()
        };
        Self::about((columns, mean(columns, width)), (outputs, mean(outputs, output_width)))
    }

    /// As [`new`](Self::new), with the constant not free: where the columns are `origin`, all outputs are 0.
    ///
    /// # Panics
    /// If the numbers of rows differ, or a width is 0.
    pub fn through(columns: &[f64], origin: &[f64], outputs: &[f64], output_width: usize) -> Self {
        assert!(!origin.is_empty() && output_width > 0, "a constant and an output");
        let (rows, output_rows) = (columns.len() / origin.len(), outputs.len() / output_width);
        assert_eq!(rows, output_rows, "a row of outputs for each row of columns");
        Self::about((columns, origin.to_vec()), (outputs, vec![0.0; output_width]))
    }

    /// Sums about the values that columns and outputs are counted from.
    fn about(
        (columns, column_means): (&[f64], Vec<f64>),
        (outputs, output_means): (&[f64], Vec<f64>),
    ) -> Self {
        let (width, output_width) = (column_means.len(), output_means.len());
        let count = columns.len() / width;
        let centered = |values: &[f64], means: &[f64]| -> Vec<f64> {
            values
                .chunks(means.len())
                .flat_map(|row| row.iter().zip(means).map(|(value, mean)| value - mean))
                .collect()
        };
        let (columns, outputs) = (centered(columns, &column_means), centered(outputs, &output_means));
        let columns = MatRef::from_row_major_slice(&columns, count, width).subcols(1, width - 1);
        let outputs = MatRef::from_row_major_slice(&outputs, count, output_width);
        let mut gram = Mat::zeros(width - 1, width - 1);
        let mut right = Mat::zeros(width - 1, output_width);
        multiply(gram.as_mut(), Accum::Replace, columns.transpose(), columns, 1.0);
        multiply(right.as_mut(), Accum::Replace, columns.transpose(), outputs, 1.0);
        Self { gram, right, column_means, output_means }
    }

    /// Coefficients for `lambda` ≥ 0: row-major, a row a column of P, a number an output.
    pub fn solve(&self, lambda: f64) -> Vec<f64> {
        let (width, output_width) = (self.column_means.len(), self.output_means.len());
        let mut coefficients = vec![0.0; width * output_width];
        for output in 0..output_width {
            let found = self.solve_output(output, lambda);
            let mut constant = self.output_means[output];
            for (at, &value) in found.iter().enumerate() {
                coefficients[(at + 1) * output_width + output] = value;
                constant -= value * self.column_means[at + 1];
            }
            coefficients[output] = constant;
        }
        coefficients
    }

    fn solve_output(&self, output: usize, lambda: f64) -> Vec<f64> {
        let width = self.gram.nrows();
        let right = |at: usize| self.right[(at, output)];
        let all: Vec<usize> = (0..width).filter(|&at| self.gram[(at, at)] > 1e-14 * self.largest()).collect();
        let mut b = vec![0.0; width];
        if lambda <= 0.0 {
            self.on_support(&all, right, &mut b);
            return b;
        }
        // residual[j] = c_j − Σ G_jk b_k, kept up to date.
        let mut residual: Vec<f64> = (0..width).map(right).collect();
        let scale = residual.iter().fold(lambda, |most, value| most.max(value.abs()));
        for sweep in 0..MAX_SWEEPS {
            for &j in &all {
                let diagonal = self.gram[(j, j)];
                let pull = residual[j] + diagonal * b[j];
                let new = soft(pull, lambda / 2.0) / diagonal;
                let change = new - b[j];
                if change != 0.0 {
                    b[j] = new;
                    for (k, value) in residual.iter_mut().enumerate() {
                        *value -= self.gram[(k, j)] * change;
                    }
                }
            }
            if sweep % STRIDE == STRIDE - 1
                && let Some(exact) = self.polished(&b, output, lambda, scale)
            {
                return exact;
            }
        }
        b
    }

    fn largest(&self) -> f64 {
        (0..self.gram.nrows()).map(|at| self.gram[(at, at)]).fold(f64::MIN_POSITIVE, f64::max)
    }

    fn on_support(&self, support: &[usize], right: impl Fn(usize) -> f64, b: &mut [f64]) {
        if support.is_empty() {
            return;
        }
        let size = support.len();
        let matrix = Mat::from_fn(size, size, |i, j| self.gram[(support[i], support[j])]);
        let column = Mat::from_fn(size, 1, |i, _| right(support[i]));
        if let Some(mut solution) = solve_spd(&matrix, &column, 0.0) {
            // One round of refinement takes the ridge of the factor out again.
            let left = &column - &matrix * &solution;
            if let Some(step) = solve_spd(&matrix, &left, 0.0) {
                solution += step;
            }
            support.iter().enumerate().for_each(|(i, &at)| b[at] = solution[(i, 0)]);
        }
    }

    /// The exact solution with the signs of `b`, if it is optimal.
    fn polished(&self, b: &[f64], output: usize, lambda: f64, scale: f64) -> Option<Vec<f64>> {
        let support: Vec<usize> = (0..b.len()).filter(|&at| b[at] != 0.0).collect();
        let mut exact = vec![0.0; b.len()];
        let wanted = |at: usize| self.right[(at, output)] - lambda / 2.0 * b[at].signum();
        self.on_support(&support, wanted, &mut exact);
        for at in 0..b.len() {
            let slope = self.right[(at, output)]
                - support.iter().map(|&other| self.gram[(at, other)] * exact[other]).sum::<f64>();
            let is_optimal = if b[at] == 0.0 {
                slope.abs() <= lambda / 2.0 + SLACK * scale
            } else {
                exact[at] * b[at] > 0.0 && (slope - lambda / 2.0 * b[at].signum()).abs() <= SLACK * scale
            };
            if !is_optimal {
                return None;
            }
        }
        Some(exact)
    }
}

/// Towards zero by `amount`, but not across it.
fn soft(value: f64, amount: f64) -> f64 {
    value - value.clamp(-amount, amount)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::Random;

    #[test]
    fn one_column_has_a_closed_form() {
        // y = 3 x + 2 on x = −1, 0, 1: Σ x² = 2, so b = (6 − λ/2)/2 as long as that is positive, and the constant stays.
        let columns = [1.0, -1.0, 1.0, 0.0, 1.0, 1.0];
        let problem = LassoProblem::new(&columns, 2, &[-1.0, 2.0, 5.0], 1);
        for (lambda, slope) in [(0.0, 3.0), (2.0, 2.5), (12.0, 0.0), (100.0, 0.0)] {
            let found = problem.solve(lambda);
            assert!((found[1] - slope).abs() < 1e-9 && (found[0] - 2.0).abs() < 1e-9, "{lambda}: {found:?}");
        }
    }

    #[test]
    fn solutions_are_optimal() {
        let mut random = Random::new(11);
        let (count, width) = (60, 12);
        let columns: Vec<f64> = (0..count * width)
            .map(|at| if at % width == 0 { 1.0 } else { random.unit() - 0.2 * (at % 3) as f64 })
            .collect();
        let outputs: Vec<f64> = (0..count).map(|_| random.unit() * 4.0).collect();
        let problem = LassoProblem::new(&columns, width, &outputs, 1);
        for lambda in [0.1, 1.0, 5.0] {
            let b = problem.solve(lambda);
            for j in 0..width {
                let slope: f64 = (0..count)
                    .map(|row| {
                        let x = &columns[row * width..][..width];
                        let y: f64 = x.iter().zip(&b).map(|(x, b)| x * b).sum();
                        2.0 * x[j] * (outputs[row] - y)
                    })
                    .sum();
                let excess = match j {
                    0 => slope.abs(),
                    _ if b[j] == 0.0 => (slope.abs() - lambda).max(0.0),
                    _ => (slope - lambda * b[j].signum()).abs(),
                };
                assert!(excess < 1e-6, "λ {lambda}, column {j}: {excess}");
            }
        }
    }

    #[test]
    fn a_line_goes_through_its_origin() {
        // y = 3 (x − 2), from samples of 3 (x − 2) + 1: through (2, 0) the slope is Σ d y / Σ d².
        let columns = [1.0, 3.0, 1.0, 4.0, 1.0, 6.0];
        let found = LassoProblem::through(&columns, &[1.0, 2.0], &[4.0, 7.0, 13.0], 1).solve(0.0);
        let slope = (4.0 + 14.0 + 52.0) / 21.0;
        assert!((found[1] - slope).abs() < 1e-9 && (found[0] + 2.0 * slope).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn equal_and_constant_columns_are_no_trouble() {
        let columns: Vec<f64> = (0..10).flat_map(|x| [1.0, f64::from(x), f64::from(x), 7.0]).collect();
        let outputs: Vec<f64> = (0..10).map(|x| 2.0 * f64::from(x)).collect();
        for lambda in [0.0, 1.0] {
            let found = LassoProblem::new(&columns, 4, &outputs, 1).solve(lambda);
            let slope = found[1] + found[2];
            assert!((slope - 2.0).abs() < 0.1 && found[3] == 0.0, "{found:?}");
        }
    }
}
