//! Alignment from the rest pose of a file to neutral pose.

use super::{Foot, HumanoidError, Leg, RestBone, Side, rest_matrices};
use glam::{DAffine3, DMat3, DQuat, DVec3};
use sinew_rig::HumanoidBone::{
    Head, Hips, LeftFoot, LeftHand, LeftIndexProximal, LeftLittleProximal, LeftLowerArm, LeftLowerLeg,
    LeftMiddleProximal, LeftToes, LeftUpperArm, LeftUpperLeg, RightUpperLeg,
};
use sinew_rig::{BoneId, Character, HumanoidBone, HumanoidMap};

/// Rest transforms of bones, and rotations of limbs to neutral pose.
pub(super) struct Alignment {
    pub(super) canonical_from_model: DQuat,
    /// Canonical axes from bone, all bones of the character; rotations only.
    turns: Vec<DQuat>,
    /// Where bones begin, canonical axes.
    heads: Vec<DVec3>,
    model_from_bone: Vec<DAffine3>,
    /// Neutral from rest of the arms: upper arm, lower arm, hand, left and right.
    arms: [[DQuat; 3]; 2],
    /// Neutral from rest of thigh and shank, left and right.
    legs: [[DQuat; 2]; 2],
}

/// Maximum forearm rotation to turn palms down.
const MOST_PALM_TURN_RAD: f64 = 1.6;

impl Alignment {
    pub(super) fn new(character: &Character, map: &HumanoidMap) -> Result<Self, HumanoidError> {
        let model_from_bone = rest_matrices(character);
        let place = |bone: HumanoidBone| {
            map.get(bone).map_or(DVec3::ZERO, |id| model_from_bone[id.index()].translation)
        };
        let to_left = place(LeftUpperLeg) - place(RightUpperLeg);
        let feet = 0.5 * (place(LeftFoot) + place(LeftFoot.mirrored()));
        if feet.y >= place(LeftUpperLeg).y || to_left.with_y(0.0).length() < 1e-6 {
            return Err(HumanoidError::NotUpright);
        }
        // Left goes to +X.
        let canonical_from_model = DQuat::from_rotation_y(to_left.z.atan2(to_left.x));
        let turns = model_from_bone.iter().map(|matrix| canonical_from_model * rotation_of(matrix)).collect();
        let heads = model_from_bone.iter().map(|matrix| canonical_from_model * matrix.translation).collect();
        let mut alignment = Self {
            canonical_from_model,
            turns,
            heads,
            model_from_bone,
            arms: [[DQuat::IDENTITY; 3]; 2],
            legs: [[DQuat::IDENTITY; 2]; 2],
        };
        alignment.legs = Side::BOTH.map(|side| alignment.leg_turns(map, side));
        alignment.arms = Side::BOTH.map(|side| alignment.arm(character, map, side));
        for side in Side::BOTH {
            alignment.turn_palm_down(map, side);
        }
        Ok(alignment)
    }

    pub(super) fn head(&self, map: &HumanoidMap, bone: HumanoidBone) -> DVec3 {
        map.get(bone).map_or(DVec3::ZERO, |id| self.heads[id.index()])
    }

    /// Canonical axes, of any bone of the character.
    pub(super) fn head_of(&self, bone: BoneId) -> DVec3 {
        self.heads[bone.index()]
    }

    pub(super) fn canonical(&self, point: DVec3) -> DVec3 {
        self.canonical_from_model * point
    }

    pub(super) fn tip_of(&self, character: &Character, bone: BoneId) -> Option<DVec3> {
        let tip = character.skeleton().bone(bone).tip_in_bone?;
        Some(self.canonical(self.model_from_bone[bone.index()].transform_point3(tip.as_dvec3())))
    }

    pub(super) fn model_from_bone(&self, bone: BoneId) -> DAffine3 {
        self.model_from_bone[bone.index()]
    }

