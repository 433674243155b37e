//! Motions over others.

use super::joints::{JointFrame, Reader};
use super::{Layer, SequenceError, is_lower};
use crate::curve::smoothstep;
use crate::humanoid::Humanoid;
use sinew_rig::{BoneId, Character, HumanoidBone};

/// A layer with the human bones that it moves.
pub(super) struct Cover<'a, 'b> {
    layer: &'b Layer<'a>,
    bones: Vec<HumanoidBone>,
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
