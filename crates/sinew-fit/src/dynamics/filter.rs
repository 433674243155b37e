//! A linear filter of second order that comes to rest where the controller says.
//!
//! `z_t = a₁ z_{t−1} + a₂ z_{t−2} + b₀ y_t + b₁ y_{t−1} + b₂ y_{t−2}` with `Σ b = 1 − a₁ − a₂`, so that a pose that is held gives what the
//! controller gives, and with both roots of `x² − a₁ x − a₂` inside a circle below 1, so that it comes to rest.
//!
//! The b follow from the a by linear least squares (variable projection, \[Golub73\]); the a are searched for.

use serde::{Deserialize, Serialize};

use crate::controllers::OUTPUTS;

/// Largest magnitude of a root. Closer to 1 swings last for seconds, and the fit follows noise.
pub(crate) const MAX_RADIUS: f64 = 0.98;
/// Roots per axis of the first search.
const GRID: usize = 14;
/// The search ends when its steps are as small.
const LAST_STEP: f64 = 1e-5;

/// The filter of one helper, for frames that come at a fixed rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FollowFilter {
    /// Weights of its last two results, the newest first.
    pub feedback: [f64; 2],
    /// Weights of what the controller says now and said in the last two frames.
    pub input: [f64; 3],
}

/// What a filter remembers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FollowState {
    results: [[f64; OUTPUTS]; 2],
    inputs: [[f64; OUTPUTS]; 2],
}

impl FollowState {
    /// At rest at a pose of the helper.
    #[must_use]
    pub fn at_rest(numbers: [f64; OUTPUTS]) -> Self {
        Self { results: [numbers; 2], inputs: [numbers; 2] }
    }
}

impl FollowFilter {
    /// Follows at once.
    pub const IDENTITY: Self = Self { feedback: [0.0; 2], input: [1.0, 0.0, 0.0] };

    /// Largest magnitude of a root; below 1, so that every motion dies down.
    #[must_use]
    pub fn spectral_radius(&self) -> f64 {
        radius(self.feedback)
    }

    /// The helper's numbers for what the controller says.
    pub fn step(&self, state: &mut FollowState, numbers: &[f64; OUTPUTS]) -> [f64; OUTPUTS] {
        let mut result = [0.0; OUTPUTS];
        for (at, entry) in result.iter_mut().enumerate() {
            *entry = self.feedback[0] * state.results[0][at]
                + self.feedback[1] * state.results[1][at]
                + self.input[0] * numbers[at]
                + self.input[1] * state.inputs[0][at]
                + self.input[2] * state.inputs[1][at];
        }
        state.results = [result, state.results[0]];
        state.inputs = [*numbers, state.inputs[0]];
        result
    }

    /// The filter that takes `said` nearest to `wanted`, numbers weighted by `costs`. The frames follow each other; before the first one the
    /// helper rested. Never worse than following at once.
    pub(crate) fn fit(said: &[[f64; OUTPUTS]], wanted: &[[f64; OUTPUTS]], costs: &[f64; OUTPUTS]) -> Self {
        let miss = |feedback: [f64; 2]| best_input(feedback, said, wanted, costs);
        let mut best = ([0.0, 0.0], miss([0.0, 0.0]));
        let root = |at: usize| -MAX_RADIUS + 2.0 * MAX_RADIUS * at as f64 / (GRID - 1) as f64;
        let mut tries = Vec::new();
        for i in 0..GRID {
            for j in 0..=i {
                // Two real roots, and a pair of complex ones of as many magnitudes and angles.
                tries.push([root(i) + root(j), -root(i) * root(j)]);
                let (size, angle) = (root(i).abs(), std::f64::consts::PI * j as f64 / GRID as f64);
                tries.push([2.0 * size * angle.cos(), -size * size]);
            }
        }
        for feedback in tries {
            let found = miss(feedback);
            if found.0 < best.1.0 {
                best = (feedback, found);
            }
        }
        let mut step = 0.1;
        while step > LAST_STEP {
            let sides = [[step, 0.0], [-step, 0.0], [0.0, step], [0.0, -step], [step, -step], [-step, step]];
            let near = sides.map(|side| [best.0[0] + side[0], best.0[1] + side[1]]);
            let mut has_moved = false;
            for feedback in near {
                let found = miss(feedback);
                if found.0 < best.1.0 {
                    best = (feedback, found);
                    has_moved = true;
                }
            }
            if !has_moved {
                step *= 0.5;
            }
        }
        Self { feedback: best.0, input: best.1.1 }
    }
}

fn radius([a1, a2]: [f64; 2]) -> f64 {
    let discriminant = a1 * a1 + 4.0 * a2;
    if discriminant < 0.0 { (-a2).max(0.0).sqrt() } else { (a1.abs() + discriminant.sqrt()) * 0.5 }
}

