//! From a VMD file to a clip of a character.

use super::curves::is_straight;
use super::timeline::{FRAMES_PER_SECOND, secs_of_frame, sort_last_wins};
use super::{PhysicsSwitch, ShiftOrTurn, Vmd, VmdBoneKey};
use crate::names::{MissingNames, NameKey, NamedParts};
use crate::rest_axes::RestAxes;
use crate::space::{point_from_mmd, unit_turn};
use glam::{Quat, Vec3};
use sinew_io::Report;
use sinew_rig::{BoneId, Channel, Character, Clip, Easing, InstanceId, Interpolation, MeshId, Track};
use std::collections::BTreeMap;

/// Maximum morph weights of a track, 256 MB: an hour of 600 morphs at 30 fps. A file of a few MB could ask for more memory than any
/// machine has.
const MOST_WEIGHTS: usize = 1 << 26;

impl Vmd {
    /// The motion of the bones, morphs and chains of `character` named in this file, compared by their first 15 bytes.
    ///
    /// Translations and rotations are relative to rest, along the model's axes, as in MMD: bones with a rest rotation move as in the PMX
    /// file of the same character. Reports what a clip cannot store: unknown names, cameras, lights, shadows.
    pub fn to_clip(&self, character: &Character, name: &str, report: &mut Report) -> Clip {
        let parts = &NamedParts::of(character, NameKey::of_text);
        let mut reading = Reading { character, parts, report, not_finite: 0 };
        let mut tracks = self.bone_tracks(&mut reading);
        tracks.extend(self.morph_tracks(&mut reading));
        tracks.extend(self.reach_tracks(&mut reading));
        let not_finite = reading.not_finite;
        if not_finite > 0 {
            report.warn("", format_args!("{not_finite} values of keys are not finite; using 0"));
        }
        self.report_left_out(report);
        Clip { name: name.to_owned(), tracks }
    }

    fn bone_tracks(&self, reading: &mut Reading<'_>) -> Vec<Track> {
        let mut missing = MissingNames::new("bones");
        let mut keys_of_bones: BTreeMap<BoneId, Vec<&VmdBoneKey>> = BTreeMap::new();
        for key in &self.bones {
            if let Some(bone) = missing.or_found(&key.name, |name| reading.parts.bone(name)) {
                keys_of_bones.entry(bone).or_default().push(key);
            }
        }
        missing.report(reading.report);
        let axes = RestAxes::of(reading.character);
        let tracks = keys_of_bones.into_iter().flat_map(|(bone, mut keys)| {
            sort_last_wins(&mut keys, |key| key.frame);
            tracks_of_bone(&axes[bone.index()], bone, &keys, reading)
        });
        tracks.collect()
    }

    fn morph_tracks(&self, reading: &mut Reading<'_>) -> Vec<Track> {
        let mut missing = MissingNames::new("morphs");
        let mut keys_of_names: BTreeMap<NameKey, Vec<(u32, f32)>> = BTreeMap::new();
        for key in &self.morphs {
            let keys = keys_of_names.entry(NameKey::of_field(&key.name)).or_default();
            if keys.is_empty() && reading.parts.morphs(NameKey::of_field(&key.name)).is_empty() {
                missing.add(|| key.name.decode());
            }
            keys.push((key.frame, reading.finite(key.weight)));
        }
        missing.report(reading.report);
        let mut keys_of_morphs: BTreeMap<MeshId, BTreeMap<usize, Vec<(u32, f32)>>> = BTreeMap::new();
        for (name, mut keys) in keys_of_names {
            sort_last_wins(&mut keys, |key| key.0);
            for &(mesh, morph) in reading.parts.morphs(name) {
                keys_of_morphs.entry(mesh).or_default().insert(morph, keys.clone());
            }
        }
        let instances = reading.character.instances().iter().enumerate().filter_map(|(index, instance)| {
            let keys = keys_of_morphs.get(&instance.mesh)?;
            let mut frames: Vec<u32> = keys.values().flatten().map(|key| key.0).collect();
            frames.sort_unstable();
            frames.dedup();
            let (times, morphs) = (frames.len(), instance.morph_weights.len());
            if times.saturating_mul(morphs) > MOST_WEIGHTS {
                let what = "exceed the maximum; left out";
                reading.report.warn("", format!("morph keys at {times} times for {morphs} morphs {what}"));
                return None;
            }
            let weights = weights_over_time(&instance.morph_weights, keys, &frames);
            Some(Track {
                times_secs: frames.iter().map(|&frame| secs_of_frame(frame)).collect(),
                interpolation: Interpolation::Linear,
                channel: Channel::MorphWeights(InstanceId::of(index), weights),
            })
        });
        instances.collect()
    }

