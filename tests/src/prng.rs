//! Random numbers that are the same everywhere and for ever.

use sinew_geometry::Random;

/// The shared generator, with what chooses where to damage a file.
#[derive(Clone, Debug)]
pub struct Prng(Random);

impl Prng {
    /// A generator; the same seed gives the same numbers.
    pub fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.bits()
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
