//! AVX-512: one vector is a whole block.

use super::{Kernel, Lanes, Simd};
use std::arch::x86_64::*;

/// Proof that the processor has AVX-512 F and VL.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    /// The token, where the processor has the instructions.
    pub fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl")).then_some(Self(()))
    }
}

#[target_feature(enable = "avx512f,avx512vl")]
fn run_compiled<K: Kernel>(token: Avx512, kernel: K) {
    kernel.run(token);
}

impl Simd for Avx512 {
    type V = __m512;
    type Wide = [__m512; 1];
    const WIDTH: usize = 16;

    #[inline]
    fn run<K: Kernel>(self, kernel: K) {
        with!(run_compiled(self, kernel));
    }

    #[inline(always)]
    fn load(self, lanes: &Lanes, _part: usize) -> __m512 {
        with!(_mm512_load_ps(lanes.0.as_ptr()))
    }

    #[inline(always)]
    fn store(self, lanes: &mut Lanes, _part: usize, v: __m512) {
        with!(_mm512_store_ps(lanes.0.as_mut_ptr(), v));
    }

    #[inline(always)]
    fn splat(self, value: f32) -> __m512 {
        with!(_mm512_set1_ps(value))
    }

    lane_wise! { with, __m512:
        add(a, b) => _mm512_add_ps(a, b);
        sub(a, b) => _mm512_sub_ps(a, b);
        mul(a, b) => _mm512_mul_ps(a, b);
        mul_add(a, b, c) => _mm512_fmadd_ps(a, b, c);
        mul_sub(a, b, c) => _mm512_fmsub_ps(a, b, c);
        neg_mul_add(a, b, c) => _mm512_fnmadd_ps(a, b, c);
        select_less(a, b, less, otherwise) => _mm512_mask_blend_ps(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b), otherwise, less);
        max(a, b) => _mm512_max_ps(a, b);
    }

    #[inline(always)]
    fn reciprocal(self, a: __m512) -> __m512 {
        // 14 bits, doubled by a Newton step: r (2 − a r).
        let r = with!(_mm512_rcp14_ps(a));
        self.mul(r, self.neg_mul_add(a, r, self.splat(2.0)))
    }

    #[inline(always)]
    fn reciprocal_sqrt(self, a: __m512) -> __m512 {
        // 14 bits, doubled by a Newton step: r (3/2 − a r² / 2).
        let r = with!(_mm512_rsqrt14_ps(a));
        let half = self.mul(a, self.splat(0.5));
        self.mul(r, self.neg_mul_add(half, self.mul(r, r), self.splat(1.5)))
    }

    #[inline(always)]
    fn all_less(self, a: __m512, b: __m512) -> bool {
        with!(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b)) == u16::MAX
    }

    wide_parts!(0);

    #[inline(always)]
    fn add_outer(self, column: &[f32; 4], row: &[f32; 4], [sum]: [__m512; 1]) -> [__m512; 1] {
        let column = with!(_mm512_broadcast_f32x4(_mm_loadu_ps(column.as_ptr())));
        [self.mul_add(column, self.each_four_times(row), sum)]
    }

    #[inline(always)]
    fn times_vector(self, [columns]: [__m512; 1], v: &[f32; 4]) -> [f32; 4] {
        let scaled = self.mul(columns, self.each_four_times(v));
        let mut sum = [0.0; 4];
        with!({
            let upper = _mm256_castpd_ps(_mm512_extractf64x4_pd::<1>(_mm512_castps_pd(scaled)));
            let half = _mm256_add_ps(_mm512_castps512_ps256(scaled), upper);
            let quarter = _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps::<1>(half));
            _mm_storeu_ps(sum.as_mut_ptr(), quarter);
        });
        sum
    }

    #[inline(always)]
    fn transpose(self, rows: &mut [Lanes; 16]) {
        with!({
            let mut t = [_mm512_setzero_ps(); 16];
            // Within each 128 bits, four rows at a time: row 4 g + c then holds columns 4 q + c of rows 4 g … 4 g + 3, for q the
            // number of the 128 bits.
            for g in 0..4 {
                let r: [__m512; 4] = std::array::from_fn(|i| self.load(&rows[4 * g + i], 0));
                let low = [_mm512_unpacklo_ps(r[0], r[1]), _mm512_unpacklo_ps(r[2], r[3])];
                let high = [_mm512_unpackhi_ps(r[0], r[1]), _mm512_unpackhi_ps(r[2], r[3])];
                let pair = |x: __m512, y: __m512| {
                    let (x, y) = (_mm512_castps_pd(x), _mm512_castps_pd(y));
                    [_mm512_castpd_ps(_mm512_unpacklo_pd(x, y)), _mm512_castpd_ps(_mm512_unpackhi_pd(x, y))]
                };
                [t[4 * g], t[4 * g + 1]] = pair(low[0], low[1]);
                [t[4 * g + 2], t[4 * g + 3]] = pair(high[0], high[1]);
            }
            // Then a transpose of 4 × 4 pieces of 128 bits.
            for c in 0..4 {
                let (a, b, d, e) = (t[c], t[4 + c], t[8 + c], t[12 + c]);
                let even = [_mm512_shuffle_f32x4::<0x88>(a, b), _mm512_shuffle_f32x4::<0x88>(d, e)];
                let odd = [_mm512_shuffle_f32x4::<0xdd>(a, b), _mm512_shuffle_f32x4::<0xdd>(d, e)];
                self.store(&mut rows[c], 0, _mm512_shuffle_f32x4::<0x88>(even[0], even[1]));
                self.store(&mut rows[8 + c], 0, _mm512_shuffle_f32x4::<0xdd>(even[0], even[1]));
                self.store(&mut rows[4 + c], 0, _mm512_shuffle_f32x4::<0x88>(odd[0], odd[1]));
                self.store(&mut rows[12 + c], 0, _mm512_shuffle_f32x4::<0xdd>(odd[0], odd[1]));
            }
        });
    }

    #[inline(always)]
    fn store_points(self, out: &mut [Lanes; 3], _part: usize, xyz: [__m512; 3]) {
        let [first, second, third] = self.interleave(xyz);
        self.store(&mut out[0], 0, first);
        self.store(&mut out[1], 0, second);
        self.store(&mut out[2], 0, third);
    }

    #[inline(always)]
    fn stream_points(self, out: &mut [Lanes; 3], _part: usize, xyz: [__m512; 3]) {
        let [first, second, third] = self.interleave(xyz);
        with!(_mm512_stream_ps(out[0].0.as_mut_ptr(), first));
        with!(_mm512_stream_ps(out[1].0.as_mut_ptr(), second));
        with!(_mm512_stream_ps(out[2].0.as_mut_ptr(), third));
    }

    #[inline(always)]
    unsafe fn write_point(self, point: &[f32; 4], to: *mut f32) {
        // One masked store instead of two.
        with!(_mm_mask_storeu_ps(to, 0b0111, _mm_loadu_ps(point.as_ptr())));
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

impl Avx512 {
    /// v₀ v₀ v₀ v₀ v₁ …
    #[inline(always)]
    fn each_four_times(self, v: &[f32; 4]) -> __m512 {
        with!({
            let four = _mm512_castps128_ps512(_mm_loadu_ps(v.as_ptr()));
            _mm512_permutexvar_ps(_mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3), four)
        })
    }

    /// x₀ … x₁₅, y₀ …, z₀ … to x₀ y₀ z₀ x₁ …
    #[inline(always)]
    fn interleave(self, [x, y, z]: [__m512; 3]) -> [__m512; 3] {
        [
            self.pick(x, y, z, &XY_INDICES[0], &Z_INDICES[0]),
            self.pick(x, y, z, &XY_INDICES[1], &Z_INDICES[1]),
            self.pick(x, y, z, &XY_INDICES[2], &Z_INDICES[2]),
        ]
    }

    #[inline(always)]
    fn pick(self, x: __m512, y: __m512, z: __m512, xy_at: &[i32; 16], z_at: &[i32; 16]) -> __m512 {
        with!({
            let xy = _mm512_permutex2var_ps(x, _mm512_loadu_si512(xy_at.as_ptr().cast()), y);
            _mm512_permutex2var_ps(xy, _mm512_loadu_si512(z_at.as_ptr().cast()), z)
        })
    }
}

/// For each of the three vectors that leave: where its x and y lie in (x, y).
const XY_INDICES: [[i32; 16]; 3] = [indices(0, 1), indices(1, 1), indices(2, 1)];

/// For each of the three vectors that leave: its x and y stay where they are, its z lie in the second vector.
const Z_INDICES: [[i32; 16]; 3] = [indices(0, 2), indices(1, 2), indices(2, 2)];

/// Float g = 16 k + lane of the result is component g mod 3 of vertex g / 3; `component` is in the second vector.
const fn indices(k: i32, component: i32) -> [i32; 16] {
    let mut indices = [0; 16];
    let mut lane = 0;
    while lane < 16 {
        let g = 16 * k + lane;
        let first = if component == 1 { g / 3 } else { lane };
        indices[lane as usize] = if g % 3 == component { 16 + g / 3 } else { first };
        lane += 1;
    }
    indices
}