    fn reach_tracks(&self, reading: &mut Reading<'_>) -> Vec<Track> {
        let mut missing = MissingNames::new("bones with IK switches");
        let mut keys_of_bones: BTreeMap<BoneId, Vec<(u32, bool)>> = BTreeMap::new();
        for key in &self.properties {
            for switch in &key.switches {
                if let Some(bone) = missing.or_found(&switch.name, |name| reading.parts.reaching_bone(name)) {
                    keys_of_bones.entry(bone).or_default().push((key.frame, switch.enabled != 0));
                }
            }
        }
        missing.report(reading.report);
        let tracks = keys_of_bones.into_iter().map(|(bone, mut keys)| {
            sort_last_wins(&mut keys, |key| key.0);
            Track {
                times_secs: keys.iter().map(|key| secs_of_frame(key.0)).collect(),
                interpolation: Interpolation::Step,
                channel: Channel::Reach(bone, keys.iter().map(|key| key.1).collect()),
            }
        });
        tracks.collect()
    }

    /// Reports data of this file that a clip cannot store.
    fn report_left_out(&self, report: &mut Report) {
        let lists =
            [("camera", self.cameras.len()), ("light", self.lights.len()), ("shadow", self.shadows.len())];
        for (what, count) in lists.into_iter().filter(|&(_, count)| count > 0) {
            report.warn("", format!("{count} keys of the {what} are left out; a clip cannot store them"));
        }
        let hidden = self.properties.iter().filter(|key| key.visible == 0).count();
        if hidden > 0 {
            report.warn("", format_args!("{hidden} keys hide the model; a clip cannot store that"));
        }
        let still = self.bones.iter().filter(|key| key.curves.physics() == PhysicsSwitch::Off).count();
        if still > 0 {
            report.warn("", format_args!("{still} bone keys switch physics off; a clip cannot store that"));
        }
    }
}

/// What the tracks are made for, and the values that were repaired.
struct Reading<'a> {
    character: &'a Character,
    parts: &'a NamedParts<NameKey>,
    report: &'a mut Report,
    not_finite: usize,
}

impl Reading<'_> {
    /// The value, or 0 for one that is not finite.
    fn finite(&mut self, value: f32) -> f32 {
        self.not_finite += usize::from(!value.is_finite());
        if value.is_finite() { value } else { 0.0 }
    }
}

/// The tracks of one bone; its keys must ascend.
fn tracks_of_bone(axes: &RestAxes, bone: BoneId, keys: &[&VmdBoneKey], read: &mut Reading<'_>) -> Vec<Track> {
    let times_secs: Vec<f64> = keys.iter().map(|key| secs_of_frame(key.frame)).collect();
    let shifts: Vec<Vec3> =
        keys.iter().map(|key| point_from_mmd(key.shift.map(|value| read.finite(value)))).collect();
    let turns: Vec<Quat> =
        keys.iter().map(|key| unit_turn(key.rotation.map(|value| read.finite(value)))).collect();
    let mut tracks = Vec::with_capacity(2);
    if shifts.iter().any(|&shift| shift != Vec3::ZERO) {
        let channels = [ShiftOrTurn::X, ShiftOrTurn::Y, ShiftOrTurn::Z];
        let in_model = Track {
            times_secs: times_secs.clone(),
            interpolation: interpolation(keys, channels),
            channel: Channel::Translation(bone, shifts),
        };
        tracks.push(in_parent(in_model, axes));
    }
    tracks.push(Track {
        times_secs,
        interpolation: interpolation(keys, [ShiftOrTurn::Turn; 3]),
        channel: Channel::Rotation(bone, turns.iter().map(|&turn| axes.rotation(turn)).collect()),
    });
    tracks
}

