//! A human at a time as joints: rotations relative to the bone that carries, and feet where they are.

use crate::curve::smoothstep;
use crate::humanoid::{Ground, Humanoid, HumanoidPose, Side, rotation_of};
use glam::{Affine3A, DQuat, DVec3};
use sinew_rig::HumanoidBone::{Hips, LeftFoot, LeftLowerLeg, LeftToes, LeftUpperLeg};
use sinew_rig::{Character, Clip, Evaluator, HumanoidBone, Pose};

/// One leg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LegFrame {
    pub(super) ankle: DVec3,
    /// Rotations from neutral.
    pub(super) thigh: DQuat,
    pub(super) shank: DQuat,
    pub(super) foot: DQuat,
    /// In the foot.
    pub(super) toes: DQuat,
}

/// A human at a time, canonical axes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JointFrame {
    pub(super) pelvis: DVec3,
    pub(super) hips: DQuat,
    /// Rotations of bones above the hips in the bone that carries them, by [`HumanoidBone::index`].
    pub(super) locals: Vec<Option<DQuat>>,
    pub(super) legs: [LegFrame; 2],
    pub(super) ground: Ground,
}

/// A place on the ground with a heading: what moves a motion over the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placement {
    pub(super) turn: DQuat,
    pub(super) shift: DVec3,
}

impl Placement {
    pub(super) const NONE: Self = Self { turn: DQuat::IDENTITY, shift: DVec3::ZERO };

    /// Moves a place with a heading to another.
    pub(super) fn between(from: (DVec3, f64), to: (DVec3, f64)) -> Self {
        let turn = DQuat::from_rotation_y(to.1 - from.1);
        Self { turn, shift: (to.0 - turn * from.0).with_y(0.0) }
    }

    pub(super) fn point(&self, point: DVec3) -> DVec3 {
        self.turn * point + self.shift
    }

    fn heading(&self) -> f64 {
        let ahead = self.turn * DVec3::Z;
        ahead.x.atan2(ahead.z)
    }
}

/// The human bone that carries another, of those that the character has.
pub(super) fn carrier(humanoid: &Humanoid, bone: HumanoidBone) -> Option<HumanoidBone> {
    std::iter::successors(bone.parent(), |bone| bone.parent()).find(|&parent| humanoid.has(parent))
}

/// Evaluates clips of a human.
pub(crate) struct Reader<'a> {
    character: &'a Character,
    pub(super) humanoid: &'a Humanoid,
    pose: Pose,
    evaluator: Evaluator,
    matrices: Vec<Affine3A>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(character: &'a Character, humanoid: &'a Humanoid) -> Self {
        Self {
            character,
            humanoid,
            pose: Pose::rest(character),
            evaluator: Evaluator::new(character),
            matrices: vec![Affine3A::IDENTITY; character.skeleton().bone_count()],
        }
    }

    pub(crate) fn frame(&mut self, clip: &Clip, secs: f64) -> JointFrame {
        self.pose.set_clip(self.character, clip, secs);
        self.evaluator.model_from_bone_into(self.character, &self.pose, &mut self.matrices);
        let humanoid = self.humanoid;
        let canonical = humanoid.canonical_from_model();
        let turns: Vec<Option<DQuat>> = HumanoidBone::ALL
            .iter()
            .map(|&bone| {
                let (id, neutral) = humanoid.neutral(bone)?;
                let turn = rotation_of(&self.matrices[id.index()].as_daffine3());
                Some((canonical * turn * neutral.inverse()).normalize())
            })
            .collect();
        let place = |bone: HumanoidBone| {
            let id = humanoid.neutral(bone).map(|(id, _)| id.index());
            id.map_or(DVec3::ZERO, |id| canonical * self.matrices[id].translation.as_dvec3())
        };
        let turn = |bone: HumanoidBone| turns[bone.index()].unwrap_or(DQuat::IDENTITY);
        let legs = Side::BOTH.map(|side| LegFrame {
            ankle: place(side.of(LeftFoot)),
            thigh: turn(side.of(LeftUpperLeg)),
            shank: turn(side.of(LeftLowerLeg)),
            foot: turn(side.of(LeftFoot)),
            toes: match turns[side.of(LeftToes).index()] {
                Some(toes) => turn(side.of(LeftFoot)).inverse() * toes,
                None => DQuat::IDENTITY,
            },
        });
        JointFrame {
            pelvis: 0.5 * (place(LeftUpperLeg) + place(LeftUpperLeg.mirrored())),
            hips: turn(Hips),
            locals: locals(humanoid, &turns),
            legs,
            ground: humanoid.ground_of(&self.matrices),
        }
    }
}

fn locals(humanoid: &Humanoid, turns: &[Option<DQuat>]) -> Vec<Option<DQuat>> {
    let local = |&bone: &HumanoidBone| {
        let turn = turns[bone.index()].filter(|_| !super::is_lower(bone))?;
        let carried = carrier(humanoid, bone).and_then(|carrier| turns[carrier.index()]);
        Some(carried.unwrap_or(DQuat::IDENTITY).inverse() * turn)
    };
    HumanoidBone::ALL.iter().map(local).collect()
}

impl JointFrame {
    /// The frame moved over the ground.
    pub(super) fn placed(mut self, by: &Placement) -> Self {
        self.pelvis = by.point(self.pelvis);
        self.hips = by.turn * self.hips;
        for leg in &mut self.legs {
            leg.ankle = by.point(leg.ankle);
            leg.thigh = by.turn * leg.thigh;
            leg.shank = by.turn * leg.shank;
            leg.foot = by.turn * leg.foot;
        }
        self.ground = Ground {
            place: by.point(self.ground.place),
            heading_rad: self.ground.heading_rad + by.heading(),
        };
        self
    }

    /// Level direction of the hips, rad.
    pub(super) fn heading(&self) -> f64 {
        let ahead = self.hips * DVec3::Z;
        ahead.x.atan2(ahead.z)
    }

    /// Where it is: between the feet that stand, or below the pelvis.
    pub(super) fn place(&self, is_standing: bool) -> (DVec3, f64) {
        let middle = 0.5 * (self.legs[0].ankle + self.legs[1].ankle);
        (if is_standing { middle } else { self.pelvis }.with_y(0.0), self.heading())
    }

    /// As rotations from neutral.
    pub(crate) fn to_pose(&self, humanoid: &Humanoid) -> HumanoidPose {
        let mut pose = HumanoidPose::neutral(self.pelvis);
        pose.ground = self.ground;
        pose.set(Hips, self.hips);
        for (side, leg) in Side::BOTH.into_iter().zip(&self.legs) {
            pose.set(side.of(LeftUpperLeg), leg.thigh);
            pose.set(side.of(LeftLowerLeg), leg.shank);
            pose.set(side.of(LeftFoot), leg.foot);
            if humanoid.has(side.of(LeftToes)) {
                pose.set(side.of(LeftToes), leg.foot * leg.toes);
            }
        }
        for &bone in HumanoidBone::ALL {
            if let Some(local) = self.locals[bone.index()] {
                let carried = carrier(humanoid, bone).and_then(|carrier| pose.turns[carrier.index()]);
                pose.set(bone, (carried.unwrap_or(DQuat::IDENTITY) * local).normalize());
            }
        }
        pose
    }
}

/// 1 at the start of a span and 0 at its end.
pub(super) fn fading(t: f64, [from, to]: [f64; 2]) -> f64 {
    if to <= from { f64::from(t < from) } else { 1.0 - smoothstep((t - from) / (to - from)) }
}
