//! AVX2 with fused multiply-add: a block is two vectors.

use super::{Kernel, Lanes, Simd};
use std::arch::x86_64::*;

/// Proof that the processor has AVX2 and FMA.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// The token, where the processor has the instructions.
    pub fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Self(()))
    }
}

#[target_feature(enable = "avx2,fma")]
fn run_compiled<K: Kernel>(token: Avx2, kernel: K) {
    kernel.run(token);
}

impl Simd for Avx2 {
    type V = __m256;
    type Wide = [__m256; 2];
    const WIDTH: usize = 8;

    #[inline]
    fn run<K: Kernel>(self, kernel: K) {
        with!(run_compiled(self, kernel));
    }

    #[inline(always)]
    fn load(self, lanes: &Lanes, part: usize) -> __m256 {
        let part: &[f32; 8] = &lanes.0.as_chunks().0[part];
        with!(_mm256_load_ps(part.as_ptr()))
    }

    #[inline(always)]
    fn store(self, lanes: &mut Lanes, part: usize, v: __m256) {
        let part: &mut [f32; 8] = &mut lanes.0.as_chunks_mut().0[part];
        with!(_mm256_store_ps(part.as_mut_ptr(), v));
    }

    #[inline(always)]
    fn splat(self, value: f32) -> __m256 {
        with!(_mm256_set1_ps(value))
    }

    lane_wise! { with, __m256:
        add(a, b) => _mm256_add_ps(a, b);
        sub(a, b) => _mm256_sub_ps(a, b);
        mul(a, b) => _mm256_mul_ps(a, b);
        mul_add(a, b, c) => _mm256_fmadd_ps(a, b, c);
        mul_sub(a, b, c) => _mm256_fmsub_ps(a, b, c);
        neg_mul_add(a, b, c) => _mm256_fnmadd_ps(a, b, c);
        select_less(a, b, less, otherwise) => _mm256_blendv_ps(otherwise, less, _mm256_cmp_ps::<_CMP_LT_OQ>(a, b));
        max(a, b) => _mm256_max_ps(a, b);
    }

    #[inline(always)]
    fn reciprocal(self, a: __m256) -> __m256 {
        // 12 bits, doubled by a Newton step: r (2 − a r).
        let r = with!(_mm256_rcp_ps(a));
        self.mul(r, self.neg_mul_add(a, r, self.splat(2.0)))
    }

    #[inline(always)]
    fn reciprocal_sqrt(self, a: __m256) -> __m256 {
        // 12 bits, doubled by a Newton step: r (3/2 − a r² / 2).
        let r = with!(_mm256_rsqrt_ps(a));
        let half = self.mul(a, self.splat(0.5));
        self.mul(r, self.neg_mul_add(half, self.mul(r, r), self.splat(1.5)))
    }

    #[inline(always)]
    fn all_less(self, a: __m256, b: __m256) -> bool {
        with!(_mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(a, b))) == 0xff
    }

    wide_parts!(0, 1);

    #[inline(always)]
    fn add_outer(self, column: &[f32; 4], row: &[f32; 4], sum: [__m256; 2]) -> [__m256; 2] {
        let column = self.twice(column);
        let [low, high] = self.each_four_times(row);
        [self.mul_add(column, low, sum[0]), self.mul_add(column, high, sum[1])]
    }

    #[inline(always)]
    fn times_vector(self, columns: [__m256; 2], v: &[f32; 4]) -> [f32; 4] {
        let [low, high] = self.each_four_times(v);
        let half = self.mul_add(columns[0], low, self.mul(columns[1], high));
        let mut sum = [0.0; 4];
        with!({
            let quarter = _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps::<1>(half));
            _mm_storeu_ps(sum.as_mut_ptr(), quarter);
        });
        sum
    }

    #[inline(always)]
    fn transpose(self, rows: &mut [Lanes; 16]) {
        let piece = |rows: &[Lanes; 16], from: usize, part: usize| {
            self.transpose_eight(std::array::from_fn(|i| self.load(&rows[from + i], part)))
        };
        let (kept_low, kept_high) = (piece(rows, 0, 0), piece(rows, 8, 1));
        let (to_low, to_high) = (piece(rows, 8, 0), piece(rows, 0, 1));
        for i in 0..8 {
            self.store(&mut rows[i], 0, kept_low[i]);
            self.store(&mut rows[i], 1, to_low[i]);
            self.store(&mut rows[8 + i], 0, to_high[i]);
            self.store(&mut rows[8 + i], 1, kept_high[i]);
        }
    }

    #[inline(always)]
    fn store_points(self, out: &mut [Lanes; 3], part: usize, xyz: [__m256; 3]) {
        for (at, v) in self.interleave(xyz).into_iter().enumerate() {
            let at = 3 * part + at;
            self.store(&mut out[at / 2], at % 2, v);
        }
    }

    #[inline(always)]
    fn stream_points(self, out: &mut [Lanes; 3], part: usize, xyz: [__m256; 3]) {
        for (at, v) in self.interleave(xyz).into_iter().enumerate() {
            let at = 3 * part + at;
            self.stream(&mut out[at / 2], at % 2, v);
        }
    }

    #[inline(always)]
    fn fence(self) {
        with!(_mm_sfence());
    }

    #[inline(always)]
    fn prefetch(self, here: &Lanes, lines: usize) {
        with!(_mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(here).wrapping_add(lines).cast()));
    }

    #[inline(always)]
    fn prefetch_write(self, here: &Lanes, lines: usize) {
        with!(_mm_prefetch::<_MM_HINT_ET0>(std::ptr::from_ref(here).wrapping_add(lines).cast()));
    }
}

