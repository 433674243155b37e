//! Front, outside and along of a human's limbs, whatever axes and rest pose a rig has.
//!
//! Only the places where bones begin at rest are used, never their own axes. A neutral human stands with arms out and legs down; each limb's
//! front is carried from there to where the limb rests by the shortest turn:
//!
//! `front = arc(neutral → along) · (+Z)`,
//!
//! which is the side of the biceps in T pose, in A pose and with hanging arms, and that of the kneecap. Where a limb rests clearly bent, the
//! bend itself says it: elbows fold to the front, knees to the back.

use super::MuscleError;
use super::segment::{Segment, Side};
use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3};
use sinew_rig::HumanoidBone::{
    Head, Hips, LeftFoot, LeftHand, LeftIndexProximal, LeftLittleProximal, LeftLowerArm, LeftLowerLeg,
    LeftShoulder, LeftToes, LeftUpperArm, LeftUpperLeg, Neck, RightUpperArm, RightUpperLeg,
};
use sinew_rig::{BoneId, Character, HumanoidBone, HumanoidMap, Pose};

/// One limb, or the trunk, at rest. Model space, meters; the three directions are unit and perpendicular.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentFrame {
    /// Where it begins.
    pub start: DVec3,
    /// Where it ends.
    pub end: DVec3,
    /// From start to end.
    pub along: DVec3,
    /// The side that looks ahead when arms hang with palms forward; where the elbow folds to.
    pub front: DVec3,
    /// Away from the middle of the body when arms hang.
    pub outer: DVec3,
    /// How far `front` has turned towards `outer` at the end: the forearm's turn that lays the palm down.
    pub twist_rad: f64,
}

impl SegmentFrame {
    /// Length, meters.
    pub fn length_m(&self) -> f64 {
        self.start.distance(self.end)
    }

    /// A point of the axis, by its share of the length.
    pub fn axis_point(&self, along: f64) -> DVec3 {
        self.start.lerp(self.end, along)
    }

    /// The direction away from the axis at an angle from the front towards the outside.
    pub fn direction(&self, along: f64, angle_rad: f64) -> DVec3 {
        let angle = angle_rad + self.twist_rad * along.clamp(0.0, 1.0);
        self.front * angle.cos() + self.outer * angle.sin()
    }
}

/// Where a character's limbs are at rest, and which bones carry them.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyFrames {
    map: HumanoidMap,
    /// Model from canonical axes, in which the human looks along +Z with its left at +X.
    model_from_canonical: DQuat,
    /// All bones at rest, model space.
    pub(super) rest: Vec<DAffine3>,
    /// The bone from which each side's thigh hangs, and that from which its arm or shoulder hangs.
    carriers: [[Option<BoneId>; 2]; 2],
    /// Where feet end, bone space.
    tips: [Option<DVec3>; 2],
    segments: Vec<Result<SegmentFrame, HumanoidBone>>,
}

/// Rest bends below the first are how rigs are built, or a valgus elbow; above the second they show which way a joint folds.
const TELLING_BEND_RAD: [f64; 2] = [0.45, 0.8];
/// How far palms turn inwards at rest where no fingers tell: most rigs rest with palms down or towards the thighs.
const USUAL_PALM_TURN_RAD: f64 = -1.3;
/// Limbs shorter than this have no direction, meters.
const SHORTEST_M: f64 = 1e-5;

