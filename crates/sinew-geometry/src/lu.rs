//! Elimination on a small dense matrix.

/// The factors of a square matrix, with rows swapped to make each pivot the largest left in its column.
#[derive(Clone, Debug)]
pub struct Lu {
    size: usize,
    /// Rows end to end: `U` from the diagonal on, the factors of the elimination before it.
    rows: Vec<f64>,
    /// The row swapped with each column's own.
    pivots: Vec<usize>,
}

impl Lu {
    /// Factors the matrix whose entry in row `i` and column `j` is `entry(i, j)`; `None` if a pivot is zero or not finite.
    pub fn factor(size: usize, entry: impl Fn(usize, usize) -> f64) -> Option<Self> {
        let mut rows: Vec<f64> = (0..size * size).map(|at| entry(at / size, at % size)).collect();
        let mut pivots = Vec::with_capacity(size);
        for column in 0..size {
            let length = |row: &usize| rows[row * size + column].abs();
            let pivot = (column..size).max_by(|a, b| length(a).total_cmp(&length(b)))?;
            if !(length(&pivot) > f64::MIN_POSITIVE && length(&pivot).is_finite()) {
                return None;
            }
            for at in 0..size {
                rows.swap(column * size + at, pivot * size + at);
            }
            pivots.push(pivot);
            for row in column + 1..size {
                let factor = rows[row * size + column] / rows[column * size + column];
                rows[row * size + column] = factor;
                for at in column + 1..size {
                    rows[row * size + at] -= factor * rows[column * size + at];
                }
            }
        }
        Some(Self { size, rows, pivots })
    }

    /// Solves `A x = b` in place.
    pub fn solve(&self, b: &mut [f64]) {
        let (size, rows) = (self.size, &self.rows);
        for (column, &pivot) in self.pivots.iter().enumerate() {
            b.swap(column, pivot);
        }
        for row in 0..size {
            b[row] = (0..row).fold(b[row], |left, at| left - rows[row * size + at] * b[at]);
        }
        for row in (0..size).rev() {
            let known: f64 = (row + 1..size).map(|at| rows[row * size + at] * b[at]).sum();
            b[row] = (b[row] - known) / rows[row * size + row];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_are_those_of_a_system_done_by_hand() {
        // The first pivot is zero, so rows must be exchanged.
        let a = [[0.0, 2.0, 1.0], [4.0, -2.0, 0.0], [2.0, 1.0, 3.0]];
        let mut x = [7.0, 0.0, 13.0];
        Lu::factor(3, |i, j| a[i][j]).expect("regular").solve(&mut x);
        assert_eq!(x, [1.0, 2.0, 3.0]);
    }

    #[test]
    fn a_singular_matrix_has_no_factors() {
        assert!(Lu::factor(2, |_, _| 1.0).is_none());
        assert!(Lu::factor(1, |_, _| f64::NAN).is_none());
    }
}
