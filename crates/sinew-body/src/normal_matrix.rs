//! A large symmetric matrix with few entries, and its Cholesky factor.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::linalg::cholesky::{
    LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};

const WORD: usize = 64;

/// Which entries of the lower triangle are used: a bit each, by columns.
pub(crate) struct Pattern {
    size: usize,
    words: usize,
    bits: Vec<u64>,
}

impl Pattern {
    /// The diagonal alone.
    pub(crate) fn new(size: usize) -> Self {
        let words = size.div_ceil(WORD);
        let mut pattern = Pattern { size, words, bits: vec![0; size * words] };
        (0..size).for_each(|at| pattern.use_all(&[at]));
        pattern
    }

    /// Uses the entries of all pairs of some rows.
    pub(crate) fn use_all(&mut self, rows: &[usize]) {
        for &column in rows {
            let bits = &mut self.bits[column * self.words..(column + 1) * self.words];
            rows.iter().filter(|row| **row >= column).for_each(|row| bits[row / WORD] |= 1 << (row % WORD));
        }
    }
}

/// The lower triangle of a matrix, by columns.
pub(crate) struct NormalMatrix {
    pattern: Pattern,
    /// The place of the first entry of each word of bits.
    before: Vec<u32>,
    starts: Vec<usize>,
    rows: Vec<usize>,
    values: Vec<f64>,
}

impl NormalMatrix {
    /// Zero, with the entries of a pattern.
    pub(crate) fn new(pattern: Pattern) -> Self {
        let (mut before, mut starts, mut rows) =
            (Vec::with_capacity(pattern.bits.len()), vec![0], Vec::new());
        for column in pattern.bits.chunks_exact(pattern.words) {
            for (word, &bits) in column.iter().enumerate() {
                before.push(rows.len() as u32);
                rows.extend((0..WORD).filter(|bit| bits >> bit & 1 == 1).map(|bit| word * WORD + bit));
            }
            starts.push(rows.len());
        }
        let values = vec![0.0; rows.len()];
        NormalMatrix { pattern, before, starts, rows, values }
    }

    /// Adds to an entry of the pattern; `column` is at most `row`.
    pub(crate) fn add(&mut self, row: usize, column: usize, by: f64) {
        let word = column * self.pattern.words + row / WORD;
        let below = self.pattern.bits[word] & ((1 << (row % WORD)) - 1);
        self.values[self.before[word] as usize + below.count_ones() as usize] += by;
    }

    /// The factor; `None` if the matrix is not positive definite.
    pub(crate) fn factor(self) -> Option<Factor> {
        let size = self.pattern.size;
        let pattern = SymbolicSparseColMatRef::new_checked(size, size, &self.starts, None, &self.rows);
        let symbolic =
            factorize_symbolic_cholesky(pattern, Side::Lower, SymmetricOrdering::Amd, Default::default())
                .ok()?;
        let mut values = vec![0.0; symbolic.len_val()];
        let scratch = symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default());
        let mut memory = MemBuffer::try_new(scratch).ok()?;
        symbolic
            .factorize_numeric_llt(
                &mut values,
                SparseColMatRef::new(pattern, &self.values),
                Side::Lower,
                LltRegularization::default(),
                Par::Seq,
                MemStack::new(&mut memory),
                Default::default(),
            )
            .ok()?;
        Some(Factor { size, symbolic, values })
    }
}

/// The factor of a matrix.
pub(crate) struct Factor {
    size: usize,
    symbolic: SymbolicCholesky<usize>,
    values: Vec<f64>,
}

impl Factor {
    /// Solves in place; `None` without memory for it.
    pub(crate) fn solve(&self, right: &mut [f64]) -> Option<()> {
        let scratch = self.symbolic.solve_in_place_scratch::<f64>(1, Par::Seq);
        let mut memory = MemBuffer::try_new(scratch).ok()?;
        let right = MatMut::from_column_major_slice_mut(right, self.size, 1);
        let factor = LltRef::new(&self.symbolic, &self.values);
        factor.solve_in_place_with_conj(Conj::No, right, Par::Seq, MemStack::new(&mut memory));
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_solves_what_the_matrix_maps() {
        // Rows of 100 unknowns, each with a few neighbors, some of them far.
        let size = 100;
        let rows: Vec<[usize; 3]> = (0..size).map(|at| [at, (at + 1) % size, (7 * at + 3) % size]).collect();
        let mut pattern = Pattern::new(size);
        rows.iter().for_each(|row| pattern.use_all(row));
        let mut matrix = NormalMatrix::new(pattern);
        let mut full = vec![0.0; size * size];
        for (place, row) in rows.iter().enumerate() {
            for (k, &i) in row.iter().enumerate() {
                for (l, &j) in row.iter().enumerate() {
                    let by = (1.0 + k as f64 - 0.3 * place as f64 % 1.0)
                        * (1.0 + l as f64 - 0.3 * place as f64 % 1.0);
                    full[i * size + j] += by;
                    if j <= i {
                        matrix.add(i, j, by);
                    }
                }
            }
        }
        for at in 0..size {
            full[at * size + at] += 1.0;
            matrix.add(at, at, 1.0);
        }
        let x: Vec<f64> = (0..size).map(|at| (at as f64).sin()).collect();
        let mut right: Vec<f64> =
            full.chunks(size).map(|row| row.iter().zip(&x).map(|(a, x)| a * x).sum()).collect();
        matrix.factor().expect("it is positive definite").solve(&mut right).expect("it is small");
        assert!(right.iter().zip(&x).all(|(found, x)| (found - x).abs() < 1e-10), "{right:?}");
    }
}
