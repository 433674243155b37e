//! Vectors and matrices of lanes: what kernels share.
//!
//! Everything here is `#[inline(always)]` because kernels are; see [`super`].

use super::Simd;

/// Three components.
pub type Triple<V> = [V; 3];

/// Rows of a 3×3 matrix.
pub type Rows<V> = [[V; 3]; 3];

/// A blended symmetric matrix: xx, yy, zz, xy, xz, yz.
pub type Symmetric<V> = [V; 6];

/// Shorter vectors than 1e-18 (this is the square) have lost their direction to rounding and underflow.
const SHORTEST_SQUARED: f32 = 1e-36;

/// `a · b`.
#[inline(always)]
pub fn dot<S: Simd>(simd: S, a: Triple<S::V>, b: Triple<S::V>) -> S::V {
    simd.mul_add(a[0], b[0], simd.mul_add(a[1], b[1], simd.mul(a[2], b[2])))
}

/// `a · b + c`.
#[inline(always)]
pub fn dot_add<S: Simd>(simd: S, a: Triple<S::V>, b: Triple<S::V>, c: S::V) -> S::V {
    simd.mul_add(a[0], b[0], simd.mul_add(a[1], b[1], simd.mul_add(a[2], b[2], c)))
}

/// `a × b`.
#[inline(always)]
pub fn cross<S: Simd>(simd: S, a: Triple<S::V>, b: Triple<S::V>) -> Triple<S::V> {
    [
        simd.mul_sub(a[1], b[2], simd.mul(a[2], b[1])),
        simd.mul_sub(a[2], b[0], simd.mul(a[0], b[2])),
        simd.mul_sub(a[0], b[1], simd.mul(a[1], b[0])),
    ]
}

/// `v` in each row's product: M v.
#[inline(always)]
pub fn transform<S: Simd>(simd: S, m: &Rows<S::V>, v: Triple<S::V>) -> Triple<S::V> {
    [dot(simd, m[0], v), dot(simd, m[1], v), dot(simd, m[2], v)]
}

/// `v` at length 1; `fallback` where `v` has no direction.
#[inline(always)]
pub fn normalize<S: Simd>(simd: S, v: Triple<S::V>, fallback: Triple<S::V>) -> Triple<S::V> {
    let squared = dot(simd, v, v);
    let scale = simd.reciprocal_sqrt(squared);
    scaled_or(simd, v, scale, squared, fallback)
}

/// The unit normal under a linear map, perpendicular to what the map makes of the surface: its cofactor matrix times the rest
/// normal, with the determinant's sign kept out; the rest normal where the map flattens it away.
#[inline(always)]
pub fn posed_normal<S: Simd>(simd: S, map: &Rows<S::V>, rest: Triple<S::V>) -> Triple<S::V> {
    // Rows of the cofactor matrix are cross products of the map's rows.
    let cofactor = [cross(simd, map[1], map[2]), cross(simd, map[2], map[0]), cross(simd, map[0], map[1])];
    let determinant = dot(simd, map[0], cofactor[0]);
    let normal = transform(simd, &cofactor, rest);
    let squared = dot(simd, normal, normal);
    let scale = simd.reciprocal_sqrt(squared);
    let zero = simd.splat(0.0);
    let signed = simd.select_less(determinant, zero, simd.sub(zero, scale), scale);
    scaled_or(simd, normal, signed, squared, rest)
}

/// `v scale`, or `fallback` where `squared`, the square of v's length, is next to nothing.
#[inline(always)]
fn scaled_or<S: Simd>(
    simd: S,
    v: Triple<S::V>,
    scale: S::V,
    squared: S::V,
    fallback: Triple<S::V>,
) -> Triple<S::V> {
    let shortest = simd.splat(SHORTEST_SQUARED);
    [
        simd.select_less(squared, shortest, fallback[0], simd.mul(v[0], scale)),
        simd.select_less(squared, shortest, fallback[1], simd.mul(v[1], scale)),
        simd.select_less(squared, shortest, fallback[2], simd.mul(v[2], scale)),
    ]
}

/// The rows of a symmetric matrix.
#[inline(always)]
pub fn symmetric_rows<V: Copy>([xx, yy, zz, xy, xz, yz]: Symmetric<V>) -> Rows<V> {
    [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
}

/// `a b` for matrices.
#[inline(always)]
pub fn product<S: Simd>(simd: S, a: &Rows<S::V>, b: &Rows<S::V>) -> Rows<S::V> {
    let column = |c: usize| [b[0][c], b[1][c], b[2][c]];
    let columns = [column(0), column(1), column(2)];
    [row_product(simd, a[0], &columns), row_product(simd, a[1], &columns), row_product(simd, a[2], &columns)]
}

#[inline(always)]
fn row_product<S: Simd>(simd: S, row: Triple<S::V>, columns: &Rows<S::V>) -> Triple<S::V> {
    [dot(simd, row, columns[0]), dot(simd, row, columns[1]), dot(simd, row, columns[2])]
}

#[cfg(test)]
mod tests {
    use super::super::Scalar;
    use super::*;

    #[test]
    fn flattened_and_mirrored_maps_have_a_normal() {
        let rest = [0.0, 0.6, 0.8];
        let normal = |diagonal: [f32; 3]| {
            let [x, y, z] = diagonal;
            posed_normal(Scalar, &[[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]], rest)
        };
        assert_eq!(normal([0.0, 0.0, 0.0]), rest);
        assert_eq!(normal([1.0, 1.0, 0.0]), [0.0, 0.0, 1.0]);
        assert_eq!(normal([-1.0, 1.0, 1.0]), rest);
        assert_eq!(normal([1.0, 1.0, -1.0]), [0.0, 0.6, -0.8]);
    }

    #[test]
    fn products_are_row_by_column() {
        let a = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]];
        let b = symmetric_rows([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(product(Scalar, &a, &b)[0], [1.0 + 8.0 + 15.0, 4.0 + 4.0 + 18.0, 5.0 + 12.0 + 9.0]);
    }
}
