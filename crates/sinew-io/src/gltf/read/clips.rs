//! Animations.

use super::Reader;
use crate::gltf::Result;
use crate::gltf::accessor::Accessor;
use crate::gltf::json::Cursor;
use glam::{Quat, Vec3};
use sinew_rig::{Bone, BoneId, Channel, Clip, Instance, InstanceId, Interpolation, LocalTransform, Track};

impl Reader<'_> {
    pub(super) fn clips(&mut self, bones: &[Bone], instances: &[Instance]) -> Result<Vec<Clip>> {
        let mut clips = Vec::new();
        for animation in self.document.root().objects("animations")? {
            let samplers = animation.objects("samplers")?;
            let mut tracks = Vec::new();
            for channel in animation.objects("channels")? {
                tracks.extend(self.track(&channel, &samplers, bones, instances)?);
            }
            clips.push(Clip { name: animation.name(), tracks });
        }
        Ok(clips)
    }

    /// The track of one channel; `None` if it cannot be played, which is reported.
    fn track(
        &mut self,
        channel: &Cursor<'_>,
        samplers: &[Cursor<'_>],
        bones: &[Bone],
        instances: &[Instance],
    ) -> Result<Option<Track>> {
        let target = channel.require("target")?;
        let path = target.text("path").unwrap_or_default();
        let Some(node) = target.index("node", bones.len())? else {
            self.report
                .warn(&target.place, format!("{path:?} has no target node; it is kept but not played"));
            return Ok(None);
        };
        let sampler = &samplers[channel.require("sampler")?.as_index(samplers.len())?];
        let interpolation = match sampler.text("interpolation") {
            None | Some("LINEAR") => Interpolation::Linear,
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::CubicSpline,
            Some(_) => return Err(sampler.require("interpolation")?.wrong("LINEAR, STEP or CUBICSPLINE")),
        };
        let input = Accessor::open(self.document, &sampler.require("input")?, &mut self.budget)?;
        input.expect_components(&[1], "animation times")?;
        let times = input.floats::<1>([0.0], &mut self.budget)?;
        let times_secs = times.into_iter().map(|[time]| f64::from(time)).collect();
        let output = Accessor::open(self.document, &sampler.require("output")?, &mut self.budget)?;
        let bone = BoneId::of(node);
        let is_matrix = matches!(bones[node].rest, LocalTransform::Matrix(_));
        if is_matrix && path != "weights" {
            self.report
                .warn(&target.place, "its node has a sheared matrix; the shear is lost while it plays");
        }
        let channel = match path {
            "translation" => Channel::Translation(bone, self.vectors_of(&output, path)?),
            "scale" => Channel::Scale(bone, self.vectors_of(&output, path)?),
            "rotation" => Channel::Rotation(bone, self.rotations_of(&output, &interpolation)?),
            "weights" => {
                let Some(instance) = instances.iter().position(|instance| instance.bone == bone) else {
                    let what = "its node has morphs but no mesh in this scene; it is not played";
                    self.report.warn(&target.place, what);
                    return Ok(None);
                };
                output.expect_components(&[1], "morph weights")?;
                let values = output.floats::<1>([0.0], &mut self.budget)?.into_flattened();
                Channel::MorphWeights(InstanceId::of(instance), values)
            }
            _ => {
                self.report.warn(&target.place, format!("unknown path {path:?}; it is kept but not played"));
                return Ok(None);
            }
        };
        let track = Track { times_secs, interpolation, channel };
        Ok(self.playable(track, sampler, instances))
    }

    fn vectors_of(&mut self, output: &Accessor<'_>, user: &str) -> Result<Vec<Vec3>> {
        output.expect_components(&[3], user)?;
        Ok(output.floats::<3>([0.0; 3], &mut self.budget)?.into_iter().map(Vec3::from).collect())
    }

    fn rotations_of(&mut self, output: &Accessor<'_>, interpolation: &Interpolation) -> Result<Vec<Quat>> {
        output.expect_components(&[4], "rotation")?;
        let values = output.floats::<4>([0.0; 4], &mut self.budget)?;
        if *interpolation == Interpolation::CubicSpline {
            // Tangents are not rotations, and splines are normalized when sampled.
            return Ok(values.into_iter().map(Quat::from_array).collect());
        }
        let place = output.place.clone();
        let rotations = values.into_iter().map(|value| match value.iter().all(|x| x.is_finite()) {
            true => self.unit_rotation(value, &place),
            false => Quat::from_array(value),
        });
        Ok(rotations.collect())
    }

    /// The track, unless its times or values are invalid; that is reported.
    fn playable(&mut self, track: Track, sampler: &Cursor<'_>, instances: &[Instance]) -> Option<Track> {
        let width = match &track.channel {
            Channel::MorphWeights(instance, _) => instances[instance.index()].morph_weights.len(),
            _ => 1,
        };
        let per_key = if track.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let expected = track.times_secs.len() * per_key * width;
        let found = track.channel.value_count();
        let is_ascending = track.times_secs.is_sorted_by(|a, b| a < b);
        let are_times_good = track.times_secs.iter().all(|time| time.is_finite() && *time >= 0.0);
        let what = if track.times_secs.is_empty() {
            "it has no keys".to_owned()
        } else if !are_times_good || !is_ascending {
            "its times are negative, not finite or not ascending".to_owned()
        } else if found != expected {
            format!("it has {found} values, but its {} keys need {expected}", track.times_secs.len())
        } else if !track.channel.is_finite() {
            "it has values that are not finite".to_owned()
        } else {
            return Some(track);
        };
        self.report.warn(&sampler.place, format!("{what}; it is kept but not played"));
        None
    }
}
