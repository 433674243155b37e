//! Vector instructions behind one interface.
//!
//! A backend is a token: a value exists only if the processor has the instructions, which makes calling them sound.
//! Kernels are written once, against [`Simd`], in safe code; [`Simd::run`] compiles a kernel with the backend's instructions
//! switched on, which is why everything a kernel calls must be `#[inline(always)]`.

/// Calls intrinsics.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! with {
    ($call:expr) => {{
        // SAFETY: values of a backend are made by its `detect` alone, so that the processor has the instructions; pointers among
        // the arguments come from references to as many floats as are read or written, aligned by `Lanes` where that is needed, or
        // are good by a promise of the caller.
        unsafe { $call }
    }};
}

/// A block as vectors of a backend, one for each part.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! wide_parts {
    ($($part:literal),+) => {
        #[inline(always)]
        fn wide_splat(self, value: f32) -> Self::Wide {
            [self.splat(value); 16 / Self::WIDTH]
        }

        #[inline(always)]
        fn wide_load(self, lanes: &Lanes) -> Self::Wide {
            [$(self.load(lanes, $part)),+]
        }

        #[inline(always)]
        fn wide_store(self, lanes: &mut Lanes, wide: Self::Wide) {
            $(self.store(lanes, $part, wide[$part]);)+
        }

        #[inline(always)]
        fn wide_add(self, a: Self::Wide, b: Self::Wide) -> Self::Wide {
            [$(self.add(a[$part], b[$part])),+]
        }
    };
}

/// Functions of a backend from vectors to a vector: `name(arguments) => instructions;`.
macro_rules! lane_wise {
    ($with:ident, $v:ty: $($name:ident($($arg:ident),+) => $call:expr;)+) => {
        $(
            #[inline(always)]
            fn $name(self, $($arg: $v),+) -> $v {
                $with!($call)
            }
        )+
    };
}

mod aligned;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod backend;
mod cache;
pub mod lane_math;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
mod upper;

pub use aligned::{AlignedFloats, BLOCK_LANES, Lanes, floats_of};
#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
pub use backend::{Backend, WithSimd};
pub use cache::cache_bytes;
#[cfg(target_arch = "aarch64")]
pub use neon::Neon;
pub use scalar::Scalar;
pub use upper::zero_upper_registers;

/// A set of instructions that works on `WIDTH` floats at a time. A block of 16 lanes is worked on in `16 / WIDTH` parts.
pub trait Simd: Copy + Send + Sync {
    /// `WIDTH` floats.
    type V: Copy;
    /// 16 floats, in as many vectors as it takes.
    type Wide: Copy;
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
    /// Whether `a < b` in every lane; never where there is a NaN.
    fn all_less(self, a: Self::V, b: Self::V) -> bool;
    /// The greater in each lane; `b` where one is NaN.
    #[inline(always)]
    fn max(self, a: Self::V, b: Self::V) -> Self::V {
        self.select_less(b, a, a, b)
    }

    /// 16 times the same value.
    fn wide_splat(self, value: f32) -> Self::Wide;
    /// All 16 lanes.
    fn wide_load(self, lanes: &Lanes) -> Self::Wide;
    /// Writes all 16 lanes.
    fn wide_store(self, lanes: &mut Lanes, wide: Self::Wide);
    /// `a + b`.
    fn wide_add(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// `sum + column rowᵀ`, a matrix of four columns, one after another: lane 4 j + i is that of `column[i] row[j]`.
    fn add_outer(self, column: &[f32; 4], row: &[f32; 4], sum: Self::Wide) -> Self::Wide;
    /// The matrix times a vector: Σⱼ vⱼ times column j of four.
    fn times_vector(self, columns: Self::Wide, v: &[f32; 4]) -> [f32; 4];
    /// Swaps rows and columns: lane j of row i goes to lane i of row j.
    #[inline(always)]
    fn transpose(self, rows: &mut [Lanes; BLOCK_LANES]) {
        for i in 1..BLOCK_LANES {
            let (before, after) = rows.split_at_mut(i);
            for (j, row) in before.iter_mut().enumerate() {
                std::mem::swap(&mut row.0[i], &mut after[0].0[j]);
            }
        }
    }

    /// Writes `xyz` of the given part as x y z x y z …
    fn store_points(self, out: &mut [Lanes; 3], part: usize, xyz: [Self::V; 3]);
    /// As [`Simd::store_points`], past the caches where the instructions allow it.
    #[inline(always)]
    fn stream_points(self, out: &mut [Lanes; 3], part: usize, xyz: [Self::V; 3]) {
        self.store_points(out, part, xyz);
    }
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
    #[inline(always)]
    fn fence(self) {}
    /// Asks for the cache line `lines` after `here`, which need not exist, where the instructions allow it.
    #[inline(always)]
    fn prefetch(self, _here: &Lanes, _lines: usize) {}
    /// As [`Simd::prefetch`], for writing, where the instructions allow it.
    #[inline(always)]
    fn prefetch_write(self, _here: &Lanes, _lines: usize) {}
}

/// Work that can be compiled for any backend.
pub trait Kernel {
    /// Does the work. Implementations must be `#[inline(always)]`, as must all they call.
    fn run<S: Simd>(self, simd: S);
}

#[cfg(test)]
mod tests;
