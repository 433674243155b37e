//! Clips: values of bones and morphs over time.

use crate::{BoneId, Character, InstanceId, Pose};
use glam::{Quat, Vec2, Vec3};
use sinew_geometry::{Trs, slerp};
use std::borrow::Cow;
use std::ops::{Add, Mul};

/// Interpolation between two keys.
#[derive(Clone, Debug, PartialEq)]
pub enum Interpolation {
    /// The earlier key's value.
    Step,
    /// Linear; rotations at constant speed along the shorter arc.
    Linear,
    /// Cubic Hermite; each key stores in-tangent, value, out-tangent; rotations are normalized afterwards.
    CubicSpline,
    /// By a curve of time, one for each of x, y and z; rotations at constant speed by the first. One triple per key, for the time that
    /// ends there.
    Eased(Vec<[Easing; 3]>),
}

/// A cubic Bézier curve from (0, 0) to (1, 1), progress over time, by its two inner control points; their x are from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Easing {
    /// The first inner control point.
    pub start: Vec2,
    /// The second inner control point.
    pub end: Vec2,
}

impl Easing {
    /// Progress equal to time.
    pub const LINEAR: Self = Self { start: Vec2::splat(1.0 / 3.0), end: Vec2::splat(2.0 / 3.0) };

    /// Progress at a share of the time, both from 0 to 1.
    ///
    /// # Accuracy
    /// 1e-11, and 1e-5 where the curve is vertical. There a 32-bit time, off by 6e-8, would give a share that is off by 4e-3.
    pub fn share(&self, time_share: f64) -> f64 {
        let (start, end) = (self.start, self.end);
        if start.x == start.y && end.x == end.y {
            return time_share;
        }
        let at = |a: f32, b: f32, s: f64| {
            ((3.0 * (1.0 - s) * f64::from(a) + 3.0 * s * f64::from(b)) * (1.0 - s) + s * s) * s
        };
        // x increases with s, so bisection finds the one s with x(s) = time. Each step gives a binary digit of s, even where x is constant
        // and its slope is zero.
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            if at(start.x, end.x, middle) < time_share { low = middle } else { high = middle }
        }
        at(start.y, end.y, 0.5 * (low + high))
    }
}

/// The target of a track, with its values: one per key, three per key for cubic splines, times the number of morphs for morph weights.
#[derive(Clone, Debug, PartialEq)]
pub enum Channel {
    /// A bone's translation in its parent, m.
    Translation(BoneId, Vec<Vec3>),
    /// A bone's rotation in its parent, unit.
    Rotation(BoneId, Vec<Quat>),
    /// A bone's scale.
    Scale(BoneId, Vec<Vec3>),
    /// The morph weights of a mesh instance.
    MorphWeights(InstanceId, Vec<f32>),
    /// Whether a bone's [`crate::Reach`] (IK) is on; always in steps.
    Reach(BoneId, Vec<bool>),
}

impl Channel {
    /// The bone that it moves; `None` for weights of morphs, and for IK that is switched.
    pub fn bone(&self) -> Option<BoneId> {
        match self {
            Self::Translation(bone, _) | Self::Rotation(bone, _) | Self::Scale(bone, _) => Some(*bone),
            Self::MorphWeights(..) | Self::Reach(..) => None,
        }
    }

    /// Whether every value is finite.
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Translation(_, values) | Self::Scale(_, values) => values.iter().all(|v| v.is_finite()),
            Self::Rotation(_, values) => values.iter().all(|value| value.is_finite()),
            Self::MorphWeights(_, values) => values.iter().all(|value| value.is_finite()),
            Self::Reach(..) => true,
        }
    }

    /// Number of stored values.
    pub fn value_count(&self) -> usize {
        match self {
            Self::Translation(_, values) | Self::Scale(_, values) => values.len(),
            Self::Rotation(_, values) => values.len(),
            Self::MorphWeights(_, values) => values.len(),
            Self::Reach(_, values) => values.len(),
        }
    }
}

/// One channel over time.
///
/// Invariant (checked by [`crate::Character::new`]): at least one key; times finite, ≥ 0 and ascending; the right number of values, all finite.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Key times in s, ascending. In 64 bits, because curves of time may be vertical: see [`Easing::share`].
    pub times_secs: Vec<f64>,
    /// Between keys.
    pub interpolation: Interpolation,
    /// Target and values.
    pub channel: Channel,
}

