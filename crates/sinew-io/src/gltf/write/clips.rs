//! Clips as animations.

use super::{Writer, named};
use crate::Report;
use serde_json::{Value, json};
use sinew_rig::{Channel, Character, Clip, Interpolation, Track};
use std::borrow::Cow;

impl Writer {
    pub(super) fn update_clips(&mut self, original: &Character, character: &Character, report: &mut Report) {
        for (index, clip) in character.clips().iter().enumerate() {
            match original.clips().get(index) {
                Some(before) if before == clip => {}
                Some(before) if before.tracks == clip.tracks => {
                    super::set_name(&mut self.document.json["animations"][index], &clip.name);
                }
                Some(_) => {
                    let listed =
                        self.document.json["animations"][index]["channels"].as_array().map_or(0, Vec::len);
                    let played = original.clips()[index].tracks.len();
                    if listed > played {
                        let what = format!(
                            "the clip changed; {} of its channels are of unknown kinds and are left out",
                            listed - played
                        );
                        report.warn(format!("animations[{index}]"), what);
                    }
                    let animation = self.animation(character, clip, report);
                    let entry = &mut self.document.json["animations"][index];
                    for key in ["samplers", "channels", "name"] {
                        super::set_or_remove(entry, key, animation.get(key).cloned());
                    }
                }
                None if clip.tracks.is_empty() => {
                    let what = "the clip has no tracks; glTF cannot store it; left out";
                    report.warn(format!("clip {:?}", clip.name), what);
                }
                None => {
                    let animation = self.animation(character, clip, report);
                    self.push_json("animations", animation);
                }
            }
        }
        let kept = character.clips().len();
        if original.clips().len() > kept {
            self.document.list_mut("animations").truncate(kept);
            if kept == 0 {
                super::set_or_remove(&mut self.document.json, "animations", None);
            }
        }
    }

    fn animation(&mut self, character: &Character, clip: &Clip, report: &mut Report) -> Value {
        let mut samplers = Vec::new();
        let mut channels = Vec::new();
        let mut merged = 0;
        for track in clip.tracks.iter().map(Track::without_easing) {
            let key_count = track.times_secs.len();
            let track = with_times_of_file(track);
            let times: Vec<[f32; 1]> =
                track.times_secs.iter().map(|&time_secs| [time_of_file(time_secs)]).collect();
            let input = self.push_floats(&times, None, true);
            let (node, path, output) = match &track.channel {
                Channel::Translation(bone, values) => {
                    (*bone, "translation", self.push_floats(values, None, false))
                }
                Channel::Scale(bone, values) => (*bone, "scale", self.push_floats(values, None, false)),
                Channel::Rotation(bone, values) => (*bone, "rotation", self.push_floats(values, None, false)),
                // glTF has no IK goals; bake such a clip before playing it elsewhere.
                Channel::Reach(..) => continue,
                Channel::MorphWeights(instance, values) => {
                    let values: Vec<[f32; 1]> = values.iter().map(|&value| [value]).collect();
                    let bone = character.instance(*instance).bone;
                    (bone, "weights", self.push_floats(&values, None, false))
                }
            };
            let interpolation = match track.interpolation {
                Interpolation::Step => "STEP",
                Interpolation::Linear | Interpolation::Eased(_) => "LINEAR",
                Interpolation::CubicSpline => "CUBICSPLINE",
            };
            merged += key_count - track.times_secs.len();
            channels
                .push(json!({ "sampler": samplers.len(), "target": { "node": node.index(), "path": path } }));
            samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        }
        if merged > 0 {
            let what = "keys are closer to the next than 32-bit times can resolve; left out";
            report.warn(format!("clip {:?}", clip.name), format!("{merged} {what}"));
        }
        let mut animation = named(&clip.name);
        animation["samplers"] = samplers.into();
        animation["channels"] = channels.into();
        animation
    }
}

/// A time as written. Clamped to the largest f32, which is 10³¹ years.
fn time_of_file(time_secs: f64) -> f32 {
    (time_secs as f32).min(f32::MAX)
}

