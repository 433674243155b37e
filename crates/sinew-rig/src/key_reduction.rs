//! Reduces keys: keeps those without which a line between its neighbors would miss a sample.
//!
//! Lines are split at their worst sample until all are within the tolerance \[Douglas73\].

use crate::straight_tracks::turn_missed;
use crate::{Channel, Interpolation, Track};

impl Track {
    /// The same track without the keys that lines between others replace. `allowed(key)` is the maximum error at a key: in the channel's
    /// unit, in rad for rotations. A constant value keeps only its first key. Tracks that are not lines are returned unchanged.
    #[must_use]
    pub fn thinned(self, allowed: impl Fn(usize) -> f32) -> Self {
        if self.interpolation != Interpolation::Linear {
            return self;
        }
        let Self { times_secs, channel, .. } = self;
        // A tolerance of zero allows rounding.
        let in_units = |error: f32, at: usize| error / allowed(at).max(f32::MIN_POSITIVE);
        let width = channel.value_count() / times_secs.len().max(1);
        let kept = match &channel {
            Channel::Translation(_, values) | Channel::Scale(_, values) => {
                kept_keys(&times_secs, |from, to, share, at| {
                    in_units(values[from].lerp(values[to], share).distance(values[at]), at)
                })
            }
            Channel::Rotation(_, values) => kept_keys(&times_secs, |from, to, share, at| {
                in_units(turn_missed(values[from], values[to], share, values[at]), at)
            }),
            Channel::MorphWeights(_, values) => kept_keys(&times_secs, |from, to, share, at| {
                let row = |key: usize| &values[key * width..(key + 1) * width];
                let rows = row(from).iter().zip(row(to)).zip(row(at));
                let missed = rows.map(|((from, to), at)| (from + (to - from) * share - at).abs());
                in_units(missed.fold(0.0, f32::max), at)
            }),
            Channel::Reach(..) => (0..times_secs.len()).collect(),
        };
        Self::between(&times_secs, &kept, channel.rows(&kept, width))
    }

    /// Repeats the last value at a later time.
    pub fn hold_until(&mut self, time_secs: f64) {
        let Some(last) = self.times_secs.len().checked_sub(1) else { return };
        let is_line = matches!(self.interpolation, Interpolation::Linear | Interpolation::Step);
        if !is_line || time_secs <= self.times_secs[last] {
            return;
        }
        let width = self.channel.value_count() / self.times_secs.len();
        let rows: Vec<usize> = (0..=last).chain([last]).collect();
        self.channel = self.channel.rows(&rows, width);
        self.times_secs.push(time_secs);
    }
}

impl Channel {
    /// The values of some keys, `width` each.
    fn rows(&self, keys: &[usize], width: usize) -> Self {
        fn pick<T: Copy>(values: &[T], keys: &[usize], width: usize) -> Vec<T> {
            keys.iter().flat_map(|&key| &values[key * width..(key + 1) * width]).copied().collect()
        }
        match self {
            Self::Translation(bone, values) => Self::Translation(*bone, pick(values, keys, width)),
            Self::Rotation(bone, values) => Self::Rotation(*bone, pick(values, keys, width)),
            Self::Scale(bone, values) => Self::Scale(*bone, pick(values, keys, width)),
            Self::MorphWeights(instance, values) => Self::MorphWeights(*instance, pick(values, keys, width)),
            Self::Reach(bone, values) => Self::Reach(*bone, pick(values, keys, width)),
        }
    }
}

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
    use crate::{BoneId, InstanceId};
    use glam::{Quat, Vec3};

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
    fn tracks_keep_what_lines_cannot_show() {
        let times_secs: Vec<f64> = (0..5).map(f64::from).collect();
        let places = [0.0, 1.0, 2.0, 2.0, 2.0].map(|x| Vec3::new(x, 0.0, 0.0)).to_vec();
        let line = Track::linear(times_secs.clone(), Channel::Translation(BoneId(0), places));
        let thin = line.clone().thinned(|_| 1e-3);
        assert_eq!(thin.times_secs, [0.0, 2.0, 4.0]);
        assert_eq!(line.thinned(|key| if key == 2 { 1.1 } else { 0.7 }).times_secs, [0.0, 4.0]);
        let weights = vec![0.0, 1.0, 0.5, 1.0, 1.0, 1.0];
        let channel = Channel::MorphWeights(InstanceId(0), weights);
        let mut thin = Track::linear(vec![0.0, 1.0, 2.0], channel).thinned(|_| 1e-3);
        assert_eq!(thin.channel, Channel::MorphWeights(InstanceId(0), vec![0.0, 1.0, 1.0, 1.0]));
        thin.hold_until(3.0);
        assert_eq!(thin.times_secs, [0.0, 2.0, 3.0]);
        assert_eq!(thin.channel.value_count(), 6);
        let still = Track::linear(times_secs, Channel::Rotation(BoneId(0), vec![Quat::IDENTITY; 5]));
        assert_eq!(still.thinned(|_| 1e-6).times_secs, [0.0]);
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
