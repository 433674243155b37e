//! A surface bound for speed.

use super::grouping::{BoneSet, Class, GroupMethod, Grouping, Ordered, VertexKind, group_vertices};
use super::layout::{CENTER_AT, FOLDED_WEIGHTS_AT, NORMAL_AT, POSITION_AT, WEIGHTS_AT, linear_at, term_at};
use super::simd::BlockOrder;
use crate::Folded;
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
    /// Folded form: σᵢ of all bones, block by block.
    follows: Vec<Lanes>,
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
    /// Folded form: the first block's first σ.
    follows_at: usize,
}

impl BoundClass {
    /// Bones but the first.
    fn extra_count(&self) -> usize {
        self.class.bone_count.saturating_sub(1)
    }

    /// Where C lies in a block in folded form.
    fn center_at(&self) -> Option<usize> {
        matches!(self.class.method, GroupMethod::Folded { .. }).then_some(CENTER_AT)
    }
}

impl GroupedSkin {
    /// Groups the vertices of `rest`. `palette_len`: number of skinning matrices per frame. `kinds`: one per vertex.
    /// `folded`: terms of the vertices that are folded.
    ///
    /// A vertex with one bone follows it, whatever its kind; one without bones stays at rest. Weights of a repeated bone are added.
    ///
    /// # Panics
    /// If lists are not one per vertex, or a joint is outside of the palette.
    pub fn bind(
        rest: &Surface,
        influences: &Influences,
        palette_len: usize,
        kinds: &[VertexKind],
        folded: &Folded,
    ) -> Self {
        let vertex_count = rest.positions.len();
        assert_eq!(influences.vertex_count(), vertex_count, "influences for every vertex");
        assert_eq!(kinds.len(), vertex_count, "one kind per vertex");
        let largest = influences.largest_joint();
        assert!(largest.is_none_or(|joint| usize::from(joint) < palette_len), "joints are in the palette");
        let Grouping { classes, sets, bones, block_sets, blocks, ordered } =
            group_vertices(influences, kinds, folded);
        let (classes, stream_count, follow_count) = place_classes(classes);
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
            follows: vec![Lanes::ZERO; follow_count],
            rest_tangents: vec![[Lanes::ZERO; 4]; tangent_blocks],
            palette_len,
            vertex_count,
            exceeds_cache: touched_bytes > cache_bytes(),
        };
        skin.fill_weights(folded, &ordered);
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

    /// Copies another rest shape of the same surface, for example with other morphs. Terms of the folded form stay as bound. Does not
    /// allocate.
    ///
    /// # Panics
    /// If `rest` has other vertices, or only one of both has tangents.
    pub fn update_rest(&mut self, rest: &Surface) {
        self.take_rest(rest, |class, _, vertices, block| gather_rest(class, vertices, block, rest));
    }

    /// As [`GroupedSkin::update_rest`], with the terms of the folded form moved as morphs move vertices: by `shift` of each vertex's
    /// center, and by its own move where linear blending has a share. `bound` is the skin that this one is a copy of.
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
        self.take_rest(rest, |class, at, vertices, block| {
            if class.center_at().is_some() {
                let was = &bound.streams[class.streams_at + at * class.stride..][..class.stride];
                let follows = &bound.follows[class.follows_at + at * class.class.bone_count..];
                for (lane, &vertex) in vertices.iter().enumerate() {
                    let vertex = vertex as usize;
                    let moves = Moves { position: rest.positions[vertex], center: shift(vertex) };
                    move_terms(class, lane, moves, (was, follows), block);
                }
            }
            gather_rest(class, vertices, block, rest);
        });
    }

    /// Calls `gather` with the class and number of every block, its vertices and its streams.
    fn take_rest(
        &mut self,
        rest: &Surface,
        gather: impl Fn(&BoundClass, usize, &[u32; BLOCK_LANES], &mut [Lanes]) + Send + Sync,
    ) {
        assert_eq!(rest.positions.len(), self.vertex_count, "one rest position per vertex");
        assert_eq!(rest.normals.len(), self.vertex_count, "one rest normal per vertex");
        let tangent_count = if self.rest_tangents.is_empty() { 0 } else { self.vertex_count };
        assert_eq!(rest.tangents.len(), tangent_count, "as many tangents as when bound");
        for bound in &self.classes {
            let blocks = &self.order.blocks()[bound.class.blocks.clone()];
            let streams = &mut self.streams[bound.streams_at..][..blocks.len() * bound.stride];
            for_each_block(blocks, streams, bound.stride, |at, vertices, block| {
                gather(bound, at, vertices, block);
            });
        }
        if !self.rest_tangents.is_empty() {
            for_each_block(self.order.blocks(), &mut self.rest_tangents, 1, |_, vertices, block| {
                gather_tangents(vertices, &mut block[0], &rest.tangents);
            });
        }
    }

    /// Writes what does not change with the rest shape: weights and terms.
    fn fill_weights(&mut self, folded: &Folded, ordered: &Ordered) {
        for bound in &self.classes {
            let blocks = &self.order.blocks()[bound.class.blocks.clone()];
            let streams = self.streams[bound.streams_at..].chunks_exact_mut(bound.stride);
            for (at, (vertices, block)) in blocks.iter().zip(streams).enumerate() {
                for (lane, &vertex) in vertices.iter().enumerate() {
                    let weights_at = if bound.center_at().is_some() { FOLDED_WEIGHTS_AT } else { WEIGHTS_AT };
                    let extra = ordered.weights(vertex).iter().skip(1);
                    for (stream, &weight) in block[weights_at..].iter_mut().zip(extra) {
                        stream.0[lane] = weight;
                    }
                    let GroupMethod::Folded { is_mixed, .. } = bound.class.method else { continue };
                    let terms = ordered.terms(vertex);
                    let center = terms.iter().fold(Vec3::ZERO, |sum, term| sum + term.place.truncate());
                    write_triple(block, CENTER_AT, lane, center);
                    for (bone, term) in terms.iter().skip(1).enumerate() {
                        let at = term_at(bound.extra_count(), bone);
                        write_triple(block, at, lane, term.place.truncate());
                        block[at + 3].0[lane] = term.place.w;
                    }
                    let follows = &mut self.follows[bound.follows_at + at * terms.len()..];
                    for (stream, term) in follows.iter_mut().zip(terms) {
                        stream.0[lane] = term.follow;
                    }
                    if is_mixed {
                        block[linear_at(bound.extra_count())].0[lane] = folded.of(vertex as usize).1;
                    }
                }
            }
        }
    }
}

