//! Example shapes bound to regions.

use super::hull::{Hull, HullScratch, nearest_by_sorting, source_rule};
use super::local::LocalWeights;
use crate::kernel::example_sums::add_products;
use crate::kernel::region_pass::{ExampleBlocks, ExampleWeights};
use crate::regions::Regions;
use glam::{DMat3, Vec3};
use sinew_geometry::nearest_rotation;
use sinew_geometry::simd::{BLOCK_LANES, Lanes, Simd};

/// Which regions share their weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// All: the body as a whole is as much of each example.
    Whole,
    /// Those with the same number, one number a region.
    Groups(Vec<u16>),
    /// None: every region on its own, as an anisotropic material.
    Each,
}

/// How weights are kept within the hull of rest and examples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WeightRule {
    /// The hull's nearest point.
    #[default]
    Nearest,
    /// The nearest weights in the plain metric: cheaper, and another answer.
    Sorting,
    /// The rule of \[Koyama13\] section 4.3, for comparison.
    Source,
}

/// How examples are used.
#[derive(Clone, Debug, PartialEq)]
pub struct ExampleSettings {
    /// Which regions share their weights. Default: all.
    pub grouping: Grouping,
    /// How weights are kept within the hull. Default: nearest.
    pub rule: WeightRule,
    /// Share of the examples that is kept, from 0 to 1: less than 1, or a body in an example's shape stays there. Default 0.995.
    pub beta: f32,
}

impl Default for ExampleSettings {
    fn default() -> Self {
        Self { grouping: Grouping::Whole, rule: WeightRule::default(), beta: 0.995 }
    }
}

/// Why examples cannot be bound.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExampleError {
    /// A shape of another body.
    #[error("example {example} has {found} particles, the body has {expected}")]
    ParticleCount {
        /// The example.
        example: usize,
        /// Its particles.
        found: usize,
        /// The body's.
        expected: usize,
    },
    /// A particle that is nowhere.
    #[error("particle {particle} of example {example} is not finite")]
    NotFinite {
        /// The example.
        example: usize,
        /// The particle.
        particle: usize,
    },
    /// Not one group a region.
    #[error("{found} group numbers for {expected} regions")]
    GroupCount {
        /// Numbers.
        found: usize,
        /// Regions.
        expected: usize,
    },
}

/// Examples bound to the regions of a body, and how much of each it has at the moment.
#[derive(Clone, Debug)]
pub struct ExampleSet {
    count: usize,
    /// Per block and example: S^k − I by xx, yy, zz, xy, xz, yz.
    differences: Vec<[Lanes; 6]>,
    /// Per block and example: ⟨S − I, S^k − I⟩.
    products: Vec<Lanes>,
    rule: WeightRule,
    beta: f32,
    weights: Weights,
}

#[derive(Clone, Debug)]
enum Weights {
    /// Of groups; `group_of` is empty if there is only one.
    Shared(SharedWeights),
    /// Of every region.
    Each(LocalWeights),
}

#[derive(Clone, Debug)]
struct SharedWeights {
    groups: Vec<Group>,
    /// Of each region; empty if there is one group.
    group_of: Vec<u16>,
    /// Per region: its share of the group's mass.
    masses: Vec<f32>,
    /// What the passes use, if there is one group.
    same: Vec<f32>,
    /// What the passes use, if there are several: per block and example.
    each: Vec<Lanes>,
    scratch: HullScratch,
}

#[derive(Clone, Debug)]
struct Group {
    hull: Hull,
    sums: Vec<f64>,
    weights: Vec<f64>,
    /// (LᵀL)⁺ of the hull, row by row, for the rules that need the plane's weights.
    inverse: Vec<f64>,
}

impl ExampleSet {
    /// Binds shapes, each one place a particle.
    ///
    /// # Errors
    /// Shapes of other bodies, or that are not finite; a wrong number of groups.
    pub fn bind(
        regions: &Regions,
        shapes: &[Vec<Vec3>],
        settings: &ExampleSettings,
    ) -> Result<Self, ExampleError> {
        check(regions, shapes, settings)?;
        let (count, block_count) = (shapes.len(), regions.tables.block_count());
        let mut differences = vec![[Lanes::ZERO; 6]; block_count * count];
        for (example, shape) in shapes.iter().enumerate() {
            for (region, map) in regions.linear_maps(shape).into_iter().enumerate() {
                let place = &mut differences[region / BLOCK_LANES * count + example];
                for (lanes, entry) in place.iter_mut().zip(strain(&map)) {
                    lanes.0[region % BLOCK_LANES] = entry as f32;
                }
            }
        }
        let weights = match &settings.grouping {
            Grouping::Whole => Weights::Shared(SharedWeights::new(regions, &differences, count, &[])),
            Grouping::Groups(groups) => {
                Weights::Shared(SharedWeights::new(regions, &differences, count, groups))
            }
            Grouping::Each => Weights::Each(LocalWeights::new(&differences, count)),
        };
        let products = vec![Lanes::ZERO; block_count * count];
        let beta = settings.beta.clamp(0.0, 1.0);
        Ok(Self { count, differences, products, rule: settings.rule, beta, weights })
    }

