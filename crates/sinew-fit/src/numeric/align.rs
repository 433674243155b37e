//! The rotation that aligns two weighted clouds of points.
//!
//! After \[Horn87\] Sec. 4: the unit quaternion wanted is the eigenvector of the largest eigenvalue of a symmetric 4×4 matrix of the sums of
//! products. The eigenvalue is found by Newton's method from above, as in \[Theobald05\], the vector as a column of the adjugate;
//! where two eigenvalues lie too close for that, the polar decomposition takes over, which is slower.

use glam::{DMat3, DQuat};

/// Below this fraction of the largest possible adjugate its columns have lost too many digits, and the polar decomposition is used.
const MIN_ADJUGATE: f64 = 1e-5;
const MAX_NEWTON_STEPS: usize = 30;

/// The rotation R that makes `trace(Rᵀ · correlation)` largest, with det R = +1.
///
/// # Degenerate input
/// Where several rotations are best (a zero matrix, points on a line), one of them.
pub(crate) fn nearest_rotation(correlation: DMat3) -> DMat3 {
    let size = frobenius(&correlation);
    if size.is_nan() || size <= f64::MIN_POSITIVE || size.is_infinite() {
        return DMat3::IDENTITY;
    }
    let p = correlation * (1.0 / size);
    let key = key_matrix(&p);
    by_newton(&p, &key).map_or_else(|| sinew_geometry::nearest_rotation(&p), DMat3::from_quat)
}

fn frobenius(matrix: &DMat3) -> f64 {
    matrix.to_cols_array().iter().map(|entry| entry * entry).sum::<f64>().sqrt()
}

/// \[Horn87\] Sec. 4.A, order (w, x, y, z); `p` holds Σ target · restᵀ, Horn's S is its transpose.
fn key_matrix(p: &DMat3) -> [[f64; 4]; 4] {
    let s = |row: usize, column: usize| p.col(row)[column];
    let (xx, yy, zz) = (s(0, 0), s(1, 1), s(2, 2));
    let (wx, wy, wz) = (s(1, 2) - s(2, 1), s(2, 0) - s(0, 2), s(0, 1) - s(1, 0));
    let (xy, zx, yz) = (s(0, 1) + s(1, 0), s(2, 0) + s(0, 2), s(1, 2) + s(2, 1));
    [
        [xx + yy + zz, wx, wy, wz],
        [wx, xx - yy - zz, xy, zx],
        [wy, xy, -xx + yy - zz, yz],
        [wz, zx, yz, -xx - yy + zz],
    ]
}

/// 2×2 minors of the upper and of the lower two rows.
fn minors(m: &[[f64; 4]; 4]) -> ([f64; 6], [f64; 6]) {
    let pair = |r: usize, a: usize, b: usize| m[r][a] * m[r + 1][b] - m[r + 1][a] * m[r][b];
    let of =
        |r: usize| [pair(r, 0, 1), pair(r, 0, 2), pair(r, 0, 3), pair(r, 1, 2), pair(r, 1, 3), pair(r, 2, 3)];
    (of(0), of(2))
}

