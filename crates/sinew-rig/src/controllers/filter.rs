//! Lag and swing: a linear filter of second order on what a controller says, for frames at a fixed rate.
//!
//! `z_t = a₁ z_{t−1} + a₂ z_{t−2} + b₀ y_t + b₁ y_{t−1} + b₂ y_{t−2}`.

use super::HELPER_NUMBERS;

/// A filter of second order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FollowFilter {
    /// a: weights of its last two results, the newest first.
    pub feedback: [f64; 2],
    /// b: weights of what the controller says now and said in the last two frames.
    pub input: [f64; 3],
}

/// What a filter remembers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FollowState {
    results: [[f64; HELPER_NUMBERS]; 2],
    inputs: [[f64; HELPER_NUMBERS]; 2],
}

impl FollowState {
    /// At rest at a pose of the helper.
    #[must_use]
    pub fn at_rest(numbers: [f64; HELPER_NUMBERS]) -> Self {
        Self { results: [numbers; 2], inputs: [numbers; 2] }
    }
}

impl FollowFilter {
    /// The helper's numbers a frame later, for what the controller says then.
    pub fn step(&self, state: &mut FollowState, said: &[f64; HELPER_NUMBERS]) -> [f64; HELPER_NUMBERS] {
        let ([a1, a2], [b0, b1, b2]) = (self.feedback, self.input);
        let result = std::array::from_fn(|at| {
            a1 * state.results[0][at]
                + a2 * state.results[1][at]
                + b0 * said[at]
                + b1 * state.inputs[0][at]
                + b2 * state.inputs[1][at]
        });
        state.results = [result, state.results[0]];
        state.inputs = [*said, state.inputs[0]];
        result
    }

    /// Largest magnitude of a root of `x² − a₁ x − a₂`; below 1 every motion dies down.
    #[must_use]
    pub fn spectral_radius(&self) -> f64 {
        let [a1, a2] = self.feedback;
        let discriminant = a1 * a1 + 4.0 * a2;
        if discriminant < 0.0 { (-a2).sqrt() } else { 0.5 * (a1.abs() + discriminant.sqrt()) }
    }
}
