//! The normal distribution, and the chi-square distribution through it.

/// The share of a standard normal population below `z`, 0 to 1.
///
/// # Accuracy
/// Within 1e-7: the rational approximation \[Abramowitz64\] 26.2.17.
#[must_use]
pub(super) fn share_below(z: f64) -> f64 {
    const SLOPE: f64 = 0.231_641_9;
    const FACTORS: [f64; 5] = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let t = 1.0 / (1.0 + SLOPE * z.abs());
    let polynomial = FACTORS.iter().rev().fold(0.0, |sum, factor| (sum + factor) * t);
    let density = (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt();
    let above = density * polynomial;
    if z < 0.0 { above } else { 1.0 - above }
}

/// The `z` below which the share `share` of a standard normal population lies. Shares are clamped to 1e-6 from 0 and 1.
///
/// # Accuracy
/// That of [`share_below`], whose root it is.
#[must_use]
pub(super) fn z_of_share(share: f64) -> f64 {
    let share = share.clamp(1e-6, 1.0 - 1e-6);
    let (mut low, mut high) = (-6.0, 6.0);
    // Each step halves the bracket: 12 / 2⁵⁰ is below the accuracy of the function.
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if share_below(middle) < share {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// The share of people whose squared Mahalanobis distance over `count` measures is below `squared`, 0 to 1.
///
/// # Accuracy
/// The cube root of a chi-square variable is nearly normal \[Wilson31\]. Within 0.005 for shares above 0.9, the reported ones; below, within
/// 0.05 for one measure, 0.013 for two and 0.006 for more.
#[must_use]
pub(super) fn share_nearer(squared: f64, count: usize) -> f64 {
    if count == 0 {
        return 0.0;
    }
    let freedom = count as f64;
    let variance = 2.0 / (9.0 * freedom);
    share_below(((squared / freedom).cbrt() - (1.0 - variance)) / variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_the_tables() {
        let table =
            [(0.0, 0.5), (1.0, 0.841_344_7), (-1.0, 0.158_655_3), (2.326_348, 0.99), (-3.0, 0.001_349_9)];
        let accuracy = 2e-7;
        for (z, share) in table {
            assert!((share_below(z) - share).abs() < accuracy, "{z}: {} {share}", share_below(z));
            assert!((z_of_share(share) - z).abs() < 1e-4, "{share}: {} {z}", z_of_share(share));
        }
    }

    #[test]
    fn chi_square_shares_are_those_of_the_tables() {
        let table =
            [(3.841, 1, 0.95), (5.991, 2, 0.95), (4.605, 2, 0.90), (18.307, 10, 0.95), (23.209, 10, 0.99)];
        for (squared, count, share) in table {
            assert!((share_nearer(squared, count) - share).abs() < 0.005, "{squared} {count}");
        }
        assert!(share_nearer(0.0, 3) < 0.005, "nobody is nearer than the mean");
    }
}
