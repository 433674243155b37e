//! A pose of a human as rotations from neutral, and its conversion for one character.

use super::{Humanoid, rotation_of};
use glam::{DAffine3, DQuat, DVec3};
use sinew_rig::{BoneId, HumanoidBone};

/// A pose of any human.
#[derive(Clone, Debug, PartialEq)]
pub struct HumanoidPose {
    /// The middle between both hip joints, m, canonical axes, ground at 0.
    pub pelvis: DVec3,
    /// The whole rotation of each bone from neutral pose, canonical axes, by [`HumanoidBone::index`]; bones without one keep their rest pose
    /// relative to the bone that carries them.
    pub turns: Vec<Option<DQuat>>,
    /// Where the root bone stands, for characters that have one above the hips. All else is in the same place with it or without.
    pub ground: Ground,
}

/// A place on the ground, canonical axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ground {
    /// Height 0, m.
    pub place: DVec3,
    /// Turn about +Y, radians; 0 looks along +Z.
    pub heading_rad: f64,
}

impl Ground {
    fn to_affine(self) -> DAffine3 {
        DAffine3::from_rotation_translation(DQuat::from_rotation_y(self.heading_rad), self.place)
    }
}

impl HumanoidPose {
    /// The neutral pose.
    pub fn neutral(pelvis: DVec3) -> Self {
        Self { pelvis, turns: vec![None; HumanoidBone::COUNT], ground: Ground::default() }
    }

    /// Sets a bone's rotation from neutral.
    pub fn set(&mut self, bone: HumanoidBone, turn: DQuat) {
        self.turns[bone.index()] = Some(turn);
    }
}

/// A pose of one character: local transforms of its bones.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LocalPose {
    /// The root bone in its parent, if there is one.
    pub(crate) root: Option<(DVec3, DQuat)>,
    /// Translation of the hips in their parent.
    pub(crate) hips: DVec3,
    /// Turns of bones in their parents.
    pub(crate) rotations: Vec<(BoneId, DQuat)>,
}

impl Humanoid {
    /// The local rotation of a bone that is turned from neutral in a bone that carries it and is neutral.
    pub(crate) fn local_turn(&self, bone: HumanoidBone, turn: DQuat) -> Option<DQuat> {
        let rest = self.bone(bone)?;
        let carrier = rest.carrier.and_then(|carrier| self.bone(carrier));
        let carried = carrier.map_or(DQuat::IDENTITY, |carrier| carrier.neutral * carrier.rest.inverse());
        Some(((carried * rest.parent_rest).inverse() * turn * rest.neutral).normalize())
    }

    /// The pose for this character. Missing bones are left out.
    pub(crate) fn local_pose(&self, pose: &HumanoidPose) -> LocalPose {
        let moved = self.model_from_rest_of_root(pose);
        // In canonical axes, which differ from the model's by a turn about the same axis.
        let root_turn = rotation_of(&moved);
        let mut turned: Vec<Option<DQuat>> = vec![None; HumanoidBone::COUNT];
        let mut rotations = Vec::new();
        for &bone in HumanoidBone::ALL {
            let Some(rest) = self.bone(bone) else { continue };
            let carried = rest.carrier.and_then(|carrier| {
                let carrier_rest = self.bone(carrier)?;
                let turn = turned[carrier.index()]?;
                Some(turn * carrier_rest.rest.inverse())
            });
            let carried = carried.unwrap_or(root_turn);
            let (model_from_parent, as_carried) = (carried * rest.parent_rest, carried * rest.rest);
            let whole = pose.turns[bone.index()].map_or(as_carried, |turn| turn * rest.neutral);
            turned[bone.index()] = Some(whole);
            if pose.turns[bone.index()].is_some() {
                rotations.push((rest.id, (model_from_parent.inverse() * whole).normalize()));
            }
        }
        let root = self.root.as_ref().map(|root| root.local(&moved));
        LocalPose { root, hips: self.hips_in_parent(pose, &moved), rotations }
    }

    /// What the root bone does to all below it, model space; nothing without one.
    fn model_from_rest_of_root(&self, pose: &HumanoidPose) -> DAffine3 {
        let model_from_canonical = DAffine3::from_quat(self.canonical_from_model.inverse());
        let moved = || model_from_canonical * pose.ground.to_affine() * model_from_canonical.inverse();
        self.root.as_ref().map_or(DAffine3::IDENTITY, |_| moved())
    }

    fn hips_in_parent(&self, pose: &HumanoidPose, moved: &DAffine3) -> DVec3 {
        let turn = pose.turns[HumanoidBone::Hips.index()].unwrap_or(DQuat::IDENTITY);
        let head = pose.pelvis + turn * self.hips_from_pelvis;
        let in_model = self.canonical_from_model.inverse() * head;
        (*moved * self.model_from_hips_parent).inverse().transform_point3(in_model)
    }
}
