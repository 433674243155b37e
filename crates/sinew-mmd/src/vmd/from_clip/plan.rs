//! Selects the whole frames that need keys to reproduce a track at every whole frame.

use super::super::curves::is_straight;
use super::super::timeline::{FRAMES_PER_SECOND, secs_of_frame};
use super::Losses;
use sinew_rig::{Channel, Easing, Interpolation, Track};
use std::collections::BTreeSet;

/// Maximum distance of a key from a whole frame, in frames: programs that add up 1/30 s in 32 bits stay below it. Larger: keys of
/// motions at other rates would move visibly.
const FRAME_TOLERANCE: f64 = 1e-3;

/// Maximum sampled frames of a track: 72 minutes at 30 fps. Bounds memory: a clip of ten keys can last years.
const MOST_SAMPLES: u32 = 1 << 17;

/// Whether a curve is sampled: its key, the frames of its ends, all frames.
type MustSample<'a> = &'a dyn Fn(usize, &[u32], &BTreeSet<u32>) -> bool;

/// A track and the frames of its keys.
pub(super) struct FramedTrack<'a> {
    pub(super) track: &'a Track,
    /// One per key, ascending; `None` if keys are between frames.
    key_frames: Option<Vec<u32>>,
    /// Whether samples replaced the curve that ends at this key; one per key.
    is_sampled: Vec<bool>,
    is_thinned: bool,
}

impl<'a> FramedTrack<'a> {
    pub(super) fn new(track: &'a Track) -> Self {
        let frames: Option<Vec<u32>> = track.times_secs.iter().map(|&time| whole_frame(time)).collect();
        let key_frames = frames.filter(|frames| frames.windows(2).all(|pair| pair[0] < pair[1]));
        Self { track, key_frames, is_sampled: vec![false; track.times_secs.len()], is_thinned: false }
    }

    /// Adds the frames that this track needs.
    pub(super) fn add_frames(&mut self, frames: &mut BTreeSet<u32>) {
        let Some(key_frames) = self.key_frames.clone() else {
            let (first, last) = (self.track.times_secs.first(), self.track.times_secs.last());
            let first = first.map_or(0.0, |&time| (time * FRAMES_PER_SECOND).floor());
            let last = last.map_or(0.0, |&time| (time * FRAMES_PER_SECOND).ceil());
            frames.extend([first as u32, last as u32]);
            self.is_sampled.fill(true);
            self.add_between(first as u32, last as u32, frames);
            return;
        };
        frames.extend(&key_frames);
        for (key, pair) in key_frames.windows(2).enumerate() {
            match self.track.interpolation {
                Interpolation::Linear | Interpolation::Eased(_) => {}
                // Constant until the frame before the next key.
                Interpolation::Step => frames.extend([pair[1] - 1]),
                Interpolation::CubicSpline => {
                    self.is_sampled[key + 1] = true;
                    self.add_between(pair[0], pair[1], frames);
                }
            }
        }
    }

    /// Replaces curves by samples if `must_sample` returns true for the key, its frame and the one before; returns whether there were any.
    pub(super) fn sample_curves(&mut self, frames: &mut BTreeSet<u32>, must_sample: MustSample<'_>) -> bool {
        let Some(key_frames) = self.key_frames.clone() else { return false };
        let mut is_any = false;
        for (key, pair) in (1..).zip(key_frames.windows(2)) {
            if !self.is_sampled[key] && self.is_curved(key) && must_sample(key, pair, frames) {
                self.is_sampled[key] = true;
                self.add_between(pair[0], pair[1], frames);
                is_any = true;
            }
        }
        is_any
    }

    /// Replaces curves that differ between x, y and z by samples: along other axes they are not curves.
    pub(super) fn sample_uneven_curves(&mut self, frames: &mut BTreeSet<u32>) {
        let Interpolation::Eased(easings) = &self.track.interpolation else { return };
        self.sample_curves(frames, &|key, _, _| easings[key] != [easings[key][0]; 3]);
    }

    /// The key at a frame.
    pub(super) fn key_at(&self, frame: u32) -> Option<usize> {
        self.key_frames.as_ref()?.binary_search(&frame).ok()
    }

    /// The curves between two consecutive written frames; `None` for a line.
    pub(super) fn easings_between(&self, before: u32, frame: u32) -> Option<&[Easing; 3]> {
        let Interpolation::Eased(easings) = &self.track.interpolation else { return None };
        let key = self.key_at(frame)?;
        let is_whole = key > 0 && self.key_at(before) == Some(key - 1);
        (is_whole && !self.is_sampled[key]).then(|| &easings[key])
    }

