//! Running a method over blocks of the same class.

use super::output::{Slot, SlotStores, Target};
use glam::Vec4;
use sinew_geometry::simd::lane_math::{Rows, Triple, cross, dot, normalize, transform};
use sinew_geometry::simd::{BLOCK_LANES, Kernel, Lanes, Simd};

/// Blocks ahead of the one in work that are fetched from memory: some 80 ns of work, about the latency of memory. Where the data
/// is in a cache, any number from 0 to 12 is as good.
const PREFETCH_BLOCKS: usize = 4;

/// Blocks ahead of the one in work whose place in the result is fetched for writing: a store to a line that is not in the nearest
/// caches waits for it, and only few stores can wait at a time. 4 % faster at 100,000 vertices.
const PREFETCH_WRITE_BLOCKS: usize = 12;

/// Blocks that are computed before they are carried to their vertices' places: reading back at once what was just written in
/// wide stores would wait for them.
pub(super) const SCRATCH_BLOCKS: usize = 8;

/// Positions and normals on their way to their vertices' places.
pub(super) type Scratch = [[[Lanes; 3]; 2]; SCRATCH_BLOCKS];

/// A method with its constants.
pub(super) trait MoveBlock {
    /// Streams of a block, where the compiler can know it; it then unrolls the reading of them.
    const STRIDE: Option<usize>;

    /// Whether [`MoveBlock::prepare`] does something.
    const IS_PREPARED: bool = false;

    /// Computes what takes a long chain of instructions. It runs on several blocks at a time before they are moved: a processor looks
    /// ahead over a few hundred instructions, so chains of several parts only overlap with little between them.
    #[inline(always)]
    fn prepare<S: Simd>(&self, _simd: S, _block: Block<'_>, _part: usize, _prepared: &mut Prepared) {}

    /// Moves one part of a block. Implementations must be `#[inline(always)]`.
    fn move_part<S: Simd>(&self, simd: S, block: Block<'_>, part: usize, prepared: &Prepared) -> Moved<S::V>;
}

/// Data of 16 vertices.
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    /// As [`super::layout`] says.
    pub(super) streams: &'a [Lanes],
    /// Where the constants of its bone set begin.
    pub(super) constants_at: usize,
}

/// What [`MoveBlock::prepare`] found for a block.
pub(super) type Prepared = [Lanes; 4];

/// Consecutive blocks of a class.
#[derive(Clone, Copy)]
pub(super) struct Blocks<'a> {
    /// `stride` a block.
    pub(super) streams: &'a [Lanes],
    pub(super) stride: usize,
    /// Where the constants of each block begin.
    pub(super) constants_at: &'a [u32],
    /// Where the first of the blocks goes in the target.
    pub(super) first_slot: usize,
}

/// Where vertices went.
pub(super) struct Moved<V> {
    pub(super) position: Triple<V>,
    /// Unit.
    pub(super) normal: Triple<V>,
    /// How the surface around a vertex is turned, scaled and sheared.
    pub(super) map: Rows<V>,
}

/// Three streams of a block.
#[inline(always)]
pub(super) fn load_triple<S: Simd>(simd: S, block: &[Lanes], at: usize, part: usize) -> Triple<S::V> {
    let [x, y, z]: &[Lanes; 3] = block[at..].first_chunk().expect("a block has whole triples");
    [simd.load(x, part), simd.load(y, part), simd.load(z, part)]
}

/// Writes positions and normals.
pub(super) struct MovePoints<'a, 't, M> {
    pub(super) method: M,
    pub(super) blocks: Blocks<'a>,
    pub(super) target: &'a mut Target<'t>,
}

