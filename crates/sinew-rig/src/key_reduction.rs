//! Reduces keys: keeps those without which a line between its neighbors would miss a sample.
//!
//! Lines are split at their worst sample until all are within the tolerance \[Douglas73\].

/// Indices of the samples to keep, ascending: the first, the last, and the needed ones between. `miss(from, to, share, at)` returns the
/// error of sample `at`, at a share of the time, on the line from sample `from` to sample `to`, in units of the tolerance. A constant
/// value keeps only its first.
pub(crate) fn kept_keys(times_secs: &[f64], miss: impl Fn(usize, usize, f32, usize) -> f32) -> Vec<usize> {
    let count = times_secs.len();
    if count == 0 {
        return Vec::new();
    }
    let miss = |from: usize, to: usize, at: usize| {
        let span = times_secs[to] - times_secs[from];
        let share = if span > 0.0 { (times_secs[at] - times_secs[from]) / span } else { 0.0 };
        miss(from, to, share as f32, at)
    };
    if (1..count).all(|at| miss(0, 0, at) <= STILL) {
        return vec![0];
    }
    let mut is_kept = vec![false; count];
    (is_kept[0], is_kept[count - 1]) = (true, true);
    let mut lines = vec![(0, count - 1)];
    while let Some((from, to)) = lines.pop() {
        let between = (from + 1..to).map(|at| (at, miss(from, to, at)));
        let worst = between.max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((at, _)) = worst.filter(|(_, missed)| *missed > 1.0) {
            is_kept[at] = true;
            lines.extend([(from, at), (at, to)]);
        }
    }
    (0..count).filter(|&at| is_kept[at]).collect()
}

/// Maximum change of a constant value, in units of the tolerance.
const STILL: f32 = 0.5;

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(values: &[f32], allowed: f32) -> Vec<usize> {
        let times_secs: Vec<f64> = (0..values.len()).map(|at| at as f64).collect();
        kept_keys(&times_secs, |from, to, share, at| {
            (values[from] + (values[to] - values[from]) * share - values[at]).abs() / allowed
        })
    }

    #[test]
    fn corners_stay_and_lines_go() {
        assert_eq!(keys(&[0.0, 1.0, 2.0, 3.0, 2.0, 1.0, 0.0], 0.01), [0, 3, 6]);
        assert_eq!(keys(&[5.0, 5.001, 4.999, 5.0], 0.01), [0]);
        assert_eq!(keys(&[7.0], 0.01), [0]);
        assert_eq!(keys(&[], 0.01), [0usize; 0]);
    }

    #[test]
    fn nothing_is_missed_by_more_than_allowed() {
        let values: Vec<f32> =
            (0..200).map(|at| (at as f32 * 0.07).sin() + (at as f32 * 0.11).cos()).collect();
        let kept = keys(&values, 0.02);
        assert!(kept.len() > 10 && kept.len() < 120, "{} keys", kept.len());
        for pair in kept.windows(2) {
            for at in pair[0]..=pair[1] {
                let share = (at - pair[0]) as f32 / (pair[1] - pair[0]) as f32;
                let line = values[pair[0]] + (values[pair[1]] - values[pair[0]]) * share;
                assert!((line - values[at]).abs() <= 0.02, "sample {at}");
            }
        }
    }
}
