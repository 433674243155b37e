//! Random numbers that are the same everywhere and for ever.

/// SplitMix64: small, fast, and good enough to choose where to damage a file.
#[derive(Clone, Debug)]
pub struct Prng {
    state: u64,
}

impl Prng {
    /// A generator; the same seed gives the same numbers.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `limit - 1`; 0 where `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        if limit == 0 { 0 } else { (self.bits() % limit as u64) as usize }
    }

    /// One of a list.
    ///
    /// # Panics
    /// If the list is empty.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        assert!(!list.is_empty(), "nothing to pick from");
        &list[self.below(list.len())]
    }

    /// True once in `times`.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}
