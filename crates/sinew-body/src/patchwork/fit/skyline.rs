//! The Cholesky factor of a large matrix whose rows are zero up to some column.

/// The lower triangle of a symmetric matrix, later its factor: each row from its first column to the diagonal.
pub(super) struct Skyline {
    firsts: Vec<usize>,
    starts: Vec<usize>,
    values: Vec<f64>,
}

impl Skyline {
    /// A zero matrix with the first column of each row.
    pub(super) fn new(firsts: Vec<usize>) -> Self {
        let mut starts = vec![0];
        for (row, &first) in firsts.iter().enumerate() {
            starts.push(starts[row] + row + 1 - first);
        }
        let values = vec![0.0; starts[firsts.len()]];
        Skyline { firsts, starts, values }
    }

    /// Adds to an entry; `column` is at most `row` and at least the row's first.
    pub(super) fn add(&mut self, row: usize, column: usize, by: f64) {
        self.values[self.starts[row] + column - self.firsts[row]] += by;
    }

    /// Replaces the matrix by its factor; `false` if it is not positive definite.
    pub(super) fn factor(&mut self) -> bool {
        for i in 0..self.firsts.len() {
            let (before, rest) = self.values.split_at_mut(self.starts[i]);
            let row = &mut rest[..self.starts[i + 1] - self.starts[i]];
            let first = self.firsts[i];
            for j in first..i {
                let (first_j, start_j) = (self.firsts[j], self.starts[j]);
                let from = first.max(first_j);
                let sum = if from < j {
                    dot(
                        &row[from - first..j - first],
                        &before[start_j + from - first_j..start_j + j - first_j],
                    )
                } else {
                    0.0
                };
                row[j - first] = (row[j - first] - sum) / before[start_j + j - first_j];
            }
            let last = row.len() - 1;
            let rest = row[last] - dot(&row[..last], &row[..last]);
            if rest.is_nan() || rest <= 0.0 {
                return false;
            }
            row[last] = rest.sqrt();
        }
        true
    }

    /// Solves with the factor, in place.
    pub(super) fn solve(&self, b: &mut [f64]) {
        for i in 0..self.firsts.len() {
            let row = &self.values[self.starts[i]..self.starts[i + 1]];
            let last = row.len() - 1;
            b[i] = (b[i] - dot(&row[..last], &b[self.firsts[i]..i])) / row[last];
        }
        for i in (0..self.firsts.len()).rev() {
            let row = &self.values[self.starts[i]..self.starts[i + 1]];
            let last = row.len() - 1;
            b[i] /= row[last];
            let by = b[i];
            b[self.firsts[i]..i].iter_mut().zip(&row[..last]).for_each(|(b, entry)| *b -= by * entry);
        }
    }
}

/// Four sums side by side, which processors add at once.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (mut sums, chunks) = ([0.0; 8], a.len() / 8 * 8);
    for (a, b) in a[..chunks].chunks_exact(8).zip(b[..chunks].chunks_exact(8)) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = a[chunks..].iter().zip(&b[chunks..]).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::needless_range_loop, reason = "both halves of a matrix are written")]
    fn the_factor_solves_what_the_matrix_maps() {
        let firsts = vec![0, 0, 1, 0, 2, 3];
        let mut matrix = Skyline::new(firsts.clone());
        let mut full = [[0.0; 6]; 6];
        for (row, &first) in firsts.iter().enumerate() {
            for column in first..=row {
                let by = if row == column { 9.0 } else { 0.3 * (row as f64) - 0.7 * column as f64 };
                matrix.add(row, column, by);
                full[row][column] = by;
                full[column][row] = by;
            }
        }
        let x = [1.0, -2.0, 0.5, 3.0, -1.0, 2.0];
        let mut b: Vec<f64> = full.iter().map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect();
        assert!(matrix.factor());
        matrix.solve(&mut b);
        assert!(b.iter().zip(x).all(|(found, x)| (found - x).abs() < 1e-12), "{b:?}");
    }
}
