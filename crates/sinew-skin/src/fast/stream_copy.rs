//! Reference for memory bandwidth.

use sinew_geometry::simd::{BLOCK_LANES, Kernel, Lanes, Simd};

/// Copies while bypassing the caches, the fastest way to move much memory: the reference for bandwidth.
pub(super) struct StreamCopy<'a> {
    pub(super) from: &'a [Lanes],
    pub(super) to: &'a mut [Lanes],
}

impl Kernel for StreamCopy<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (from, _) = self.from.as_chunks::<3>();
        let (to, _) = self.to.as_chunks_mut::<3>();
        for (from, to) in from.iter().zip(to) {
            simd.prefetch(&from[0], 24);
            simd.prefetch(&from[1], 24);
            simd.prefetch(&from[2], 24);
            for part in 0..BLOCK_LANES / S::WIDTH {
                // The order within a point does not matter to a clock.
                let xyz = [simd.load(&from[0], part), simd.load(&from[1], part), simd.load(&from[2], part)];
                simd.stream_points(to, part, xyz);
            }
        }
        simd.fence();
    }
}
