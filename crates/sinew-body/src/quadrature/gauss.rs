//! Gauss–Legendre rules on 0…1.

/// Nodes and weights of the n-point rule, exact for polynomials of degree 2n − 1. Weights sum to one.
#[derive(Clone, Debug, PartialEq)]
pub struct GaussRule {
    /// Places in 0…1, ascending.
    pub nodes: Vec<f64>,
    /// One per node, positive.
    pub weights: Vec<f64>,
}

impl GaussRule {
    /// The rule of `count` points, to rounding.
    ///
    /// # Panics
    /// If `count` is zero.
    pub fn new(count: usize) -> Self {
        assert!(count > 0, "a quadrature rule needs a node");
        let (nodes, weights) = (0..count).map(|k| node(count, count - 1 - k)).unzip();
        GaussRule { nodes, weights }
    }

    /// Nodes with their weights.
    pub fn iter(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.nodes.iter().copied().zip(self.weights.iter().copied())
    }
}

/// Root number `k` from the right of the Legendre polynomial, by Newton's method from Tricomi's guess, and its weight.
fn node(count: usize, k: usize) -> (f64, f64) {
    let mut x = (std::f64::consts::PI * (k as f64 + 0.75) / (count as f64 + 0.5)).cos();
    // Converges quadratically from a guess good to 1e-2: six steps reach rounding for every count.
    for _ in 0..8 {
        let (value, slope) = legendre(count, x);
        x -= value / slope;
    }
    let (_, slope) = legendre(count, x);
    (0.5 * (x + 1.0), 1.0 / ((1.0 - x * x) * slope * slope))
}

/// The Legendre polynomial and its derivative at `x` inside −1…1, by the three-term recurrence.
fn legendre(count: usize, x: f64) -> (f64, f64) {
    let (mut before, mut value) = (1.0, x);
    for k in 2..=count {
        let k = k as f64;
        (before, value) = (value, ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k);
    }
    (value, count as f64 * (before - x * value) / (1.0 - x * x))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROUNDING: f64 = 1e-14;

    #[test]
    fn powers_are_integrated_exactly() {
        for count in 1..=16 {
            let rule = GaussRule::new(count);
            for power in 0..2 * count {
                let sum: f64 = rule.iter().map(|(x, weight)| weight * x.powi(power as i32)).sum();
                assert!((sum - 1.0 / (power as f64 + 1.0)).abs() < ROUNDING, "{count} points, power {power}");
            }
        }
    }
}
