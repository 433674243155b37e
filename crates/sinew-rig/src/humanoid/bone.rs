//! Human bones, by the names of VRM 1.0.

/// Defines the bones in VRM's order, with their names and parents.
macro_rules! humanoid_bones {
    ($($bone:ident, $name:literal, $parent:expr;)*) => {
        /// A human bone, whatever a file calls it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "the names say it")]
        pub enum HumanoidBone {
            $($bone,)*
        }

        impl HumanoidBone {
            /// All of them: parents before children, left before right.
            pub const ALL: &'static [Self] = &[$(Self::$bone,)*];

            /// The name in VRM 1.0, such as `leftUpperArm`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$bone => $name,)*
                }
            }

            /// Its parent in a skeleton with all bones.
            pub fn parent(self) -> Option<Self> {
                match self {
                    $(Self::$bone => $parent,)*
                }
            }
        }
    };
}

humanoid_bones! {
    Hips, "hips", None;
    Spine, "spine", Some(HumanoidBone::Hips);
    Chest, "chest", Some(HumanoidBone::Spine);
    UpperChest, "upperChest", Some(HumanoidBone::Chest);
    Neck, "neck", Some(HumanoidBone::UpperChest);
    Head, "head", Some(HumanoidBone::Neck);
    LeftEye, "leftEye", Some(HumanoidBone::Head);
    RightEye, "rightEye", Some(HumanoidBone::Head);
    Jaw, "jaw", Some(HumanoidBone::Head);
    LeftUpperLeg, "leftUpperLeg", Some(HumanoidBone::Hips);
    RightUpperLeg, "rightUpperLeg", Some(HumanoidBone::Hips);
    LeftLowerLeg, "leftLowerLeg", Some(HumanoidBone::LeftUpperLeg);
    RightLowerLeg, "rightLowerLeg", Some(HumanoidBone::RightUpperLeg);
    LeftFoot, "leftFoot", Some(HumanoidBone::LeftLowerLeg);
    RightFoot, "rightFoot", Some(HumanoidBone::RightLowerLeg);
    LeftToes, "leftToes", Some(HumanoidBone::LeftFoot);
    RightToes, "rightToes", Some(HumanoidBone::RightFoot);
    LeftShoulder, "leftShoulder", Some(HumanoidBone::UpperChest);
    RightShoulder, "rightShoulder", Some(HumanoidBone::UpperChest);
    LeftUpperArm, "leftUpperArm", Some(HumanoidBone::LeftShoulder);
    RightUpperArm, "rightUpperArm", Some(HumanoidBone::RightShoulder);
    LeftLowerArm, "leftLowerArm", Some(HumanoidBone::LeftUpperArm);
    RightLowerArm, "rightLowerArm", Some(HumanoidBone::RightUpperArm);
    LeftHand, "leftHand", Some(HumanoidBone::LeftLowerArm);
    RightHand, "rightHand", Some(HumanoidBone::RightLowerArm);
    LeftThumbMetacarpal, "leftThumbMetacarpal", Some(HumanoidBone::LeftHand);
    RightThumbMetacarpal, "rightThumbMetacarpal", Some(HumanoidBone::RightHand);
    LeftThumbProximal, "leftThumbProximal", Some(HumanoidBone::LeftThumbMetacarpal);
    RightThumbProximal, "rightThumbProximal", Some(HumanoidBone::RightThumbMetacarpal);
    LeftThumbDistal, "leftThumbDistal", Some(HumanoidBone::LeftThumbProximal);
    RightThumbDistal, "rightThumbDistal", Some(HumanoidBone::RightThumbProximal);
    LeftIndexProximal, "leftIndexProximal", Some(HumanoidBone::LeftHand);
    RightIndexProximal, "rightIndexProximal", Some(HumanoidBone::RightHand);
    LeftIndexIntermediate, "leftIndexIntermediate", Some(HumanoidBone::LeftIndexProximal);
    RightIndexIntermediate, "rightIndexIntermediate", Some(HumanoidBone::RightIndexProximal);
    LeftIndexDistal, "leftIndexDistal", Some(HumanoidBone::LeftIndexIntermediate);
    RightIndexDistal, "rightIndexDistal", Some(HumanoidBone::RightIndexIntermediate);
    LeftMiddleProximal, "leftMiddleProximal", Some(HumanoidBone::LeftHand);
    RightMiddleProximal, "rightMiddleProximal", Some(HumanoidBone::RightHand);
    LeftMiddleIntermediate, "leftMiddleIntermediate", Some(HumanoidBone::LeftMiddleProximal);
    RightMiddleIntermediate, "rightMiddleIntermediate", Some(HumanoidBone::RightMiddleProximal);
    LeftMiddleDistal, "leftMiddleDistal", Some(HumanoidBone::LeftMiddleIntermediate);
    RightMiddleDistal, "rightMiddleDistal", Some(HumanoidBone::RightMiddleIntermediate);
    LeftRingProximal, "leftRingProximal", Some(HumanoidBone::LeftHand);
    RightRingProximal, "rightRingProximal", Some(HumanoidBone::RightHand);
    LeftRingIntermediate, "leftRingIntermediate", Some(HumanoidBone::LeftRingProximal);
    RightRingIntermediate, "rightRingIntermediate", Some(HumanoidBone::RightRingProximal);
    LeftRingDistal, "leftRingDistal", Some(HumanoidBone::LeftRingIntermediate);
    RightRingDistal, "rightRingDistal", Some(HumanoidBone::RightRingIntermediate);
    LeftLittleProximal, "leftLittleProximal", Some(HumanoidBone::LeftHand);
    RightLittleProximal, "rightLittleProximal", Some(HumanoidBone::RightHand);
    LeftLittleIntermediate, "leftLittleIntermediate", Some(HumanoidBone::LeftLittleProximal);
    RightLittleIntermediate, "rightLittleIntermediate", Some(HumanoidBone::RightLittleProximal);
    LeftLittleDistal, "leftLittleDistal", Some(HumanoidBone::LeftLittleIntermediate);
    RightLittleDistal, "rightLittleDistal", Some(HumanoidBone::RightLittleIntermediate);
}