fn by_newton(p: &DMat3, key: &[[f64; 4]; 4]) -> Option<DQuat> {
    let (s, c) = minors(key);
    let determinant = s[0] * c[5] - s[1] * c[4] + s[2] * c[3] + s[3] * c[2] - s[4] * c[1] + s[5] * c[0];
    // λ⁴ + c₂ λ² + c₁ λ + c₀ with c₂ = −2 |P|² = −2 after scaling and c₁ = −8 det P. The largest root is σ₁ + σ₂ ± σ₃ ≤ √3 |P|.
    let c1 = -8.0 * p.determinant();
    let mut root = 3f64.sqrt();
    for _ in 0..MAX_NEWTON_STEPS {
        let square = root * root;
        let value = (square - 2.0) * square + c1 * root + determinant;
        let slope = (4.0 * square - 4.0) * root + c1;
        if slope <= 0.0 {
            break;
        }
        let step = value / slope;
        root -= step;
        if step.abs() <= 1e-15 {
            break;
        }
    }
    let mut shifted = *key;
    for (at, row) in shifted.iter_mut().enumerate() {
        row[at] -= root;
    }
    let m = &shifted;
    let (s, c) = minors(m);
    let adjugate = [
        [
            m[1][1] * c[5] - m[1][2] * c[4] + m[1][3] * c[3],
            -m[1][0] * c[5] + m[1][2] * c[2] - m[1][3] * c[1],
            m[1][0] * c[4] - m[1][1] * c[2] + m[1][3] * c[0],
            -m[1][0] * c[3] + m[1][1] * c[1] - m[1][2] * c[0],
        ],
        [
            -m[0][1] * c[5] + m[0][2] * c[4] - m[0][3] * c[3],
            m[0][0] * c[5] - m[0][2] * c[2] + m[0][3] * c[1],
            -m[0][0] * c[4] + m[0][1] * c[2] - m[0][3] * c[0],
            m[0][0] * c[3] - m[0][1] * c[1] + m[0][2] * c[0],
        ],
        [
            m[3][1] * s[5] - m[3][2] * s[4] + m[3][3] * s[3],
            -m[3][0] * s[5] + m[3][2] * s[2] - m[3][3] * s[1],
            m[3][0] * s[4] - m[3][1] * s[2] + m[3][3] * s[0],
            -m[3][0] * s[3] + m[3][1] * s[1] - m[3][2] * s[0],
        ],
        [
            -m[2][1] * s[5] + m[2][2] * s[4] - m[2][3] * s[3],
            m[2][0] * s[5] - m[2][2] * s[2] + m[2][3] * s[1],
            -m[2][0] * s[4] + m[2][1] * s[2] - m[2][3] * s[0],
            m[2][0] * s[3] - m[2][1] * s[1] + m[2][2] * s[0],
        ],
    ];
    // The adjugate is a multiple of q qᵀ: its largest diagonal entry marks the best column.
    let best = (0..4).max_by(|&a, &b| adjugate[a][a].abs().total_cmp(&adjugate[b][b].abs()))?;
    let column = adjugate[best];
    let length = column.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
    if length.is_nan() || length < MIN_ADJUGATE {
        return None;
    }
    let [w, x, y, z] = column.map(|entry| entry / length);
    Some(DQuat::from_xyzw(x, y, z, w))
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use sinew_geometry::Random;

    /// Rotations from unit quaternions agree to this.
    const ROUNDING: f64 = 1e-7;

    fn random_rotation(random: &mut Random) -> DMat3 {
        let mut part = || random.unit() * 2.0 - 1.0;
        DMat3::from_quat(DQuat::from_xyzw(part(), part(), part(), part()).normalize())
    }

    #[test]
    fn clouds_that_were_turned_are_turned_back() {
        let mut random = Random::new(1);
        for stretch in
            [DVec3::ONE, DVec3::new(1e-6, 1.0, 2.0), DVec3::new(1e-8, 1.0, 1e-4), DVec3::splat(1e9)]
        {
            for _ in 0..100 {
                let (rotation, axes) = (random_rotation(&mut random), random_rotation(&mut random));
                let spread = axes * DMat3::from_diagonal(stretch) * axes.transpose();
                let found = nearest_rotation(rotation * spread);
                let error = frobenius(&(found - rotation));
                assert!(error < ROUNDING, "stretch {stretch}: {error}");
            }
        }
    }

    #[test]
    fn both_ways_find_the_same_best_rotation_also_of_mirrored_clouds() {
        let mut random = Random::new(2);
        for _ in 0..300 {
            let p = DMat3::from_cols_array(&[(); 9].map(|()| random.unit() - 0.5));
            let by_polar = sinew_geometry::nearest_rotation(&p);
            let found = nearest_rotation(p);
            let fit = |rotation: DMat3| (rotation.transpose() * p).to_cols_array();
            let trace = |rotation: DMat3| fit(rotation)[0] + fit(rotation)[4] + fit(rotation)[8];
            assert!((trace(found) - trace(by_polar)).abs() < ROUNDING, "{p}");
            assert!((found.determinant() - 1.0).abs() < ROUNDING, "{found}");
        }
    }

    #[test]
    fn degenerate_clouds_give_some_rotation() {
        let line = DMat3::from_cols(DVec3::X, DVec3::ZERO, DVec3::ZERO);
        for p in [DMat3::ZERO, line, DMat3::NAN, DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1.0))] {
            let found = nearest_rotation(p);
            assert!((found.determinant() - 1.0).abs() < ROUNDING, "{p} gave {found}");
        }
    }
}