impl BodyFrames {
    /// Learns a character's limbs.
    ///
    /// # Errors
    /// Thighs or knees are missing from the map, or the character does not stand upright.
    pub fn new(character: &Character, map: &HumanoidMap) -> Result<Self, MuscleError> {
        let mut model_from_bone = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
        Pose::rest(character).model_from_bone_into(character, &mut model_from_bone);
        let rest: Vec<DAffine3> = model_from_bone.iter().map(Affine3A::as_daffine3).collect();
        let need = |bone: HumanoidBone| {
            map.get(bone).map(|id| rest[id.index()].translation).ok_or(MuscleError::BoneMissing { bone })
        };
        let (left, right) = (need(LeftUpperLeg)?, need(RightUpperLeg)?);
        let knees = need(LeftLowerLeg)?.y + need(HumanoidBone::RightLowerLeg)?.y;
        let to_left = (left - right).with_y(0.0);
        if knees >= left.y + right.y || to_left.length() < SHORTEST_M {
            return Err(MuscleError::NotUpright);
        }
        let model_from_canonical = DQuat::from_rotation_y((-to_left.z).atan2(to_left.x));
        let mut frames = Self {
            carriers: Side::BOTH.map(|side| carriers(character, map, side)),
            tips: Side::BOTH.map(|side| {
                let foot = map.get(side.of(LeftFoot))?;
                character.skeleton().bone(foot).tip_in_bone.map(|tip| tip.as_dvec3())
            }),
            map: map.clone(),
            model_from_canonical,
            rest,
            segments: Vec::new(),
        };
        for segment in Segment::ALL {
            for side in Side::BOTH {
                let found = frames.find(segment, side);
                frames.segments.push(found);
            }
        }
        Ok(frames)
    }

    /// A limb of a side at rest, or the bone that is missing for it. The trunk's two sides differ in what is outside.
    pub fn segment(&self, segment: Segment, side: Side) -> Result<SegmentFrame, HumanoidBone> {
        self.segments[2 * segment as usize + side as usize]
    }

    /// The map that it was made with.
    pub fn map(&self) -> &HumanoidMap {
        &self.map
    }

    pub(super) fn pelvis_carrier(&self, side: Side) -> Option<BoneId> {
        self.carriers[side as usize][0]
    }

    pub(super) fn chest_carrier(&self, side: Side) -> Option<BoneId> {
        self.carriers[side as usize][1]
    }

    /// +X, +Y, +Z of the human who looks ahead, as columns, model space: left, up, front.
    pub(super) fn upright(&self) -> DMat3 {
        DMat3::from_quat(self.model_from_canonical)
    }

    pub(super) fn head(&self, bone: HumanoidBone) -> Option<DVec3> {
        self.map.get(bone).map(|id| self.rest[id.index()].translation)
    }

    /// Where the foot points at rest, level.
    pub(super) fn foot_ahead(&self, side: Side) -> Option<DVec3> {
        let ankle = self.head(side.of(LeftFoot))?;
        let by_tip = || {
            let foot = self.map.get(side.of(LeftFoot))?;
            Some(self.rest[foot.index()].transform_point3(self.tips[side as usize]?))
        };
        let ahead = self.upright().z_axis;
        let way = self.head(side.of(LeftToes)).or_else(by_tip).map(|toes| (toes - ankle).with_y(0.0));
        let way = way.and_then(DVec3::try_normalize).filter(|way| way.dot(ahead) > 0.3);
        Some(way.unwrap_or(ahead))
    }

    fn need(&self, bone: HumanoidBone) -> Result<DVec3, HumanoidBone> {
        self.head(bone).ok_or(bone)
    }

    fn find(&self, segment: Segment, side: Side) -> Result<SegmentFrame, HumanoidBone> {
        let of = |left: HumanoidBone| self.need(side.of(left));
        let aside = self.upright().x_axis * side.sign();
        match segment {
            Segment::Trunk => self.trunk(side),
            Segment::Shoulder => {
                let ends = [self.trunk(side)?.end, of(LeftUpperArm)?];
                limb(ends, aside, self.upright().z_axis, None, side).ok_or(side.of(LeftUpperArm))
            }
            Segment::UpperArm => {
                let elbow = of(LeftLowerArm)?;
                let fold = self.head(side.of(LeftHand)).map(|wrist| wrist - elbow);
                limb([of(LeftUpperArm)?, elbow], aside, self.upright().z_axis, fold, side)
                    .ok_or(side.of(LeftLowerArm))
            }
            Segment::LowerArm => {
                let upper = self.find(Segment::UpperArm, side)?;
                let ends = [of(LeftLowerArm)?, of(LeftHand)?];
                let lower = limb(ends, upper.along, upper.front, None, side).ok_or(side.of(LeftHand))?;
                Ok(SegmentFrame { twist_rad: self.palm_turn(&lower, side), ..lower })
            }
            Segment::UpperLeg => {
                let knee = of(LeftLowerLeg)?;
                let fold = self.head(side.of(LeftFoot)).map(|ankle| knee - ankle);
                limb([of(LeftUpperLeg)?, knee], DVec3::NEG_Y, self.upright().z_axis, fold, side)
                    .ok_or(side.of(LeftLowerLeg))
            }
            Segment::LowerLeg => {
                let upper = self.find(Segment::UpperLeg, side)?;
                let ends = [of(LeftLowerLeg)?, of(LeftFoot)?];
                limb(ends, upper.along, upper.front, None, side).ok_or(side.of(LeftFoot))
            }
        }
    }

