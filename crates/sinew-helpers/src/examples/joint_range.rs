//! How far joints bend: what is sampled where no motion is given.
//!
//! A human's joints have anatomical ranges, measured from where the bone rests; other bones are bent by 60° every way.

use glam::{Affine3A, DQuat, DVec3, Vec3};
use sinew_fit::DriverInput;
use sinew_rig::{BoneId, Character, HumanoidBone, HumanoidMap};

/// A way in which a joint turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Freedom {
    /// Unit, in the bone's own axes.
    pub axis: DVec3,
    /// Least angle, radians.
    pub least_rad: f64,
    /// Largest angle, radians.
    pub most_rad: f64,
}

/// The range of one joint, which is that of its bone in its parent.
#[derive(Clone, Debug, PartialEq)]
pub struct JointRange {
    /// The bone.
    pub bone: BoneId,
    /// At most three ways to turn, done in this order from the outside in.
    pub freedoms: Vec<Freedom>,
    /// The rotation relative to rest that motions are round: of a human that of standing at ease, else none.
    pub stance: DQuat,
}

/// Where poses that are not bent far are round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Round {
    /// Where the bones rest.
    Rest,
    /// [`JointRange::stance`].
    Stance,
}

impl JointRange {
    /// The rotation relative to rest for shares from 0 to 1 of each freedom.
    pub fn rotation(&self, shares: &[f64]) -> DQuat {
        let turn = |(freedom, share): (&Freedom, &f64)| {
            let angle = freedom.least_rad + share * (freedom.most_rad - freedom.least_rad);
            DQuat::from_axis_angle(freedom.axis, angle)
        };
        self.freedoms.iter().zip(shares).map(turn).fold(DQuat::IDENTITY, |all, one| all * one)
    }

    /// Whether motions are round rest.
    pub(crate) fn stands_at_rest(&self) -> bool {
        self.stance == DQuat::IDENTITY
    }

    /// A rotation `reach` of the way to `turn` from where poses are round.
    pub(crate) fn toward(&self, turn: DQuat, reach: f64, round: Round) -> DQuat {
        let from = match round {
            Round::Rest => DQuat::IDENTITY,
            Round::Stance => self.stance,
        };
        from.slerp(turn, reach)
    }

    /// What a controller needs to see of it.
    pub fn input(&self) -> DriverInput {
        match self.freedoms[..] {
            [] => DriverInput::None,
            [freedom] => DriverInput::Hinge(freedom.axis),
            _ => DriverInput::Ball,
        }
    }
}

/// Which way a bone is turned, in a body that faces +Z with +Y up.
#[derive(Clone, Copy)]
enum Towards {
    Front,
    Back,
    Up,
    Down,
    /// Away from the middle.
    Outside,
    /// About its own axis.
    Twist,
}

type Turns = &'static [(Towards, f64, f64)];