impl<M: MoveBlock> Kernel for MovePoints<'_, '_, M> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Blocks { streams, stride, constants_at, first_slot } = self.blocks;
        assert!(M::STRIDE.is_none_or(|known| known == stride), "blocks are as the method wants them");
        let stride = M::STRIDE.unwrap_or(stride);
        let mut scratch: Scratch = [[[Lanes::ZERO; 3]; 2]; SCRATCH_BLOCKS];
        let mut prepared: [Prepared; SCRATCH_BLOCKS] = [[Lanes::ZERO; 4]; SCRATCH_BLOCKS];
        let mut slot = first_slot;
        let batches = streams.chunks(SCRATCH_BLOCKS * stride).zip(constants_at.chunks(SCRATCH_BLOCKS));
        for (streams, constants_at) in batches {
            let blocks = streams.chunks_exact(stride).zip(constants_at);
            let blocks = blocks.map(|(streams, &at)| Block { streams, constants_at: at as usize });
            if M::IS_PREPARED {
                for (block, prepared) in blocks.clone().zip(&mut prepared) {
                    for part in 0..BLOCK_LANES / S::WIDTH {
                        self.method.prepare(simd, block, part, prepared);
                    }
                }
            }
            for ((block, scratch), prepared) in blocks.zip(&mut scratch).zip(&prepared) {
                for line in 0..stride {
                    simd.prefetch(&block.streams[0], PREFETCH_BLOCKS * stride + line);
                }
                let Slot { positions, normals, stores } = self.target.slot(slot, scratch);
                if stores == SlotStores::InPlace {
                    for line in 0..positions.len() {
                        simd.prefetch_write(&positions[line], PREFETCH_WRITE_BLOCKS * positions.len());
                        simd.prefetch_write(&normals[line], PREFETCH_WRITE_BLOCKS * normals.len());
                    }
                }
                for part in 0..BLOCK_LANES / S::WIDTH {
                    let moved = self.method.move_part(simd, block, part, prepared);
                    if stores == SlotStores::Streaming {
                        simd.stream_points(positions, part, moved.position);
                        simd.stream_points(normals, part, moved.normal);
                    } else {
                        simd.store_points(positions, part, moved.position);
                        simd.store_points(normals, part, moved.normal);
                    }
                }
                slot += 1;
            }
            let count = constants_at.len();
            self.target.finish(simd, slot - count, &scratch[..count]);
        }
    }
}

/// Writes tangents.
pub(super) struct MoveTangents<'a, 't, M> {
    pub(super) method: M,
    pub(super) blocks: Blocks<'a>,
    /// One per block.
    pub(super) rest: &'a [[Lanes; 4]],
    pub(super) target: &'a mut Target<'t>,
}

impl<M: MoveBlock> Kernel for MoveTangents<'_, '_, M> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Blocks { streams, stride, constants_at, first_slot } = self.blocks;
        let blocks = streams.chunks_exact(stride).zip(constants_at).zip(self.rest);
        for (at, ((streams, &constants_at), rest)) in blocks.enumerate() {
            let block = Block { streams, constants_at: constants_at as usize };
            let mut posed = [Lanes::ZERO; 4];
            let mut prepared = [Lanes::ZERO; 4];
            for part in 0..BLOCK_LANES / S::WIDTH {
                self.method.prepare(simd, block, part, &mut prepared);
                let map = self.method.move_part(simd, block, part, &prepared).map;
                let direction = load_triple(simd, rest, 0, part);
                let sign = simd.load(&rest[3], part);
                let turned = normalize(simd, transform(simd, &map, direction), direction);
                let determinant = dot(simd, map[0], cross(simd, map[1], map[2]));
                let zero = simd.splat(0.0);
                let sign = simd.select_less(determinant, zero, simd.sub(zero, sign), sign);
                simd.store(&mut posed[0], part, turned[0]);
                simd.store(&mut posed[1], part, turned[1]);
                simd.store(&mut posed[2], part, turned[2]);
                simd.store(&mut posed[3], part, sign);
            }
            self.target.write_tangents(first_slot + at, &vertices_of(&posed));
        }
    }
}

/// Tangents one by one.
#[inline(always)]
fn vertices_of(posed: &[Lanes; 4]) -> [Vec4; BLOCK_LANES] {
    let mut tangents = [Vec4::ZERO; BLOCK_LANES];
    for (lane, tangent) in tangents.iter_mut().enumerate() {
        *tangent = Vec4::new(posed[0].0[lane], posed[1].0[lane], posed[2].0[lane], posed[3].0[lane]);
    }
    tangents
}