    /// How many examples there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How much of each example there is in a group, or in a region if each has its own; before β.
    pub fn weights(&self, group: usize) -> Vec<f64> {
        match &self.weights {
            Weights::Shared(shared) => shared.groups[group].weights.clone(),
            Weights::Each(local) => local.weights(group),
        }
    }

    pub(crate) fn products_mut(&mut self) -> (&mut [Lanes], ExampleSource<'_>) {
        let weights = match &self.weights {
            Weights::Shared(shared) if shared.group_of.is_empty() => ExampleWeights::Same(&shared.same),
            Weights::Shared(shared) => ExampleWeights::Each(&shared.each),
            Weights::Each(local) => ExampleWeights::Each(local.lanes()),
        };
        (&mut self.products, ExampleSource { count: self.count, differences: &self.differences, weights })
    }

    /// Finds new weights from the products of the last pass.
    pub(crate) fn update<S: Simd>(&mut self, simd: S) {
        match &mut self.weights {
            Weights::Shared(shared) => shared.update(&self.products, self.count, self.rule, self.beta),
            Weights::Each(local) => local.update(simd, &self.products, self.beta),
        }
    }
}

/// What a pass reads of the examples.
#[derive(Clone, Copy)]
pub(crate) struct ExampleSource<'a> {
    pub(crate) count: usize,
    pub(crate) differences: &'a [[Lanes; 6]],
    pub(crate) weights: ExampleWeights<'a>,
}

impl<'a> ExampleSource<'a> {
    /// For the blocks from `first` on whose products are these.
    pub(crate) fn blocks<'b>(&self, first: usize, products: &'b mut [Lanes]) -> ExampleBlocks<'b>
    where
        'a: 'b,
    {
        let weights = match self.weights {
            ExampleWeights::Same(weights) => ExampleWeights::Same(weights),
            ExampleWeights::Each(weights) => {
                ExampleWeights::Each(&weights[first * self.count..][..products.len()])
            }
        };
        ExampleBlocks { count: self.count, differences: self.differences, weights, products }
    }
}

fn check(regions: &Regions, shapes: &[Vec<Vec3>], settings: &ExampleSettings) -> Result<(), ExampleError> {
    let expected = regions.particle_count();
    for (example, shape) in shapes.iter().enumerate() {
        if shape.len() != expected {
            return Err(ExampleError::ParticleCount { example, found: shape.len(), expected });
        }
        if let Some(particle) = shape.iter().position(|place| !place.is_finite()) {
            return Err(ExampleError::NotFinite { example, particle });
        }
    }
    match &settings.grouping {
        Grouping::Groups(groups) if groups.len() != regions.len() => {
            Err(ExampleError::GroupCount { found: groups.len(), expected: regions.len() })
        }
        _ => Ok(()),
    }
}

/// S − I of a map, by xx, yy, zz, xy, xz, yz.
fn strain(map: &DMat3) -> [f64; 6] {
    let s = nearest_rotation(map).transpose() * *map;
    [
        s.x_axis.x - 1.0,
        s.y_axis.y - 1.0,
        s.z_axis.z - 1.0,
        0.5 * (s.x_axis.y + s.y_axis.x),
        0.5 * (s.x_axis.z + s.z_axis.x),
        0.5 * (s.y_axis.z + s.z_axis.y),
    ]
}

/// ⟨A, B⟩ of symmetric matrices in a lane: entries off the diagonal stand for two.
pub(super) fn inner(a: &[Lanes; 6], b: &[Lanes; 6], lane: usize) -> f64 {
    (0..6)
        .map(|entry| {
            let twice = if entry < 3 { 1.0 } else { 2.0 };
            twice * f64::from(a[entry].0[lane]) * f64::from(b[entry].0[lane])
        })
        .sum()
}

impl SharedWeights {
    fn new(regions: &Regions, differences: &[[Lanes; 6]], count: usize, groups: &[u16]) -> Self {
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

    fn update(&mut self, products: &[Lanes], count: usize, rule: WeightRule, beta: f32) {
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
        for group in &mut self.groups {
            group.project(rule, &mut self.scratch);
        }
        for (same, weight) in self.same.iter_mut().zip(&self.groups[0].weights) {
            *same = beta * *weight as f32;
        }
        for (region, &group) in self.group_of.iter().enumerate() {
            let (first, lane) = (region / BLOCK_LANES * count, region % BLOCK_LANES);
            for (example, weight) in self.groups[usize::from(group)].weights.iter().enumerate() {
                self.each[first + example].0[lane] = beta * *weight as f32;
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
