//! Splits a surface into blocks of vertices for threads.

use sinew_rig::SurfaceMut;

/// Vertices per block: large enough to make scheduling negligible (tens of µs per block), small enough to let two threads end together on a
/// model of 10,000 vertices.
const BLOCK: usize = 1024;

/// A run of the posed surface.
pub(crate) struct Block<'a> {
    /// The first vertex.
    pub(crate) first: usize,
    pub(crate) posed: SurfaceMut<'a>,
}

/// Calls `work` for every block of `posed`. Each vertex is written by only one call, so the result does not depend on the scheduling.
pub(crate) fn for_each(posed: SurfaceMut<'_>, work: impl Fn(Block<'_>) + Send + Sync) {
    share_out(Block { first: 0, posed }, &work);
}

fn share_out(block: Block<'_>, work: &(impl Fn(Block<'_>) + Send + Sync)) {
    let Block { first, posed } = block;
    let blocks = posed.positions.len().div_ceil(BLOCK);
    if blocks <= 1 {
        return work(Block { first, posed });
    }
    let half = blocks / 2 * BLOCK;
    let (before, after) = posed.split_at(half);
    join(
        || share_out(Block { first, posed: before }, work),
        || share_out(Block { first: first + half, posed: after }, work),
    );
}

#[cfg(feature = "parallel")]
fn join(a: impl FnOnce() + Send, b: impl FnOnce() + Send) {
    rayon::join(a, b);
}

#[cfg(not(feature = "parallel"))]
fn join(a: impl FnOnce(), b: impl FnOnce()) {
    a();
    b();
}
