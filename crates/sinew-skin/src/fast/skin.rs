//! A surface bound for speed.

use super::grouping::{BoneSet, Class, GroupMethod, Grouping, Ordered, VertexKind, group_vertices};
use super::layout::{CENTER_AT, NORMAL_AT, POSITION_AT, SDEF_STREAMS, SHIFT_AT, TURN_WEIGHT_AT, WEIGHTS_AT};
use super::simd::BlockOrder;
use glam::{Vec3, Vec4};
use sinew_geometry::simd::{BLOCK_LANES, Lanes, cache_bytes};
use sinew_rig::{Influences, Surface};

/// Vertices grouped by method and bones into blocks of 16, with their rest shape laid out for the kernels.
///
/// Invariant: every vertex is in exactly one block; the blocks of a class follow one another.
#[derive(Clone, Debug)]
pub struct GroupedSkin {
    pub(super) classes: Vec<BoundClass>,
    pub(super) sets: Vec<BoneSet>,
    /// The bones of all sets.
    pub(super) set_bones: Vec<u16>,
    /// The bone set of each block.
    pub(super) block_sets: Vec<u32>,
    /// Where the constants of each block lie among those of its method.
    pub(super) block_constants: Vec<u32>,
    pub(super) order: BlockOrder,
    /// Blocks of all classes, as [`super::layout`] says.
    pub(super) streams: Vec<Lanes>,
    /// One per block: x, y, z and the bitangent's sign; empty where the rest shape has no tangents.
    pub(super) rest_tangents: Vec<[Lanes; 4]>,
    pub(super) palette_len: usize,
    vertex_count: usize,
    /// Whether a frame's input and output exceed the largest cache.
    pub(super) exceeds_cache: bool,
}

/// A class and where its streams lie.
#[derive(Clone, Debug)]
pub(super) struct BoundClass {
    pub(super) class: Class,
    /// The first block's first stream.
    pub(super) streams_at: usize,
    /// Streams of a block.
    pub(super) stride: usize,
}

impl GroupedSkin {
    /// Groups the vertices of `rest`. `palette_len`: number of skinning matrices per frame. `kinds`: one per vertex.
    ///
    /// A vertex with one bone follows it, whatever its kind; one without bones stays at rest. Weights of a repeated bone are added.
    ///
    /// # Panics
    /// If lists are not one per vertex, a joint is outside of the palette, or an SBS+ vertex has more than two bones.
    pub fn bind(rest: &Surface, influences: &Influences, palette_len: usize, kinds: &[VertexKind]) -> Self {
        let vertex_count = rest.positions.len();
        assert_eq!(influences.vertex_count(), vertex_count, "influences for every vertex");
        assert_eq!(kinds.len(), vertex_count, "one kind per vertex");
        let largest = influences.largest_joint();
        assert!(largest.is_none_or(|joint| usize::from(joint) < palette_len), "joints are in the palette");
        let Grouping { classes, sets, bones, block_sets, blocks, ordered } =
            group_vertices(influences, kinds);
        let (classes, stream_count) = place_classes(classes);
        let block_count = blocks.len();
        let tangent_blocks = if rest.tangents.is_empty() { 0 } else { block_count };
        let touched_bytes = (stream_count + 6 * block_count) * size_of::<Lanes>();
        let mut skin = Self {
            block_constants: block_sets.iter().map(|&set| sets[set as usize].constants_at as u32).collect(),
            classes,
            sets,
            set_bones: bones,
            block_sets,
            order: BlockOrder::new(blocks, vertex_count),
            streams: vec![Lanes::ZERO; stream_count],
            rest_tangents: vec![[Lanes::ZERO; 4]; tangent_blocks],
            palette_len,
            vertex_count,
            exceeds_cache: touched_bytes > cache_bytes(),
        };
        skin.fill_weights(kinds, &ordered);
        skin.update_rest(rest);
        skin
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertex_count
    }

    /// Number of blocks of 16 vertices.
    pub fn block_count(&self) -> usize {
        self.order.blocks().len()
    }

