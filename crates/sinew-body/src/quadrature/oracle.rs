//! Volume by integrals of products of Bernstein polynomials: ten thousand terms, for tests only.

use crate::Patch;

/// `⅓ Σ det(Q_ij, dU_ab, dW_cd) T(i,a,c) T(j,d,b)` with `T(i,a,c) = ∫ B⁴ᵢ B³ₐ B⁴_c`.
pub(crate) fn bernstein_volume(patch: &Patch) -> f64 {
    let net = &patch.net;
    let mut sum = 0.0;
    for (a, b) in pairs(4, 5) {
        let by_u = 4.0 * (net[a + 1][b] - net[a][b]);
        for (c, d) in pairs(5, 4) {
            let normal = by_u.cross(4.0 * (net[c][d + 1] - net[c][d]));
            for (i, j) in pairs(5, 5) {
                sum += net[i][j].dot(normal) * triple(i, a, c) * triple(j, d, b);
            }
        }
    }
    sum / 3.0
}

fn pairs(rows: usize, columns: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..rows).flat_map(move |i| (0..columns).map(move |j| (i, j)))
}

fn triple(i: usize, a: usize, c: usize) -> f64 {
    choose(4, i) * choose(3, a) * choose(4, c) / (choose(11, i + a + c) * 12.0)
}

fn choose(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |product, step| product * (n - step) as f64 / (step + 1) as f64)
}