    pub(super) fn count_losses(&self, losses: &mut Losses) {
        losses.sampled += usize::from(self.is_sampled.contains(&true));
        losses.thinned += usize::from(self.is_thinned);
    }

    /// Whether the interpolation towards this key is not linear.
    fn is_curved(&self, key: usize) -> bool {
        let Interpolation::Eased(easings) = &self.track.interpolation else { return false };
        let [x, y, z] = easings[key].map(|easing| !is_straight(&easing));
        match &self.track.channel {
            Channel::Translation(_, values) | Channel::Scale(_, values) => {
                let moves = values[key - 1].cmpne(values[key]);
                (x && moves.x) || (y && moves.y) || (z && moves.z)
            }
            Channel::Rotation(_, values) => x && values[key - 1] != values[key],
            Channel::MorphWeights(..) => x,
            Channel::Reach(..) => false,
        }
    }

    fn add_between(&mut self, first: u32, last: u32, frames: &mut BTreeSet<u32>) {
        let step = (last - first) / MOST_SAMPLES + 1;
        self.is_thinned |= step > 1;
        frames.extend((first..last).step_by(step as usize).skip(1));
    }
}

/// The first frame at a time or after it.
pub(super) fn first_frame_from(time_secs: f64) -> u32 {
    whole_frame(time_secs).unwrap_or_else(|| (time_secs * FRAMES_PER_SECOND).ceil() as u32)
}

/// The frame at a time, if there is one.
pub(super) fn whole_frame(time_secs: f64) -> Option<u32> {
    let frame = time_secs * FRAMES_PER_SECOND;
    let nearest = frame.round();
    let is_near = (frame - nearest).abs() <= FRAME_TOLERANCE && nearest <= f64::from(u32::MAX);
    // Late 32-bit times are too coarse for the tolerance, but equal a rounded frame time.
    let is_rounded = || f64::from(secs_of_frame(nearest as u32) as f32) == time_secs;
    (is_near || is_rounded()).then_some(nearest as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use sinew_rig::BoneId;

    fn track(times_secs: &[f64], interpolation: Interpolation) -> Track {
        let per_key = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let values = (0..per_key * times_secs.len()).map(|value| Vec3::splat(value as f32)).collect();
        Track {
            times_secs: times_secs.to_vec(),
            interpolation,
            channel: Channel::Translation(BoneId(0), values),
        }
    }

    #[track_caller]
    fn check(times_secs: &[f64], interpolation: Interpolation, expected: &[u32]) {
        let mut frames = BTreeSet::new();
        FramedTrack::new(&track(times_secs, interpolation)).add_frames(&mut frames);
        assert_eq!(Vec::from_iter(frames), expected);
    }

    #[test]
    fn only_frames_that_are_needed_become_keys() {
        check(&[0.0, 0.2], Interpolation::Linear, &[0, 6]);
        check(&[0.0, 0.2], Interpolation::Step, &[0, 5, 6]);
        check(&[0.0, 0.1], Interpolation::CubicSpline, &[0, 1, 2, 3]);
        // Between frames.
        check(&[0.05, 0.15], Interpolation::Linear, &[1, 2, 3, 4, 5]);
        // Two keys in one frame.
        check(&[0.0, 0.000_01], Interpolation::Step, &[0, 1]);
    }

    #[test]
    fn endless_clips_are_sampled_more_sparsely() {
        let long = track(&[0.0, 1e9], Interpolation::CubicSpline);
        let mut framed = FramedTrack::new(&long);
        let mut frames = BTreeSet::new();
        framed.add_frames(&mut frames);
        assert!(framed.is_thinned && frames.len() <= MOST_SAMPLES as usize + 2, "{}", frames.len());
    }

    #[test]
    fn late_frames_are_still_whole() {
        for frame in [0, 1, 7, 1_000_003, 40_000_001, u32::MAX] {
            assert_eq!(whole_frame(secs_of_frame(frame)), Some(frame));
            let rounded_secs = f64::from(secs_of_frame(frame) as f32);
            let found = whole_frame(rounded_secs).expect("it is a whole frame");
            assert_eq!(f64::from(secs_of_frame(found) as f32), rounded_secs);
            assert!(found == frame || frame > 1 << 19, "{found} for {frame}");
        }
        assert_eq!(whole_frame(0.05), None);
    }
}
