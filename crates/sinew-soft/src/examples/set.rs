//! Example shapes bound to regions.

use super::ExampleError;
use super::driven::Driven;
use super::local::LocalWeights;
use super::shared::SharedWeights;
use crate::kernel::region_pass::{ExampleBlocks, ExampleWeights};
use crate::regions::Regions;
use glam::{DMat3, Vec3};
use serde::{Deserialize, Serialize};
use sinew_geometry::nearest_rotation;
use sinew_geometry::simd::{BLOCK_LANES, Lanes, Simd};

/// Which regions share their weights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Grouping {
    /// All: the body as a whole is as much of each example.
    Whole,
    /// Those with the same number, one number a region.
    Groups(Vec<u16>),
    /// None: every region on its own, as an anisotropic material.
    Each,
}

/// How weights are kept within the hull of rest and examples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
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

/// Examples bound to the regions of a body, and how much of each it has at the moment.
#[derive(Clone, Debug)]
pub struct ExampleSet {
    count: usize,
    region_count: usize,
    /// Per block and example: S^k − I by xx, yy, zz, xy, xz, yz.
    differences: Vec<[Lanes; 6]>,
    /// Per block and example: ⟨S − I, S^k − I⟩.
    products: Vec<Lanes>,
    rule: WeightRule,
    beta: f32,
    weights: Weights,
    pub(crate) driven: Option<Driven>,
}

#[derive(Clone, Debug)]
enum Weights {
    /// Of groups; `group_of` is empty if there is only one.
    Shared(SharedWeights),
    /// Of every region.
    Each(LocalWeights),
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
        // Where a region is flat its map has no stretch at rest either; that is no difference.
        let at_rest: Vec<[f64; 6]> = regions.rest_maps().iter().map(strain).collect();
        for (example, shape) in shapes.iter().enumerate() {
            for (region, map) in regions.linear_maps(shape).into_iter().enumerate() {
                let place = &mut differences[region / BLOCK_LANES * count + example];
                for ((lanes, entry), rest) in place.iter_mut().zip(strain(&map)).zip(at_rest[region]) {
                    lanes.0[region % BLOCK_LANES] = (entry - rest) as f32;
                }
            }
        }
        let shared = |groups| Weights::Shared(SharedWeights::new(regions, &differences, count, groups));
        let weights = match &settings.grouping {
            Grouping::Whole => shared(&[]),
            Grouping::Groups(groups) => shared(groups),
            Grouping::Each => Weights::Each(LocalWeights::new(&differences, count)),
        };
        let products = vec![Lanes::ZERO; block_count * count];
        let (rule, beta, region_count) = (settings.rule, settings.beta.clamp(0.0, 1.0), regions.len());
        Ok(Self { count, region_count, differences, products, rule, beta, weights, driven: None })
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

    /// How much of each example a group is given, or a region if each has its own: after β and drivers.
    pub fn used_weights(&self, group: usize) -> Vec<f32> {
        match &self.weights {
            Weights::Shared(shared) => shared.groups[group].used.clone(),
            Weights::Each(local) => local.used(group),
        }
    }

    /// How many groups there are, or regions if each has its own weights.
    pub fn group_count(&self) -> usize {
        match &self.weights {
            Weights::Shared(shared) => shared.groups.len(),
            Weights::Each(_) => self.region_count,
        }
    }

    pub(crate) fn products_mut(&mut self) -> (&mut [Lanes], ExampleSource<'_>) {
        let weights = match &self.weights {
            Weights::Shared(shared) if shared.group_of.is_empty() => ExampleWeights::Same(&shared.same),
            Weights::Shared(shared) => ExampleWeights::Each(&shared.each),
            Weights::Each(local) => ExampleWeights::Each(&local.used),
        };
        (&mut self.products, ExampleSource { count: self.count, differences: &self.differences, weights })
    }

    /// Finds new weights from the products of the last pass.
    pub(crate) fn update<S: Simd>(&mut self, simd: S) {
        match &mut self.weights {
            Weights::Shared(shared) => {
                shared.update(&self.products, self.rule, self.beta, self.driven.as_ref());
            }
            Weights::Each(local) => {
                local.update(simd, &self.products, self.beta);
                if let Some(driven) = &self.driven {
                    local.mix(driven, self.region_count, self.beta);
                }
            }
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

pub(super) fn check(
    regions: &Regions,
    shapes: &[Vec<Vec3>],
    settings: &ExampleSettings,
) -> Result<(), ExampleError> {
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
