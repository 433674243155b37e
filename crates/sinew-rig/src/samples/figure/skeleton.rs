//! The figure's bones.
//!
//! Frames follow the bones: +Y runs from head to tip, and turning a bone about its own +X by a positive angle bends it the way
//! the joint bends: the trunk and head forward, a shoulder up, an upper arm and an elbow forward, a hand to its palm, a thigh
//! forward, a knee back, a foot and toes up. Bones of the right side are mirror images; the same turn about X does the same on
//! both sides, turns about Y and Z have opposite signs.

use crate::{Bone, BoneId, LocalTransform};
use glam::{Affine3A, Mat3, Quat, Vec3};
use sinew_geometry::Trs;

/// Every bone once, parents before children. The order is that of the skeleton and of the bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joint {
    Root,
    Hips,
    Spine,
    Chest,
    Neck,
    Head,
    Shoulder(Side),
    UpperArm(Side),
    LowerArm(Side),
    Hand(Side),
    UpperLeg(Side),
    LowerLeg(Side),
    Foot(Side),
    Toes(Side),
}

/// The figure's own left is +X.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

impl Side {
    pub(super) const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// A point or direction of the left side on this side.
    pub(super) fn place(self, left: Vec3) -> Vec3 {
        match self {
            Self::Left => left,
            Self::Right => Vec3::new(-left.x, left.y, left.z),
        }
    }

    /// 1 on the left, −1 on the right: for turns about Y and Z.
    pub(super) fn sign(self) -> f32 {
        self.place(Vec3::X).x
    }
}

/// Number of bones: six in the middle, then eight of an arm and a leg, left and right.
pub(super) const JOINT_COUNT: usize = 6 + 2 * 8;

/// Angle of the arms below the horizontal in rest, rad: 40°.
const ARM_DROP_RAD: f32 = 0.698;
/// Where the upper arm turns.
pub(super) const SHOULDER: Vec3 = Vec3::new(0.175, 1.415, -0.012);
/// Shoulder to elbow, m.
pub(super) const UPPER_ARM_M: f32 = 0.285;
/// Shoulder to wrist along the straight line, m.
pub(super) const ARM_M: f32 = 0.535;
/// Distance of the elbow behind the straight line, m; determines the bend direction.
pub(super) const ELBOW_BACK_M: f32 = 0.012;
/// Wrist to finger tips, m.
pub(super) const HAND_M: f32 = 0.18;
/// Where the thigh turns.
pub(super) const HIP: Vec3 = Vec3::new(0.085, 0.915, -0.002);
/// Where the knee turns.
pub(super) const KNEE: Vec3 = Vec3::new(0.1, 0.49, 0.012);
/// Where the foot turns.
pub(super) const ANKLE: Vec3 = Vec3::new(0.114, 0.082, -0.028);
/// Where the toes turn.
pub(super) const BALL: Vec3 = Vec3::new(0.130, 0.02, 0.1);
/// Where the toes end.
pub(super) const TOE_TIP: Vec3 = Vec3::new(0.138, 0.014, 0.17);

/// Along the left arm, shoulder to wrist, unit.
pub(super) fn arm_direction() -> Vec3 {
    Vec3::new(ARM_DROP_RAD.cos(), -ARM_DROP_RAD.sin(), 0.0)
}

/// Square to the left arm and forward, away from the palm, unit.
pub(super) fn back_of_hand() -> Vec3 {
    Vec3::new(ARM_DROP_RAD.sin(), ARM_DROP_RAD.cos(), 0.0)
}

/// How a bone lies in the model at rest, and its parent.
struct Place {
    name: &'static str,
    parent: Option<Joint>,
    head: Vec3,
    tip: Vec3,
    /// Where the tip goes when the joint bends; square to the bone or made so.
    bends_to: Vec3,
}