    /// Number of different combinations of method and bones.
    pub fn bone_set_count(&self) -> usize {
        self.sets.len()
    }

    /// The vertex in each slot of the grouped order, 16 per block. The last vertex of a bone set fills the rest of its last block.
    pub fn order(&self) -> &[u32] {
        self.order.blocks().as_flattened()
    }

    /// Copies another rest shape of the same surface, for example with other morphs. Centers of SBS+ stay as bound. Does not allocate.
    ///
    /// # Panics
    /// If `rest` has other vertices, or only one of both has tangents.
    pub fn update_rest(&mut self, rest: &Surface) {
        self.take_rest(rest, |_, vertices, block, is_sdef| gather_rest(vertices, block, rest, is_sdef));
    }

    /// As [`GroupedSkin::update_rest`], with each center of SBS+ moved by `shift` of its vertex from where `bound` has it, the skin
    /// that this one is a copy of.
    ///
    /// # Panics
    /// As [`GroupedSkin::update_rest`].
    pub(crate) fn update_rest_and_centers(
        &mut self,
        rest: &Surface,
        bound: &Self,
        shift: impl Fn(usize) -> Vec3 + Send + Sync,
    ) {
        assert_eq!(self.streams.len(), bound.streams.len(), "a copy of the bound skin");
        self.take_rest(rest, |first, vertices, block, is_sdef| {
            if is_sdef {
                shift_centers(vertices, block, &bound.streams[first..][..block.len()], &shift);
            }
            gather_rest(vertices, block, rest, is_sdef);
        });
    }

    /// Calls `gather` with the place of every block's first stream, its vertices, its streams and whether it is one of SBS+.
    fn take_rest(
        &mut self,
        rest: &Surface,
        gather: impl Fn(usize, &[u32; BLOCK_LANES], &mut [Lanes], bool) + Send + Sync,
    ) {
        assert_eq!(rest.positions.len(), self.vertex_count, "one rest position per vertex");
        assert_eq!(rest.normals.len(), self.vertex_count, "one rest normal per vertex");
        let tangent_count = if self.rest_tangents.is_empty() { 0 } else { self.vertex_count };
        assert_eq!(rest.tangents.len(), tangent_count, "as many tangents as when bound");
        for bound in &self.classes {
            let blocks = &self.order.blocks()[bound.class.blocks.clone()];
            let streams = &mut self.streams[bound.streams_at..][..blocks.len() * bound.stride];
            let is_sdef = bound.class.method == GroupMethod::Sdef;
            for_each_block(blocks, streams, bound.stride, |at, vertices, block| {
                gather(bound.streams_at + at * bound.stride, vertices, block, is_sdef);
            });
        }
        if !self.rest_tangents.is_empty() {
            for_each_block(self.order.blocks(), &mut self.rest_tangents, 1, |_, vertices, block| {
                gather_tangents(vertices, &mut block[0], &rest.tangents);
            });
        }
    }
}