    pub(super) fn model_from_parent(&self, character: &Character, bone: BoneId) -> DAffine3 {
        let parent = character.skeleton().bone(bone).parent;
        parent.map_or(DAffine3::IDENTITY, |parent| self.model_from_bone[parent.index()])
    }

    /// Rotates the parts of an arm one after the other until they point straight to the side.
    fn arm(&self, character: &Character, map: &HumanoidMap, side: Side) -> [DQuat; 3] {
        let aside = DVec3::X * side.sign();
        let [upper, lower, hand] = [LeftUpperArm, LeftLowerArm, LeftHand].map(|bone| map.get(side.of(bone)));
        let finger = map.get(side.of(LeftMiddleProximal)).or_else(|| map.get(side.of(LeftIndexProximal)));
        let hand_end = finger
            .map(|finger| self.head_of(finger))
            .or_else(|| hand.and_then(|hand| self.tip_of(character, hand)));
        let place = |bone: Option<BoneId>| bone.map(|bone| self.head_of(bone));
        let lower_end = place(hand).or_else(|| lower.and_then(|lower| self.tip_of(character, lower)));
        let ways = [(place(upper), place(lower)), (place(lower), lower_end), (place(hand), hand_end)];
        let mut turn = DQuat::IDENTITY;
        ways.map(|(from, to)| {
            let way = from.zip(to).and_then(|(from, to)| (turn * (to - from)).try_normalize());
            if let Some(way) = way {
                turn = DQuat::from_rotation_arc(way, aside) * turn;
            }
            turn
        })
    }

    /// Legs hang straight down in neutral pose.
    fn leg_turns(&self, map: &HumanoidMap, side: Side) -> [DQuat; 2] {
        let [hip, knee, ankle] =
            [LeftUpperLeg, LeftLowerLeg, LeftFoot].map(|bone| self.head(map, side.of(bone)));
        [knee - hip, ankle - knee].map(|way| {
            way.try_normalize().map_or(DQuat::IDENTITY, |way| DQuat::from_rotation_arc(way, DVec3::NEG_Y))
        })
    }

    /// Palms face down in neutral pose. The rotation belongs to the forearm: its bone takes half of it.
    fn turn_palm_down(&mut self, map: &HumanoidMap, side: Side) {
        let palm = self.palm(map, side);
        let turn_rad = palm.z.atan2(-palm.y).clamp(-MOST_PALM_TURN_RAD, MOST_PALM_TURN_RAD);
        let [_, lower, hand] = &mut self.arms[side as usize];
        *lower = DQuat::from_rotation_x(0.5 * turn_rad) * *lower;
        *hand = DQuat::from_rotation_x(turn_rad) * *hand;
    }

    /// Rotation of a bone from rest to neutral pose.
    fn neutral_from_rest(&self, bone: HumanoidBone, feet: &[Foot; 2]) -> DQuat {
        for side in Side::BOTH {
            let arm = &self.arms[side as usize];
            let parts = [LeftUpperArm, LeftLowerArm, LeftHand].map(|part| side.of(part));
            let mut up = std::iter::successors(Some(bone), |bone| bone.parent());
            if let Some(part) = up.find_map(|bone| parts.iter().position(|&part| part == bone)) {
                return arm[part];
            }
            if let Some(part) = [LeftUpperLeg, LeftLowerLeg].iter().position(|&part| bone == side.of(part)) {
                return self.legs[side as usize][part];
            }
            if bone == side.of(LeftFoot) {
                return feet[side as usize].neutral_from_rest;
            }
            if bone == side.of(LeftToes) {
                return feet[side as usize].toes_neutral_from_rest;
            }
        }
        DQuat::IDENTITY
    }

