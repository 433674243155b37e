//! From a clip of a character to a VMD file.

mod bones;
mod morphs;
mod plan;
mod switches;

use super::{Vmd, VmdModelName};
use crate::cp932::{FixedText, encode_cp932};
use crate::names::{NAME_BYTES, NameKey, NamedParts};
use sinew_io::Report;
use sinew_rig::{Channel, Character, Clip};

impl Vmd {
    /// The motion as a file of version 2.
    ///
    /// Keys at whole frames of 1/30 s stay keys, linear or with their curves (rounded to 1/127). The motion is sampled at every frame
    /// elsewhere, and where translation and rotation of a bone have keys at different frames inside a curve. Both are along the model's
    /// axes: the PMX file of the same character moves the same, whatever its bones' rest rotations. Reports what a file cannot store:
    /// scale, long names, ambiguous names.
    ///
    /// # Panics
    /// If the clip does not belong to this character.
    pub fn from_clip(character: &Character, clip: &Clip, report: &mut Report) -> Self {
        let model_name = FixedText::encode_reported(character.name(), "model name", report);
        let mut vmd = Self { model_name: VmdModelName::Long(model_name), ..Self::default() };
        let parts = NamedParts::of(character, NameKey::of_text);
        let mut losses = Losses::default();
        let mut writing = Writing { character, parts: &parts, losses: &mut losses, report };
        vmd.bones = bones::keys_of_bones(clip, &mut writing);
        vmd.morphs = morphs::keys_of_morphs(clip, &mut writing);
        vmd.properties = switches::property_keys(clip, &mut writing);
        losses.scales =
            clip.tracks.iter().filter(|track| matches!(track.channel, Channel::Scale(..))).count();
        losses.report(report);
        vmd
    }
}

/// The character, clip and report of a job.
struct Writing<'a> {
    character: &'a Character,
    parts: &'a NamedParts<NameKey>,
    losses: &'a mut Losses,
    report: &'a mut Report,
}

/// Changes made by writing, counted over the whole clip.
#[derive(Default)]
struct Losses {
    /// Tracks sampled at every frame.
    sampled: usize,
    /// Tracks too long to sample at every frame.
    thinned: usize,
    /// Rounded curves.
    rounded_curves: usize,
    /// Tracks of scale.
    scales: usize,
}

impl Losses {
    fn report(&self, report: &mut Report) {
        let counts = [
            (self.sampled, "tracks are sampled at 30 fps"),
            (self.thinned, "tracks are too long for 30 fps and are sampled at a lower rate"),
            (self.rounded_curves, "curves are rounded to 1/127"),
            (self.scales, "tracks of scale are left out; VMD does not support scale"),
        ];
        for (count, what) in counts.into_iter().filter(|&(count, _)| count > 0) {
            report.warn("", format_args!("{count} {what}"));
        }
    }
}

