//! Motions over others.

use super::joints::{JointFrame, Reader};
use super::{Layer, SequenceError, is_lower};
use crate::curve::smoothstep;
use crate::humanoid::Humanoid;
use sinew_rig::{BoneId, Character, HumanoidBone, HumanoidMap};

/// A layer with the human bones that it moves.
pub(super) struct Cover<'a, 'b> {
    layer: &'b Layer<'a>,
    bones: Vec<HumanoidBone>,
}

/// The bones of a mask: `upper body`, `arms`, `left arm`, `right arm`, `head`, or bones by name with all below them.
///
/// # Errors
/// If a name is unknown.
pub fn mask(
    character: &Character,
    map: &HumanoidMap,
    names: &[String],
) -> Result<Vec<BoneId>, SequenceError> {
    use HumanoidBone::{Head, LeftShoulder, LeftUpperArm, Neck, RightShoulder, RightUpperArm, Spine};
    let skeleton = character.skeleton();
    let mut bones: Vec<BoneId> = Vec::new();
    for name in names {
        let human: &[HumanoidBone] = match name.as_str() {
            "upper body" => &[Spine],
            "arms" => &[LeftShoulder, LeftUpperArm, RightShoulder, RightUpperArm],
            "left arm" => &[LeftShoulder, LeftUpperArm],
            "right arm" => &[RightShoulder, RightUpperArm],
            "head" => &[Neck, Head],
            _ => &[],
        };
        let mut tops: Vec<BoneId> = human.iter().filter_map(|&bone| map.get(bone)).collect();
        if human.is_empty() {
            let own = skeleton.find(name).ok();
            tops.extend(own.or_else(|| HumanoidBone::from_name(name).and_then(|bone| map.get(bone))));
        }
        if tops.is_empty() {
            return Err(SequenceError::UnknownMask { name: name.clone() });
        }
        let below = |bone: &&BoneId| skeleton.upwards(**bone).any(|above| tops.contains(&above));
        bones.extend(skeleton.parents_first().iter().filter(below));
    }
    bones.sort_unstable();
    bones.dedup();
    Ok(bones)
}

/// The human bones of all layers.
pub(super) fn covers<'a, 'b>(
    character: &Character,
    humanoid: &Humanoid,
    layers: &'b [Layer<'a>],
) -> Result<Vec<Cover<'a, 'b>>, SequenceError> {
    let map = humanoid.map();
    let cover = |layer: &'b Layer<'a>| {
        let human = |bone: BoneId| map.humanoid_bone(bone);
        let lower = layer.bones.iter().find(|&&bone| human(bone).is_some_and(is_lower));
        if let Some(&bone) = lower {
            let bone = character.skeleton().bone(bone).name.clone();
            return Err(SequenceError::LayerBone { bone });
        }
        let bones: Vec<HumanoidBone> =
            layer.moved().into_iter().filter_map(human).filter(|&bone| !is_lower(bone)).collect();
        Ok(Cover { layer, bones })
    };
    layers.iter().map(cover).collect()
}

impl Layer<'_> {
    /// The bones it moves.
    pub(super) fn moved(&self) -> Vec<BoneId> {
        if self.bones.is_empty() {
            return self.clip.tracks.iter().filter_map(|track| track.channel.bone()).collect();
        }
        self.bones.clone()
    }

    /// How much of it shows at a time, 0 to 1.
    pub(super) fn share(&self, t: f64) -> f64 {
        let length = (self.clip.duration_secs() - self.from_secs).max(0.0) / self.speed;
        let end = match (self.end_secs, self.is_repeating) {
            (Some(end), _) => end,
            (None, true) => f64::INFINITY,
            (None, false) => self.start_secs + length,
        };
        let fade = self.fade_secs.max(1e-6).min(0.5 * (end - self.start_secs).max(1e-6));
        smoothstep((t - self.start_secs) / fade) * smoothstep((end - t) / fade)
    }

    pub(super) fn clip_time(&self, t: f64) -> f64 {
        let time = self.from_secs + (t - self.start_secs).max(0.0) * self.speed;
        let duration = self.clip.duration_secs();
        if self.is_repeating && duration > 0.0 { time.rem_euclid(duration) } else { time.min(duration) }
    }
}

impl Cover<'_, '_> {
    /// Puts the layer over a frame.
    pub(super) fn apply(&self, reader: &mut Reader<'_>, t: f64, frame: &mut JointFrame) {
        let share = self.layer.share(t);
        if share <= 0.0 {
            return;
        }
        let over = reader.frame(self.layer.clip, self.layer.clip_time(t));
        for bone in &self.bones {
            let place = bone.index();
            if let (Some(below), Some(above)) = (frame.locals[place], over.locals[place]) {
                frame.locals[place] = Some(below.slerp(above, share));
            }
        }
    }
}