/// Degrees from a human's neutral stance, arms stretched out sideways. After the ranges that clinicians use, cut where clothes and flesh of
/// usual models would stop the limb. Elbows, knees and feet are no hinges to motions: forearms are twisted, and what is taken over from others turns
/// knees and feet a little. Were they sampled as hinges, weights would be for the hinge alone, and a straight elbow that is twisted would look worse than
/// without helpers.
fn human_turns(bone: HumanoidBone) -> Turns {
    use HumanoidBone as B;
    use Towards::{Back, Down, Front, Outside, Twist, Up};
    match bone {
        B::Hips => &[],
        B::Spine | B::Chest | B::UpperChest => {
            &[(Front, -15.0, 30.0), (Outside, -20.0, 20.0), (Twist, -25.0, 25.0)]
        }
        B::Neck | B::Head => &[(Front, -30.0, 30.0), (Outside, -20.0, 20.0), (Twist, -40.0, 40.0)],
        B::LeftUpperLeg | B::RightUpperLeg => {
            &[(Front, -30.0, 100.0), (Outside, -15.0, 45.0), (Twist, -30.0, 30.0)]
        }
        B::LeftLowerLeg | B::RightLowerLeg => {
            &[(Back, 0.0, 130.0), (Outside, -10.0, 10.0), (Twist, -20.0, 20.0)]
        }
        B::LeftFoot | B::RightFoot => &[(Up, -45.0, 25.0), (Outside, -15.0, 15.0), (Twist, -20.0, 20.0)],
        B::LeftToes | B::RightToes => &[(Up, -10.0, 45.0)],
        B::LeftShoulder | B::RightShoulder => &[(Up, -10.0, 25.0), (Front, -15.0, 20.0)],
        B::LeftUpperArm | B::RightUpperArm => {
            &[(Up, -80.0, 60.0), (Front, -30.0, 90.0), (Twist, -60.0, 60.0)]
        }
        B::LeftLowerArm | B::RightLowerArm => &[(Front, 0.0, 140.0), (Up, -10.0, 10.0), (Twist, -45.0, 45.0)],
        B::LeftHand | B::RightHand => &[(Down, -60.0, 70.0), (Front, -25.0, 25.0), (Twist, -60.0, 60.0)],
        B::LeftEye | B::RightEye => &[],
        B::Jaw => &[(Back, 0.0, 20.0)],
        B::LeftThumbMetacarpal | B::RightThumbMetacarpal => &[(Down, -15.0, 35.0), (Front, -15.0, 25.0)],
        // The other bones are those of fingers.
        _ => &[(Down, 0.0, 85.0)],
    }
}

/// Degrees about the first way to turn at which a human's joint is at ease, counted as in [`human_turns`]. Nobody walks with arms stretched out sideways:
/// samples near rest alone never see a shoulder as it is in most motions.
fn human_ease(bone: HumanoidBone) -> f64 {
    use HumanoidBone as B;
    match bone {
        B::LeftUpperArm | B::RightUpperArm => -70.0,
        B::LeftLowerArm | B::RightLowerArm => 15.0,
        _ => 0.0,
    }
}

/// Bones that are no human's turn by this much every way.
const OTHER_RAD: f64 = 60.0 / 180.0 * std::f64::consts::PI;

/// The ranges of bones. `map`: which of them are a human's.
pub fn joint_ranges(character: &Character, map: Option<&HumanoidMap>, bones: &[BoneId]) -> Vec<JointRange> {
    let model_from_bone = character.skeleton().rest_model_from_bone();
    let range = |&bone: &BoneId| {
        let every_way = |axis| Freedom { axis, least_rad: -OTHER_RAD, most_rad: OTHER_RAD };
        let Some(human) = map.and_then(|map| map.humanoid_bone(bone)) else {
            return JointRange {
                bone,
                freedoms: DVec3::AXES.map(every_way).to_vec(),
                stance: DQuat::IDENTITY,
            };
        };
        let upper = upper_of(human).and_then(|upper| map.and_then(|map| map.get(upper)));
        human_range(character, &model_from_bone, (upper, bone), human)
    };
    bones.iter().map(range).collect()
}

fn human_range(
    character: &Character,
    model_from_bone: &[Affine3A],
    (upper, bone): (Option<BoneId>, BoneId),
    human: HumanoidBone,
) -> JointRange {
    let along = direction(character, model_from_bone, bone);
    let head = |bone: BoneId| Vec3::from(model_from_bone[bone.index()].translation);
    let above = upper.map_or(Vec3::ZERO, |upper| head(bone) - head(upper));
    let outside = if human.name().starts_with("right") { Vec3::NEG_X } else { Vec3::X };
    let to_bone = model_from_bone[bone.index()].matrix3.inverse();
    // Model space.
    let axis = |towards: Towards| {
        let goal = match towards {
            Towards::Front => Vec3::Z,
            Towards::Back => Vec3::NEG_Z,
            Towards::Up => Vec3::Y,
            Towards::Down => Vec3::NEG_Y,
            Towards::Outside => outside,
            Towards::Twist => along,
        };
        match towards {
            Towards::Twist => along,
            // A bone that points to its goal already, such as a foot straight ahead: turned about what is across.
            _ => along.cross(goal).try_normalize().unwrap_or_else(|| along.any_orthonormal_vector()),
        }
    };
    let rest_deg = |towards| rest_deg(human, towards, (above, along), axis(towards));
    let freedom = |&(towards, least, most): &(Towards, f64, f64)| {
        let rest_deg = rest_deg(towards);
        let axis = (to_bone * axis(towards)).as_dvec3().normalize_or_zero();
        let (least, most) = ((least - rest_deg).min(0.0), (most - rest_deg).max(0.0));
        Freedom { axis, least_rad: least.to_radians(), most_rad: most.to_radians() }
    };
    let turns = human_turns(human);
    let freedoms: Vec<Freedom> =
        turns.iter().map(freedom).filter(|freedom| freedom.axis != DVec3::ZERO).collect();
    let ease = |(freedom, (towards, ..)): (&Freedom, &(Towards, f64, f64))| {
        let angle = (human_ease(human) - rest_deg(*towards)).to_radians();
        DQuat::from_axis_angle(freedom.axis, angle.clamp(freedom.least_rad, freedom.most_rad))
    };
    let is_whole = freedoms.len() == turns.len() && human_ease(human) != 0.0;
    let stance = freedoms.iter().zip(turns).next().filter(|_| is_whole).map_or(DQuat::IDENTITY, ease);
    JointRange { bone, freedoms, stance }
}

