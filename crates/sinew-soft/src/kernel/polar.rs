//! The rotation nearest to a matrix, in closed form, many matrices at a time.
//!
//! With ‖F‖ = 1 and J = det F, the sum of signed singular values x is the largest root of
//! `x⁴ − 2x² − 8Jx + 2‖FᵀF‖² − 1`, and `R = [(x² + 1) F + 2x cof F − 2 F FᵀF] / (x³ − x − 2J)`. The root is found by Newton's
//! steps from √3, which is never below it; a Schulz step `R (3/2 − RᵀR / 2)` takes off most of what rounding leaves. R always has
//! determinant +1, also of mirrored matrices, and of flat ones as long as two singular values are left.
//!
//! No closures in kernels: `array::map` and its like are not inlined, and would be compiled without the instructions.
//!
//! Limits: where the two smaller signed singular values nearly cancel, the answer is not unique and the denominator vanishes. Such
//! lanes are told by [`NearestRotation::defect`], and must be solved by [`robust_rotation`].

use glam::{DMat3, DVec3};
use sinew_geometry::nearest_rotation;
use sinew_geometry::simd::Simd;
use sinew_geometry::simd::lane_math::{Rows, cross, dot};

/// Newton's steps that are always taken. From √3 they are enough for matrices that are stretched by less than half.
const FIRST_STEPS: usize = 3;

/// Steps that follow if a lane still moves by more than [`SETTLED`]: where two singular values nearly cancel, convergence is linear.
const MORE_STEPS: usize = 4;

/// Square of a step after which the next would be lost in rounding: it is about as long as the square of the one before.
const SETTLED: f32 = 1e-7;

/// A rotation is taken from lanes if its [`NearestRotation::defect`] is less: after the Schulz step it is then off by less than 1e-3.
pub(crate) const MOST_DEFECT: f32 = 1.3e-3;

/// Share of the former rotation that decides between equally good answers; small enough not to be seen in clear cases.
const MEMORY: f64 = 1e-3;

/// Rotations of as many matrices as there are lanes.
pub(crate) struct NearestRotation<V> {
    pub(crate) rows: Rows<V>,
    /// ‖RᵀR − I‖² before the last step.
    pub(crate) defect: V,
}

/// The rotations nearest to `f`, by rows.
#[inline(always)]
pub(crate) fn nearest_rotations<S: Simd>(simd: S, f: &Rows<S::V>) -> NearestRotation<S::V> {
    let f = normalized(simd, f);
    // FᵀF: xx, yy, zz, xy, xz, yz.
    let c = gram(simd, &f);
    let squares = simd.mul_add(c[0], c[0], simd.mul_add(c[1], c[1], simd.mul(c[2], c[2])));
    let mixed = simd.mul_add(c[3], c[3], simd.mul_add(c[4], c[4], simd.mul(c[5], c[5])));
    // 2‖FᵀF‖² − 1.
    let e = simd.mul_add(simd.splat(4.0), mixed, simd.mul_add(simd.splat(2.0), squares, simd.splat(-1.0)));
    let cofactor = [cross(simd, f[1], f[2]), cross(simd, f[2], f[0]), cross(simd, f[0], f[1])];
    let j = dot(simd, f[0], cofactor[0]);
    let x = largest_root(simd, j, e);

    let x2 = simd.mul(x, x);
    let denominator = simd.mul_sub(x, simd.sub(x2, simd.splat(1.0)), simd.mul(simd.splat(2.0), j));
    let scale = simd.reciprocal(simd.max(denominator, simd.splat(1e-7)));
    let of_f = simd.mul(simd.add(x2, simd.splat(1.0)), scale);
    let of_cofactor = simd.mul(simd.add(x, x), scale);
    let of_cube = simd.mul(simd.splat(-2.0), scale);
    let mut rough = f;
    for row in 0..3 {
        let cube = times_symmetric(simd, f[row], &c);
        for column in 0..3 {
            let linear = simd.mul_add(of_cofactor, cofactor[row][column], simd.mul(of_f, f[row][column]));
            rough[row][column] = simd.mul_add(of_cube, cube[column], linear);
        }
    }
    schulz_step(simd, &rough)
}

#[inline(always)]
fn normalized<S: Simd>(simd: S, f: &Rows<S::V>) -> Rows<S::V> {
    let squared = simd.add(simd.add(dot(simd, f[0], f[0]), dot(simd, f[1], f[1])), dot(simd, f[2], f[2]));
    // Next to nothing has no rotation; the floor keeps its lanes finite, and their defect shows.
    let scale = simd.reciprocal_sqrt(simd.max(squared, simd.splat(1e-30)));
    let mut unit = *f;
    for cell in unit.as_flattened_mut() {
        *cell = simd.mul(*cell, scale);
    }
    unit
}

