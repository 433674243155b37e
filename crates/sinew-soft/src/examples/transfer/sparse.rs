//! Sparse symmetric equations, solved by conjugate gradients.

use glam::DVec3;

/// A symmetric positive matrix by rows.
pub(super) struct Sparse {
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

/// Share of the right-hand side that may be left: a hundred-thousandth of a millimeter of a meter, for matrices whose condition is 1e4.
const RESIDUAL: f64 = 1e-10;

impl Sparse {
    /// Of entries by row, column and value; those of one place are added up.
    pub(super) fn new(size: usize, mut entries: Vec<(u32, u32, f64)>) -> Self {
        // Stable, so that sums are always taken in the same order.
        entries.sort_by_key(|&(row, column, _)| (row, column));
        let mut sparse = Self { starts: vec![0; size + 1], columns: Vec::new(), values: Vec::new() };
        for same in entries.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            sparse.columns.push(same[0].1);
            sparse.values.push(same.iter().map(|entry| entry.2).sum());
            sparse.starts[same[0].0 as usize + 1] = sparse.values.len();
        }
        // Rows without entries end where the one before them does.
        for row in 0..size {
            sparse.starts[row + 1] = sparse.starts[row + 1].max(sparse.starts[row]);
        }
        sparse
    }

    fn times(&self, vector: &[DVec3], product: &mut [DVec3]) {
        for (row, product) in product.iter_mut().enumerate() {
            let range = self.starts[row]..self.starts[row + 1];
            let terms = self.columns[range.clone()].iter().zip(&self.values[range]);
            *product = terms.map(|(&column, value)| vector[column as usize] * *value).sum();
        }
    }

    /// 1 / the diagonal; 0 where there is none.
    fn inverse_diagonal(&self) -> Vec<f64> {
        let of_row = |row: usize| {
            let range = self.starts[row]..self.starts[row + 1];
            let own =
                range.clone().find(|&at| self.columns[at] as usize == row).map_or(0.0, |at| self.values[at]);
            if own > 0.0 { 1.0 / own } else { 0.0 }
        };
        (0..self.starts.len() - 1).map(of_row).collect()
    }

    /// The solution for a right-hand side, x, y and z each on its own but in one go; or the share of it that was left.
    pub(super) fn solve(&self, right: &[DVec3]) -> Result<Vec<DVec3>, f64> {
        let size = right.len();
        let scale = self.inverse_diagonal();
        let mut solution = vec![DVec3::ZERO; size];
        let mut residual = right.to_vec();
        let mut scaled: Vec<DVec3> = residual.iter().zip(&scale).map(|(r, s)| *r * *s).collect();
        let mut direction = scaled.clone();
        let mut image = vec![DVec3::ZERO; size];
        let mut slope = dot(&residual, &scaled);
        let wanted = dot(right, right) * RESIDUAL * RESIDUAL;
        // In exact arithmetic as many rounds as there are unknowns are enough; rounding costs some more.
        for _ in 0..4 * size + 100 {
            if dot(&residual, &residual).cmple(wanted).all() {
                return Ok(solution);
            }
            self.times(&direction, &mut image);
            let step = ratio(slope, dot(&direction, &image));
            for at in 0..size {
                solution[at] += direction[at] * step;
                residual[at] -= image[at] * step;
                scaled[at] = residual[at] * scale[at];
            }
            let next = dot(&residual, &scaled);
            let turn = ratio(next, slope);
            slope = next;
            direction.iter_mut().zip(&scaled).for_each(|(d, z)| *d = *z + *d * turn);
        }
        let left = (dot(&residual, &residual).max_element() / dot(right, right).max_element()).sqrt();
        // Rounding stops it a little early where the matrix is bad; what is left is then still far below what can be seen.
        if left < 1e3 * RESIDUAL { Ok(solution) } else { Err(left) }
    }
}

/// Σ a b, by x, y and z.
fn dot(a: &[DVec3], b: &[DVec3]) -> DVec3 {
    a.iter().zip(b).map(|(a, b)| *a * *b).sum()
}

/// a / b, and 0 where b is.
fn ratio(a: DVec3, b: DVec3) -> DVec3 {
    let one = |a: f64, b: f64| if b > 0.0 { a / b } else { 0.0 };
    DVec3::new(one(a.x, b.x), one(a.y, b.y), one(a.z, b.z))
}
