//! Weights that groups of regions share.

use super::driven::Driven;
use super::hull::{Hull, HullScratch, nearest_by_sorting, source_rule};
use super::set::{WeightRule, inner};
use crate::kernel::example_sums::add_products;
use crate::regions::Regions;
use sinew_geometry::simd::{BLOCK_LANES, Lanes};

#[derive(Clone, Debug)]
pub(super) struct SharedWeights {
    pub(super) groups: Vec<Group>,
    /// Of each region; empty if there is one group.
    pub(super) group_of: Vec<u16>,
    /// Per region: its share of the group's mass.
    masses: Vec<f32>,
    /// What the passes use, if there is one group.
    pub(super) same: Vec<f32>,
    /// What the passes use, if there are several: per block and example.
    pub(super) each: Vec<Lanes>,
    scratch: HullScratch,
}

#[derive(Clone, Debug)]
pub(super) struct Group {
    hull: Hull,
    sums: Vec<f64>,
    /// As they are found.
    pub(super) weights: Vec<f64>,
    /// As they are used: after β and drivers.
    pub(super) used: Vec<f32>,
    /// (LᵀL)⁺ of the hull, row by row, for the rules that need the plane's weights.
    inverse: Vec<f64>,
}

impl SharedWeights {
    pub(super) fn new(regions: &Regions, differences: &[[Lanes; 6]], count: usize, groups: &[u16]) -> Self {
        let group_count = groups.iter().map(|&group| usize::from(group) + 1).max().unwrap_or(1);
        let group_of = |region: usize| groups.get(region).map_or(0, |&group| usize::from(group));
        let masses = regions.masses();
        let mut totals = vec![0.0; group_count];
        masses.iter().enumerate().for_each(|(region, mass)| totals[group_of(region)] += mass);
        let share = |region: usize| masses[region] / f64::max(totals[group_of(region)], 1e-30);
        let mut products = vec![vec![0.0; count * count]; group_count];
        for region in 0..regions.len() {
            let (first, lane) = (region / BLOCK_LANES * count, region % BLOCK_LANES);
            for row in 0..count {
                for column in 0..count {
                    products[group_of(region)][row * count + column] +=
                        share(region) * inner(&differences[first + row], &differences[first + column], lane);
                }
            }
        }
        let each = if groups.is_empty() { Vec::new() } else { vec![Lanes::ZERO; differences.len()] };
        let groups_made = products.iter().map(|products| Group {
            hull: Hull::new(count, products),
            sums: vec![0.0; count],
            weights: vec![0.0; count],
            used: vec![0.0; count],
            inverse: pseudo_inverse(count, products),
        });
        Self {
            groups: groups_made.collect(),
            group_of: groups.to_vec(),
            masses: (0..regions.len()).map(|region| share(region) as f32).collect(),
            same: vec![0.0; count],
            each,
            scratch: HullScratch::default(),
        }
    }

    /// Finds new weights from the products of the last pass.
    pub(super) fn update(
        &mut self,
        products: &[Lanes],
        rule: WeightRule,
        beta: f32,
        driven: Option<&Driven>,
    ) {
        let count = self.same.len();
        for group in &mut self.groups {
            group.sums.fill(0.0);
        }
        if self.group_of.is_empty() {
            add_products(&self.masses, products, &mut self.groups[0].sums);
        }
        for (region, &group) in self.group_of.iter().enumerate() {
            let (group, mass) = (usize::from(group), self.masses[region]);
            let (first, lane) = (region / BLOCK_LANES * count, region % BLOCK_LANES);
            for (example, sum) in self.groups[group].sums.iter_mut().enumerate() {
                *sum += f64::from(mass * products[first + example].0[lane]);
            }
        }
        for (number, group) in self.groups.iter_mut().enumerate() {
            group.project(rule, &mut self.scratch);
            for (used, weight) in group.used.iter_mut().zip(&group.weights) {
                *used = *weight as f32;
            }
            match driven {
                Some(driven) => driven.mix(number, beta, &mut group.used),
                None => group.used.iter_mut().for_each(|used| *used *= beta),
            }
        }
        self.same.copy_from_slice(&self.groups[0].used);
        for (region, &group) in self.group_of.iter().enumerate() {
            let (first, lane) = (region / BLOCK_LANES * count, region % BLOCK_LANES);
            for (example, used) in self.groups[usize::from(group)].used.iter().enumerate() {
                self.each[first + example].0[lane] = *used;
            }
        }
    }
}

impl Group {
    fn project(&mut self, rule: WeightRule, scratch: &mut HullScratch) {
        if rule == WeightRule::Nearest {
            self.hull.nearest(&self.sums, scratch, &mut self.weights);
            return;
        }
        let count = self.sums.len();
        for (row, weight) in self.weights.iter_mut().enumerate() {
            *weight = (0..count).map(|column| self.inverse[row * count + column] * self.sums[column]).sum();
        }
        match rule {
            WeightRule::Sorting => nearest_by_sorting(&mut self.weights),
            _ => source_rule(&mut self.weights),
        }
    }
}

/// The inverse of a symmetric matrix by Gauss and Jordan, with rows that depend on others left out.
fn pseudo_inverse(count: usize, matrix: &[f64]) -> Vec<f64> {
    let width = 2 * count;
    let mut rows = vec![0.0; count * width];
    for row in 0..count {
        rows[row * width..][..count].copy_from_slice(&matrix[row * count..][..count]);
        rows[row * width + count + row] = 1.0;
    }
    let largest = (0..count).map(|at| matrix[at * count + at]).fold(0.0, f64::max);
    let mut is_used = vec![false; count];
    for _ in 0..count {
        let free = (0..count).filter(|&at| !is_used[at]);
        let Some(pivot) = free.max_by(|&a, &b| rows[a * width + a].total_cmp(&rows[b * width + b])) else {
            break;
        };
        if rows[pivot * width + pivot] <= 1e-12 * largest {
            break;
        }
        is_used[pivot] = true;
        let scale = 1.0 / rows[pivot * width + pivot];
        (0..width).for_each(|at| rows[pivot * width + at] *= scale);
        for row in (0..count).filter(|&row| row != pivot) {
            let share = rows[row * width + pivot];
            for at in 0..width {
                let taken = share * rows[pivot * width + at];
                rows[row * width + at] -= taken;
            }
        }
    }
    let mut inverse = vec![0.0; count * count];
    for row in (0..count).filter(|&row| is_used[row]) {
        for column in (0..count).filter(|&column| is_used[column]) {
            inverse[row * count + column] = rows[row * width + count + column];
        }
    }
    inverse
}
