//! The instruction sets behind one interface, and the few other places that need `unsafe`.
//!
//! A backend is a token: a value of it exists only where the processor has the instructions, so that calling them is sound.
//! Kernels are written once, against [`Simd`], in safe code; [`Simd::run`] compiles a kernel with the backend's instructions
//! switched on, which is why everything a kernel calls must be `#[inline(always)]`.

mod aligned;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod cache;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scatter;

pub use aligned::{AlignedFloats, BLOCK_LANES, Lanes};
#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Avx512;
pub(crate) use cache::cache_bytes;
#[cfg(target_arch = "aarch64")]
pub(crate) use neon::Neon;
pub(crate) use scatter::{BlockOrder, Scatter};

/// A set of instructions that works on `WIDTH` floats at a time. A block of 16 lanes is worked on in `16 / WIDTH` parts.
pub(crate) trait Simd: Copy + Send + Sync {
    /// `WIDTH` floats.
    type V: Copy;
    /// Floats in a vector; divides 16.
    const WIDTH: usize;

    /// Runs `kernel` compiled for these instructions.
    fn run<K: Kernel>(self, kernel: K);

    /// The given part of 16 lanes.
    fn load(self, lanes: &Lanes, part: usize) -> Self::V;
    /// Writes the given part of 16 lanes.
    fn store(self, lanes: &mut Lanes, part: usize, v: Self::V);
    /// The same value in all lanes.
    fn splat(self, value: f32) -> Self::V;
    /// `a + b`.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a − b`.
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a b`.
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a b + c`, rounded once where the instructions allow it.
    fn mul_add(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a b − c`.
    fn mul_sub(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `c − a b`.
    fn neg_mul_add(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `1 / a` to 2 units in the last place, for normal `a`.
    fn reciprocal(self, a: Self::V) -> Self::V;
    /// `1 / √a` to 2 units in the last place, for normal `a` > 0.
    fn reciprocal_sqrt(self, a: Self::V) -> Self::V;
    /// In each lane `less` where `a < b`, else `otherwise`.
    fn select_less(self, a: Self::V, b: Self::V, less: Self::V, otherwise: Self::V) -> Self::V;

    /// Writes `xyz` of the given part as x y z x y z …
    fn store_points(self, out: &mut [Lanes; 3], part: usize, xyz: [Self::V; 3]);
    /// As [`Simd::store_points`], past the caches where the instructions allow it.
    fn stream_points(self, out: &mut [Lanes; 3], part: usize, xyz: [Self::V; 3]);
    /// Writes the first three of four floats.
    ///
    /// # Safety
    /// `to` must be valid for writing three floats.
    #[inline(always)]
    unsafe fn write_point(self, point: &[f32; 4], to: *mut f32) {
        // SAFETY: `point` has more than three floats, `to` has room for three by the caller's promise.
        unsafe { std::ptr::copy_nonoverlapping(point.as_ptr(), to, 3) };
    }
    /// Makes streamed stores visible to other threads. Ends every run of them.
    fn fence(self);
    /// Asks for the cache line `lines` after `here`; it need not exist.
    fn prefetch(self, here: &Lanes, lines: usize);
    /// As [`Simd::prefetch`], for writing, where the instructions allow it.
    #[inline(always)]
    fn prefetch_write(self, _here: &Lanes, _lines: usize) {}
}

/// Work that can be compiled for any backend.
pub(crate) trait Kernel {
    /// Does the work. Implementations must be `#[inline(always)]`, as must all they call.
    fn run<S: Simd>(self, simd: S);
}

/// Copies with stores that go past the caches, the fastest way to move much memory: the yardstick for bandwidth.
pub(crate) struct StreamCopy<'a> {
    pub(crate) from: &'a [Lanes],
    pub(crate) to: &'a mut [Lanes],
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
