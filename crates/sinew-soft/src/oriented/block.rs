//! Matrices of six rows: three for a place, three for a turn.

use glam::{DMat3, DVec3};

/// A matrix of six rows and columns, by rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block(pub(crate) [[f64; 6]; 6]);

/// A place's part and a turn's part.
pub(crate) type Six = [f64; 6];

impl Block {
    pub(crate) const ZERO: Self = Self([[0.0; 6]; 6]);

    /// Adds a matrix to the part of rows from `row` and columns from `column`.
    pub(crate) fn add(&mut self, row: usize, column: usize, part: &DMat3) {
        let columns = part.to_cols_array_2d();
        for (k, entries) in columns.iter().enumerate() {
            for (j, entry) in entries.iter().enumerate() {
                self.0[row + j][column + k] += entry;
            }
        }
    }

    /// Clears rows from `row` on.
    pub(crate) fn clear_rows(&mut self, row: usize) {
        self.0[row..row + 3].fill([0.0; 6]);
    }

    /// Clears columns from `column` on.
    pub(crate) fn clear_columns(&mut self, column: usize) {
        for row in &mut self.0 {
            row[column..column + 3].fill(0.0);
        }
    }

    /// Turns a symmetric matrix into its Cholesky factor, below the diagonal, with the diagonal's inverse on it. Where a row depends on
    /// those before it, its unknown is left at zero.
    pub(crate) fn factorize(&mut self) {
        let m = &mut self.0;
        for column in 0..6 {
            let mut pivot = m[column][column];
            let size = pivot.abs();
            pivot -= m[column][..column].iter().map(|entry| entry * entry).sum::<f64>();
            let inverse = if pivot > 1e-14 * size && pivot > 0.0 { 1.0 / pivot.sqrt() } else { 0.0 };
            m[column][column] = inverse;
            for row in column + 1..6 {
                let before: f64 = (0..column).map(|k| m[row][k] * m[column][k]).sum();
                m[row][column] = (m[row][column] - before) * inverse;
            }
        }
    }

    /// L⁻¹ v of a factor.
    pub(crate) fn forward(&self, v: &mut Six) {
        for row in 0..6 {
            let before: f64 = (0..row).map(|k| self.0[row][k] * v[k]).sum();
            v[row] = (v[row] - before) * self.0[row][row];
        }
    }

    /// L⁻ᵀ v of a factor.
    pub(crate) fn backward(&self, v: &mut Six) {
        for row in (0..6).rev() {
            let after: f64 = (row + 1..6).map(|k| self.0[k][row] * v[k]).sum();
            v[row] = (v[row] - after) * self.0[row][row];
        }
    }
}

pub(crate) fn six(place: DVec3, turn: DVec3) -> Six {
    [place.x, place.y, place.z, turn.x, turn.y, turn.z]
}

pub(crate) fn split(six: &Six) -> (DVec3, DVec3) {
    (DVec3::new(six[0], six[1], six[2]), DVec3::new(six[3], six[4], six[5]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_solve() {
        let mut matrix = Block::ZERO;
        for row in 0..6 {
            for column in 0..6 {
                matrix.0[row][column] = if row == column { 4.0 } else { 1.0 / (1.0 + (row + column) as f64) };
            }
        }
        let wanted = [1.0, -2.0, 3.0, 0.5, 0.0, -1.0];
        let mut v: Six = std::array::from_fn(|row| (0..6).map(|k| matrix.0[row][k] * wanted[k]).sum());
        matrix.factorize();
        matrix.forward(&mut v);
        matrix.backward(&mut v);
        assert!(v.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{v:?}");
    }
}
