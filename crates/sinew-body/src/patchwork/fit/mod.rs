//! Fits the free vectors of a net to points with fixed places: one linear least-squares problem, one factorization for any number of
//! meshes of one vertex order.
//!
//! Minimizes `Σ weight |S(place) − target|²` plus prices on what the points leave open. Patches are alike in x, y and z, so the matrix
//! is that of one coordinate.

mod local;
mod price;
mod relax;
mod row;

pub use price::Prices;
pub use relax::Relaxation;

use super::Patchwork;
use crate::Patch;
use crate::normal_matrix::{Factor, NormalMatrix, Pattern};
use glam::DVec3;
use row::{Row, Summer};

/// A place on the surface of a net.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Index of the patch.
    pub patch: usize,
    /// 0 to 1.
    pub u: f64,
    /// 0 to 1.
    pub w: f64,
}

/// Error of preparing a fit.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PatchworkFitError {
    /// Prices are zero, or points lie on a part of the net only.
    #[error("the points do not determine all {slots} free vectors; raise the prices")]
    Undetermined {
        /// Free vectors of the net.
        slots: usize,
    },
    /// One target for each place.
    #[error("expected {places} weights, found {weights}")]
    Lengths {
        /// Places given.
        places: usize,
        /// Weights given.
        weights: usize,
    },
}

/// A factored fit: [`PatchworkFit::fit`] is then cheap.
pub struct PatchworkFit {
    /// Weighted rows of places, one for each target.
    data: Vec<(f64, Row)>,
    slot_count: usize,
    factor: Factor,
}

/// Keeps slots that nothing else determines: far below any price.
const HELD: f64 = 1e-9;

impl PatchworkFit {
    /// Factors the fit of targets at `places`. `reference` has patches of about the final shape; prices of bends measure on it. Without
    /// it these prices are left out.
    ///
    /// # Errors
    /// If lengths differ, or if the matrix is singular.
    pub fn new(
        net: &Patchwork,
        (places, weights): (&[Place], &[f64]),
        prices: &Prices,
        reference: &[Patch],
    ) -> Result<PatchworkFit, PatchworkFitError> {
        if places.len() != weights.len() {
            return Err(PatchworkFitError::Lengths { places: places.len(), weights: weights.len() });
        }
        let mut summer = Summer::new(net);
        let data: Vec<(f64, Row)> = places
            .iter()
            .zip(weights)
            .map(|(place, &weight)| (weight, summer.row(&[(place.patch, row::position(place))])))
            .collect();
        let price_rows = price::rows(net, prices, reference, &mut summer);
        let all =
            || data.iter().map(|(weight, row)| (*weight, row)).chain(price_rows.iter().map(|row| (1.0, row)));
        let slots = net.slot_count();
        let mut pattern = Pattern::new(slots);
        for (_, row) in all() {
            pattern.use_all(&row.iter().map(|&(slot, _)| slot as usize).collect::<Vec<_>>());
        }
        let mut matrix = NormalMatrix::new(pattern);
        (0..slots).for_each(|slot| matrix.add(slot, slot, HELD));
        for (weight, row) in all() {
            for &(slot, by) in row {
                for &(other, also) in row.iter().filter(|(other, _)| *other <= slot) {
                    matrix.add(slot as usize, other as usize, weight * by * also);
                }
            }
        }
        let factor = matrix.factor().ok_or(PatchworkFitError::Undetermined { slots })?;
        Ok(PatchworkFit { data, slot_count: slots, factor })
    }

    /// The free vectors for some targets, one for each place. Linear in the targets.
    ///
    /// # Panics
    /// If there are fewer targets than places.
    #[must_use]
    pub fn fit(&self, targets: &[DVec3]) -> Vec<DVec3> {
        let mut sums = vec![DVec3::ZERO; self.slot_count];
        for (index, (weight, row)) in self.data.iter().enumerate() {
            for &(slot, by) in row {
                sums[slot as usize] += weight * by * targets[index];
            }
        }
        let solved = [0, 1, 2].map(|axis| {
            let mut column: Vec<f64> = sums.iter().map(|sum| sum[axis]).collect();
            self.factor.solve(&mut column).expect("there is memory for a column");
            column
        });
        (0..self.slot_count)
            .map(|slot| DVec3::new(solved[0][slot], solved[1][slot], solved[2][slot]))
            .collect()
    }
}

#[cfg(test)]
mod tests;