/// How far a joint is bent at rest already, about `axis`: arms that rest below the horizontal have as much less to go down, and elbows and knees that rest
/// bent can be stretched. `above`: from where the upper limb begins to the joint, 0 where there is none; `along`: where the bone points.
fn rest_deg(human: HumanoidBone, towards: Towards, (above, along): (Vec3, Vec3), axis: Vec3) -> f64 {
    use HumanoidBone as B;
    let angle_rad = match (human, towards) {
        (B::LeftUpperArm | B::RightUpperArm, Towards::Up) => along.y.clamp(-1.0, 1.0).asin(),
        (B::LeftLowerArm | B::RightLowerArm, Towards::Front)
        | (B::LeftLowerLeg | B::RightLowerLeg, Towards::Back) => {
            axis.dot(above.cross(along)).atan2(above.dot(along))
        }
        _ => 0.0,
    };
    f64::from(angle_rad).to_degrees()
}

/// The upper limb that an elbow or a knee bends against.
fn upper_of(human: HumanoidBone) -> Option<HumanoidBone> {
    use HumanoidBone as B;
    match human {
        B::LeftLowerArm => Some(B::LeftUpperArm),
        B::RightLowerArm => Some(B::RightUpperArm),
        B::LeftLowerLeg => Some(B::LeftUpperLeg),
        B::RightLowerLeg => Some(B::RightUpperLeg),
        _ => None,
    }
}

