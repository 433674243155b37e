//! The Cholesky factor of a small dense matrix.

/// The lower factor `L` of a symmetric positive definite matrix `A = L Lᵀ`.
#[derive(Clone, Debug)]
pub struct Cholesky {
    size: usize,
    /// Rows of `L` one after another, each up to and with its diagonal.
    rows: Vec<f64>,
}

impl Cholesky {
    /// Factors the matrix whose entry in row `i` and column `j ≤ i` is `entry(i, j)`; `None` if it is not positive definite.
    pub fn factor(size: usize, entry: impl Fn(usize, usize) -> f64) -> Option<Self> {
        let mut factor = Self { size, rows: vec![0.0; start_of_row(size)] };
        for i in 0..size {
            for j in 0..=i {
                let (of_i, of_j) = (start_of_row(i), start_of_row(j));
                let rest = entry(i, j) - dot(&factor.rows[of_i..of_i + j], &factor.rows[of_j..of_j + j]);
                factor.rows[start_of_row(i) + j] = if i == j {
                    // Also false for NaN.
                    let is_positive = rest > 0.0;
                    is_positive.then(|| rest.sqrt())?
                } else {
                    rest / factor.entry(j, j)
                };
            }
        }
        Some(factor)
    }

    /// The entry of `L` in row `i` and column `j ≤ i`.
    pub fn entry(&self, i: usize, j: usize) -> f64 {
        self.rows[start_of_row(i) + j]
    }

    /// Replaces `x` by `L x`.
    pub fn apply_lower(&self, x: &mut [f64]) {
        for i in (0..self.size).rev() {
            x[i] = (0..=i).map(|j| self.entry(i, j) * x[j]).sum();
        }
    }

    /// Solves `L y = b` in place.
    pub fn solve_lower(&self, b: &mut [f64]) {
        for i in 0..self.size {
            let dot: f64 = (0..i).map(|j| self.entry(i, j) * b[j]).sum();
            b[i] = (b[i] - dot) / self.entry(i, i);
        }
    }

    /// Solves `A x = b` in place.
    pub fn solve(&self, b: &mut [f64]) {
        self.solve_lower(b);
        for i in (0..self.size).rev() {
            let dot: f64 = (i + 1..self.size).map(|j| self.entry(j, i) * b[j]).sum();
            b[i] = (b[i] - dot) / self.entry(i, i);
        }
    }

    /// The diagonal of the inverse of `A`.
    pub fn inverse_diagonal(&self) -> Vec<f64> {
        // A⁻¹ = L⁻ᵀ L⁻¹, so its diagonal is the squared length of the columns of L⁻¹.
        let mut column = vec![0.0; self.size];
        let squared_length = |i: usize| {
            column.fill(0.0);
            column[i] = 1.0;
            self.solve_lower(&mut column);
            column.iter().map(|entry| entry * entry).sum()
        };
        (0..self.size).map(squared_length).collect()
    }
}

/// The scalar product of two lists of one length, in eight sums that the processor can work on at once.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (blocks_a, blocks_b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = blocks_a.remainder().iter().zip(blocks_b.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in blocks_a.zip(blocks_b) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f64>() + rest
}

fn start_of_row(i: usize) -> usize {
    i * (i + 1) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `L` has the rows 2; 1 3; −1 2 1.
    const A: [[f64; 3]; 3] = [[4.0, 2.0, -2.0], [2.0, 10.0, 5.0], [-2.0, 5.0, 6.0]];

    #[test]
    fn factor_solution_and_inverse_of_a_matrix_done_by_hand() {
        let factor = Cholesky::factor(3, |i, j| A[i][j]).expect("positive definite");
        assert_eq!(factor.rows, [2.0, 1.0, 3.0, -1.0, 2.0, 1.0]);
        // A (1, 2, 3)ᵀ.
        let mut x = [2.0, 37.0, 26.0];
        factor.solve(&mut x);
        assert_eq!(x, [1.0, 2.0, 3.0]);
        // Cofactors over the determinant 36: 35/36, 20/36, 36/36.
        let expected = [35.0 / 36.0, 20.0 / 36.0, 1.0];
        let rounding = 1e-15;
        for (found, expected) in factor.inverse_diagonal().into_iter().zip(expected) {
            assert!((found - expected).abs() < rounding, "{found} {expected}");
        }
    }

    #[test]
    fn an_indefinite_matrix_has_no_factor() {
        assert!(Cholesky::factor(2, |i, j| if i == j { 1.0 } else { 2.0 }).is_none(), "eigenvalue -1");
        assert!(Cholesky::factor(1, |_, _| f64::NAN).is_none(), "NaN");
    }
}
