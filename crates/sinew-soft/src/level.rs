//! A set of regions at work.

use crate::examples::ExampleSet;
use crate::kernel::follow_pass::FollowPass;
use crate::kernel::region_pass::{RegionPass, Want};
use crate::kernel::volume::VolumeBlocks;
use crate::regions::{FiberTables, FollowTables, RegionTables, Regions};
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
    pub(crate) examples: Option<ExampleSet>,
    /// Per block, if the body follows a shape.
    follow: Vec<FollowTables>,
    /// Rotations of the shape that is followed.
    shape_rotations: Vec<[Lanes; 9]>,
    /// Per block, if there are fibers.
    fibers: Vec<FiberTables>,
    /// From 0 to 1: how far volumes are kept.
    volume_trust: f32,
    /// Per block: volumes as shares of the wanted ones; empty if no region keeps its volume.
    volumes: Vec<Lanes>,
}

/// No rotation, in all lanes.
const UPRIGHT: [Lanes; 9] = {
    let (one, zero) = (Lanes([1.0; BLOCK_LANES]), Lanes::ZERO);
    [one, zero, zero, zero, one, zero, zero, zero, one]
};

/// Blocks that one thread works on at a time: half a thousand regions, some 10 µs.
const PART_BLOCKS: usize = 32;

/// A region with less or more than these shares of its volume is tangled with others. With a least of 0.15, 1 in 300 scrambled bodies
/// of bulk 50 stopped at a wrong shape; with 0.3, none of 600.
const UNTANGLED: std::ops::RangeInclusive<f32> = 0.3..=2.5;

/// By how much trust in volumes grows a step: full after ten.
const TRUST_STEP: f32 = 0.1;

impl Level {
    pub(crate) fn new(regions: &Regions, examples: Option<ExampleSet>) -> Self {
        let tables = regions.tables.clone();
        let block_count = tables.block_count();
        Self {
            rotations: vec![UPRIGHT; block_count],
            affines: vec![[Lanes::ZERO; BLOCK_LANES]; block_count],
            volume_trust: 1.0,
            volumes: vec![Lanes([1.0; BLOCK_LANES]); tables.bulk_shares.len()],
            tables,
            examples,
            follow: Vec::new(),
            shape_rotations: Vec::new(),
            fibers: Vec::new(),
        }
    }

    /// Lets go of volumes where a region is flat, inverted or blown up, and takes hold of them again bit by bit.
    pub(crate) fn trust_volumes(&mut self) {
        let volumes = self.volumes.iter().flat_map(|lanes| lanes.0).take(self.tables.region_count());
        let is_tangled = volumes.into_iter().any(|volume| !UNTANGLED.contains(&volume));
        self.volume_trust = if is_tangled { 0.0 } else { (self.volume_trust + TRUST_STEP).min(1.0) };
    }

    /// Finds what every region wants, and how much of each example there is.
    pub(crate) fn match_shapes<S: Simd>(&mut self, simd: S, positions: &[Vec4], want: Want) {
        let Self { tables, rotations, affines, volumes, volume_trust, examples, follow, fibers, .. } = self;
        let (products, source) = match examples {
            Some(examples) => {
                let (products, source) = examples.products_mut();
                (products, Some(source))
            }
            None => (&mut [][..], None),
        };
        let stride = source.map_or(1, |source| source.count);
        let lists = (
            ((&mut affines[..], &mut rotations[..]), Strided { list: &mut volumes[..], stride: 1 }),
            Strided { list: products, stride },
        );
        let (tables, trust, follow, fibers) = (&*tables, *volume_trust, &follow[..], &fibers[..]);
        in_parts(lists, PART_BLOCKS, |first, (((affines, rotations), kept), products)| {
            let volumes = VolumeBlocks { trust, kept: kept.list };
            let examples = source.map(|source| source.blocks(first, products.list));
            simd.run(RegionPass {
                tables,
                first,
                positions,
                rotations,
                affines,
                want,
                volumes,
                examples,
                follow,
                fibers,
            });
        });
        if let Some(examples) = examples {
            examples.update(simd);
        }
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

    /// A direction of a region's rest shape, turned with the shape that is followed.
    pub(crate) fn turned(&self, region: usize, direction: Vec3) -> Vec3 {
        let Some(rows) = self.shape_rotations.get(region / BLOCK_LANES) else { return direction };
        let row = |at: usize| {
            Vec3::new(
                rows[3 * at].0[region % BLOCK_LANES],
                rows[3 * at + 1].0[region % BLOCK_LANES],
                rows[3 * at + 2].0[region % BLOCK_LANES],
            )
        };
        Vec3::new(row(0).dot(direction), row(1).dot(direction), row(2).dot(direction))
    }

    /// Gives each region a fiber, at rest; those without a direction have none.
    pub(crate) fn set_fibers(&mut self, directions: &[Vec3]) {
        assert_eq!(directions.len(), self.tables.region_count(), "a fibre a region");
        let block_count = self.tables.block_count();
        self.tables.fibers = vec![[Lanes::ZERO; 3]; block_count];
        self.fibers = vec![FiberTables::STIFF; block_count];
        for (region, direction) in directions.iter().enumerate() {
            let unit = direction.normalize_or_zero();
            let place = &mut self.tables.fibers[region / BLOCK_LANES];
            for (lanes, entry) in place.iter_mut().zip(unit.to_array()) {
                lanes.0[region % BLOCK_LANES] = entry;
            }
        }
    }

    /// How a region answers along its fiber.
    pub(crate) fn set_fiber(&mut self, region: usize, fiber: FiberAnswer) {
        let Some(block) = self.fibers.get_mut(region / BLOCK_LANES) else { return };
        let lane = region % BLOCK_LANES;
        let has_fiber = self.tables.fibers[region / BLOCK_LANES].iter().any(|lanes| lanes.0[lane] != 0.0);
        // Without a direction all of a stretch would seem lost, and the region would swell.
        let fiber = if has_fiber { fiber } else { FiberAnswer::default() };
        block.gives.0[lane] = fiber.give.clamp(0.0, MOST_GIVE);
        block.contractions.0[lane] = fiber.contraction.clamp(0.4, 2.5);
        block.laterals.0[lane] = fiber.lateral.clamp(0.4, 2.5);
    }
}

/// How a region answers along its fiber.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiberAnswer {
    /// What share of a stretch along the fiber is given way to, from 0 to 0.95: of all, nothing would ever come back.
    pub give: f32,
    /// Stretch along the fiber at which the region is content: less than 1 where a muscle contracts.
    pub contraction: f32,
    /// Stretch across: `contraction` to the power of −1/2 keeps the volume.
    pub lateral: f32,
}

impl Default for FiberAnswer {
    /// As if there were no fiber.
    fn default() -> Self {
        Self { give: 0.0, contraction: 1.0, lateral: 1.0 }
    }
}

const MOST_GIVE: f32 = 0.95;