/// A motion: tracks that play together from time 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clip {
    /// As in the file; may be empty.
    pub name: String,
    /// In the file's order; if two drive the same target, the later wins.
    pub tracks: Vec<Track>,
}

impl Clip {
    /// The time of the last key; 0 without tracks.
    pub fn duration_secs(&self) -> f64 {
        self.tracks
            .iter()
            .filter_map(|track| track.times_secs.last())
            .fold(0.0, |longest: f64, &last| longest.max(last))
    }

    /// Number of frames of the whole clip at `fps`: floor(duration · fps) + 1, at times 0, 1/fps, 2/fps …
    pub fn frame_count(&self, fps: f64) -> usize {
        let duration_secs = self.duration_secs();
        let whole = (duration_secs * fps).floor();
        // The product may round to below the last frame; and 32-bit files round its time itself, half of them down.
        let next_secs = (whole + 1.0) / fps;
        let is_end = next_secs <= duration_secs || f64::from(next_secs as f32) == duration_secs;
        let last = if is_end { whole + 1.0 } else { whole };
        (last as usize).saturating_add(1)
    }

    /// Whether the last pose equals the first except for the root's translation: a loop such as one round of a walk.
    pub fn comes_round(&self, character: &Character) -> bool {
        /// Smaller differences of rotation entries are equal.
        const SAME: f32 = 1e-2;
        let ends = [0.0, self.duration_secs()].map(|time_secs| {
            let mut pose = Pose::rest(character);
            pose.set_clip(character, self, time_secs);
            pose.parent_from_bone().to_vec()
        });
        let mut bones = ends[0].iter().zip(&ends[1]);
        self.duration_secs() > 0.0 && bones.all(|(first, last)| first.matrix3.abs_diff_eq(last.matrix3, SAME))
    }

    /// Applies the clip at `time_secs` (clamped to its ends) to its targets; keeps the rest.
    ///
    /// `local` and `is_reaching`: one per bone; `morph_weights`: one list per instance.
    pub(crate) fn apply(
        &self,
        time_secs: f64,
        local: &mut [Trs],
        morph_weights: &mut [Vec<f32>],
        is_reaching: &mut [bool],
    ) {
        for track in &self.tracks {
            let at = track.locate(time_secs);
            match &track.channel {
                Channel::Translation(bone, values) => {
                    local[bone.index()].translation = at.vector(&track.interpolation, values)
                }
                Channel::Scale(bone, values) => {
                    local[bone.index()].scale = at.vector(&track.interpolation, values)
                }
                Channel::Rotation(bone, values) => {
                    local[bone.index()].rotation = at.rotation(&track.interpolation, values)
                }
                Channel::MorphWeights(instance, values) => {
                    at.weights(&track.interpolation, values, &mut morph_weights[instance.index()]);
                }
                Channel::Reach(bone, values) => is_reaching[bone.index()] = values[at.key],
            }
        }
    }
}

/// A place between two keys.
struct Between {
    /// The key at or before the time.
    key: usize,
    /// The key after it, or the same at the ends.
    next: usize,
    /// 0 at `key`, 1 at `next`.
    share: f64,
    /// Seconds from `key` to `next`; 0 at the ends.
    span_secs: f64,
}

/// Lines per second that replace curves in formats without them.
const LINES_PER_SECOND: f64 = 60.0;

/// Maximum lines per curve: a minute and a half. A key days away needs no more.
const MOST_LINES: f64 = 5400.0;

/// Every key, and `per_second` times between each two: at least `least`.
pub(crate) fn finer_times(times_secs: &[f64], per_second: f64, least: f64) -> Vec<f64> {
    let mut finer = Vec::with_capacity(least as usize * times_secs.len());
    for pair in times_secs.windows(2) {
        let span = pair[1] - pair[0];
        let lines = (span * per_second).ceil().clamp(least, MOST_LINES);
        finer.extend((0..lines as u32).map(|at| pair[0] + span * (f64::from(at) / lines)));
    }
    finer.extend(times_secs.last());
    // Rounding may make two equal where keys are very close.
    finer.dedup();
    finer
}

