//! The names of MMD's standard skeleton, for human characters that came from elsewhere.
//!
//! Motions find bones by name. A character whose bones are named after what they are plays motions that were made for any model. Its
//! root is 全ての親 and its hips are センター: both carry the whole body, as they do in MMD. What else MMD's skeleton has, 下半身 and the
//! goals of IK among it, is added when a PMX is written ([`crate::pmx::PmxDocument::from_humanoid`]).

use crate::FixedText;
use crate::names::{NameKey, NamedParts};
use crate::vmd::{Vmd, VmdPropertyKey, VmdReachSwitch};
use sinew_io::Report;
use sinew_rig::{BoneId, Character, Clip, HumanoidBone, HumanoidMap};

/// The bone that carries all others.
pub(crate) const ROOT: &str = "全ての親";
/// The hips as motions move them.
pub(crate) const CENTER: &str = "センター";
/// Goals of feet, left and right.
pub(crate) const FOOT_GOALS: [&str; 2] = ["左足ＩＫ", "右足ＩＫ"];
/// Goals of toes, left and right.
pub(crate) const TOE_GOALS: [&str; 2] = ["左つま先ＩＫ", "右つま先ＩＫ"];

/// A root lower than this share of the hips' height stands on the ground, where motions expect 全ての親.
const GROUND: f32 = 0.1;

/// Which bones of a human character have which names in MMD.
#[derive(Clone, Debug, PartialEq)]
pub struct StandardBones {
    pub(crate) map: HumanoidMap,
    /// The bone above the hips that becomes 全ての親; without one it is added.
    pub(crate) root: Option<BoneId>,
}

impl StandardBones {
    /// The names for a character. `None` if `map` lacks a bone that every human has, or if a bone has a name of MMD already.
    pub fn of(character: &Character, map: &HumanoidMap) -> Option<Self> {
        let skeleton = character.skeleton();
        let is_of_mmd =
            |name: &str| name == ROOT || HumanoidBone::ALL.iter().any(|&bone| standard_name(bone) == name);
        if !map.missing().is_empty() || skeleton.bones().iter().any(|bone| is_of_mmd(&bone.name)) {
            return None;
        }
        let hips = map.get(HumanoidBone::Hips)?;
        let heights = skeleton.rest_model_from_bone();
        let height = |bone: BoneId| heights[bone.index()].translation.y;
        let top = skeleton.upwards(hips).last().filter(|&top| top != hips);
        let root = top.filter(|&top| {
            height(top).abs() <= GROUND * height(hips).abs() && map.humanoid_bone(top).is_none()
        });
        Some(Self { map: map.clone(), root })
    }

    /// The name of a bone in MMD; `None` for bones that no human has.
    pub fn name(&self, bone: BoneId) -> Option<&'static str> {
        if self.root == Some(bone) {
            return Some(ROOT);
        }
        self.map.humanoid_bone(bone).map(standard_name)
    }

    /// The character with these names, as its PMX has them.
    #[must_use]
    pub fn renamed(&self, character: &Character) -> Character {
        let mut parts = character.clone().into_parts();
        for (index, bone) in parts.bones.iter_mut().enumerate() {
            if let Some(name) = self.name(BoneId::of(index)) {
                bone.name = name.into();
            }
        }
        Character::new(parts).expect("names are not checked")
    }

    /// A clip as a motion for the character's PMX. IK is off: feet go where the clip has them.
    ///
    /// # Panics
    /// If the clip does not belong to this character.
    pub fn vmd(&self, character: &Character, clip: &Clip, report: &mut Report) -> Vmd {
        let mut vmd = Vmd::from_clip(&self.renamed(character), clip, report);
        let goals = FOOT_GOALS.iter().chain(&TOE_GOALS);
        let switches = goals.map(|name| VmdReachSwitch { name: FixedText::encode(name).0, enabled: 0 });
        vmd.properties = vec![VmdPropertyKey { frame: 0, visible: 1, switches: switches.collect() }];
        vmd
    }
}

impl StandardBones {
    /// A motion as a clip of the character: by the names of MMD, or by the character's own where the motion has more of those.
    pub fn clip(&self, vmd: &Vmd, character: &Character, name: &str, report: &mut Report) -> Clip {
        let renamed = self.renamed(character);
        let known = |character: &Character| {
            let parts = NamedParts::of(character, NameKey::of_text);
            vmd.bones.iter().filter(|key| parts.bone(NameKey::of_field(&key.name)).is_some()).count()
        };
        let is_own = known(character) > known(&renamed);
        vmd.to_clip(if is_own { character } else { &renamed }, name, report)
    }
}

/// The name of a human bone in MMD. The toes that bend are 足先EX; つま先 is their tip, which IK aims.
pub(crate) fn standard_name(bone: HumanoidBone) -> &'static str {
    use HumanoidBone as B;
    match bone {
        B::Hips => CENTER,
        B::Spine => "上半身",
        B::Chest => "上半身2",
        B::UpperChest => "上半身3",
        B::Neck => "首",
        B::Head => "頭",
        B::LeftEye => "左目",
        B::RightEye => "右目",
        B::Jaw => "あご",
        B::LeftUpperLeg => "左足",
        B::RightUpperLeg => "右足",
        B::LeftLowerLeg => "左ひざ",
        B::RightLowerLeg => "右ひざ",
        B::LeftFoot => "左足首",
        B::RightFoot => "右足首",
        B::LeftToes => "左足先EX",
        B::RightToes => "右足先EX",
        B::LeftShoulder => "左肩",
        B::RightShoulder => "右肩",
        B::LeftUpperArm => "左腕",
        B::RightUpperArm => "右腕",
        B::LeftLowerArm => "左ひじ",
        B::RightLowerArm => "右ひじ",
        B::LeftHand => "左手首",
        B::RightHand => "右手首",
        B::LeftThumbMetacarpal => "左親指０",
        B::RightThumbMetacarpal => "右親指０",
        B::LeftThumbProximal => "左親指１",
        B::RightThumbProximal => "右親指１",
        B::LeftThumbDistal => "左親指２",
        B::RightThumbDistal => "右親指２",
        B::LeftIndexProximal => "左人指１",
        B::RightIndexProximal => "右人指１",
        B::LeftIndexIntermediate => "左人指２",
        B::RightIndexIntermediate => "右人指２",
        B::LeftIndexDistal => "左人指３",
        B::RightIndexDistal => "右人指３",
        B::LeftMiddleProximal => "左中指１",
        B::RightMiddleProximal => "右中指１",
        B::LeftMiddleIntermediate => "左中指２",
        B::RightMiddleIntermediate => "右中指２",
        B::LeftMiddleDistal => "左中指３",
        B::RightMiddleDistal => "右中指３",
        B::LeftRingProximal => "左薬指１",
        B::RightRingProximal => "右薬指１",
        B::LeftRingIntermediate => "左薬指２",
        B::RightRingIntermediate => "右薬指２",
        B::LeftRingDistal => "左薬指３",
        B::RightRingDistal => "右薬指３",
        B::LeftLittleProximal => "左小指１",
        B::RightLittleProximal => "右小指１",
        B::LeftLittleIntermediate => "左小指２",
        B::RightLittleIntermediate => "右小指２",
        B::LeftLittleDistal => "左小指３",
        B::RightLittleDistal => "右小指３",
    }
}
