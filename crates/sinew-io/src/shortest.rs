//! Numbers as text: the fewest digits that read back as the same float.

use std::fmt;

/// Shows an `f32` in the shortest form that reads back the same, with an exponent where that is shorter.
///
/// The number must be finite: text formats disagree on how to write the others, so writers reject them first.
pub(crate) struct Shortest(pub f32);

impl fmt::Display for Shortest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug_assert!(self.0.is_finite(), "writers reject {} before this point", self.0);
        let size = self.0.abs();
        if size == 0.0 || (1e-4..1e9).contains(&size) {
            write!(f, "{}", self.0)
        } else {
            write!(f, "{:e}", self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn forms_are_short() {
        for (value, expected) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (0.1, "0.1"),
            (-2.5, "-2.5"),
            (1e-7, "1e-7"),
            (f32::MAX, "3.4028235e38"),
            (f32::from_bits(1), "1e-45"),
        ] {
            assert_eq!(Shortest(value).to_string(), expected);
        }
    }

    proptest! {
        #[test]
        fn every_finite_float_reads_back(bits in any::<u32>()) {
            let value = f32::from_bits(bits);
            prop_assume!(value.is_finite());
            let text = Shortest(value).to_string();
            prop_assert_eq!(text.parse::<f32>().unwrap().to_bits(), bits, "{}", text);
        }
    }
}
