//! A pose of a human as rotations from neutral, and its conversion for one character.

use super::Humanoid;
use glam::{DQuat, DVec3};
use sinew_rig::{BoneId, HumanoidBone};

/// A pose of any human.
#[derive(Clone, Debug, PartialEq)]
pub struct HumanoidPose {
    /// The middle between both hip joints, m, canonical axes, ground at 0.
    pub pelvis: DVec3,
    /// The whole rotation of each bone from neutral pose, canonical axes, by [`HumanoidBone::index`]; bones without one keep their rest pose
    /// relative to the bone that carries them.
    pub turns: Vec<Option<DQuat>>,
}

impl HumanoidPose {
    /// The neutral pose.
    pub fn neutral(pelvis: DVec3) -> Self {
        Self { pelvis, turns: vec![None; HumanoidBone::COUNT] }
    }

    /// Sets a bone's rotation from neutral.
    pub fn set(&mut self, bone: HumanoidBone, turn: DQuat) {
        self.turns[bone.index()] = Some(turn);
    }
}

/// A pose of one character: local transforms of its bones.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LocalPose {
    /// Translation of the hips in their parent.
    pub(crate) hips: DVec3,
    /// Turns of bones in their parents.
    pub(crate) rotations: Vec<(BoneId, DQuat)>,
}

impl Humanoid {
    /// The pose for this character. Missing bones are left out.
    pub(crate) fn local_pose(&self, pose: &HumanoidPose) -> LocalPose {
        let mut turned: Vec<Option<DQuat>> = vec![None; HumanoidBone::COUNT];
        let mut rotations = Vec::new();
        for &bone in HumanoidBone::ALL {
            let Some(rest) = self.bone(bone) else { continue };
            let carried = rest.carrier.and_then(|carrier| {
                let carrier_rest = self.bone(carrier)?;
                let turn = turned[carrier.index()]?;
                Some(turn * carrier_rest.rest.inverse())
            });
            let model_from_parent = carried.unwrap_or(DQuat::IDENTITY) * rest.parent_rest;
            let as_carried = carried.unwrap_or(DQuat::IDENTITY) * rest.rest;
            let whole = pose.turns[bone.index()].map_or(as_carried, |turn| turn * rest.neutral);
            turned[bone.index()] = Some(whole);
            if pose.turns[bone.index()].is_some() {
                rotations.push((rest.id, (model_from_parent.inverse() * whole).normalize()));
            }
        }
        LocalPose { hips: self.hips_in_parent(pose), rotations }
    }

    fn hips_in_parent(&self, pose: &HumanoidPose) -> DVec3 {
        let turn = pose.turns[HumanoidBone::Hips.index()].unwrap_or(DQuat::IDENTITY);
        let head = pose.pelvis + turn * self.hips_from_pelvis;
        let in_model = self.canonical_from_model.inverse() * head;
        self.model_from_hips_parent.inverse().transform_point3(in_model)
    }
}
