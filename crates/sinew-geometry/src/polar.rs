//! Polar decomposition of 3×3 matrices: the rotation in a linear map, and what is left.
//!
//! `A = R P` with R a rotation, always of determinant +1, and P symmetric. Computed from a Jacobi eigendecomposition of `AᵀA` in f64:
//! slower than iterations, but total: it has a defined, accurate result for flattened, mirrored and zero matrices.

use glam::{DMat3, DVec3, Mat3A, Quat};

/// A linear map in its parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Polar {
    /// The rotation nearest to the map.
    pub rotation: Quat,
    /// The rest: `rotation⁻¹ · map`, symmetric; scale and shear. Has a negative eigenvalue if the map mirrors.
    pub stretch: Mat3A,
}

/// Splits a linear map into rotation and stretch.
///
/// # Degenerate input
/// Directions that the map flattens take the rotation of the others; the zero matrix has no rotation. A map that is not finite
/// counts as the identity's rotation with the map as stretch.
pub fn polar(map: &Mat3A) -> Polar {
    let exact = DMat3::from_cols(map.x_axis.as_dvec3(), map.y_axis.as_dvec3(), map.z_axis.as_dvec3());
    if !exact.is_finite() {
        return Polar { rotation: Quat::IDENTITY, stretch: *map };
    }
    let rotation = nearest_rotation(&exact);
    let stretch = rotation.transpose() * exact;
    // Symmetric up to rounding; made exactly so, because users rely on it.
    let symmetric = (stretch + stretch.transpose()) * 0.5;
    let quat = glam::DQuat::from_mat3(&rotation).normalize().as_quat();
    Polar { rotation: quat, stretch: as_mat3a(&symmetric) }
}

/// The rotation (determinant +1) that is nearest to a finite matrix in the Frobenius norm.
pub fn nearest_rotation(map: &DMat3) -> DMat3 {
    // Scaled, to keep squares from overflowing or vanishing.
    let largest = map.to_cols_array().iter().fold(0.0f64, |most, x| most.max(x.abs()));
    if largest == 0.0 {
        return DMat3::IDENTITY;
    }
    let scaled = *map * (1.0 / largest);
    let (v, squares) = symmetric_eigen(&(scaled.transpose() * scaled));
    // A = U Σ Vᵀ: columns of U from the two largest singular values, the third completes the frame, which makes det(U Vᵀ) = +1.
    let order = descending(squares);
    let (v1, v2) = (v.col(order[0]), v.col(order[1]));
    let u1 = (scaled * v1).normalize();
    let second = scaled * v2;
    let across = second - u1 * u1.dot(second);
    let is_flat = across.length_squared() <= FLAT_SQUARED;
    let u2 = if is_flat { turned_like(v1, u1, v2) } else { across.normalize() };
    let (u3, v3) = (u1.cross(u2), v1.cross(v2));
    outer(u1, v1) + outer(u2, v2) + outer(u3, v3)
}

/// A second singular value below 1e-10 of the first is rounding of a map onto a line.
const FLAT_SQUARED: f64 = 1e-20;

/// `second` rotated by the shortest rotation from `from` to `to`: the smallest change for a map onto a line.
fn turned_like(from: DVec3, to: DVec3, second: DVec3) -> DVec3 {
    let turned = glam::DQuat::from_rotation_arc(from.normalize(), to) * second;
    (turned - to * to.dot(turned)).normalize()
}

fn outer(column: DVec3, row: DVec3) -> DMat3 {
    DMat3::from_cols(column * row.x, column * row.y, column * row.z)
}

fn descending(values: DVec3) -> [usize; 3] {
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    order
}

/// Eigenvectors (columns) and eigenvalues of a symmetric matrix, by cyclic Jacobi rotations.
pub fn symmetric_eigen(symmetric: &DMat3) -> (DMat3, DVec3) {
    let mut a = symmetric.to_cols_array_2d();
    let mut v = DMat3::IDENTITY.to_cols_array_2d();
    // Converges quadratically: six sweeps leave nothing above rounding for any 3×3 matrix.
    for _ in 0..8 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q] == 0.0 {
                continue;
            }
            let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
            let c = 1.0 / t.hypot(1.0);
            let s = t * c;
            let turn = |x: f64, y: f64| (c * x - s * y, s * x + c * y);
            for column in &mut a {
                (column[p], column[q]) = turn(column[p], column[q]);
            }
            turn_columns(&mut a, p, q, turn);
            turn_columns(&mut v, p, q, turn);
        }
    }
    (DMat3::from_cols_array_2d(&v), DVec3::new(a[0][0], a[1][1], a[2][2]))
}

/// Turns two columns of a matrix into each other.
fn turn_columns(columns: &mut [[f64; 3]; 3], p: usize, q: usize, turn: impl Fn(f64, f64) -> (f64, f64)) {
    let (mut first, mut second) = (columns[p], columns[q]);
    for (x, y) in first.iter_mut().zip(&mut second) {
        (*x, *y) = turn(*x, *y);
    }
    (columns[p], columns[q]) = (first, second);
}

fn as_mat3a(matrix: &DMat3) -> Mat3A {
    Mat3A::from_cols(matrix.x_axis.as_vec3a(), matrix.y_axis.as_vec3a(), matrix.z_axis.as_vec3a())
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use proptest::prelude::*;

    /// A few roundings of f32, relative to the matrix.
    const ROUNDING: f32 = 2e-6;

    #[track_caller]
    fn check(map: Mat3A) {
        let Polar { rotation, stretch } = polar(&map);
        let back = Mat3A::from_quat(rotation) * stretch;
        let size = map.to_cols_array().iter().fold(0.0f32, |most, x| most.max(x.abs()));
        assert!(rotation.is_normalized(), "{map:?}: {rotation}");
        assert!(back.abs_diff_eq(map, ROUNDING * size), "{map:?}: {back:?}");
        assert_eq!(stretch, stretch.transpose());
    }

    #[test]
    fn flattened_mirrored_and_zero_maps_are_split() {
        let turn = Mat3A::from_quat(Quat::from_rotation_y(1.1));
        for scale in [
            Vec3::ONE,
            Vec3::new(2.0, 0.5, 1.0),
            Vec3::new(-1.0, 1.0, 1.0),
            Vec3::new(1.0, 0.0, 1.0),
            Vec3::splat(1e-12),
            Vec3::splat(1e12),
        ] {
            check(turn * Mat3A::from_diagonal(scale));
        }
        check(Mat3A::ZERO);
        check(Mat3A::from_cols_array(&[1.0, 2.0, 3.0, 2.0, 4.0, 6.0, -1.0, -2.0, -3.0]));
    }

    #[test]
    fn a_rotation_is_its_own_rotation() {
        let turn = Quat::from_axis_angle(Vec3::new(1.0, 2.0, 3.0).normalize(), 2.5);
        let split = polar(&Mat3A::from_quat(turn));
        assert!(split.rotation.abs_diff_eq(turn, ROUNDING) || split.rotation.abs_diff_eq(-turn, ROUNDING));
        assert!(split.stretch.abs_diff_eq(Mat3A::IDENTITY, ROUNDING));
    }

    proptest! {
        #[test]
        fn the_parts_multiply_back(entries in prop::array::uniform9(prop_oneof![-3.0f32..3.0, Just(0.0f32), -1e-4f32..1e-4])) {
            check(Mat3A::from_cols_array(&entries));
        }
    }
}