#[inline(always)]
fn largest_root<S: Simd>(simd: S, j: S::V, e: S::V) -> S::V {
    let eight_j = simd.mul(simd.splat(8.0), j);
    let mut x = simd.splat(1.732_050_8);
    let mut step = x;
    for _ in 0..FIRST_STEPS {
        step = newton_step(simd, x, eight_j, e);
        x = simd.sub(x, step);
    }
    if simd.all_less(simd.mul(step, step), simd.splat(SETTLED)) {
        return x;
    }
    for _ in 0..MORE_STEPS {
        x = simd.sub(x, newton_step(simd, x, eight_j, e));
    }
    x
}

#[inline(always)]
fn newton_step<S: Simd>(simd: S, x: S::V, eight_j: S::V, e: S::V) -> S::V {
    let x2 = simd.mul(x, x);
    // x² (x² − 2) − 8 J x + e, and 4 x (x² − 1) − 8 J.
    let value = simd.mul_add(x2, simd.sub(x2, simd.splat(2.0)), simd.neg_mul_add(eight_j, x, e));
    let four_x = simd.mul(simd.splat(4.0), x);
    let slope = simd.mul_sub(four_x, simd.sub(x2, simd.splat(1.0)), eight_j);
    simd.mul(value, simd.reciprocal(simd.max(slope, simd.splat(1e-6))))
}

#[inline(always)]
fn schulz_step<S: Simd>(simd: S, r: &Rows<S::V>) -> NearestRotation<S::V> {
    let one = simd.splat(1.0);
    let s = gram(simd, r);
    let off = [simd.sub(s[0], one), simd.sub(s[1], one), simd.sub(s[2], one)];
    let mixed = simd.mul_add(s[3], s[3], simd.mul_add(s[4], s[4], simd.mul(s[5], s[5])));
    let defect = simd.mul_add(simd.splat(2.0), mixed, dot(simd, off, off));
    let half = simd.splat(-0.5);
    let step = [
        simd.mul_add(half, s[0], simd.splat(1.5)),
        simd.mul_add(half, s[1], simd.splat(1.5)),
        simd.mul_add(half, s[2], simd.splat(1.5)),
        simd.mul(half, s[3]),
        simd.mul(half, s[4]),
        simd.mul(half, s[5]),
    ];
    NearestRotation { rows: rows_times_symmetric(simd, r, &step), defect }
}

/// MᵀM by its entries xx, yy, zz, xy, xz, yz.
#[inline(always)]
pub(crate) fn gram<S: Simd>(simd: S, m: &Rows<S::V>) -> [S::V; 6] {
    transposed_product(simd, m, m)
}

/// The entries xx, yy, zz, xy, xz, yz of AᵀB.
#[inline(always)]
pub(crate) fn transposed_product<S: Simd>(simd: S, a: &Rows<S::V>, b: &Rows<S::V>) -> [S::V; 6] {
    [
        columns_dot(simd, a, b, 0, 0),
        columns_dot(simd, a, b, 1, 1),
        columns_dot(simd, a, b, 2, 2),
        columns_dot(simd, a, b, 0, 1),
        columns_dot(simd, a, b, 0, 2),
        columns_dot(simd, a, b, 1, 2),
    ]
}

#[inline(always)]
fn columns_dot<S: Simd>(simd: S, a: &Rows<S::V>, b: &Rows<S::V>, i: usize, j: usize) -> S::V {
    simd.mul_add(a[0][i], b[0][j], simd.mul_add(a[1][i], b[1][j], simd.mul(a[2][i], b[2][j])))
}

/// A row times a symmetric matrix given by xx, yy, zz, xy, xz, yz.
#[inline(always)]
pub(crate) fn times_symmetric<S: Simd>(simd: S, row: [S::V; 3], m: &[S::V; 6]) -> [S::V; 3] {
    [
        dot(simd, row, [m[0], m[3], m[4]]),
        dot(simd, row, [m[3], m[1], m[5]]),
        dot(simd, row, [m[4], m[5], m[2]]),
    ]
}

/// A matrix times a symmetric one given by xx, yy, zz, xy, xz, yz.
#[inline(always)]
pub(crate) fn rows_times_symmetric<S: Simd>(simd: S, rows: &Rows<S::V>, m: &[S::V; 6]) -> Rows<S::V> {
    [times_symmetric(simd, rows[0], m), times_symmetric(simd, rows[1], m), times_symmetric(simd, rows[2], m)]
}

