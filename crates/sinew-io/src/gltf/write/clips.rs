//! Clips as animations.

use super::encode::Target;
use super::{Writer, named};
use crate::Report;
use serde_json::{Value, json};
use sinew_rig::{Channel, Character, Clip, Interpolation, Track};

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
                            "it was changed; {} of its channels were not understood and are left out",
                            listed - played
                        );
                        report.warn(format!("animations[{index}]"), what);
                    }
                    let animation = self.animation(character, clip);
                    let entry = &mut self.document.json["animations"][index];
                    for key in ["samplers", "channels", "name"] {
                        super::set_or_remove(entry, key, animation.get(key).cloned());
                    }
                }
                None if clip.tracks.is_empty() => {
                    report.warn(
                        format!("clip {:?}", clip.name),
                        "it has no track; glTF cannot hold it, it is left out",
                    );
                }
                None => {
                    let animation = self.animation(character, clip);
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

    fn animation(&mut self, character: &Character, clip: &Clip) -> Value {
        let mut samplers = Vec::new();
        let mut channels = Vec::new();
        for track in clip.tracks.iter().map(Track::without_easing) {
            let times: Vec<[f32; 1]> = track.times_secs.iter().map(|&time| [time]).collect();
            let input = self.push_floats(&times, Target::None, true);
            let (node, path, output) = match &track.channel {
                Channel::Translation(bone, values) => (*bone, "translation", self.push_vectors(values)),
                Channel::Scale(bone, values) => (*bone, "scale", self.push_vectors(values)),
                Channel::Rotation(bone, values) => {
                    let values: Vec<[f32; 4]> = values.iter().map(|value| value.to_array()).collect();
                    (*bone, "rotation", self.push_floats(&values, Target::None, false))
                }
                // glTF has no goals to reach for; who plays such a clip elsewhere bakes it first.
                Channel::Reach(..) => continue,
                Channel::MorphWeights(instance, values) => {
                    let values: Vec<[f32; 1]> = values.iter().map(|&value| [value]).collect();
                    (
                        character.instance(*instance).bone,
                        "weights",
                        self.push_floats(&values, Target::None, false),
                    )
                }
            };
            let interpolation = match track.interpolation {
                Interpolation::Step => "STEP",
                Interpolation::Linear | Interpolation::Eased(_) => "LINEAR",
                Interpolation::CubicSpline => "CUBICSPLINE",
            };
            channels
                .push(json!({ "sampler": samplers.len(), "target": { "node": node.index(), "path": path } }));
            samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        }
        let mut animation = named(&clip.name);
        animation["samplers"] = samplers.into();
        animation["channels"] = channels.into();
        animation
    }

    fn push_vectors(&mut self, values: &[glam::Vec3]) -> usize {
        let values: Vec<[f32; 3]> = values.iter().map(|value| value.to_array()).collect();
        self.push_floats(&values, Target::None, false)
    }
}