impl Avx2 {
    /// v₀ v₁ v₂ v₃ v₀ …
    #[inline(always)]
    fn twice(self, v: &[f32; 4]) -> __m256 {
        with!({
            let four = _mm_loadu_ps(v.as_ptr());
            _mm256_set_m128(four, four)
        })
    }

    /// v₀ v₀ v₀ v₀ v₁ …
    #[inline(always)]
    fn each_four_times(self, v: &[f32; 4]) -> [__m256; 2] {
        let v = self.twice(v);
        with!([
            _mm256_permutevar_ps(v, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1)),
            _mm256_permutevar_ps(v, _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3)),
        ])
    }

    #[inline(always)]
    fn transpose_eight(self, r: [__m256; 8]) -> [__m256; 8] {
        with!({
            // Within each 128 bits: piece 4 g + c holds columns c and 4 + c of rows 4 g … 4 g + 3.
            let mut t = [_mm256_setzero_ps(); 8];
            for g in 0..2 {
                let r = &r[4 * g..];
                let low = [_mm256_unpacklo_ps(r[0], r[1]), _mm256_unpacklo_ps(r[2], r[3])];
                let high = [_mm256_unpackhi_ps(r[0], r[1]), _mm256_unpackhi_ps(r[2], r[3])];
                t[4 * g] = _mm256_shuffle_ps::<0x44>(low[0], low[1]);
                t[4 * g + 1] = _mm256_shuffle_ps::<0xee>(low[0], low[1]);
                t[4 * g + 2] = _mm256_shuffle_ps::<0x44>(high[0], high[1]);
                t[4 * g + 3] = _mm256_shuffle_ps::<0xee>(high[0], high[1]);
            }
            std::array::from_fn(|i| {
                let (a, b) = (t[i % 4], t[4 + i % 4]);
                if i < 4 {
                    _mm256_permute2f128_ps::<0x20>(a, b)
                } else {
                    _mm256_permute2f128_ps::<0x31>(a, b)
                }
            })
        })
    }

    #[inline(always)]
    fn stream(self, lanes: &mut Lanes, part: usize, v: __m256) {
        let part: &mut [f32; 8] = &mut lanes.0.as_chunks_mut().0[part];
        with!(_mm256_stream_ps(part.as_mut_ptr(), v));
    }

    /// x₀ … x₇, y₀ …, z₀ … to x₀ y₀ z₀ x₁ …; comments show the lower half of each vector, the upper has the same with 4 added.
    #[inline(always)]
    fn interleave(self, [x, y, z]: [__m256; 3]) -> [__m256; 3] {
        with!({
            let xy = _mm256_shuffle_ps::<0x88>(x, y); // x0 x2 y0 y2
            let yz = _mm256_shuffle_ps::<0xdd>(y, z); // y1 y3 z1 z3
            let zx = _mm256_shuffle_ps::<0xd8>(z, x); // z0 z2 x1 x3
            let first = _mm256_shuffle_ps::<0x88>(xy, zx); // x0 y0 z0 x1
            let second = _mm256_shuffle_ps::<0xd8>(yz, xy); // y1 z1 x2 y2
            let third = _mm256_shuffle_ps::<0xdd>(zx, yz); // z2 x3 y3 z3
            [
                _mm256_permute2f128_ps::<0x20>(first, second),
                _mm256_permute2f128_ps::<0x30>(third, first),
                _mm256_permute2f128_ps::<0x31>(second, third),
            ]
        })
    }
}
