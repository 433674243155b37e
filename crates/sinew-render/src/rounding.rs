//! Rounding by conversion. Plain x86-64 has no rounding instruction, so `floor` is a library call there, which shows in
//! loops that run for every pixel or triangle.

/// The greatest whole number not above `value`; saturates, and is 0 for a value that is not a number.
#[inline]
pub(crate) fn floor_i32(value: f32) -> i32 {
    let truncated = value as i32;
    truncated.saturating_sub(i32::from(value < truncated as f32))
}

/// As [`floor_i32`] for values within ±2²², with no checks; any other value gives some number.
#[inline]
pub(crate) fn floor_small(value: f32) -> i32 {
    // Adding 1.5 · 2²³ leaves the value rounded to a whole number in the low bits of the mantissa.
    const SHIFT: f32 = 12_582_912.0;
    let shifted = value + SHIFT;
    let rounded = shifted.to_bits().wrapping_sub(SHIFT.to_bits()) as i32;
    rounded.wrapping_sub(i32::from(shifted - SHIFT > value))
}

/// The least whole number not below `value`; saturates, and is 0 for a value that is not a number.
#[inline]
pub(crate) fn ceil_i32(value: f32) -> i32 {
    let truncated = value as i32;
    truncated.saturating_add(i32::from(value > truncated as f32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_library() {
        for value in [-3.0_f32, -2.5, -0.1, -0.0, 0.0, 0.9, 1.0, 7.999, 123_456.7] {
            assert_eq!(floor_i32(value), value.floor() as i32, "{value}");
            assert_eq!(floor_small(value), value.floor() as i32, "{value}");
            assert_eq!(ceil_i32(value), value.ceil() as i32, "{value}");
        }
        assert_eq!(floor_i32(f32::NAN), 0);
        assert_eq!(ceil_i32(1e30), i32::MAX);
    }
}