/// Squared miss and best input weights for given feedback; infinite where that does not come to rest.
fn best_input(
    feedback: [f64; 2],
    said: &[[f64; OUTPUTS]],
    wanted: &[[f64; OUTPUTS]],
    costs: &[f64; OUTPUTS],
) -> (f64, [f64; 3]) {
    let [a1, a2] = feedback;
    let gain = 1.0 - a1 - a2;
    if radius(feedback) > MAX_RADIUS + 1e-12 || gain <= 0.0 {
        return (f64::INFINITY, [1.0, 0.0, 0.0]);
    }
    // z = Σ b_k f_{t−k}, f_t = a₁ f_{t−1} + a₂ f_{t−2} + y_t. With b₀ = gain − b₁ − b₂:
    // z − gain f_t = b₁ (f_{t−1} − f_t) + b₂ (f_{t−2} − f_t).
    let (mut normal, mut right, mut square) = ([0.0; 3], [0.0; 2], 0.0);
    for channel in (0..OUTPUTS).filter(|&channel| costs[channel] > 0.0) {
        let rest = said.first().map_or(0.0, |first| first[channel]) / gain;
        let (mut before, mut earlier) = (rest, rest);
        for (said, wanted) in said.iter().zip(wanted) {
            let now = a1 * before + a2 * earlier + said[channel];
            let left = wanted[channel] - gain * now;
            let (p, q) = (before - now, earlier - now);
            let cost = costs[channel];
            normal[0] += cost * p * p;
            normal[1] += cost * p * q;
            normal[2] += cost * q * q;
            right[0] += cost * p * left;
            right[1] += cost * q * left;
            square += cost * left * left;
            (earlier, before) = (before, now);
        }
    }
    let ridge = 1e-12 * (normal[0] + normal[2]);
    let (n0, n2) = (normal[0] + ridge, normal[2] + ridge);
    let determinant = n0 * n2 - normal[1] * normal[1];
    let (b1, b2) = if determinant > 0.0 {
        (
            (right[0] * n2 - right[1] * normal[1]) / determinant,
            (right[1] * n0 - right[0] * normal[1]) / determinant,
        )
    } else {
        (0.0, 0.0)
    };
    let left = square - 2.0 * (b1 * right[0] + b2 * right[1])
        + b1 * b1 * normal[0]
        + 2.0 * b1 * b2 * normal[1]
        + b2 * b2 * normal[2];
    (left.max(0.0), [gain - b1 - b2, b1, b2])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn motion(count: usize) -> Vec<[f64; OUTPUTS]> {
        let number = |t: usize, channel: usize| {
            let time = t as f64 * 0.1;
            (time * (1.0 + channel as f64 * 0.3)).sin() + if t > count / 2 { 0.7 } else { 0.0 }
        };
        (0..count).map(|t| std::array::from_fn(|channel| number(t, channel) - number(0, channel))).collect()
    }

    fn run(filter: &FollowFilter, said: &[[f64; OUTPUTS]]) -> Vec<[f64; OUTPUTS]> {
        let mut state = FollowState::at_rest(said[0]);
        said.iter().map(|numbers| filter.step(&mut state, numbers)).collect()
    }

    #[test]
    fn a_filter_is_found_again() {
        let said = motion(200);
        let swinging = [2.0 * 0.85 * 0.4f64.cos(), -0.85 * 0.85];
        let gain = 1.0 - swinging[0] - swinging[1];
        for truth in [
            FollowFilter::IDENTITY,
            FollowFilter { feedback: [0.8, 0.0], input: [0.2, 0.0, 0.0] },
            FollowFilter { feedback: swinging, input: [0.5 * gain, 0.3 * gain, 0.2 * gain] },
        ] {
            let wanted = run(&truth, &said);
            let found = FollowFilter::fit(&said, &wanted, &[1.0; OUTPUTS]);
            let again = run(&found, &said);
            let miss: f64 =
                again.iter().flatten().zip(wanted.iter().flatten()).map(|(a, b)| (a - b).powi(2)).sum();
            assert!(miss.sqrt() < 1e-2, "{truth:?} became {found:?}: {miss}");
            assert!(found.spectral_radius() < 1.0, "{found:?}");
        }
    }

    #[test]
    fn a_motion_that_explodes_gives_a_filter_that_rests() {
        let said = motion(80);
        let wanted: Vec<_> =
            said.iter().enumerate().map(|(t, y)| y.map(|y| y * 1.2f64.powi(t as i32))).collect();
        let found = FollowFilter::fit(&said, &wanted, &[1.0; OUTPUTS]);
        assert!(found.spectral_radius() <= MAX_RADIUS + 1e-9, "{found:?}");
        let mut state = FollowState::at_rest([0.0; OUTPUTS]);
        let held = [0.3; OUTPUTS];
        let last = (0..2000).fold(held, |_, _| found.step(&mut state, &held));
        assert!(last.iter().all(|value| (value - 0.3).abs() < 1e-6), "a pose that is held: {last:?}");
    }
}
