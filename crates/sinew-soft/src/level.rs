//! A set of regions at work.

use crate::examples::ExampleSet;
use crate::kernel::follow_pass::FollowPass;
use crate::kernel::region_pass::RegionPass;
use crate::regions::{FibreTables, FollowTables, RegionTables, Regions};
use crate::threads::{Strided, in_parts};
use glam::{Vec3, Vec4};
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
    /// Per block, if the body follows a shape.
    follow: Vec<FollowTables>,
    /// Rotations of the shape that is followed.
    shape_rotations: Vec<[Lanes; 9]>,
    /// Per block, if there are fibres.
    fibres: Vec<FibreTables>,
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
            follow: Vec::new(),
            shape_rotations: Vec::new(),
            fibres: Vec::new(),
        }
    }

    pub(crate) fn examples(&self) -> Option<&ExampleSet> {
        self.examples.as_ref()
    }

    /// Finds what every region wants.
    pub(crate) fn match_shapes<S: Simd>(&mut self, simd: S, positions: &[Vec4]) {
        if self.examples.is_some() {
            self.match_examples(simd, positions);
            return;
        }
        let (tables, follow, fibres) = (&self.tables, &self.follow[..], &self.fibres[..]);
        let lists = (&mut self.affines[..], &mut self.rotations[..]);
        in_parts(lists, PART_BLOCKS, |first, (affines, rotations)| {
            let examples = None;
            simd.run(RegionPass { tables, first, positions, rotations, affines, examples, follow, fibres });
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
        let Self { tables, rotations, affines, examples: Some(examples), follow, fibres, .. } = self else {
            return;
        };
        let (products, source) = examples.products_mut();
        let lists =
            ((&mut affines[..], &mut rotations[..]), Strided { list: products, stride: source.count });
        let (tables, follow, fibres) = (&*tables, &follow[..], &fibres[..]);
        in_parts(lists, PART_BLOCKS, |first, ((affines, rotations), products)| {
            let examples = Some(source.blocks(first, products.list));
            simd.run(RegionPass { tables, first, positions, rotations, affines, examples, follow, fibres });
        });
        examples.update(simd);
    }

    /// Compares regions with a shape from now on instead of with rest.
    pub(crate) fn follow<S: Simd>(&mut self, simd: S, positions: &[Vec4]) {
        let block_count = self.tables.block_count();
        self.follow.resize(block_count, FollowTables::NONE);
        self.shape_rotations.resize(block_count, UPRIGHT);
        let tables = &self.tables;
        let lists = (&mut self.follow[..], &mut self.shape_rotations[..]);
        in_parts(lists, PART_BLOCKS, |first, (follow, rotations)| {
            simd.run(FollowPass { tables, first, positions, rotations, follow });
        });
    }

    /// Gives each region a fibre, at rest; those without a direction have none.
    pub(crate) fn set_fibres(&mut self, directions: &[Vec3]) {
        assert_eq!(directions.len(), self.tables.region_count(), "a fibre a region");
        let block_count = self.tables.block_count();
        self.tables.fibres = vec![[Lanes::ZERO; 3]; block_count];
        self.fibres = vec![FibreTables::STIFF; block_count];
        for (region, direction) in directions.iter().enumerate() {
            let unit = direction.normalize_or_zero();
            let place = &mut self.tables.fibres[region / BLOCK_LANES];
            for (lanes, entry) in place.iter_mut().zip(unit.to_array()) {
                lanes.0[region % BLOCK_LANES] = entry;
            }
        }
    }

    /// How a region answers along its fibre.
    pub(crate) fn set_fibre(&mut self, region: usize, fibre: FibreAnswer) {
        let Some(block) = self.fibres.get_mut(region / BLOCK_LANES) else { return };
        let lane = region % BLOCK_LANES;
        block.gives.0[lane] = fibre.give.clamp(0.0, MOST_GIVE);
        block.contractions.0[lane] = fibre.contraction.clamp(0.4, 2.5);
        block.laterals.0[lane] = fibre.lateral.clamp(0.4, 2.5);
    }
}

/// How a region answers along its fibre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FibreAnswer {
    /// What share of a stretch along the fibre is given way to, from 0 to 0.95: of all, nothing would ever come back.
    pub give: f32,
    /// Stretch along the fibre at which the region is content: less than 1 where a muscle contracts.
    pub contraction: f32,
    /// Stretch across: `contraction` to the power of −1/2 keeps the volume.
    pub lateral: f32,
}

impl Default for FibreAnswer {
    /// As if there were no fibre.
    fn default() -> Self {
        Self { give: 0.0, contraction: 1.0, lateral: 1.0 }
    }
}

const MOST_GIVE: f32 = 0.95;