/// The nearest rotation of one matrix where the closed form fails. Where several are equally good, the one near `former`; both by rows.
pub(crate) fn robust_rotation(f: [[f32; 3]; 3], former: [[f32; 3]; 3]) -> [[f32; 3]; 3] {
    let exact = |m: [[f32; 3]; 3]| {
        let row = |r: [f32; 3]| DVec3::new(f64::from(r[0]), f64::from(r[1]), f64::from(r[2]));
        DMat3::from_cols(row(m[0]), row(m[1]), row(m[2])).transpose()
    };
    let (mut map, former) = (exact(f), exact(former));
    let largest = map.to_cols_array().iter().fold(0.0f64, |most, entry| most.max(entry.abs()));
    map = if largest.is_finite() && largest > 1e-30 { map * (1.0 / largest) } else { DMat3::ZERO };
    let rotation = nearest_rotation(&(map + former * MEMORY)).transpose();
    [rotation.x_axis, rotation.y_axis, rotation.z_axis].map(|row| row.as_vec3().to_array())
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, EulerRot};
    use sinew_geometry::Random;
    use sinew_geometry::simd::Scalar;

    const IDENTITY: [[f32; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    /// Numbers from 0 to 1 without pattern.
    struct Noise(Random);

    impl Noise {
        fn next(&mut self) -> f64 {
            self.0.unit()
        }

        fn rotation(&mut self) -> DMat3 {
            let angle = |x: f64| std::f64::consts::TAU * x;
            let (a, b, c) = (angle(self.next()), angle(self.next()), angle(self.next()));
            DMat3::from_quat(DQuat::from_euler(EulerRot::ZXZ, a, b, c))
        }
    }

    fn rows_of(m: &DMat3) -> [[f32; 3]; 3] {
        let t = m.transpose();
        [t.x_axis, t.y_axis, t.z_axis].map(|row| row.as_vec3().to_array())
    }

    fn distance(a: [[f32; 3]; 3], b: [[f32; 3]; 3]) -> f32 {
        a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
    }

    /// A hard set: singular values from 0.05 to 3, three in ten mirrored.
    fn hard_set(count: usize) -> Vec<DMat3> {
        let mut noise = Noise(Random::new(7));
        (0..count)
            .map(|_| {
                let (u, v) = (noise.rotation(), noise.rotation());
                let sigma = DVec3::new(noise.next(), noise.next(), noise.next()) * 2.95 + 0.05;
                let sign = if noise.next() < 0.3 { -1.0 } else { 1.0 };
                u * DMat3::from_diagonal(sigma * DVec3::new(1.0, 1.0, sign)) * v.transpose()
            })
            .collect()
    }

    #[test]
    fn closed_form_agrees_with_the_eigenvectors_or_tells_that_it_failed() {
        let set = hard_set(20_000);
        let mut told = 0;
        for map in &set {
            let found = nearest_rotations(Scalar, &rows_of(map));
            if found.defect < MOST_DEFECT {
                let exact = rows_of(&nearest_rotation(map));
                let orthonormal = gram(Scalar, &found.rows);
                let unit = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
                assert!(orthonormal.iter().zip(unit).all(|(a, b)| (a - b).abs() < 2e-3), "{map:?}");
                // Near ties any answer between is good; there the energies are compared.
                let gain = |r: [[f32; 3]; 3]| {
                    let rows = rows_of(map);
                    r.iter().flatten().zip(rows.iter().flatten()).map(|(a, b)| a * b).sum::<f32>()
                };
                assert!(
                    distance(found.rows, exact) < 1e-2 || gain(found.rows) > gain(exact) - 2e-3,
                    "{map:?}"
                );
            } else {
                told += 1;
            }
        }
        assert!(told < set.len() / 20, "{told} of {} lanes need the slow way", set.len());
    }

    #[test]
    fn flat_and_mirrored_matrices_have_rotations() {
        for diagonal in [[1.0, 1.0, 0.0], [2.0, 1.0, -0.5], [1.0, 0.5, 1.0]] {
            let map = DMat3::from_diagonal(DVec3::from_array(diagonal));
            let found = nearest_rotations(Scalar, &rows_of(&map));
            assert!(found.defect < MOST_DEFECT, "{diagonal:?}");
            assert!(distance(found.rows, IDENTITY) < 1e-4, "{diagonal:?}: {:?}", found.rows);
        }
    }

    #[test]
    fn without_an_answer_the_former_rotation_stays() {
        let former = rows_of(&Noise(Random::new(3)).rotation());
        for nothing in [[[0.0; 3]; 3], [[f32::NAN; 3]; 3], [[f32::INFINITY; 3]; 3]] {
            let is_taken = nearest_rotations(Scalar, &nothing).defect < MOST_DEFECT;
            assert!(!is_taken);
            assert!(distance(robust_rotation(nothing, former), former) < 1e-6);
        }
    }
}
