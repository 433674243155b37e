//! A set of regions at work.

use crate::examples::ExampleSet;
use crate::kernel::region_pass::RegionPass;
use crate::regions::{RegionTables, Regions};
use crate::threads::{Strided, in_parts};
use glam::Vec4;
use sinew_geometry::simd::{BLOCK_LANES, Lanes, Simd};

/// Regions and what they want at the moment.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    pub(crate) tables: RegionTables,
    /// Rows of each region's rotation.
    rotations: Vec<[Lanes; 9]>,
    /// Per region: stiffness times the goal's matrix, by columns, with the stiffness in the last lane.
    pub(crate) affines: Vec<[Lanes; BLOCK_LANES]>,
    examples: Option<ExampleSet>,
}

/// No rotation, in all lanes.
const UPRIGHT: [Lanes; 9] = {
    let (one, zero) = (Lanes([1.0; BLOCK_LANES]), Lanes::ZERO);
    [one, zero, zero, zero, one, zero, zero, zero, one]
};

/// Blocks that one thread works on at a time: half a thousand regions, some 10 µs.
const PART_BLOCKS: usize = 32;

impl Level {
    pub(crate) fn new(regions: &Regions, examples: Option<ExampleSet>) -> Self {
        let tables = regions.tables.clone();
        let block_count = tables.block_count();
        Self {
            rotations: vec![UPRIGHT; block_count],
            affines: vec![[Lanes::ZERO; BLOCK_LANES]; block_count],
            tables,
            examples,
        }
    }

    pub(crate) fn examples(&self) -> Option<&ExampleSet> {
        self.examples.as_ref()
    }

    pub(crate) fn examples_mut(&mut self) -> Option<&mut ExampleSet> {
        self.examples.as_mut()
    }

    /// Finds what every region wants.
    pub(crate) fn match_shapes<S: Simd>(&mut self, simd: S, positions: &[Vec4]) {
        if self.examples.is_some() {
            self.match_examples(simd, positions);
            return;
        }
        let tables = &self.tables;
        let lists = (&mut self.affines[..], &mut self.rotations[..]);
        in_parts(lists, PART_BLOCKS, |first, (affines, rotations)| {
            simd.run(RegionPass { tables, first, positions, rotations, affines, examples: None });
        });
    }

    /// Finds how much of each example there is.
    pub(crate) fn weigh_examples<S: Simd>(&mut self, simd: S, positions: &[Vec4]) {
        if self.examples.is_some() {
            self.match_examples(simd, positions);
        }
    }

    /// As above, with examples.
    fn match_examples<S: Simd>(&mut self, simd: S, positions: &[Vec4]) {
        let Self { tables, rotations, affines, examples: Some(examples) } = self else { return };
        let (products, source) = examples.products_mut();
        let lists =
            ((&mut affines[..], &mut rotations[..]), Strided { list: products, stride: source.count });
        let tables = &*tables;
        in_parts(lists, PART_BLOCKS, |first, ((affines, rotations), products)| {
            let examples = Some(source.blocks(first, products.list));
            simd.run(RegionPass { tables, first, positions, rotations, affines, examples });
        });
        examples.update(simd);
    }
}