impl Track {
    /// Lines between the keys.
    pub fn linear(times_secs: Vec<f64>, channel: Channel) -> Self {
        Self { times_secs, interpolation: Interpolation::Linear, channel }
    }

    /// Lines between the kept of all times, by index.
    pub(crate) fn between(times_secs: &[f64], kept: &[usize], channel: Channel) -> Self {
        Self::linear(kept.iter().map(|&key| times_secs[key]).collect(), channel)
    }

    /// The same track with curves of time replaced by lines: at every key and 60 times per second between them, fewer if keys are minutes
    /// apart.
    pub fn without_easing(&self) -> Cow<'_, Self> {
        let Interpolation::Eased(_) = &self.interpolation else { return Cow::Borrowed(self) };
        let times_secs = finer_times(&self.times_secs, LINES_PER_SECOND, 1.0);
        let sampled = times_secs.iter().map(|&time| self.locate(time));
        let channel = match &self.channel {
            Channel::Translation(bone, values) => Channel::Translation(
                *bone,
                sampled.map(|at| at.vector(&self.interpolation, values)).collect(),
            ),
            Channel::Scale(bone, values) => {
                Channel::Scale(*bone, sampled.map(|at| at.vector(&self.interpolation, values)).collect())
            }
            Channel::Rotation(bone, values) => {
                Channel::Rotation(*bone, sampled.map(|at| at.rotation(&self.interpolation, values)).collect())
            }
            Channel::MorphWeights(instance, values) => {
                let count = values.len() / self.times_secs.len().max(1);
                let mut weights = vec![0.0; count * times_secs.len()];
                for (at, out) in sampled.zip(weights.chunks_mut(count.max(1))) {
                    at.weights(&self.interpolation, values, out);
                }
                Channel::MorphWeights(*instance, weights)
            }
            Channel::Reach(bone, values) => Channel::Reach(*bone, sampled.map(|at| values[at.key]).collect()),
        };
        Cow::Owned(Self::linear(times_secs, channel))
    }

    /// The translation or scale at a time, clamped to the ends; `None` if the track drives something else.
    pub fn vector_at(&self, time_secs: f64) -> Option<Vec3> {
        match &self.channel {
            Channel::Translation(_, values) | Channel::Scale(_, values) => {
                Some(self.locate(time_secs).vector(&self.interpolation, values))
            }
            _ => None,
        }
    }

    /// The rotation at a time, clamped to the ends; `None` if the track drives something else.
    pub fn rotation_at(&self, time_secs: f64) -> Option<Quat> {
        match &self.channel {
            Channel::Rotation(_, values) => {
                Some(self.locate(time_secs).rotation(&self.interpolation, values))
            }
            _ => None,
        }
    }

    /// The morph weights at a time, clamped to the ends; `weights`, one per morph, stay unchanged if the track drives something else.
    pub fn weights_at_into(&self, time_secs: f64, weights: &mut [f32]) {
        if let Channel::MorphWeights(_, values) = &self.channel {
            self.locate(time_secs).weights(&self.interpolation, values, weights);
        }
    }

    fn locate(&self, time_secs: f64) -> Between {
        let mut after = self.times_secs.partition_point(|&key| key <= time_secs);
        // 32-bit files have rounded key times, half of them rounded up: such a key applies from its intended time.
        let rounded_secs = f64::from(time_secs as f32);
        if self.times_secs.get(after).is_some_and(|&key| key == rounded_secs) {
            after += 1;
        }
        if after == 0 || after == self.times_secs.len() {
            let key = after.saturating_sub(1);
            return Between { key, next: key, share: 0.0, span_secs: 0.0 };
        }
        let (start, end) = (self.times_secs[after - 1], self.times_secs[after]);
        let span_secs = end - start;
        let share = ((time_secs - start) / span_secs).max(0.0);
        Between { key: after - 1, next: after, share, span_secs }
    }
}

impl Between {
    fn vector(&self, interpolation: &Interpolation, values: &[Vec3]) -> Vec3 {
        match interpolation {
            Interpolation::Step => values[self.key],
            Interpolation::Linear => values[self.key].lerp(values[self.next], self.share as f32),
            Interpolation::Eased(easings) => {
                let shares = easings[self.next].map(|easing| easing.share(self.share) as f32);
                let (from, to) = (values[self.key], values[self.next]);
                from + (to - from) * Vec3::from(shares)
            }
            Interpolation::CubicSpline => self.hermite(|at| values[at]),
        }
    }