/// Where a bone points at rest, model space: to its child, its tip, or on from its parent.
fn direction(character: &Character, model_from_bone: &[Affine3A], bone: BoneId) -> Vec3 {
    let skeleton = character.skeleton();
    let head = |bone: BoneId| Vec3::from(model_from_bone[bone.index()].translation);
    let own = head(bone);
    let tip = skeleton.bone(bone).tip_in_bone.map(|tip| model_from_bone[bone.index()].transform_point3(tip));
    let children: Vec<BoneId> = skeleton.children(bone).collect();
    let middle = (!children.is_empty())
        .then(|| children.iter().map(|&child| head(child)).sum::<Vec3>() / children.len() as f32);
    let onward = skeleton.bone(bone).parent.map(|parent| own + (own - head(parent)));
    let mut ends = [middle, tip, onward].into_iter().flatten();
    ends.find_map(|end| (end - own).try_normalize()).unwrap_or(Vec3::Y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::{guess_humanoid, samples};

    /// Turns a bone of the sample figure by the end of a freedom and says where it then points, model space.
    fn pointing(human: HumanoidBone, freedom: usize, share: f64) -> Vec3 {
        let figure = samples::figure();
        let map = guess_humanoid(&figure);
        let bone = map.get(human).expect("a bone of the figure");
        let range = &joint_ranges(&figure, Some(&map), &[bone])[0];
        let model_from_bone = figure.skeleton().rest_model_from_bone();
        let own = DQuat::from_mat3(&glam::DMat3::from_cols_array(
            &model_from_bone[bone.index()].matrix3.to_cols_array().map(f64::from),
        ));
        let way = own.inverse() * direction(&figure, &model_from_bone, bone).as_dvec3();
        let Freedom { axis, least_rad, most_rad } = range.freedoms[freedom];
        (own * (DQuat::from_axis_angle(axis, least_rad + share * (most_rad - least_rad)) * way)).as_vec3()
    }

    #[test]
    fn limbs_of_a_human_bend_the_way_they_do() {
        let knee = pointing(HumanoidBone::LeftLowerLeg, 0, 1.0);
        assert!(knee.z < -0.6 && knee.y > 0.3, "a knee bends backwards, far: {knee}");
        let elbow = pointing(HumanoidBone::RightLowerArm, 0, 0.6);
        assert!(elbow.z > 0.7, "an elbow bends forwards: {elbow}");
        let thigh = pointing(HumanoidBone::RightUpperLeg, 0, 1.0);
        assert!(thigh.z > 0.9, "a thigh is lifted to the front: {thigh}");
        let spread = pointing(HumanoidBone::RightUpperLeg, 1, 1.0);
        assert!(spread.x < -0.5, "the right one goes out to the right: {spread}");
        let arm = pointing(HumanoidBone::LeftUpperArm, 0, 0.0);
        assert!(arm.y < -0.9, "an arm hangs down: {arm}");
    }

    /// CesiumMan rests so: his walk stretches elbows that helpers had never seen stretched.
    #[test]
    fn elbows_that_rest_bent_can_be_stretched() {
        let mut parts = samples::figure().into_parts();
        let straight = Character::new(parts.clone()).unwrap();
        let map = guess_humanoid(&straight);
        let elbow = map.get(HumanoidBone::LeftLowerArm).unwrap();
        let front = |character: &Character| joint_ranges(character, Some(&map), &[elbow])[0].freedoms[0];
        let ends = |freedom: Freedom| [freedom.least_rad, freedom.most_rad].map(f64::to_degrees);
        let before = front(&straight);
        let bone = &mut parts.bones[elbow.index()];
        let mut rest = bone.rest.to_trs();
        rest.rotation *= glam::Quat::from_axis_angle(before.axis.as_vec3(), 0.5);
        bone.rest = sinew_rig::LocalTransform::Trs(rest);
        let ([least, most], bent) = (ends(before), ends(front(&Character::new(parts).unwrap())));
        let turn_deg = 0.5_f64.to_degrees();
        assert!((bent[0] - (least - turn_deg)).abs() < 1.0, "{bent:?}, straight {least}");
        assert!((bent[1] - (most - turn_deg)).abs() < 1.0, "{bent:?}, straight {most}");
    }

    #[test]
    fn arms_at_ease_hang_and_what_is_no_humans_is_round_rest() {
        let figure = samples::figure();
        let map = guess_humanoid(&figure);
        let model_from_bone = figure.skeleton().rest_model_from_bone();
        for human in [HumanoidBone::LeftUpperArm, HumanoidBone::RightUpperArm] {
            let bone = map.get(human).unwrap();
            let range = &joint_ranges(&figure, Some(&map), &[bone])[0];
            let own = model_from_bone[bone.index()].matrix3;
            let way = own.inverse() * direction(&figure, &model_from_bone, bone);
            let hanging = own * (range.stance.as_quat() * way);
            assert!(hanging.y < -0.9, "{hanging}");
            assert!(range.toward(DQuat::IDENTITY, 0.0, Round::Stance).abs_diff_eq(range.stance, 1e-12));
            let other = &joint_ranges(&figure, None, &[bone])[0];
            assert_eq!(other.stance, DQuat::IDENTITY);
        }
    }

    #[test]
    fn bones_of_others_turn_every_way() {
        let limb = samples::limb(8, 4);
        let bone = limb.skeleton().find("lower").unwrap();
        let range = &joint_ranges(&limb, None, &[bone])[0];
        assert_eq!(range.input(), DriverInput::Ball);
        let most = range.rotation(&[1.0, 0.5, 0.5]).to_axis_angle().1;
        assert!((most - OTHER_RAD).abs() < 1e-9, "{most}");
    }
}