/// Converts translations along the model's axes to translations in the parent. If the axes differ, curves that differ between x, y
/// and z become lines between whole frames.
fn in_parent(mut track: Track, axes: &RestAxes) -> Track {
    let is_uneven = |easings: &[Easing; 3]| *easings != [easings[0]; 3];
    let must_sample = match &track.interpolation {
        Interpolation::Eased(easings) => !axes.is_parent_aligned() && easings.iter().skip(1).any(is_uneven),
        _ => false,
    };
    if must_sample {
        track = sampled(&track);
    }
    if let Channel::Translation(_, values) = &mut track.channel {
        values.iter_mut().for_each(|value| *value = axes.translation(*value));
    }
    track
}

/// Maximum sampled frames of a track: 72 minutes. Bounds memory: ten keys can last years.
const MOST_SAMPLES: u32 = 1 << 17;

/// Translations as lines between whole frames, at fewer frames if there are too many.
fn sampled(track: &Track) -> Track {
    let frame_of = |time: Option<&f64>| time.map_or(0, |&time| (time * FRAMES_PER_SECOND).round() as u32);
    let (first, last) = (frame_of(track.times_secs.first()), frame_of(track.times_secs.last()));
    let step = (last - first) / MOST_SAMPLES + 1;
    let inside = (first..last).step_by(step as usize).skip(1).map(secs_of_frame);
    let mut times_secs: Vec<f64> = inside.chain(track.times_secs.iter().copied()).collect();
    times_secs.sort_by(f64::total_cmp);
    times_secs.dedup();
    let values = times_secs.iter().map(|&time| track.vector_at(time).unwrap_or_default()).collect();
    let Channel::Translation(bone, _) = track.channel else { return track.clone() };
    Track { times_secs, interpolation: Interpolation::Linear, channel: Channel::Translation(bone, values) }
}

/// The curves of the keys; linear if all are straight, which every writer supports.
fn interpolation(keys: &[&VmdBoneKey], channels: [ShiftOrTurn; 3]) -> Interpolation {
    let curves = |key: &&VmdBoneKey| channels.map(|channel| key.curves.curve(channel).to_easing());
    let easings: Vec<[Easing; 3]> = keys.iter().map(curves).collect();
    // The first key's curves are not used.
    let is_linear = easings.iter().skip(1).flatten().all(is_straight);
    if is_linear { Interpolation::Linear } else { Interpolation::Eased(easings) }
}

/// All weights of an instance at all frames; morphs without keys stay at rest.
fn weights_over_time(
    rest_weights: &[f32],
    keys_of_morphs: &BTreeMap<usize, Vec<(u32, f32)>>,
    frames: &[u32],
) -> Vec<f32> {
    let mut weights = rest_weights.repeat(frames.len());
    for (&morph, keys) in keys_of_morphs {
        let mut next = 0;
        for (row, &frame) in weights.chunks_exact_mut(rest_weights.len()).zip(frames) {
            while keys.get(next).is_some_and(|key| key.0 < frame) {
                next += 1;
            }
            row[morph] = match (next.checked_sub(1).map(|before| keys[before]), keys.get(next)) {
                (Some(from), Some(&to)) => weight_between(from, to, frame),
                (Some(held), None) => held.1,
                (None, Some(held)) => held.1,
                (None, None) => row[morph],
            };
        }
    }
    weights
}

