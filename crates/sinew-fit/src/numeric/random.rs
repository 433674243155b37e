//! Random numbers that are the same everywhere.

/// SplitMix64 after \[Steele14\] Fig. 16.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 up to, not including, 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// From 0 up to, not including, `count`, which is at least 1.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        ((self.unit() * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// An index, as often as its weight says; 0 where no weight is positive.
    pub(crate) fn weighted(&mut self, weights: &[f64]) -> usize {
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

    /// `count` of the numbers below `total`, ascending; all of them where there are no more.
    pub(crate) fn choose(&mut self, total: usize, count: usize) -> Vec<u32> {
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
