//! Weights that are given, beside those that are found.

/// Weights of examples that are given from outside, for each group or for each region.
///
/// Where d is given and w is found, the examples have `d + β s k w`: k is 0 where what is given replaces what is found and 1 where it adds to
/// it, and s ≤ 1 makes room, so that the sum is no more than 1. What is given comes first, and β does not touch it.
///
/// Invariant: what is given is not negative and sums to no more than 1 in each group.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Driven {
    count: usize,
    /// Per group and example.
    given: Vec<f32>,
    /// Per group and example: whether what is found counts too.
    is_kept: Vec<bool>,
}

impl Driven {
    /// Nothing given, everything found.
    pub(crate) fn new(group_count: usize, count: usize) -> Self {
        Self { count, given: vec![0.0; group_count * count], is_kept: vec![true; group_count * count] }
    }

    /// From now on, what is given to an example of a group replaces what is found.
    pub(crate) fn replace(&mut self, group: usize, example: usize) {
        self.is_kept[group * self.count + example] = false;
    }

    /// Nothing is given any more.
    pub(crate) fn clear(&mut self) {
        self.given.fill(0.0);
    }

    /// Gives more of an example to a group. Call [`Driven::limit`] afterwards.
    pub(crate) fn add(&mut self, group: usize, example: usize, weight: f32) {
        self.given[group * self.count + example] += weight.max(0.0);
    }

    /// Where more than 1 was given, all of it shrinks.
    pub(crate) fn limit(&mut self) {
        for of_group in self.given.chunks_mut(self.count.max(1)) {
            let sum: f32 = of_group.iter().sum();
            if sum > 1.0 {
                of_group.iter_mut().for_each(|given| *given /= sum);
            }
        }
    }

    /// Joins what is found in a group with what is given to it.
    pub(super) fn mix(&self, group: usize, beta: f32, weights: &mut [f32]) {
        let range = group * self.count..(group + 1) * self.count;
        let (given, is_kept) = (&self.given[range.clone()], &self.is_kept[range]);
        let mut found_sum = 0.0;
        for (weight, &is_kept) in weights.iter_mut().zip(is_kept) {
            *weight = if is_kept { *weight } else { 0.0 };
            found_sum += *weight;
        }
        let room = (1.0 - given.iter().sum::<f32>()).max(0.0);
        let share = if found_sum > room { room / found_sum } else { 1.0 };
        for (weight, given) in weights.iter_mut().zip(given) {
            *weight = given + beta * share * *weight;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_comes_first_and_the_sum_stays_within_one() {
        let mut driven = Driven::new(2, 3);
        driven.replace(0, 1);
        driven.add(0, 1, 0.4);
        driven.add(1, 2, 0.3);
        driven.limit();
        let mut weights = [0.5, 0.4, 0.1];
        driven.mix(0, 1.0, &mut weights);
        assert_eq!(weights, [0.5, 0.4, 0.1]);
        let mut weights = [0.9, 0.0, 0.1];
        driven.mix(1, 0.5, &mut weights);
        // 0.7 is left for 1.0 found, of which β keeps half.
        let expected = [0.5 * 0.7 * 0.9, 0.0, 0.3 + 0.5 * 0.7 * 0.1];
        assert!(weights.iter().zip(expected).all(|(a, b): (&f32, f32)| (a - b).abs() < 1e-6), "{weights:?}");
        driven.add(1, 0, 3.0);
        driven.limit();
        let mut weights = [0.2, 0.2, 0.2];
        driven.mix(1, 1.0, &mut weights);
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-6 && weights[0] > 0.9, "{weights:?}");
    }
}
