//! The source's motion as rotations from neutral.

use crate::humanoid::{Humanoid, Side, rotation_of};
use glam::{Affine3A, DQuat, DVec3};
use sinew_rig::HumanoidBone::{LeftFoot, LeftUpperLeg};
use sinew_rig::{Character, Clip, Evaluator, HumanoidBone, Pose};

/// The source at a time, canonical axes, its own size.
pub(super) struct SourceFrame {
    pub(super) pelvis: DVec3,
    pub(super) turns: Vec<Option<DQuat>>,
    /// Left and right.
    pub(super) ankles: [DVec3; 2],
}

impl SourceFrame {
    /// Pitch (toes up) and yaw of a foot.
    pub(super) fn foot_angles(&self, side: Side) -> [f64; 2] {
        let turn = self.turns[side.of(LeftFoot).index()].unwrap_or(DQuat::IDENTITY);
        let ahead = turn * DVec3::Z;
        // Past straight down the level part flips; the pitch continues.
        let up = turn * DVec3::Y;
        let level = ahead.with_y(0.0).length();
        let pitch = ahead.y.atan2(if up.y < 0.0 { -level } else { level });
        let yaw = if up.y < 0.0 { (-ahead.x).atan2(-ahead.z) } else { ahead.x.atan2(ahead.z) };
        [pitch, yaw]
    }
}

pub(super) fn frames(
    character: &Character,
    humanoid: &Humanoid,
    clip: &Clip,
    times: &[f64],
) -> Vec<SourceFrame> {
    let mut pose = Pose::rest(character);
    let mut evaluator = Evaluator::new(character);
    let mut matrices = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
    let canonical = humanoid.canonical_from_model();
    let frame = |&t: &f64| {
        pose.set_clip(character, clip, t);
        evaluator.model_from_bone_into(character, &pose, &mut matrices);
        let place = |bone: HumanoidBone| {
            let id = humanoid.neutral(bone).map(|(id, _)| id.index());
            id.map_or(DVec3::ZERO, |id| canonical * matrices[id].translation.as_dvec3())
        };
        let turns = HumanoidBone::ALL.iter().map(|&bone| {
            let (id, neutral) = humanoid.neutral(bone)?;
            let turn = rotation_of(&matrices[id.index()].as_daffine3());
            Some((canonical * turn * neutral.inverse()).normalize())
        });
        SourceFrame {
            pelvis: 0.5 * (place(LeftUpperLeg) + place(LeftUpperLeg.mirrored())),
            turns: turns.collect(),
            ankles: Side::BOTH.map(|side| place(side.of(LeftFoot))),
        }
    };
    times.iter().map(frame).collect()
}