fn weight_between(from: (u32, f32), to: (u32, f32), frame: u32) -> f32 {
    if frame == to.0 {
        return to.1;
    }
    let share = f64::from(frame - from.0) / f64::from(to.0 - from.0);
    // In 64 bits the difference of two extremes is still finite.
    let (start, end) = (f64::from(from.1), f64::from(to.1));
    (start + (end - start) * share) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FixedText;
    use crate::sample::{LONG_NAME, character};
    use crate::vmd::{BoneCurves, VmdCurve, VmdMorphKey, VmdPropertyKey, VmdReachSwitch};
    use sinew_rig::Pose;

    /// Curves are solved for time to about this share of a key's change.
    const CURVE_TOLERANCE: f32 = 1e-4;

    const S_CURVE: VmdCurve = VmdCurve { start: [63, 0], end: [64, 127] };

    fn bone(name: &str, frame: u32, shift: [f32; 3], rotation: [f32; 4]) -> VmdBoneKey {
        VmdBoneKey {
            name: NameKey::of_text(name).to_field(),
            frame,
            shift,
            rotation,
            curves: BoneCurves::default(),
        }
    }

    fn morph(name: &str, frame: u32, weight: f32) -> VmdMorphKey {
        VmdMorphKey { name: FixedText::encode(name).0, frame, weight }
    }

    fn clip_of(vmd: &Vmd) -> (Clip, Vec<String>) {
        let (character, mut report) = (character(), Report::default());
        let clip = vmd.to_clip(&character, "motion", &mut report);
        let mut parts = character.into_parts();
        parts.clips.push(clip.clone());
        Character::new(parts).expect("the clip is right");
        (clip, report.warnings().iter().map(ToString::to_string).collect())
    }

    #[test]
    fn keys_become_tracks_in_order_and_in_our_space() {
        let half_turn_x = [1.0, 0.0, 0.0, 0.0];
        let mut vmd = Vmd {
            bones: vec![
                bone("センター", 30, [1.0, 2.0, 3.0], [0.0, 0.0, 0.0, 2.0]),
                bone("左足", 0, [0.0; 3], half_turn_x),
                bone("センター", 0, [0.0; 3], [0.0; 4]),
                bone("センター", 30, [0.0, 0.0, 10.0], [0.0, 0.6, 0.0, 0.8]),
            ],
            ..Vmd::default()
        };
        vmd.bones[3].curves =
            BoneCurves::from_curves([VmdCurve::LINEAR, VmdCurve::LINEAR, S_CURVE, VmdCurve::LINEAR]);
        let (clip, told) = clip_of(&vmd);
        assert!(told.is_empty(), "{told:?}");
        assert_eq!((clip.name.as_str(), clip.tracks.len()), ("motion", 3));
        let [shift, turn, leg] = &clip.tracks[..] else { panic!("there are three") };
        assert_eq!(shift.times_secs, [0.0, 1.0]);
        let rest = Vec3::new(0.0, 0.64, 0.0);
        let moved = vec![rest, rest + Vec3::new(0.0, 0.0, -10.0) * 0.08];
        assert_eq!(shift.channel, Channel::Translation(BoneId(0), moved));
        let Interpolation::Eased(easings) = &shift.interpolation else { panic!("z has a curve") };
        assert_eq!(easings[1].map(|easing| easing == S_CURVE.to_easing()), [false, false, true]);
        assert_eq!(turn.interpolation, Interpolation::Linear);
        let turned = vec![Quat::IDENTITY, Quat::from_xyzw(0.0, -0.6, 0.0, 0.8)];
        assert_eq!(turn.channel, Channel::Rotation(BoneId(0), turned));
        // The first bone of the name, and no track for shifts that are all zero.
        let turned = vec![Quat::from_xyzw(-1.0, 0.0, 0.0, 0.0)];
        assert_eq!(leg.channel, Channel::Rotation(BoneId(1), turned));
    }

    #[test]
    fn a_curve_leads_to_its_key() {
        let mut vmd = Vmd {
            bones: vec![
                bone("センター", 0, [0.0; 3], [0.0; 4]),
                bone("センター", 30, [100.0, 0.0, 0.0], [0.0; 4]),
            ],
            ..Vmd::default()
        };
        vmd.bones[1].curves = BoneCurves::from_curves([S_CURVE; 4]);
        let character = character();
        let clip = vmd.to_clip(&character, "", &mut Report::default());
        let mut pose = Pose::rest(&character);
        for (time_secs, expected) in
            [(0.5, 4.0), (0.25, 0.08 * 100.0 * S_CURVE.to_easing().share(0.25) as f32)]
        {
            pose.set_clip(&character, &clip, time_secs);
            let x = pose.parent_from_bone()[0].translation.x;
            assert!((x - expected).abs() < CURVE_TOLERANCE, "{x} for {expected}");
        }
    }

    #[test]
    fn names_are_compared_by_fifteen_bytes_and_missing_ones_told_once() {
        let names = [LONG_NAME, "首", "首", "左足先"];
        let vmd = Vmd {
            bones: names.iter().map(|name| bone(name, 0, [0.0; 3], [0.0; 4])).collect(),
            morphs: vec![morph("い", 0, 1.0)],
            ..Vmd::default()
        };
        let (clip, told) = clip_of(&vmd);
        assert_eq!(clip.tracks.len(), 1);
        assert_eq!(clip.tracks[0].channel, Channel::Rotation(BoneId(3), vec![Quat::IDENTITY]));
        assert_eq!(
            told,
            [
                "2 bones do not exist in the character and are left out: 首, 左足先",
                "1 morphs do not exist in the character and are left out: い",
            ]
        );
    }

    #[test]
    fn morphs_share_one_track_with_all_their_times() {
        let vmd = Vmd {
            morphs: vec![
                morph("まばたき", 10, 1.0),
                morph("あ", 20, 1.0),
                morph("あ", 0, 0.0),
                morph("あ", 0, 0.5),
            ],
            ..Vmd::default()
        };
        let (clip, told) = clip_of(&vmd);
        assert!(told.is_empty(), "{told:?}");
        let [track] = &clip.tracks[..] else { panic!("{:?}", clip.tracks) };
        assert_eq!(track.times_secs, [0.0, 10.0 / 30.0, 20.0 / 30.0]);
        let rows = vec![0.5, 1.0, 0.0, 0.75, 1.0, 0.0, 1.0, 1.0, 0.0];
        assert_eq!(track.channel, Channel::MorphWeights(InstanceId(0), rows));
    }

    #[test]
    fn switches_become_steps() {
        let switch = |name: &str, enabled| VmdReachSwitch { name: FixedText::encode(name).0, enabled };
        let key = |frame, enabled| VmdPropertyKey {
            frame,
            visible: 0,
            switches: vec![switch("左足ＩＫ", enabled), switch("左足", enabled)],
        };
        let (clip, told) = clip_of(&Vmd { properties: vec![key(30, 0), key(0, 1)], ..Vmd::default() });
        let [track] = &clip.tracks[..] else { panic!("{:?}", clip.tracks) };
        assert_eq!((&track.times_secs[..], &track.interpolation), (&[0.0, 1.0][..], &Interpolation::Step));
        assert_eq!(track.channel, Channel::Reach(BoneId(2), vec![true, false]));
        assert_eq!(
            told,
            [
                "1 bones with IK switches do not exist in the character and are left out: 左足",
                "2 keys hide the model; a clip cannot store that",
            ]
        );
    }

    #[test]
    fn late_and_broken_keys_are_put_right() {
        let late = u32::MAX - 3;
        let mut bones: Vec<_> =
            (0..4).map(|more| bone("センター", late + more, [more as f32; 3], [0.0; 4])).collect();
        bones[3].rotation = [f32::NAN, 0.0, 0.0, 3e38];
        bones[3].shift[0] = f32::INFINITY;
        let morphs = vec![morph("あ", 0, 3e38), morph("まばたき", 7, f32::NAN), morph("あ", late, -3e38)];
        let (clip, told) = clip_of(&Vmd { bones, morphs, ..Vmd::default() });
        assert_eq!(clip.tracks.iter().map(|track| track.times_secs.len()).collect::<Vec<_>>(), [4, 4, 3]);
        assert_eq!(told.len(), 1, "{told:?}");
    }
}