    fn rotation(&self, interpolation: &Interpolation, values: &[Quat]) -> Quat {
        match interpolation {
            Interpolation::Step => values[self.key],
            // At a key use the value itself, without rounding.
            Interpolation::Linear if self.share == 0.0 => values[self.key],
            Interpolation::Linear => slerp(values[self.key], values[self.next], self.share as f32),
            Interpolation::Eased(_) if self.share == 0.0 => values[self.key],
            Interpolation::Eased(easings) => {
                let share = easings[self.next][0].share(self.share);
                slerp(values[self.key], values[self.next], share as f32)
            }
            Interpolation::CubicSpline => {
                let sum = self.hermite(|at| values[at]);
                // A spline through zero has no direction: use the key.
                let length = sum.length();
                let has_direction = length > f32::MIN_POSITIVE && length.is_finite();
                if has_direction { sum / length } else { values[3 * self.key + 1] }
            }
        }
    }

    fn weights(&self, interpolation: &Interpolation, values: &[f32], out: &mut [f32]) {
        let count = out.len();
        let share = match interpolation {
            Interpolation::Eased(easings) => easings[self.next][0].share(self.share),
            _ => self.share,
        } as f32;
        for (morph, weight) in out.iter_mut().enumerate() {
            *weight = match interpolation {
                Interpolation::Step => values[self.key * count + morph],
                Interpolation::Linear | Interpolation::Eased(_) => {
                    let (a, b) = (values[self.key * count + morph], values[self.next * count + morph]);
                    a + (b - a) * share
                }
                Interpolation::CubicSpline => self.hermite(|at| values[at * count + morph]),
            };
        }
    }

    /// The spline through in-tangents, values and out-tangents.
    fn hermite<T: Mul<f32, Output = T> + Add<Output = T>>(&self, values: impl Fn(usize) -> T) -> T {
        let [value, out_tangent, in_tangent, next] = self.hermite_weights();
        values(3 * self.key + 1) * value
            + values(3 * self.key + 2) * out_tangent
            + values(3 * self.next) * in_tangent
            + values(3 * self.next + 1) * next
    }

