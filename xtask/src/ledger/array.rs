//! An array as a few lines of a record: a change anywhere in it shows, rounding does not.

use super::number::shown;

/// Of an array's largest absolute value: how far two runs may be apart and still be equal.
const TOLERANCE: f64 = 1e-6;

/// Arrays of so many values or fewer are written in full.
const MOST_IN_FULL: usize = 24;

/// Values that are written of a larger one, at even steps.
const SAMPLES: usize = 16;

/// Sums with random signs that are written of it, so that each has few enough values to show when one of them moves by 1e-5.
const SUMS: std::ops::RangeInclusive<usize> = 8..=64;

/// Values of a sum, where the number of sums allows it.
const VALUES_OF_A_SUM: usize = 800;

/// Integers are equal or not.
const INTEGER_TOLERANCE: f64 = 0.25;

/// Values in rows and columns.
pub(super) struct Array {
    pub(super) shape: Vec<usize>,
    pub(super) values: Vec<f64>,
    pub(super) is_integer: bool,
}

impl Array {
    /// The lines of a record that stand for it.
    ///
    /// A line that begins with `~` holds a tolerance and then numbers that are compared within it.
    pub(super) fn lines(&self, label: &str) -> Vec<String> {
        let shape: Vec<String> = self.shape.iter().map(ToString::to_string).collect();
        let mut lines = vec![format!("{label}: {}", shape.join("×"))];
        let infinite = self.values.iter().filter(|value| !value.is_finite()).count();
        if infinite > 0 {
            lines.push(format!("  {infinite} not finite"));
        }
        let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
        let values: Vec<f64> = self.values.iter().copied().map(finite).collect();
        let size = values.iter().fold(0.0, |size: f64, value| size.max(value.abs()));
        let near = if self.is_integer { INTEGER_TOLERANCE } else { (TOLERANCE * size).max(1e-12) };
        let mut push = |name: &str, tolerance: f64, numbers: Vec<f64>| {
            let numbers: Vec<String> = numbers.into_iter().map(shown).collect();
            lines.push(format!("  ~{tolerance:.1e} {name}: {}", numbers.join(" ")));
        };
        if values.len() <= MOST_IN_FULL {
            push("values", near, values);
            return lines;
        }
        push("range", near, range(&values).to_vec());
        push(
            "samples",
            near,
            (0..SAMPLES).map(|at| values[at * (values.len() - 1) / (SAMPLES - 1)]).collect(),
        );
        // Rounding of single values adds up like the root of their number.
        let count = (values.len() / VALUES_OF_A_SUM).clamp(*SUMS.start(), *SUMS.end());
        let terms = values.len().div_ceil(count) as f64;
        let summed = |terms: f64| if self.is_integer { near } else { near * (0.15 * terms.sqrt()).max(1.0) };
        push("blocks", summed(terms), sums(&values, 1, count, |at| at * count / values.len()));
        push(
            "stripes",
            summed(values.len().div_ceil(*SUMS.start()) as f64),
            sums(&values, 2, *SUMS.start(), |at| at % SUMS.start()),
        );
        lines
    }
}

/// Least, largest, mean and root mean square.
fn range(values: &[f64]) -> [f64; 4] {
    let count = values.len() as f64;
    let squares: f64 = values.iter().map(|value| value * value).sum();
    [
        values.iter().copied().fold(f64::INFINITY, f64::min),
        values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        values.iter().sum::<f64>() / count,
        (squares / count).sqrt(),
    ]
}

/// Sums of the values of each part, each value with a random sign.
fn sums(values: &[f64], seed: u64, count: usize, part: impl Fn(usize) -> usize) -> Vec<f64> {
    let mut sums = vec![0.0; count];
    for (at, value) in values.iter().enumerate() {
        let sign = if mixed(seed << 48 ^ at as u64) & 1 == 0 { 1.0 } else { -1.0 };
        sums[part(at)] += sign * value;
    }
    sums
}

/// SplitMix64: bits that look random, the same on every machine.
fn mixed(seed: u64) -> u64 {
    let mut bits = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

#[cfg(test)]
mod tests {
    use super::super::compare::differences;
    use super::*;

    fn record(change: impl Fn(usize, f64) -> f64) -> String {
        record_of(3000, change)
    }

    fn record_of(count: usize, change: impl Fn(usize, f64) -> f64) -> String {
        let wave = |at: usize| change(at, 1.7 * (0.37 * at as f64).sin());
        let values: Vec<f64> = (0..count).map(wave).collect();
        Array { shape: vec![count / 3, 3], values, is_integer: false }.lines("wave").join("\n")
    }

    #[test]
    fn a_single_value_that_moves_is_found_wherever_it_is() {
        for at in [1, 777, 1500, 2999] {
            let moved = record(|index, value| if index == at { value + 1e-5 } else { value });
            assert!(!differences(&record(|_, value| value), &moved).is_empty(), "value {at}");
            let moved = record_of(48_000, |index, value| if index == 16 * at { value + 2e-5 } else { value });
            assert!(!differences(&record_of(48_000, |_, value| value), &moved).is_empty(), "value {at}");
        }
    }

    #[test]
    fn a_small_change_everywhere_is_found() {
        let moved = record(|index, value| value + if index % 3 == 0 { 3e-6 } else { 0.0 });
        assert!(!differences(&record(|_, value| value), &moved).is_empty());
    }

    #[test]
    fn rounding_to_single_precision_is_not_a_change() {
        let rounded = record(|_, value| f64::from(value as f32));
        assert_eq!(differences(&record(|_, value| value), &rounded), Vec::<String>::new());
    }

    #[test]
    fn an_integer_that_changes_by_one_is_found_among_large_ones() {
        let of = |odd: f64| {
            let values: Vec<f64> =
                (0..5000).map(|at| if at == 3456 { odd } else { 2e6 + f64::from(at) }).collect();
            Array { shape: vec![5000], values, is_integer: true }.lines("indices").join("\n")
        };
        assert!(!differences(&of(5.0), &of(6.0)).is_empty());
        assert!(differences(&of(5.0), &of(5.0)).is_empty());
    }
}
