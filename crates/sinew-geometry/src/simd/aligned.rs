//! Floats that lie on cache lines.

/// Lanes of a block: the widest vectors, to let every backend use the same memory.
pub const BLOCK_LANES: usize = 16;

/// One float for each vertex of a block, on a cache line of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Lanes(pub [f32; BLOCK_LANES]);

impl Lanes {
    /// All lanes 0.
    pub const ZERO: Self = Self([0.0; BLOCK_LANES]);
}

/// A list of floats that starts on a cache line, as stores past the caches need it. Its length is a multiple of 16.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AlignedFloats {
    lanes: Vec<Lanes>,
}

impl AlignedFloats {
    /// Zeros; `len` is rounded up to a multiple of 16.
    pub fn zeros(len: usize) -> Self {
        Self { lanes: vec![Lanes::ZERO; len.div_ceil(BLOCK_LANES)] }
    }

    /// Number of floats.
    pub fn len(&self) -> usize {
        self.lanes.len() * BLOCK_LANES
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lanes.is_empty()
    }

    /// The floats.
    pub fn as_floats(&self) -> &[f32] {
        floats_of(&self.lanes)
    }

    /// The floats, 16 at a time.
    pub fn as_lanes(&self) -> &[Lanes] {
        &self.lanes
    }

    /// The floats, 16 at a time.
    pub fn as_lanes_mut(&mut self) -> &mut [Lanes] {
        &mut self.lanes
    }
}

/// The floats of whole lanes, one after another.
pub fn floats_of(lanes: &[Lanes]) -> &[f32] {
    // SAFETY: `Lanes` is `repr(C)` and holds 16 floats in 64 bytes without padding, so that the floats of all lie end to end.
    unsafe { std::slice::from_raw_parts(lanes.as_ptr().cast(), lanes.len() * BLOCK_LANES) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_start_on_a_cache_line_and_keep_their_order() {
        let mut floats = AlignedFloats::zeros(33);
        floats.as_lanes_mut()[1].0[2] = 7.0;
        assert_eq!((floats.len(), floats.as_floats().len()), (48, 48));
        assert_eq!(floats.as_floats()[18], 7.0);
        assert_eq!(floats.as_floats().as_ptr() as usize % 64, 0);
    }
}
