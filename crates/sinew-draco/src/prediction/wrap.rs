//! Values within bounds: what goes over one comes back at the other.

use crate::error::{Result, damaged};
use crate::reader::Reader;

#[derive(Clone, Copy, Debug)]
pub(super) struct Wrap {
    min: i32,
    max: i32,
    /// Number of values within the bounds.
    span: i32,
}

impl Wrap {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let (min, max) = (reader.i32("a lower bound")?, reader.i32("an upper bound")?);
        match max.checked_sub(min).and_then(|difference| difference.checked_add(1)) {
            Some(span) if span > 0 => Ok(Self { min, max, span }),
            _ => damaged("prediction", "its bounds are out of order"),
        }
    }

    /// Adds the prediction to what is left of it.
    pub(super) fn restore(&self, predicted: &[i32], value: &mut [i32]) {
        for (value, &predicted) in value.iter_mut().zip(predicted) {
            let sum = predicted.clamp(self.min, self.max).wrapping_add(*value);
            *value = if sum > self.max {
                sum.wrapping_sub(self.span)
            } else if sum < self.min {
                sum.wrapping_add(self.span)
            } else {
                sum
            };
        }
    }
}
