//! Weights that hasten an iteration.

/// Weights that hasten an iteration whose errors shrink by factors from 0 to ρ each time.
///
/// Shape matching is a projection in each region, and a mean of projections: its factors are never negative, so that each iteration
/// can go further than the blend, by 2 / (2 − ρ); the factors then lie from −ρ' to ρ' with ρ' = ρ / (2 − ρ), for which Chebyshev's
/// weights are the best there are.
pub(super) struct Chebyshev {
    /// How far beyond the blend an iteration goes.
    pub(super) reach: f32,
    square: f32,
    weight: f32,
    count: u32,
}

/// Of an error, the iterations together must leave less than 1 / cosh of this with turned sign. A step that leaves more than 1/3
/// of it is unstable, however small the error: x ← −(1/3) (2 x − x₋₁) grows. At 2.5 a sixth is left; at 1.95 bars of a few
/// iterations a step tremble for ever.
const CALM: f32 = 2.5;

impl Chebyshev {
    /// For springs of stiffness `s` = h² k and a number of iterations.
    pub(super) fn new(s: f32, iterations: u32) -> Self {
        let stiff = s / (1.0 + s);
        let most = 1.0 / (CALM / iterations.max(1) as f32).cosh();
        let rho = (stiff / (2.0 - stiff)).min(most);
        // The ρ whose ρ' this is.
        let reach = 2.0 / (2.0 - 2.0 * rho / (1.0 + rho));
        Self { reach, square: rho * rho, weight: 1.0, count: 0 }
    }

    /// The weight of the next iteration.
    pub(super) fn next(&mut self) -> f32 {
        self.weight = match self.count {
            0 => 1.0,
            1 => 2.0 / (2.0 - self.square),
            _ => 4.0 / (4.0 - self.square * self.weight),
        };
        self.count += 1;
        self.weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of an error that a plain iteration shrinks by `factor`.
    fn left(factor: f32, s: f32, iterations: u32) -> f32 {
        let mut weights = Chebyshev::new(s, iterations);
        let (mut error, mut former) = (1.0f32, 1.0f32);
        for _ in 0..iterations {
            let next = error + (factor * error - error) * weights.reach;
            let moved = former + (next - former) * weights.next();
            (former, error) = (error, moved);
        }
        error
    }

    #[test]
    fn errors_shrink_faster_than_plainly_and_never_turn_far() {
        for s in [1.0, 30.0, 1000.0] {
            for iterations in [1, 2, 5, 20, 50] {
                for percent in 0..100 {
                    let factor = s / (1.0 + s) * percent as f32 / 100.0;
                    let found = left(factor, s, iterations);
                    assert!((-1.0 / 3.0..=1.0).contains(&found), "{s} {iterations} {factor}: {found}");
                }
            }
        }
        assert!(left(0.9, 30.0, 20).abs() < 0.1 * 0.9f32.powi(20));
    }
}
