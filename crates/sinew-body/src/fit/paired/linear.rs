//! The linear model about a list: rows of distances and prices, and the factor of their normal equations.

use super::rows::{self, Rows};
use super::{PairedFit, Prices, weighed};
use crate::Patch;
use crate::fit::surface::{Combination, PatchChange};
use crate::fit::{FitError, evenness};
use crate::normal_matrix::{Factor, NormalMatrix, Pattern};
use crate::template::Flank;
use glam::DVec3;
use std::collections::BTreeMap;

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
            // Toes, which the design lacks, have few vertices that count, as have tips of digits: they are settled with the average alone, or
            // they fold.
            let is_end = |bone: usize| !by.is_average && rows::ENDS.contains(&body.bones[bone].name.as_str());
            let ends = by_patch.iter().zip(&body.patches).filter(|(_, patch)| is_end(patch.bone));
            ends.flat_map(|(slots, _)| slots).for_each(|(slot, _)| sizes[*slot] = HELD);
        }
        let factor = factor(&data, &prices, &sizes, &fit.roots)?;
        Ok(Linear { data, prices, factor, sizes })
    }

    /// What the prices amount to on a surface.
    pub(super) fn price_of(&self, patches: &[Patch]) -> f64 {
        self.prices.price_of(patches)
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
        self.factor.solve(&mut slope).ok_or(FitError::Undetermined)?;
        Ok(slope)
    }
}

fn factor(data: &Rows, prices: &Rows, sizes: &[f64], roots: &[f64]) -> Result<Factor, FitError> {
    let mut groups: BTreeMap<[u32; 2], Vec<(&Rows, usize, f64)>> = BTreeMap::new();
    for (row, root) in (0..data.len()).zip(roots) {
        groups.entry(data.patches(row)).or_default().push((data, row, root * root));
    }
    for row in 0..prices.len() {
        groups.entry(prices.patches(row)).or_default().push((prices, row, 1.0));
    }
    let blocks: Vec<Block> = groups.values().map(|rows| Block::of(rows)).collect();
    let mut pattern = Pattern::new(sizes.len());
    blocks.iter().for_each(|block| pattern.use_all(&block.slots));
    let mut matrix = NormalMatrix::new(pattern);
    sizes.iter().enumerate().for_each(|(slot, &size)| matrix.add(slot, slot, size));
    blocks.iter().for_each(|block| block.add_to(&mut matrix));
    matrix.factor().ok_or(FitError::Undetermined)
}

/// The products of all rows on the same patches, dense: they are summed in the cache, and five times as fast as one by one in the matrix.
struct Block {
    /// In order.
    slots: Vec<usize>,
    /// The lower triangle, by rows of the whole square.
    sums: Vec<f64>,
}

impl Block {
    fn of(rows: &[(&Rows, usize, f64)]) -> Self {
        let mut slots: Vec<usize> =
            rows.iter().flat_map(|(rows, row, _)| rows.row(*row).map(|(slot, _)| slot)).collect();
        slots.sort_unstable();
        slots.dedup();
        let size = slots.len();
        let mut sums = vec![0.0; size * size];
        let mut dense = [vec![0.0; size], vec![0.0; size], vec![0.0; size]];
        for (rows, row, weight) in rows {
            dense.iter_mut().for_each(|axis| axis.fill(0.0));
            for (slot, factor) in rows.row(*row) {
                let place = slots.binary_search(&slot).expect("all slots of the rows are there");
                (dense[0][place], dense[1][place], dense[2][place]) = factor.into();
            }
            let [x, y, z] = &dense;
            for i in (0..size).filter(|&i| x[i] != 0.0 || y[i] != 0.0 || z[i] != 0.0) {
                let by = weight * DVec3::new(x[i], y[i], z[i]);
                let others = x[..=i].iter().zip(&y[..=i]).zip(&z[..=i]);
                for (sum, ((x, y), z)) in sums[i * size..=i * size + i].iter_mut().zip(others) {
                    *sum += by.x * x + by.y * y + by.z * z;
                }
            }
        }
        Block { slots, sums }
    }

    fn add_to(&self, matrix: &mut NormalMatrix) {
        for (i, &row) in self.slots.iter().enumerate() {
            for (&column, sum) in self.slots[..=i].iter().zip(&self.sums[i * self.slots.len()..]) {
                matrix.add(row, column, *sum);
            }
        }
    }
}
