//! Solving for a field, again and again over the same tetrahedra.

use super::{FieldError, Laplacian};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};

/// What is added to every diagonal entry, as a share of the mean: makes parts on which nothing is known solvable. Too large pulls
/// fields to zero far from what is known; too small is lost to rounding.
const GROUNDING: f64 = 1e-9;

/// (L + diag(s)) f = r, factored once for each s. What depends on the pattern alone is done when the solver is made.
#[derive(Debug)]
pub(crate) struct FieldSolver {
    pub(crate) laplacian: Laplacian,
    symbolic: SymbolicCholesky<usize>,
    grounding: f64,
    /// The strengths that `factor` is for; `None` before the first.
    strengths: Option<Vec<f64>>,
    matrix: Vec<f64>,
    factor: Vec<f64>,
    /// How often a factor was made.
    pub(crate) factored: usize,
}

impl FieldSolver {
    /// Orders the unknowns and finds the pattern of the factor.
    pub(crate) fn new(laplacian: Laplacian) -> Result<Self, FieldError> {
        let points = laplacian.size();
        let pattern = pattern(&laplacian);
        let params = CholeskySymbolicParams::default();
        let symbolic = factorize_symbolic_cholesky(pattern, Side::Lower, SymmetricOrdering::Amd, params)
            .map_err(|_| FieldError::Memory { points })?;
        let diagonal: f64 = (0..points).map(|point| laplacian.diagonal(point)).sum();
        let mean = diagonal / points.max(1) as f64;
        let grounding = if mean > 0.0 { GROUNDING * mean } else { 1.0 };
        let matrix = laplacian.values.clone();
        Ok(Self { laplacian, symbolic, grounding, strengths: None, matrix, factor: Vec::new(), factored: 0 })
    }

    /// Takes the strengths of the known values, one per point, ≥ 0. Does nothing where they are as before.
    pub(crate) fn set_strengths(&mut self, strengths: &[f64]) -> Result<(), FieldError> {
        let points = self.laplacian.size();
        assert_eq!(strengths.len(), points, "one strength for each point");
        if self.strengths.as_deref() == Some(strengths) {
            return Ok(());
        }
        self.strengths = None;
        self.matrix.copy_from_slice(&self.laplacian.values);
        for (point, strength) in strengths.iter().enumerate() {
            self.matrix[self.laplacian.starts[point]] += strength + self.grounding;
        }
        self.factor.resize(self.symbolic.len_val(), 0.0);
        // One thread, so that the result is the same on any machine with the same instructions.
        let scratch = self.symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default());
        let mut memory = MemBuffer::try_new(scratch).map_err(|_| FieldError::Memory { points })?;
        let matrix = SparseColMatRef::new(pattern(&self.laplacian), &self.matrix);
        self.symbolic
            .factorize_numeric_llt(
                &mut self.factor,
                matrix,
                Side::Lower,
                LltRegularization::default(),
                Par::Seq,
                MemStack::new(&mut memory),
                Default::default(),
            )
            .map_err(|_| FieldError::NotPositive { points })?;
        self.factored += 1;
        self.strengths = Some(strengths.to_vec());
        Ok(())
    }

    /// Solves for `columns` right-hand sides laid end to end, in place.
    ///
    /// # Panics
    /// If no strengths were taken, or `values` is not one per point and column.
    pub(crate) fn solve(&self, values: &mut [f64], columns: usize) -> Result<(), FieldError> {
        let points = self.laplacian.size();
        assert!(self.strengths.is_some(), "strengths come before values");
        let scratch = self.symbolic.solve_in_place_scratch::<f64>(columns, Par::Seq);
        let mut memory = MemBuffer::try_new(scratch).map_err(|_| FieldError::Memory { points })?;
        let values = MatMut::from_column_major_slice_mut(values, points, columns);
        let factor = LltRef::new(&self.symbolic, &self.factor);
        factor.solve_in_place_with_conj(Conj::No, values, Par::Seq, MemStack::new(&mut memory));
        Ok(())
    }
}

fn pattern(laplacian: &Laplacian) -> SymbolicSparseColMatRef<'_, usize> {
    let size = laplacian.size();
    SymbolicSparseColMatRef::new_checked(size, size, &laplacian.starts, None, &laplacian.rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use sinew_geometry::TetMesh;

    #[test]
    fn values_at_both_ends_are_joined_by_a_line() {
        let mesh = TetMesh::lattice([6, 2, 2], Vec3::new(3.0, 1.0, 1.0));
        let mut solver = FieldSolver::new(Laplacian::new(&mesh)).unwrap();
        let is_end = |point: &Vec3| point.x < 1e-3 || point.x > 3.0 - 1e-3;
        let strengths: Vec<f64> =
            mesh.points().iter().map(|point| if is_end(point) { 1e6 } else { 0.0 }).collect();
        let known = mesh.points().iter().zip(&strengths);
        let one: Vec<f64> =
            known.map(|(point, strength)| strength * f64::from(2.0 * point.x - 1.0)).collect();
        let mut values: Vec<f64> = one.iter().copied().chain(one.iter().map(|value| -value)).collect();
        solver.set_strengths(&strengths).unwrap();
        solver.solve(&mut values, 2).unwrap();
        // Strong, not hard: 1e-6 of the way is left to the neighbors.
        for (point, (a, b)) in mesh.points().iter().zip(values.iter().zip(&values[one.len()..])) {
            assert!((a - f64::from(2.0 * point.x - 1.0)).abs() < 1e-4, "{point} {a}");
            assert!((a + b).abs() < 1e-9);
        }
        solver.set_strengths(&strengths).unwrap();
        assert_eq!(solver.factored, 1);
    }

    #[test]
    fn a_field_of_which_nothing_is_known_is_zero() {
        let mesh = TetMesh::lattice([1, 1, 1], Vec3::ONE);
        let mut solver = FieldSolver::new(Laplacian::new(&mesh)).unwrap();
        solver.set_strengths(&vec![0.0; mesh.points().len()]).unwrap();
        let mut values = vec![0.0; mesh.points().len()];
        solver.solve(&mut values, 1).unwrap();
        assert!(values.iter().all(|&value| value == 0.0));
    }
}
