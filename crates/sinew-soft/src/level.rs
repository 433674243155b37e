//! A set of regions at work.

use crate::examples::ExampleSet;
use crate::kernel::region_pass::{RegionPass, Want};
use crate::kernel::volume::VolumeBlocks;
use crate::regions::{RegionTables, Regions};
use crate::threads::{IfAny, Strided, in_parts};
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
        }
    }

    /// Lets go of volumes where a region is flat, inverted or blown up, and takes hold of them again bit by bit.
    pub(crate) fn trust_volumes(&mut self) {
        let volumes = self.volumes.iter().flat_map(|lanes| lanes.0).take(self.tables.region_count());
        let is_tangled = volumes.into_iter().any(|volume| !UNTANGLED.contains(&volume));
        self.volume_trust = if is_tangled { 0.0 } else { (self.volume_trust + TRUST_STEP).min(1.0) };
    }

    pub(crate) fn examples(&self) -> Option<&ExampleSet> {
        self.examples.as_ref()
    }

    pub(crate) fn examples_mut(&mut self) -> Option<&mut ExampleSet> {
        self.examples.as_mut()
    }

    /// Finds what every region wants.
    pub(crate) fn match_shapes<S: Simd>(&mut self, simd: S, positions: &[Vec4], want: Want) {
        if self.examples.is_some() {
            self.match_examples(simd, positions, want);
            return;
        }
        let (tables, trust) = (&self.tables, self.volume_trust);
        let lists = ((&mut self.affines[..], &mut self.rotations[..]), IfAny(&mut self.volumes[..]));
        in_parts(lists, PART_BLOCKS, |first, ((affines, rotations), IfAny(kept))| {
            let volumes = VolumeBlocks { trust, kept };
            simd.run(RegionPass {
                tables,
                first,
                positions,
                rotations,
                affines,
                want,
                volumes,
                examples: None,
            });
        });
    }

    /// Finds how much of each example there is.
    pub(crate) fn weigh_examples<S: Simd>(&mut self, simd: S, positions: &[Vec4]) {
        if self.examples.is_some() {
            self.match_examples(simd, positions, Want::Pull);
        }
    }

    /// As above, with examples.
    fn match_examples<S: Simd>(&mut self, simd: S, positions: &[Vec4], want: Want) {
        let Self { tables, rotations, affines, volumes, volume_trust: trust, examples: Some(examples) } =
            self
        else {
            return;
        };
        let (products, source) = examples.products_mut();
        let lists = (
            ((&mut affines[..], &mut rotations[..]), IfAny(&mut volumes[..])),
            Strided { list: products, stride: source.count },
        );
        let (tables, trust) = (&*tables, *trust);
        in_parts(lists, PART_BLOCKS, |first, (((affines, rotations), IfAny(kept)), products)| {
            let (examples, volumes) =
                (Some(source.blocks(first, products.list)), VolumeBlocks { trust, kept });
            simd.run(RegionPass { tables, first, positions, rotations, affines, want, volumes, examples });
        });
        examples.update(simd);
    }
}