    pub(super) fn rest_bone(
        &self,
        character: &Character,
        map: &HumanoidMap,
        bone: HumanoidBone,
        id: BoneId,
        feet: &[Foot; 2],
    ) -> RestBone {
        let rest = self.turns[id.index()];
        let parent = character.skeleton().bone(id).parent;
        RestBone {
            id,
            rest,
            neutral: self.neutral_from_rest(bone, feet) * rest,
            head: self.heads[id.index()],
            carrier: carrier(character, map, bone, id),
            parent_rest: parent.map_or(self.canonical_from_model, |parent| self.turns[parent.index()]),
        }
    }

    pub(super) fn leg(
        &self,
        map: &HumanoidMap,
        side: Side,
        pelvis: DVec3,
        foot: Foot,
    ) -> Result<Leg, HumanoidError> {
        let [hip, knee, ankle] = [LeftUpperLeg, LeftLowerLeg, LeftFoot].map(|bone| side.of(bone));
        let length = |upper: HumanoidBone, lower: HumanoidBone| {
            let length = self.head(map, upper).distance(self.head(map, lower));
            if length > 1e-4 { Ok(length) } else { Err(HumanoidError::NoLength { upper, lower }) }
        };
        Ok(Leg {
            hip_from_pelvis: self.head(map, hip) - pelvis,
            thigh_m: length(hip, knee)?,
            shank_m: length(knee, ankle)?,
            foot,
        })
    }

    /// The normal of the palm in neutral pose: perpendicular to the direction from the index to the little finger, and to the hand. Without
    /// fingers palms face down.
    pub(super) fn palm(&self, map: &HumanoidMap, side: Side) -> DVec3 {
        let place = |bone: HumanoidBone| map.get(side.of(bone)).map(|id| self.head_of(id));
        let found = place(LeftHand).zip(place(LeftIndexProximal).zip(place(LeftLittleProximal)));
        let normal = found.and_then(|(wrist, (index, little))| {
            let along = 0.5 * (index + little) - wrist;
            let across = little - index;
            (self.arms[side as usize][2] * along.cross(across)).try_normalize()
        });
        normal.map_or(DVec3::NEG_Y, |normal| normal * -side.sign())
    }

    /// Body height: estimated from the height of the head's bone or the hips by usual proportions.
    pub(super) fn stature_m(&self, map: &HumanoidMap, legs: &[Leg; 2]) -> f64 {
        let sole = legs.iter().map(|leg| leg.foot.sole_y).fold(f64::INFINITY, f64::min);
        let head = self.head(map, Head).y - sole;
        let hips = self.head(map, LeftUpperLeg).y - sole;
        // The base of the skull is at 0.91 of body height and the hip joint at 0.52 (Drillis and Contini's proportions).
        if head > hips { head / 0.91 } else { hips / 0.52 }
    }
}

/// The human bone that carries a bone: by the file's hierarchy or, if helper bones are between (toes of MMD models are attached to bones
/// that follow the foot), by a human's.
fn carrier(character: &Character, map: &HumanoidMap, bone: HumanoidBone, id: BoneId) -> Option<HumanoidBone> {
    let skeleton = character.skeleton();
    let by_file = skeleton.upwards(id).skip(1).find_map(|parent| map.humanoid_bone(parent));
    let by_human =
        std::iter::successors(bone.parent(), |bone| bone.parent()).find(|&parent| map.get(parent).is_some());
    match (by_file, by_human) {
        (Some(file), Some(human)) if is_above(human, file) => Some(file),
        (_, human) if bone != Hips => human,
        _ => None,
    }
}

/// Whether `lower` is `upper` or below it.
fn is_above(upper: HumanoidBone, lower: HumanoidBone) -> bool {
    std::iter::successors(Some(lower), |bone| bone.parent()).any(|bone| bone == upper)
}

/// The rotation of a matrix without scale; of a sheared one the nearest rotation.
pub(crate) fn rotation_of(matrix: &DAffine3) -> DQuat {
    let columns = matrix.matrix3;
    let x = columns.x_axis.normalize_or(DVec3::X);
    let y = columns.y_axis.reject_from_normalized(x).normalize_or(x.any_orthonormal_vector());
    DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))).normalize()
}
