//! Random numbers that are the same on every platform.

use glam::{DVec3, Vec3};

/// SplitMix64 after \[Steele14\] Fig. 16: one word of state, every seed is good, equal seeds give equal numbers.
///
/// Numbers that users see depend on this sequence; it does not change.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator with this seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 up to, not including, 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// From −1 up to, not including, 1.
    pub fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// Three numbers of [`Random::signed`].
    pub fn signed_vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }

    /// From `low` up to `high`, of 2²⁴ steps.
    pub fn range(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * ((self.bits() >> 40) as f32 / (1u64 << 24) as f32)
    }

    /// A point of the cube from −1 to 1.
    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.range(-1.0, 1.0), self.range(-1.0, 1.0), self.range(-1.0, 1.0))
    }

    /// From 0 up to, not including, `count`, which is at least 1.
    pub fn below(&mut self, count: usize) -> usize {
        ((self.unit() * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// An index, as often as its weight says; 0 where no weight is positive.
    pub fn weighted(&mut self, weights: &[f64]) -> usize {
        let total: f64 = weights.iter().sum();
        let mut left = self.unit() * total;
        let mut last = 0;
        for (at, &weight) in weights.iter().enumerate() {
            if weight > 0.0 {
                last = at;
                left -= weight;
                if left < 0.0 {
                    break;
                }
            }
        }
        last
    }

    /// `count` of the numbers below `total`, ascending; all if there are no more.
    pub fn choose(&mut self, total: usize, count: usize) -> Vec<u32> {
        let mut all: Vec<u32> = (0..total as u32).collect();
        if count < total {
            for at in 0..count {
                let other = at + self.below(total - at);
                all.swap(at, other);
            }
            all.truncate(count);
            all.sort_unstable();
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_that_of_splitmix64() {
        let mut random = Random::new(1_234_567);
        let bits: [u64; 3] = std::array::from_fn(|_| random.bits());
        assert_eq!(bits, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn numbers_stay_in_their_ranges() {
        let mut random = Random::new(1);
        for _ in 0..1000 {
            assert!((0.0..1.0).contains(&random.unit()) && (-1.0..1.0).contains(&random.signed()));
            assert!(random.below(3) < 3 && random.below(1) == 0);
            assert!((2.0..=5.0).contains(&random.range(2.0, 5.0)));
            assert_eq!(random.weighted(&[0.0, 2.0, 0.0]), 1);
        }
        let some = random.choose(10, 4);
        assert!(some.len() == 4 && some.is_sorted() && some.iter().all(|&number| number < 10), "{some:?}");
        assert_eq!(random.choose(3, 9), [0, 1, 2]);
    }
}