/// The track without keys that round to the time of the next. Its interpolation is one that glTF has.
fn with_times_of_file(track: Cow<'_, Track>) -> Cow<'_, Track> {
    let times_secs = &track.times_secs;
    let is_apart = |key: &usize| match times_secs.get(key + 1) {
        Some(&next) => time_of_file(times_secs[*key]) != time_of_file(next),
        None => true,
    };
    let kept: Vec<usize> = (0..times_secs.len()).filter(is_apart).collect();
    if kept.len() == times_secs.len() {
        return track;
    }
    let channel = match &track.channel {
        Channel::Translation(bone, values) => Channel::Translation(*bone, of_keys(&kept, &track, values)),
        Channel::Scale(bone, values) => Channel::Scale(*bone, of_keys(&kept, &track, values)),
        Channel::Rotation(bone, values) => Channel::Rotation(*bone, of_keys(&kept, &track, values)),
        Channel::MorphWeights(instance, values) => {
            Channel::MorphWeights(*instance, of_keys(&kept, &track, values))
        }
        Channel::Reach(bone, values) => Channel::Reach(*bone, of_keys(&kept, &track, values)),
    };
    Cow::Owned(Track {
        times_secs: kept.iter().map(|&key| times_secs[key]).collect(),
        interpolation: track.interpolation.clone(),
        channel,
    })
}

/// The values of some of a track's keys.
fn of_keys<T: Copy>(keys: &[usize], track: &Track, values: &[T]) -> Vec<T> {
    let per_key = values.len() / track.times_secs.len();
    keys.iter().flat_map(|key| &values[key * per_key..][..per_key]).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gltf::GltfDocument;
    use glam::Vec3;
    use sinew_rig::{BoneId, samples};

    /// What is read of a clip of one track, and what writing told.
    fn written(track: Track) -> (Track, Vec<String>) {
        let mut parts = samples::limb(4, 4).into_parts();
        parts.clips = vec![Clip { name: "late".into(), tracks: vec![track] }];
        let character = Character::new(parts).expect("the track is right");
        let mut report = Report::default();
        let document = GltfDocument::from_character(&character, &mut report);
        let again = document.to_character(&mut Report::default()).expect("it was just written");
        let told = report.warnings().iter().map(ToString::to_string).collect();
        (again.clips()[0].tracks[0].clone(), told)
    }

    #[test]
    fn keys_that_times_of_32_bits_cannot_tell_apart_are_left_out() {
        // Above 2¹⁷ s such times are 1/64 s apart.
        let start_secs = f64::from(1 << 17);
        let times_secs: Vec<f64> = (0..4).map(|key| start_secs + f64::from(key) / 128.0).collect();
        let splines = (0..12).map(|value| Vec3::splat(value as f32)).collect();
        let (track, told) = written(Track {
            times_secs,
            interpolation: Interpolation::CubicSpline,
            channel: Channel::Translation(BoneId(0), splines),
        });
        // 0.5 and 1.5 of a step are rounded to the even step: 0 and 2.
        assert_eq!(track.times_secs, [start_secs, start_secs + 1.0 / 64.0, start_secs + 2.0 / 64.0]);
        let kept = [3, 4, 5, 6, 7, 8, 9, 10, 11].map(|value| Vec3::splat(value as f32)).to_vec();
        assert_eq!(track.channel, Channel::Translation(BoneId(0), kept));
        let what = "1 keys are closer to the next than 32-bit times can resolve; left out";
        assert_eq!(told, [format!("clip \"late\": {what}")]);
    }

    #[test]
    fn times_are_rounded_and_stay_finite() {
        let (track, told) = written(Track {
            times_secs: vec![0.1, 1e300],
            interpolation: Interpolation::Linear,
            channel: Channel::Scale(BoneId(0), vec![Vec3::ONE; 2]),
        });
        assert_eq!(track.times_secs, [f64::from(0.1f32), f64::from(f32::MAX)]);
        assert!(told.is_empty(), "{told:?}");
    }
}
