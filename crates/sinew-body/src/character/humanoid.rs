//! Which bone is which, in the words of VRM.

use sinew_rig::{BoneId, Character};

/// Pairs of a VRM 1.0 bone name and a bone of the character.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HumanoidMap {
    /// In VRM's order: trunk, then legs, arms and fingers, left before right.
    pub bones: Vec<(String, BoneId)>,
}

/// VRM's names of what lies in the middle, and ours.
const MIDDLE: [(&str, &str); 5] =
    [("hips", "pelvis"), ("spine", "abdomen"), ("chest", "chest"), ("neck", "neck"), ("head", "head")];

/// VRM's names of what is there twice, without the side, and ours.
const PAIRS: [(&str, &str); 23] = [
    ("UpperLeg", "thigh"),
    ("LowerLeg", "shank"),
    ("Foot", "foot"),
    ("Toes", "toes"),
    ("Shoulder", "clavicle"),
    ("UpperArm", "upper_arm"),
    ("LowerArm", "forearm"),
    ("Hand", "hand"),
    ("ThumbMetacarpal", "thumb_metacarpal"),
    ("ThumbProximal", "thumb_proximal"),
    ("ThumbDistal", "thumb_distal"),
    ("IndexProximal", "index_proximal"),
    ("IndexIntermediate", "index_middle"),
    ("IndexDistal", "index_distal"),
    ("MiddleProximal", "middle_proximal"),
    ("MiddleIntermediate", "middle_middle"),
    ("MiddleDistal", "middle_distal"),
    ("RingProximal", "ring_proximal"),
    ("RingIntermediate", "ring_middle"),
    ("RingDistal", "ring_distal"),
    ("LittleProximal", "little_proximal"),
    ("LittleIntermediate", "little_middle"),
    ("LittleDistal", "little_distal"),
];

impl HumanoidMap {
    /// The bones of a character that was made of the human template; those that it does not have are left out.
    #[must_use]
    pub fn of(character: &Character) -> Self {
        let mut bones = Vec::new();
        let mut add = |vrm: String, ours: String| {
            if let Ok(bone) = character.skeleton().find(&ours) {
                bones.push((vrm, bone));
            }
        };
        for (vrm, ours) in MIDDLE {
            add(vrm.into(), ours.into());
        }
        for (vrm, ours) in PAIRS {
            for side in ["left", "right"] {
                add(format!("{side}{vrm}"), format!("{ours}.{side}"));
            }
        }
        Self { bones }
    }
}