/// How morphs move a vertex.
struct Moves {
    /// Where they move it.
    position: Vec3,
    /// How far they move its center.
    center: Vec3,
}

/// Moves the terms of a vertex from where the bound block has them: aᵢ by `λ wᵢ Δ + σᵢ δ`.
fn move_terms(
    class: &BoundClass,
    lane: usize,
    moves: Moves,
    (was, follows): (&[Lanes], &[Lanes]),
    block: &mut [Lanes],
) {
    let triple = |at: usize| Vec3::from_array([0, 1, 2].map(|c| was[at + c].0[lane]));
    let extra_count = class.extra_count();
    // The bound position is u + C.
    let linear = match class.class.method {
        GroupMethod::Folded { is_mixed: true, .. } => {
            (moves.position - triple(POSITION_AT) - triple(CENTER_AT)) * was[linear_at(extra_count)].0[lane]
        }
        _ => Vec3::ZERO,
    };
    let followed: f32 = follows[..=extra_count].iter().map(|follow| follow.0[lane]).sum();
    write_triple(block, CENTER_AT, lane, triple(CENTER_AT) + linear + moves.center * followed);
    for bone in 0..extra_count {
        let at = term_at(extra_count, bone);
        let weight = was[FOLDED_WEIGHTS_AT + bone].0[lane];
        let follow = follows[bone + 1].0[lane];
        write_triple(block, at, lane, triple(at) + linear * weight + moves.center * follow);
    }
}

/// Positions, in folded form relative to C, and normals of a block.
fn gather_rest(class: &BoundClass, vertices: &[u32; BLOCK_LANES], block: &mut [Lanes], rest: &Surface) {
    for (lane, &vertex) in vertices.iter().enumerate() {
        let mut position = rest.positions[vertex as usize];
        if let Some(center_at) = class.center_at() {
            position -= Vec3::from_array([0, 1, 2].map(|c| block[center_at + c].0[lane]));
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

/// Lays classes out one after another; returns how many streams and σ there are.
fn place_classes(classes: Vec<Class>) -> (Vec<BoundClass>, usize, usize) {
    let (mut streams_at, mut follows_at) = (0, 0);
    let mut bound = Vec::with_capacity(classes.len());
    for class in classes {
        let (extra, block_count) = (class.bone_count.saturating_sub(1), class.blocks.len());
        let (stride, follow_count) = match class.method {
            GroupMethod::Lbs | GroupMethod::Dlb => (WEIGHTS_AT + extra, 0),
            GroupMethod::Folded { is_mixed, .. } => {
                (linear_at(extra) + usize::from(is_mixed), class.bone_count)
            }
        };
        bound.push(BoundClass { class, streams_at, stride, follows_at });
        streams_at += stride * block_count;
        follows_at += follow_count * block_count;
    }
    (bound, streams_at, follows_at)
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