impl GroupedSkin {
    /// Writes what does not change with the rest shape: weights, and what SBS+ keeps.
    fn fill_weights(&mut self, kinds: &[VertexKind], ordered: &Ordered) {
        for bound in &self.classes {
            let method = bound.class.method;
            let blocks = &self.order.blocks()[bound.class.blocks.clone()];
            let streams = self.streams[bound.streams_at..].chunks_exact_mut(bound.stride);
            for (vertices, block) in blocks.iter().zip(streams) {
                for (lane, &vertex) in vertices.iter().enumerate() {
                    let weights = ordered.weights(vertex);
                    match kinds[vertex as usize] {
                        VertexKind::Sdef { center, range, s } if method == GroupMethod::Sdef => {
                            let range = if ordered.is_swapped(vertex) { -range } else { range };
                            write_triple(block, CENTER_AT, lane, center);
                            write_triple(block, SHIFT_AT, lane, sdef_shift(center, range, s, weights));
                            block[TURN_WEIGHT_AT].0[lane] = weights[1];
                        }
                        _ => {
                            let extra = weights.iter().skip(1);
                            for (stream, &weight) in block[WEIGHTS_AT..].iter_mut().zip(extra) {
                                stream.0[lane] = weight;
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Moves the centers of a block from where the bound block has them. `g = (1−t) c − …` moves with them.
fn shift_centers(
    vertices: &[u32; BLOCK_LANES],
    block: &mut [Lanes],
    bound: &[Lanes],
    shift: &impl Fn(usize) -> Vec3,
) {
    let triple = |at: usize, lane: usize| Vec3::from_array([0, 1, 2].map(|c| bound[at + c].0[lane]));
    for (lane, &vertex) in vertices.iter().enumerate() {
        let shift = shift(vertex as usize);
        write_triple(block, CENTER_AT, lane, triple(CENTER_AT, lane) + shift);
        write_triple(block, SHIFT_AT, lane, triple(SHIFT_AT, lane) + shift * bound[TURN_WEIGHT_AT].0[lane]);
    }
}

/// Positions and normals of a block.
fn gather_rest(vertices: &[u32; BLOCK_LANES], block: &mut [Lanes], rest: &Surface, is_sdef: bool) {
    for (lane, &vertex) in vertices.iter().enumerate() {
        let mut position = rest.positions[vertex as usize];
        if is_sdef {
            position -= Vec3::from_array([0, 1, 2].map(|c| block[CENTER_AT + c].0[lane]));
        }
        write_triple(block, POSITION_AT, lane, position);
        write_triple(block, NORMAL_AT, lane, rest.normals[vertex as usize]);
    }
}

fn gather_tangents(vertices: &[u32; BLOCK_LANES], block: &mut [Lanes; 4], rest: &[Vec4]) {
    for (lane, &vertex) in vertices.iter().enumerate() {
        for (stream, value) in block.iter_mut().zip(rest[vertex as usize].to_array()) {
            stream.0[lane] = value;
        }
    }
}

/// Lays classes out one after another; returns how many streams there are.
fn place_classes(classes: Vec<Class>) -> (Vec<BoundClass>, usize) {
    let mut streams_at = 0;
    let mut bound = Vec::with_capacity(classes.len());
    for class in classes {
        let stride = match class.method {
            GroupMethod::Sdef => SDEF_STREAMS,
            GroupMethod::Lbs | GroupMethod::Dlb => WEIGHTS_AT + class.bone_count.saturating_sub(1),
        };
        let end = streams_at + stride * class.blocks.len();
        bound.push(BoundClass { class, streams_at, stride });
        streams_at = end;
    }
    (bound, streams_at)
}

/// `g = (1−t) c − (1−s) t(1−t) D`.
fn sdef_shift(center: Vec3, range: Vec3, s: f32, weights: &[f32]) -> Vec3 {
    let (t, rest) = (weights[0], weights[1]);
    center * rest - range * ((1.0 - s) * t * rest)
}

fn write_triple(block: &mut [Lanes], at: usize, lane: usize, value: Vec3) {
    for (stream, value) in block[at..at + 3].iter_mut().zip(value.to_array()) {
        stream.0[lane] = value;
    }
}

/// Calls `work` with the number, the vertices and the streams of every block; blocks are independent of one another.
fn for_each_block<T: Send>(
    blocks: &[[u32; BLOCK_LANES]],
    streams: &mut [T],
    stride: usize,
    work: impl Fn(usize, &[u32; BLOCK_LANES], &mut [T]) + Send + Sync,
) {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        /// Blocks per thread: about 10 µs.
        const LEAST: usize = 128;
        let pairs = blocks.par_iter().zip(streams.par_chunks_exact_mut(stride));
        pairs.enumerate().with_min_len(LEAST).for_each(|(at, (vertices, block))| work(at, vertices, block));
    }
    #[cfg(not(feature = "parallel"))]
    for (at, (vertices, block)) in blocks.iter().zip(streams.chunks_exact_mut(stride)).enumerate() {
        work(at, vertices, block);
    }
}