    /// Weights of value, out-tangent, next in-tangent, next value; glTF 2.0 appendix C.
    fn hermite_weights(&self) -> [f32; 4] {
        let t = self.share;
        let (t2, t3) = (t * t, t * t * t);
        let value = 2.0 * t3 - 3.0 * t2 + 1.0;
        let tangents = [t3 - 2.0 * t2 + t, t3 - t2].map(|weight| self.span_secs * weight);
        [value, tangents[0], tangents[1], 1.0 - value].map(|weight| weight as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounding of f32 in numbers of the order of 1.
    const ROUNDING: f32 = 1e-6;

    /// What finding t for x leaves of a share: little, and more where the curve is upright.
    const SOLVED: f64 = 1e-6;
    const SOLVED_UPRIGHT: f64 = 1e-5;

    /// An angle between rotations of f32 comes from a cosine near 1, which holds half of the digits.
    const SMALL_ANGLE: f32 = 1e-3;

    fn sample(track: &Track, time_secs: f64) -> (Trs, Vec<f32>) {
        let mut local = [Trs::IDENTITY];
        let mut weights = [vec![0.0, 0.0]];
        Clip { name: String::new(), tracks: vec![track.clone()] }.apply(
            time_secs,
            &mut local,
            &mut weights,
            &mut [],
        );
        (local[0], weights[0].clone())
    }

    #[test]
    fn linear_translation_is_held_at_both_ends() {
        let channel = Channel::Translation(BoneId(0), vec![Vec3::X, Vec3::Y]);
        let track = Track { times_secs: vec![1.0, 3.0], interpolation: Interpolation::Linear, channel };
        assert_eq!(sample(&track, 0.0).0.translation, Vec3::X);
        assert_eq!(sample(&track, 1.5).0.translation, Vec3::new(0.75, 0.25, 0.0));
        assert_eq!(sample(&track, 9.0).0.translation, Vec3::Y);
    }

    #[test]
    fn step_keeps_the_earlier_key_until_the_next() {
        let channel = Channel::Scale(BoneId(0), vec![Vec3::ONE, Vec3::splat(2.0)]);
        let track = Track { times_secs: vec![0.0, 1.0], interpolation: Interpolation::Step, channel };
        assert_eq!(sample(&track, 0.999).0.scale, Vec3::ONE);
        assert_eq!(sample(&track, 1.0).0.scale, Vec3::splat(2.0));
    }

    #[test]
    fn easing_follows_its_curve() {
        assert_eq!(Easing::LINEAR.share(0.3), 0.3);
        // Control points on the end's corner: x = s² (3 − 2s), y = s³ at s = ½ gives ½ and ⅛ + 0.
        let late = Easing { start: Vec2::ZERO, end: Vec2::new(1.0, 0.0) };
        assert!((late.share(0.5) - 0.125).abs() < SOLVED, "{}", late.share(0.5));
        for easing in [late, Easing { start: Vec2::new(0.1, 0.9), end: Vec2::new(0.2, 1.0) }] {
            assert!(easing.share(0.0).abs() < SOLVED && (easing.share(1.0) - 1.0).abs() < SOLVED);
        }
    }

    #[test]
    fn upright_curves_are_followed_from_key_to_key() {
        // x = 3s (1 − s)² + s³ stands upright at s = ½: x − ½ = 4 (s − ½)³, and y = s² (3 − 2s).
        let upright = Easing { start: Vec2::X, end: Vec2::Y };
        for s in [0.3, 0.49, 0.499, 0.5, 0.502, 0.6f64] {
            let (x, y) = (0.5 + 4.0 * (s - 0.5).powi(3), s * s * (3.0 - 2.0 * s));
            assert!((upright.share(x) - y).abs() < SOLVED_UPRIGHT, "{} for {y}", upright.share(x));
        }
        // The middle of two keys of a motion at 30 frames per second: 0.5 of a radian, though the times are not exact.
        let turns = vec![Quat::IDENTITY, Quat::from_rotation_y(1.0)];
        for first in [11.0, 601.0, 20_003.0] {
            let track = Track {
                times_secs: vec![first / 30.0, (first + 14.0) / 30.0],
                interpolation: Interpolation::Eased(vec![[upright; 3]; 2]),
                channel: Channel::Rotation(BoneId(0), turns.clone()),
            };
            let turned = sample(&track, (first + 7.0) / 30.0).0.rotation;
            assert!(turned.abs_diff_eq(Quat::from_rotation_y(0.5), 1e-4), "{turned} from frame {first}");
        }
    }

    #[test]
    fn rounded_key_times_count_from_the_time_that_they_mean() {
        for frame in 1..1000 {
            let time_secs = f64::from(frame) / 30.0;
            let track = Track {
                times_secs: vec![0.0, f64::from(time_secs as f32)],
                interpolation: Interpolation::Step,
                channel: Channel::Scale(BoneId(0), vec![Vec3::ONE, Vec3::splat(2.0)]),
            };
            assert_eq!(sample(&track, time_secs).0.scale, Vec3::splat(2.0), "frame {frame}");
            assert_eq!(sample(&track, time_secs - 1e-3).0.scale, Vec3::ONE, "frame {frame}");
        }
    }

    #[test]
    fn eased_axes_follow_curves_of_their_own() {
        let late = Easing { start: Vec2::ZERO, end: Vec2::new(1.0, 0.0) };
        let easings = vec![[Easing::LINEAR; 3], [late, Easing::LINEAR, Easing::LINEAR]];
        let channel = Channel::Translation(BoneId(0), vec![Vec3::ZERO, Vec3::ONE]);
        let track =
            Track { times_secs: vec![0.0, 1.0], interpolation: Interpolation::Eased(easings), channel };
        assert!(sample(&track, 0.5).0.translation.abs_diff_eq(Vec3::new(0.125, 0.5, 0.5), ROUNDING));
    }

    #[test]
    fn curves_can_be_replaced_by_lines() {
        let late = Easing { start: Vec2::ZERO, end: Vec2::new(1.0, 0.0) };
        let channel = Channel::Rotation(BoneId(0), vec![Quat::IDENTITY, Quat::from_rotation_y(1.0)]);
        let interpolation = Interpolation::Eased(vec![[late; 3]; 2]);
        let eased = Track { times_secs: vec![0.5, 1.5], interpolation, channel };
        let lines = eased.without_easing();
        assert_eq!((lines.times_secs.len(), lines.times_secs[60]), (61, 1.5));
        // Not near 1.5, where the curve stands upright: no line follows that.
        for time in [0.5, 0.713, 1.0, 1.252] {
            let (a, b) = (sample(&eased, time).0.rotation, sample(&lines, time).0.rotation);
            assert!(a.angle_between(b) < SMALL_ANGLE, "at {time}");
        }
    }

    #[test]
    fn rotation_takes_the_shorter_arc() {
        let (a, b) = (Quat::from_rotation_y(0.2), -Quat::from_rotation_y(1.0));
        let channel = Channel::Rotation(BoneId(0), vec![a, b]);
        let track = Track { times_secs: vec![0.0, 1.0], interpolation: Interpolation::Linear, channel };
        let middle = sample(&track, 0.5).0.rotation;
        assert!(middle.angle_between(Quat::from_rotation_y(0.6)) < SMALL_ANGLE, "{middle}");
    }

    #[test]
    fn cubic_spline_reproduces_a_cubic() {
        // p(t) = t³ − 2t on keys 0 and 2: value and slope at the ends fix it.
        let (value, slope) = (|t: f64| t * t * t - 2.0 * t, |t: f64| 3.0 * t * t - 2.0);
        let keys = [0.0, 2.0];
        let values = keys
            .iter()
            .flat_map(|&t| [slope(t), value(t), slope(t)].map(|x| Vec3::new(x as f32, 0.0, 0.0)))
            .collect();
        let channel = Channel::Translation(BoneId(0), values);
        let track = Track { times_secs: keys.to_vec(), interpolation: Interpolation::CubicSpline, channel };
        for t in [0.0, 0.3, 1.0, 1.7, 2.0] {
            assert!((sample(&track, t).0.translation.x - value(t) as f32).abs() < 1e-5, "{t}");
        }
    }

    #[test]
    fn morph_weights_are_read_in_rows() {
        let channel = Channel::MorphWeights(InstanceId(0), vec![0.0, 1.0, 1.0, 0.0]);
        let track = Track { times_secs: vec![0.0, 1.0], interpolation: Interpolation::Linear, channel };
        assert_eq!(sample(&track, 0.25).1, [0.25, 0.75]);
    }

    #[test]
    fn tracks_can_be_asked_for_a_value() {
        let channel = Channel::Translation(BoneId(0), vec![Vec3::X, Vec3::Y]);
        let track = Track { times_secs: vec![1.0, 3.0], interpolation: Interpolation::Linear, channel };
        assert_eq!(track.vector_at(1.5), Some(Vec3::new(0.75, 0.25, 0.0)));
        assert_eq!(track.rotation_at(1.5), None);
        let mut weights = [0.5];
        track.weights_at_into(1.5, &mut weights);
        assert_eq!(weights, [0.5]);
    }

    #[test]
    fn frames_cover_the_clip_without_passing_its_end() {
        let channel = Channel::Scale(BoneId(0), vec![Vec3::ONE]);
        let track = Track { times_secs: vec![2.0], interpolation: Interpolation::Step, channel };
        let clip = Clip { name: String::new(), tracks: vec![track] };
        assert_eq!(clip.frame_count(30.0), 61);
        assert_eq!(clip.frame_count(0.75), 2);
        assert_eq!(Clip::default().frame_count(30.0), 1);
        // 123 / 30 · 30 is below 123 in f64.
        for last in [31, 123, 245, 246, u32::MAX] {
            let mut clip = clip.clone();
            clip.tracks[0].times_secs[0] = f64::from(last) / 30.0;
            assert_eq!(clip.frame_count(30.0), last as usize + 1);
        }
        // 17 / 30 in 32 bits, as files have it, is below 17 / 30.
        for fps in [24.0, 25.0, 30.0, 60.0, 120.0] {
            for last in 0..2000u16 {
                let mut clip = clip.clone();
                clip.tracks[0].times_secs[0] = f64::from((f64::from(last) / fps) as f32);
                assert_eq!(clip.frame_count(fps), usize::from(last) + 1, "{fps} frames a second");
            }
        }
    }
}