impl Joint {
    /// All bones, in order.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        use Joint::*;
        let side = |side| {
            [Shoulder, UpperArm, LowerArm, Hand, UpperLeg, LowerLeg, Foot, Toes].map(|joint| joint(side))
        };
        [Root, Hips, Spine, Chest, Neck, Head].into_iter().chain(Side::BOTH.into_iter().flat_map(side))
    }

    /// The place in the skeleton and in the bind.
    pub(super) fn id(self) -> BoneId {
        BoneId::of(Self::all().position(|joint| joint == self).expect("all has every joint"))
    }

    fn side(self) -> Option<Side> {
        match self {
            Self::Root | Self::Hips | Self::Spine | Self::Chest | Self::Neck | Self::Head => None,
            Self::Shoulder(side) | Self::UpperArm(side) | Self::LowerArm(side) | Self::Hand(side) => {
                Some(side)
            }
            Self::UpperLeg(side) | Self::LowerLeg(side) | Self::Foot(side) | Self::Toes(side) => Some(side),
        }
    }

    /// The bone on the left side, or in the middle, as drawn.
    fn place(self) -> Place {
        let place = |name, parent, head, tip, bends_to| Place { name, parent, head, tip, bends_to };
        let middle = |y: f32, z: f32| Vec3::new(0.0, y, z);
        let along = arm_direction();
        let elbow = SHOULDER + along * UPPER_ARM_M - Vec3::Z * ELBOW_BACK_M;
        let wrist = SHOULDER + along * ARM_M;
        match self {
            Self::Root => place("Root", None, Vec3::ZERO, middle(0.2, 0.0), Vec3::Z),
            Self::Hips => place("Hips", Some(Self::Root), middle(0.95, 0.0), middle(1.05, 0.0), Vec3::Z),
            Self::Spine => place("Spine", Some(Self::Hips), middle(1.05, 0.0), middle(1.2, -0.008), Vec3::Z),
            Self::Chest => {
                place("Chest", Some(Self::Spine), middle(1.2, -0.008), middle(1.465, -0.02), Vec3::Z)
            }
            Self::Neck => place("Neck", Some(Self::Chest), middle(1.465, -0.02), middle(1.55, 0.0), Vec3::Z),
            Self::Head => place("Head", Some(Self::Neck), middle(1.55, 0.0), middle(1.75, 0.0), Vec3::Z),
            Self::Shoulder(_) => {
                place("Shoulder", Some(Self::Chest), Vec3::new(0.025, 1.43, 0.0), SHOULDER, Vec3::Y)
            }
            Self::UpperArm(side) => place("UpperArm", Some(Self::Shoulder(side)), SHOULDER, elbow, Vec3::Z),
            Self::LowerArm(side) => place("LowerArm", Some(Self::UpperArm(side)), elbow, wrist, Vec3::Z),
            Self::Hand(side) => {
                place("Hand", Some(Self::LowerArm(side)), wrist, wrist + along * HAND_M, -back_of_hand())
            }
            Self::UpperLeg(_) => place("UpperLeg", Some(Self::Hips), HIP, KNEE, Vec3::Z),
            Self::LowerLeg(side) => place("LowerLeg", Some(Self::UpperLeg(side)), KNEE, ANKLE, -Vec3::Z),
            Self::Foot(side) => place("Foot", Some(Self::LowerLeg(side)), ANKLE, BALL, Vec3::Y),
            Self::Toes(side) => place("Toes", Some(Self::Foot(side)), BALL, TOE_TIP, Vec3::Y),
        }
    }

    /// Rest frame, model from bone.
    pub(super) fn rest(self) -> Affine3A {
        let Place { head, tip, bends_to, .. } = self.place();
        let placed = |vector: Vec3| self.side().map_or(vector, |side| side.place(vector));
        let (head, along) = (placed(head), placed(tip - head).normalize());
        let across = along.cross(placed(bends_to)).normalize();
        Affine3A::from_mat3_translation(Mat3::from_cols(across, along, across.cross(along)), head)
    }

    /// Rest orientation, model from bone.
    pub(super) fn rest_rotation(self) -> Quat {
        Quat::from_mat3a(&self.rest().matrix3)
    }

    pub(super) fn parent(self) -> Option<Self> {
        self.place().parent
    }

    fn name(self) -> String {
        let prefix = match self.side() {
            Some(Side::Left) => "Left",
            Some(Side::Right) => "Right",
            None => "",
        };
        format!("{prefix}{}", self.place().name)
    }

    fn length(self) -> f32 {
        let place = self.place();
        place.head.distance(place.tip)
    }
}

/// The skeleton in rest.
pub(super) fn bones() -> Vec<Bone> {
    Joint::all()
        .map(|joint| {
            let parent_from_model =
                joint.parent().map_or(Affine3A::IDENTITY, |parent| parent.rest().inverse());
            let (_, rotation, translation) =
                (parent_from_model * joint.rest()).to_scale_rotation_translation();
            Bone {
                name: joint.name(),
                parent: joint.parent().map(Joint::id),
                rest: LocalTransform::Trs(Trs { translation, rotation, scale: Vec3::ONE }),
                tip_in_bone: Some(Vec3::Y * joint.length()),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_places_in_the_list_and_parents_come_first() {
        assert_eq!(Joint::all().count(), JOINT_COUNT);
        for (index, joint) in Joint::all().enumerate() {
            assert_eq!(joint.id().index(), index, "{joint:?}");
            assert!(joint.parent().is_none_or(|parent| parent.id() < joint.id()), "{joint:?}");
        }
    }

    #[test]
    fn a_positive_turn_about_x_bends_every_joint_its_own_way() {
        for side in Side::BOTH {
            for (joint, expected) in [
                (Joint::Spine, Vec3::Z),
                (Joint::Shoulder(side), Vec3::Y),
                (Joint::LowerArm(side), Vec3::Z),
                (Joint::UpperLeg(side), Vec3::Z),
                (Joint::LowerLeg(side), -Vec3::Z),
                (Joint::Foot(side), Vec3::Y),
            ] {
                let tip = joint.rest_rotation() * (Quat::from_rotation_x(0.5) * Vec3::Y - Vec3::Y);
                assert!(tip.dot(expected) > 0.3, "{joint:?} moves by {tip}");
            }
        }
    }
}