/// The name of an item in a file; `None` and a warning if another item has the same, which readers would find first.
fn name_to_write(what: &str, name: &str, is_first: bool, report: &mut Report) -> Option<NameKey> {
    let key = NameKey::of_text(name);
    let place = format!("{what} {name:?}");
    let kept = || key.to_field::<NAME_BYTES>().decode();
    if !is_first {
        report.warn(place, format_args!("another has the same name {:?}; this one is left out", kept()));
        return None;
    }
    let (encoded, unknown) = encode_cp932(name);
    if encoded.len() > NAME_BYTES {
        report.warn(&place, format_args!("the name is cut to {NAME_BYTES} bytes, {:?}", kept()));
    }
    if unknown > 0 {
        let message = format!("{unknown} characters of the name are missing in CP932; written as ?");
        report.warn(&place, message);
    }
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{LONG_NAME, character};
    use crate::vmd::{ShiftOrTurn, VmdCurve};
    use glam::{Quat, Vec2, Vec3};
    use proptest::prelude::*;
    use sinew_rig::{BoneId, Easing, InstanceId, Interpolation, Pose, Track};

    /// Weights are 0 to 1; what two conversions round.
    const WEIGHT_ROUNDING: f32 = 1e-5;

    fn track(frames: &[u32], interpolation: Interpolation, channel: Channel) -> Track {
        let times_secs = frames.iter().map(|&frame| f64::from(frame) / 30.0).collect();
        Track { times_secs, interpolation, channel }
    }

    fn clip(tracks: Vec<Track>) -> Clip {
        Clip { name: String::new(), tracks }
    }

    fn written(clip: &Clip) -> (Vmd, Vec<String>) {
        let mut report = Report::default();
        let vmd = Vmd::from_clip(&character(), clip, &mut report);
        (vmd, report.warnings().iter().map(ToString::to_string).collect())
    }

    /// Shifts go through MMD's units and back: a few roundings of positions of a few m.
    const ROUNDING_M: f32 = 1e-5;

    /// Both clips pose the character alike at whole frames up to `last`.
    #[track_caller]
    fn assert_same_at_frames(a: &Clip, b: &Clip, last: u32) {
        let character = character();
        let (mut pose_a, mut pose_b) = (Pose::rest(&character), Pose::rest(&character));
        for frame in 0..=last {
            pose_a.set_clip(&character, a, f64::from(frame) / 30.0);
            pose_b.set_clip(&character, b, f64::from(frame) / 30.0);
            for (x, y) in pose_a.parent_from_bone().iter().zip(pose_b.parent_from_bone()) {
                assert!(x.abs_diff_eq(*y, ROUNDING_M), "frame {frame}: {x:?} and {y:?}");
            }
            let weights = pose_a.morph_weights(InstanceId(0)).iter().zip(pose_b.morph_weights(InstanceId(0)));
            weights.for_each(|(x, y)| assert!((x - y).abs() < WEIGHT_ROUNDING, "frame {frame}: {x} and {y}"));
            assert_eq!(pose_a.is_reaching(), pose_b.is_reaching(), "frame {frame}");
        }
    }

    fn turns(count: usize) -> Vec<Quat> {
        (0..count).map(|key| Quat::from_rotation_y(0.7 * key as f32) * Quat::from_rotation_x(0.2)).collect()
    }

    fn shifts(count: usize) -> Vec<Vec3> {
        (0..count).map(|key| Vec3::new(key as f32, 0.64, -0.5 * key as f32)).collect()
    }

    #[test]
    fn keys_on_frames_come_back_exactly() {
        let late = VmdCurve { start: [127, 0], end: [127, 3] }.to_easing();
        let eased = Interpolation::Eased(vec![[Easing { start: Vec2::ZERO, end: Vec2::X }; 3], [late; 3]]);
        let original = clip(vec![
            track(&[0, 40], eased, Channel::Rotation(BoneId(0), turns(2))),
            track(&[3, 7, 9], Interpolation::Linear, Channel::Rotation(BoneId(1), turns(3))),
            track(
                &[0, 5, 1_000_000],
                Interpolation::Linear,
                Channel::MorphWeights(InstanceId(0), vec![0.0, 0.25, 0.0, 1.0, 0.5, 0.0, 0.25, 0.5, 0.0]),
            ),
            track(&[0, 8], Interpolation::Step, Channel::Reach(BoneId(2), vec![false, true])),
        ]);
        let (vmd, told) = written(&original);
        assert!(told.is_empty(), "{told:?}");
        assert_eq!((vmd.bones.len(), vmd.morphs.len(), vmd.properties.len()), (5, 6, 2));
        assert_eq!(vmd.model_name.decode(), "試験");
        let mut again = vmd.to_clip(&character(), "", &mut Report::default());
        // The first key's curves lead to nothing and are not kept.
        let Interpolation::Eased(easings) = &mut again.tracks[0].interpolation else { panic!("{again:?}") };
        easings[0] = [Easing { start: Vec2::ZERO, end: Vec2::X }; 3];
        assert_eq!(again, original);
    }

    #[test]
    fn shift_and_turn_with_the_same_keys_keep_their_curves() {
        let curve = VmdCurve { start: [10, 90], end: [60, 127] };
        let eased = Interpolation::Eased(vec![[curve.to_easing(); 3]; 3]);
        let frames = [0, 12, 30];
        let original = clip(vec![
            track(&frames, eased.clone(), Channel::Translation(BoneId(0), shifts(3))),
            track(&frames, eased, Channel::Rotation(BoneId(0), turns(3))),
        ]);
        let (vmd, told) = written(&original);
        assert!(told.is_empty() && vmd.bones.len() == 3, "{told:?}");
        assert_eq!(vmd.bones[1].curves.curve(ShiftOrTurn::Z), curve);
        assert_same_at_frames(&original, &vmd.to_clip(&character(), "", &mut Report::default()), 31);
    }

    #[test]
    fn other_tracks_are_sampled() {
        let curve = VmdCurve { start: [10, 90], end: [60, 127] };
        let eased = Interpolation::Eased(vec![[curve.to_easing(); 3]; 2]);
        let splines: Vec<Vec3> = shifts(2).into_iter().flat_map(|value| [Vec3::X, value, Vec3::Z]).collect();
        let mut between = track(&[0, 0], Interpolation::Linear, Channel::Rotation(BoneId(3), turns(2)));
        between.times_secs = vec![0.05, 0.35];
        let weights = vec![0.0, 0.25, 0.0, 1.0, 0.5, 0.0];
        let original = clip(vec![
            track(&[0, 20], eased.clone(), Channel::Translation(BoneId(0), shifts(2))),
            track(&[4, 24], Interpolation::Step, Channel::Rotation(BoneId(0), turns(2))),
            track(&[2, 9], Interpolation::CubicSpline, Channel::Translation(BoneId(1), splines)),
            track(&[0, 9], eased, Channel::MorphWeights(InstanceId(0), weights)),
            track(&[0, 9], Interpolation::Linear, Channel::Scale(BoneId(0), shifts(2))),
            between,
        ]);
        let (vmd, told) = written(&original);
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(told[0].starts_with(&format!("bone {LONG_NAME:?}: the name is cut to 15 bytes")), "{told:?}");
        assert_eq!(told[1], "4 tracks are sampled at 30 fps");
        assert_eq!(told[2], "1 tracks of scale are left out; VMD does not support scale");
        let again = vmd.to_clip(&character(), "", &mut Report::default());
        let without_scale = clip(
            original
                .tracks
                .into_iter()
                .filter(|track| !matches!(track.channel, Channel::Scale(..)))
                .collect(),
        );
        assert_same_at_frames(&without_scale, &again, 30);
    }

    #[test]
    fn names_that_cannot_be_told_apart_are_left_out() {
        let original = clip(vec![
            track(&[0], Interpolation::Linear, Channel::Rotation(BoneId(4), turns(1))),
            track(&[0], Interpolation::Linear, Channel::MorphWeights(InstanceId(0), vec![0.0, 0.25, 1.0])),
        ]);
        let (vmd, told) = written(&original);
        assert!(vmd.bones.is_empty() && vmd.morphs.is_empty(), "{vmd:?}");
        assert_eq!(
            told,
            [
                "bone \"左足\": another has the same name \"左足\"; this one is left out",
                "morph \"あ\": another has the same name \"あ\"; this one is left out",
            ]
        );
    }

    fn any_frames() -> impl Strategy<Value = Vec<u32>> {
        prop::collection::btree_set(0..40u32, 1..5).prop_map(|frames| frames.into_iter().collect())
    }

    fn any_interpolation(key_count: usize) -> impl Strategy<Value = Interpolation> {
        let point = prop::array::uniform2(0..=127u8);
        let curve = (point.clone(), point).prop_map(|(start, end)| VmdCurve { start, end }.to_easing());
        let easings = prop::collection::vec(prop::array::uniform3(curve), key_count);
        prop_oneof![
            Just(Interpolation::Step),
            Just(Interpolation::Linear),
            easings.prop_map(Interpolation::Eased)
        ]
    }

    prop_compose! {
        fn any_track()(frames in any_frames())(
            interpolation in any_interpolation(frames.len()),
            turns in prop::collection::vec(prop::array::uniform3(-3.0..3.0f32), frames.len()),
            bone in 0..4u32,
            kind in 0..4u8,
            frames in Just(frames),
        ) -> Track {
            let vectors = || turns.iter().map(|&turn| Vec3::from(turn));
            match kind {
                0 => track(&frames, interpolation, Channel::Translation(BoneId(bone), vectors().collect())),
                1 => {
                    let turns = vectors().map(Quat::from_scaled_axis).collect();
                    track(&frames, interpolation, Channel::Rotation(BoneId(bone), turns))
                }
                2 => {
                    let weights = turns.iter().flat_map(|&[a, b, _]| [a, b, 0.0]).collect();
                    track(&frames, interpolation, Channel::MorphWeights(InstanceId(0), weights))
                }
                _ => {
                    let states = turns.iter().map(|turn| turn[0] > 0.0).collect();
                    track(&frames, Interpolation::Step, Channel::Reach(BoneId(2), states))
                }
            }
        }
    }

    proptest! {
        #[test]
        fn any_clip_is_the_same_at_whole_frames(tracks in prop::collection::vec(any_track(), 0..6)) {
            let original = clip(tracks);
            let mut report = Report::default();
            let vmd = Vmd::from_clip(&character(), &original, &mut report);
            let again = vmd.to_clip(&character(), "", &mut report);
            assert_same_at_frames(&original, &again, 42);
        }
    }
}
