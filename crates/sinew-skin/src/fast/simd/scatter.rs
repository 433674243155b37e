//! Writing blocks to their vertices' own places, from several threads.

use sinew_geometry::simd::{BLOCK_LANES, Lanes, Simd, floats_of};
use std::marker::PhantomData;
use std::ops::Range;

/// The vertex of each lane of each block.
///
/// Invariant: every entry is less than `vertex_count`, and no vertex is in two blocks; a vertex may fill several lanes of one.
/// [`Scatter`] relies on it for soundness.
#[derive(Clone, Debug)]
pub(crate) struct BlockOrder {
    blocks: Vec<[u32; BLOCK_LANES]>,
    /// Whether a block's vertices follow one another, so that it can be written in one piece.
    is_run: Vec<bool>,
    vertex_count: usize,
}

impl BlockOrder {
    /// Checks the invariant.
    ///
    /// # Panics
    /// If it does not hold.
    pub(crate) fn new(blocks: Vec<[u32; BLOCK_LANES]>, vertex_count: usize) -> Self {
        let mut block_of_vertex = vec![usize::MAX; vertex_count];
        for (block, vertices) in blocks.iter().enumerate() {
            for &vertex in vertices {
                let owner = &mut block_of_vertex[vertex as usize];
                assert!(*owner == usize::MAX || *owner == block, "vertex {vertex} is in two blocks");
                *owner = block;
            }
        }
        let is_run = blocks.iter().map(|block| block.windows(2).all(|pair| pair[0] + 1 == pair[1])).collect();
        Self { blocks, is_run, vertex_count }
    }

    /// The vertices of each block.
    pub(crate) fn blocks(&self) -> &[[u32; BLOCK_LANES]] {
        &self.blocks
    }
}

/// A list with one entry per vertex, to be written block by block; can be split by blocks to be written from several threads.
#[derive(Debug)]
pub(crate) struct Scatter<'a, T> {
    order: &'a BlockOrder,
    /// Blocks that this value alone may write.
    blocks: Range<usize>,
    /// `order.vertex_count` entries.
    target: *mut T,
    borrow: PhantomData<&'a mut [T]>,
}

// SAFETY: a Scatter is the only one to write the vertices of its blocks, as a `&mut` to them would be; T itself may cross threads.
unsafe impl<T: Send> Send for Scatter<'_, T> {}

impl<'a, T: Copy> Scatter<'a, T> {
    /// All blocks of `order`.
    ///
    /// # Panics
    /// If `target` has not one entry per vertex.
    pub(crate) fn new(order: &'a BlockOrder, target: &'a mut [T]) -> Self {
        assert_eq!(target.len(), order.vertex_count, "one entry per vertex");
        Self { order, blocks: 0..order.blocks.len(), target: target.as_mut_ptr(), borrow: PhantomData }
    }

    /// The blocks before `block`, counted from the first of this value's, and the others.
    #[cfg(feature = "parallel")]
    pub(crate) fn split_at(self, block: usize) -> (Self, Self) {
        let middle = self.blocks.start + block;
        assert!(middle <= self.blocks.end, "split outside of the blocks");
        let part = |blocks| Self { blocks, order: self.order, target: self.target, borrow: PhantomData };
        (part(self.blocks.start..middle), part(middle..self.blocks.end))
    }

    /// Writes what belongs to each lane of a block, counted from the first of this value's.
    pub(crate) fn write(&mut self, block: usize, values: &[T; BLOCK_LANES]) {
        for (&vertex, &value) in self.vertices(block).iter().zip(values) {
            // SAFETY: vertex < vertex_count = length of the borrowed list; this value alone may write the block's vertices.
            unsafe { self.target.add(vertex as usize).write(value) };
        }
    }

    #[inline(always)]
    fn vertices(&self, block: usize) -> &'a [u32; BLOCK_LANES] {
        let block = self.blocks.start + block;
        assert!(block < self.blocks.end, "block outside of the range");
        &self.order.blocks[block]
    }
}

impl Scatter<'_, glam::Vec3> {
    /// Writes the 16 points of a block, given as x y z x y z …
    #[inline(always)]
    pub(crate) fn write_points<S: Simd>(&mut self, simd: S, block: usize, points: &[Lanes; 3]) {
        const LAST: usize = BLOCK_LANES - 1;
        let vertices = self.vertices(block);
        let floats: &[f32; 3 * BLOCK_LANES] =
            floats_of(points).first_chunk().expect("three lanes are 48 floats");
        if self.order.is_run[self.blocks.start + block] {
            // SAFETY: as below, for the block's 16 vertices, which lie end to end.
            unsafe {
                let to = self.target.add(vertices[0] as usize).cast::<f32>();
                std::ptr::copy_nonoverlapping(floats.as_ptr(), to, floats.len());
            }
            return;
        }
        for (lane, &vertex) in vertices[..LAST].iter().enumerate() {
            let point =
                floats[3 * lane..].first_chunk().expect("all points but the last have a float after them");
            // SAFETY: vertex < vertex_count = length of the borrowed list; this value alone may write the block's vertices;
            // `Vec3` is three floats.
            unsafe { simd.write_point(point, self.target.add(vertex as usize).cast()) };
        }
        let last = glam::Vec3::from_slice(&floats[3 * LAST..]);
        // SAFETY: as above.
        unsafe { self.target.add(vertices[LAST] as usize).write(last) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use sinew_geometry::simd::Scalar;

    #[test]
    fn runs_and_scattered_blocks_reach_their_vertices() {
        let run = std::array::from_fn(|lane| 3 + lane as u32);
        let apart = [0, 1, 2, 19, 20, 35, 35, 35, 35, 35, 35, 35, 35, 35, 35, 35];
        // Looks like a run by its ends alone.
        let padded = [21, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36];
        let order = BlockOrder::new(vec![run, apart, padded], 37);
        let mut points = vec![Vec3::ZERO; 37];
        let mut scatter = Scatter::new(&order, &mut points);
        for (block, vertices) in order.blocks().iter().enumerate() {
            let mut lanes = [Lanes::ZERO; 3];
            for (lane, &vertex) in vertices.iter().enumerate() {
                for c in 0..3 {
                    lanes[(3 * lane + c) / 16].0[(3 * lane + c) % 16] = (10 * vertex + c as u32) as f32;
                }
            }
            scatter.write_points(Scalar, block, &lanes);
        }
        for vertex in (0..22).chain([35, 36]) {
            let x = 10.0 * vertex as f32;
            assert_eq!(points[vertex], Vec3::new(x, x + 1.0, x + 2.0));
        }
        assert_eq!(points[22..35], [Vec3::ZERO; 13]);
    }

    #[test]
    #[should_panic(expected = "in two blocks")]
    fn a_vertex_in_two_blocks_is_refused() {
        BlockOrder::new(vec![[0; 16], [0; 16]], 1);
    }
}