    fn trunk(&self, side: Side) -> Result<SegmentFrame, HumanoidBone> {
        let start = 0.5 * (self.need(LeftUpperLeg)? + self.need(RightUpperLeg)?);
        let shoulders = || {
            let (left, right) = (self.head(LeftUpperArm)?, self.head(RightUpperArm)?);
            Some(0.5 * (left + right))
        };
        let end = self.head(Neck).or_else(shoulders).or_else(|| self.head(Head)).ok_or(Neck)?;
        let upright = self.upright();
        let along = (end - start).try_normalize().filter(|way| way.y > 0.3).ok_or(Neck)?;
        let front = upright.z_axis.reject_from_normalized(along).normalize_or(upright.z_axis);
        let outer = along.cross(front) * side.sign();
        Ok(SegmentFrame { start, end, along, front, outer, twist_rad: 0.0 })
    }

    /// Angle at the wrist from the forearm's front towards its outside at which the palm looks: 0 with palms forward, −90° with palms
    /// towards the thighs.
    fn palm_turn(&self, lower: &SegmentFrame, side: Side) -> f64 {
        let place = |bone: HumanoidBone| self.head(side.of(bone));
        let fingers = place(LeftIndexProximal).zip(place(LeftLittleProximal));
        let palm = fingers.and_then(|(index, little)| {
            let along = 0.5 * (index + little) - lower.end;
            (along.cross(little - index) * -side.sign()).try_normalize()
        });
        let Some(palm) = palm else { return USUAL_PALM_TURN_RAD };
        let turn = palm.dot(lower.outer).atan2(palm.dot(lower.front));
        // Palms turn inwards up to backwards; little beyond forwards.
        if turn > 1.2 { turn - std::f64::consts::TAU } else { turn }
    }
}

/// A limb between two ends. `neutral` and its `front` are carried to where the limb rests; `fold` is a direction to whose side of the
/// limb the front lies if it clearly leaves the limb's own.
fn limb(
    [start, end]: [DVec3; 2],
    neutral: DVec3,
    front: DVec3,
    fold: Option<DVec3>,
    side: Side,
) -> Option<SegmentFrame> {
    let along = (end - start).try_normalize().filter(|_| start.distance(end) > SHORTEST_M)?;
    let carried = DQuat::from_rotation_arc(neutral, along) * front;
    let carried = carried.reject_from_normalized(along).normalize_or(along.any_orthonormal_vector());
    let by_fold = fold.and_then(|fold| {
        let away = fold.try_normalize()?.reject_from_normalized(along);
        let bend_rad = away.length().min(1.0).asin();
        let [least, most] = TELLING_BEND_RAD;
        let share = ((bend_rad - least) / (most - least)).clamp(0.0, 1.0);
        // A joint that seems to fold the wrong way says nothing.
        let way = away.try_normalize().filter(|way| way.dot(carried) > 0.0)?;
        (carried * (1.0 - share) + way * share).try_normalize()
    });
    let front = by_fold.unwrap_or(carried);
    let outer = front.cross(along) * side.sign();
    Some(SegmentFrame { start, end, along, front, outer, twist_rad: 0.0 })
}

/// What thighs and arms really hang from: in some rigs the hips' bone carries the trunk, and another the legs.
fn carriers(character: &Character, map: &HumanoidMap, side: Side) -> [Option<BoneId>; 2] {
    let parent =
        |bone: HumanoidBone| map.get(side.of(bone)).and_then(|id| character.skeleton().bone(id).parent);
    let pelvis = parent(LeftUpperLeg).or_else(|| map.get(Hips));
    [pelvis, parent(LeftShoulder).or_else(|| parent(LeftUpperArm))]
}
