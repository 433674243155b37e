//! The linear model about a list: rows of distances and prices, and the factor of their normal equations.

use super::rows::{self, Rows};
use super::{PairedFit, Prices, weighed};
use crate::Patch;
use crate::fit::surface::{Combination, PatchChange};
use crate::fit::{FitError, evenness};
use crate::normal_matrix::{Factor, NormalMatrix, Pattern};
use crate::template::Flank;
use glam::DVec3;

/// The price that holds a number.
const HELD: f64 = 1e6;

/// A linear model about a list.
pub(super) struct Linear {
    data: Rows,
    prices: Rows,
    factor: Factor,
    /// The price of each number's own change.
    sizes: Vec<f64>,
}

impl Linear {
    /// The model about a list, and its factor.
    pub(super) fn new(fit: &PairedFit, values: &[f64], by: &Prices) -> Result<Self, FitError> {
        let body = crate::build(&fit.template, &fit.design(values, 1.0))?;
        let patches: Vec<Patch> = body.patches.iter().map(|patch| patch.patch).collect();
        let by_patch = fit.effects.at(&fit.template, &fit.slots, &fit.reference, values)?;
        let mut data = Rows::new();
        for pair in &fit.pairs {
            let sum = Combination::position(&patches, pair.patch, pair.u, pair.w);
            let normal = patches[pair.patch].normal(pair.u, pair.w);
            data.add(&by_patch, &[&sum], |moved| weighed(moved, normal, by.along));
        }
        let is_offset = fit.slots.are_offsets();
        let mut prices = Rows::new();
        // A part without offsets, as a finger, can only change its size, and would shrink to bend less.
        let is_free = |slots: &[(usize, PatchChange)]| slots.iter().any(|(slot, _)| is_offset[*slot]);
        let is_left = body.patches.iter().map(|patch| patch.flank != Flank::Right);
        let is_priced: Vec<bool> = is_left
            .zip(&by_patch)
            .map(|(is_left, slots)| is_left && (!by.is_own || is_free(slots)))
            .collect();
        rows::bends(&body, &by_patch, &patches, (by, &is_priced), &mut prices);
        let crossings = evenness::crossings(&body, &is_priced);
        rows::jumps(&crossings, &by_patch, &patches, by.jump, &mut prices);
        let mut sizes = vec![fit.settings.size; is_offset.len()];
        if by.is_own {
            // A neck that is settled alone makes a collar under the head. Toes, which the design lacks, have few vertices
            // that count: feet are settled with the average alone, or they fold there.
            let is_foot =
                |bone: usize| !by.is_average && rows::FEET.contains(&body.bones[bone].name.as_str());
            let is_kept = body.patches.iter().map(|patch| patch.group == rows::NECK || is_foot(patch.bone));
            sizes.fill(HELD);
            for (slots, _) in by_patch.iter().zip(is_kept).filter(|(_, is_kept)| !is_kept) {
                slots.iter().for_each(|(slot, _)| sizes[*slot] = fit.settings.size);
            }
        }
        let factor = factor(&data, &prices, &sizes, &fit.roots)?;
        Ok(Linear { data, prices, factor, sizes })
    }

    /// The change that comes next after one from the list of the model: `own`, the share of the prices' values there; `missed`, the weighted
    /// distances of all pairs.
    pub(super) fn step(
        &self,
        change: &[f64],
        own: f64,
        missed: impl Iterator<Item = DVec3>,
    ) -> Result<Vec<f64>, FitError> {
        let mut slope: Vec<f64> =
            change.iter().zip(&self.sizes).map(|(change, size)| -size * change).collect();
        for (row, missed) in missed.enumerate() {
            self.data.add_back(row, missed, &mut slope);
        }
        for row in 0..self.prices.len() {
            let value = own * self.prices.present(row) + self.prices.value(row, change);
            self.prices.add_back(row, -value, &mut slope);
        }
        self.factor.solve(&mut slope).ok_or_else(undetermined)?;
        Ok(slope)
    }
}

fn factor(data: &Rows, prices: &Rows, sizes: &[f64], roots: &[f64]) -> Result<Factor, FitError> {
    let mut pattern = Pattern::new(sizes.len());
    for rows in [data, prices] {
        for row in 0..rows.len() {
            pattern.use_all(&rows.row(row).map(|(slot, _)| slot).collect::<Vec<_>>());
        }
    }
    let mut matrix = NormalMatrix::new(pattern);
    sizes.iter().enumerate().for_each(|(slot, &size)| matrix.add(slot, slot, size));
    let mut add = |rows: &Rows, row: usize, weight: f64| {
        let entries: Vec<(usize, DVec3)> = rows.row(row).collect();
        for &(i, a) in &entries {
            for &(j, b) in entries.iter().filter(|(j, _)| *j <= i) {
                matrix.add(i, j, weight * a.dot(b));
            }
        }
    };
    (0..data.len()).for_each(|row| add(data, row, roots[row] * roots[row]));
    (0..prices.len()).for_each(|row| add(prices, row, 1.0));
    matrix.factor().ok_or_else(undetermined)
}

fn undetermined() -> FitError {
    FitError::Undetermined
}
