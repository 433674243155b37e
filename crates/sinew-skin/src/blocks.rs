//! Splitting a surface into blocks of vertices that threads take one by one.

use glam::{Vec3, Vec4};
use sinew_rig::Surface;

/// Vertices a thread takes at a time: large enough that handing out costs nothing (tens of microseconds a block), small enough that
/// two threads end together on a model of 10,000 vertices.
const BLOCK: usize = 1024;

/// A run of the posed surface.
pub(crate) struct Block<'a> {
    /// The first vertex.
    pub(crate) first: usize,
    /// Positions to write.
    pub(crate) positions: &'a mut [Vec3],
    /// Normals to write.
    pub(crate) normals: &'a mut [Vec3],
    /// Tangents to write; empty where there are none.
    pub(crate) tangents: &'a mut [Vec4],
}

/// Calls `work` for every block of `posed`. Each vertex is written by one call alone, so that the result does not depend on how
/// blocks are shared out.
pub(crate) fn for_each(posed: &mut Surface, work: impl Fn(Block<'_>) + Send + Sync) {
    let Surface { positions, normals, tangents } = posed;
    let with_normals = chunks(positions).zip(chunks(normals)).enumerate();
    if tangents.is_empty() {
        with_normals.for_each(|(index, (positions, normals))| {
            work(Block { first: index * BLOCK, positions, normals, tangents: &mut [] });
        });
    } else {
        with_normals.zip(chunks(tangents)).for_each(|((index, (positions, normals)), tangents)| {
            work(Block { first: index * BLOCK, positions, normals, tangents });
        });
    }
}

#[cfg(feature = "parallel")]
use rayon::prelude::*;

#[cfg(feature = "parallel")]
fn chunks<T: Send>(list: &mut [T]) -> rayon::slice::ChunksMut<'_, T> {
    list.par_chunks_mut(BLOCK)
}

#[cfg(not(feature = "parallel"))]
fn chunks<T>(list: &mut [T]) -> std::slice::ChunksMut<'_, T> {
    list.chunks_mut(BLOCK)
}