impl HumanoidBone {
    /// Number of bones.
    pub const COUNT: usize = Self::ALL.len();

    /// The index in [`Self::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// The bone of a VRM 1.0 name; case does not matter.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|bone| bone.name().eq_ignore_ascii_case(name))
    }

    /// Whether every human skeleton has it, as VRM and walking require.
    pub fn is_required(self) -> bool {
        use HumanoidBone::{
            Head, Hips, LeftFoot, LeftLowerArm, LeftLowerLeg, LeftUpperArm, LeftUpperLeg, Spine,
        };
        let pairs = [LeftUpperLeg, LeftLowerLeg, LeftFoot, LeftUpperArm, LeftLowerArm];
        [Hips, Spine, Head].contains(&self) || pairs.contains(&self) || pairs.contains(&self.mirrored())
    }

    /// The same bone of the other side; the bone itself in the middle.
    pub fn mirrored(self) -> Self {
        let name = self.name();
        let other = match (name.strip_prefix("left"), name.strip_prefix("right")) {
            (Some(rest), _) => Self::from_name(&format!("right{rest}")),
            (_, Some(rest)) => Self::from_name(&format!("left{rest}")),
            _ => None,
        };
        other.unwrap_or(self)
    }
}

impl std::fmt::Display for HumanoidBone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_and_parents_come_first() {
        assert_eq!(HumanoidBone::COUNT, 55);
        for &bone in HumanoidBone::ALL {
            assert_eq!(HumanoidBone::from_name(bone.name()), Some(bone));
            assert_eq!(bone.mirrored().mirrored(), bone);
            assert!(bone.parent().is_none_or(|parent| parent < bone), "{bone}");
        }
        assert_eq!(HumanoidBone::LeftThumbDistal.name(), "leftThumbDistal");
        assert_eq!(HumanoidBone::LeftToes.mirrored(), HumanoidBone::RightToes);
        assert_eq!(HumanoidBone::Jaw.mirrored(), HumanoidBone::Jaw);
    }
}
