//! Guesses human bones by names and hierarchy.
//!
//! Names are split (`names.rs`) and looked up in lists of usual names: VRM, Mixamo, Unreal-like names, Blender's `.L` and `.R`, CMU's
//! motion files, MMD's Japanese names and Sinew's own. For numbered bones the hierarchy decides: the bones between hips and neck are spine,
//! chest and upper chest in that order, and numbered joints of a leg are thigh, shank, foot and toes.

use super::names::{NameParts, Side};
use super::{HumanoidBone, HumanoidMap};
use crate::{BoneId, Character, Skeleton};

/// Names of one part, best first; earlier names have priority.
struct PartNames {
    left: HumanoidBone,
    names: &'static [&'static str],
}

const fn part(left: HumanoidBone, names: &'static [&'static str]) -> PartNames {
    PartNames { left, names }
}

/// In the middle.
const MIDDLE: [PartNames; 4] = [
    part(HumanoidBone::Hips, &["hips", "pelvis", "センター", "hip", "root", "torso", "腰", "下半身"]),
    part(HumanoidBone::Neck, &["neck", "首", "cervical"]),
    part(HumanoidBone::Head, &["head", "頭", "skull"]),
    part(HumanoidBone::Jaw, &["jaw", "あご", "顎"]),
];

/// On both sides.
const PAIRS: [PartNames; 9] = [
    part(HumanoidBone::LeftUpperLeg, &["upperleg", "upleg", "thigh", "femur", "足", "hip"]),
    part(
        HumanoidBone::LeftLowerLeg,
        &["lowerleg", "shank", "calf", "shin", "lowleg", "ひざ", "膝", "knee", "leg"],
    ),
    part(HumanoidBone::LeftFoot, &["foot", "ankle", "足首"]),
    part(HumanoidBone::LeftToes, &["toes", "toe", "ball", "toebase", "足先ex"]),
    part(HumanoidBone::LeftShoulder, &["clavicle", "collar", "collarbone", "shoulder", "肩"]),
    part(HumanoidBone::LeftUpperArm, &["upperarm", "uparm", "腕", "arm", "humerus"]),
    part(HumanoidBone::LeftLowerArm, &["lowerarm", "forearm", "lowarm", "ひじ", "肘", "elbow"]),
    part(HumanoidBone::LeftHand, &["hand", "wrist", "手首"]),
    part(HumanoidBone::LeftEye, &["eye", "faceeye", "adjeye", "目"]),
];

/// Names of bones between hips and neck.
const TRUNK: [&str; 9] =
    ["spine", "chest", "upperchest", "torso", "abdomen", "lowerback", "back", "上半身", "thorax"];

/// Fingers: the first bone and their names.
const FINGERS: [PartNames; 5] = [
    part(HumanoidBone::LeftThumbMetacarpal, &["thumb", "handthumb", "親指"]),
    part(HumanoidBone::LeftIndexProximal, &["index", "handindex", "indexfinger", "人指", "人差指"]),
    part(HumanoidBone::LeftMiddleProximal, &["middle", "handmiddle", "middlefinger", "中指"]),
    part(HumanoidBone::LeftRingProximal, &["ring", "handring", "ringfinger", "薬指"]),
    part(
        HumanoidBone::LeftLittleProximal,
        &["little", "pinky", "handpinky", "handlittle", "littlefinger", "小指"],
    ),
];

/// Words of a finger's bones that only give the position along it.
const ALONG_FINGER: [&str; 6] = ["proximal", "intermediate", "distal", "metacarpal", "middle", "finger"];

/// Guesses which bones of a character are human bones. Others are left out: see [`HumanoidMap::missing`].
///
/// ```
/// use sinew_rig::{HumanoidBone, guess_humanoid, samples};
///
/// let map = guess_humanoid(&samples::figure());
/// assert!(map.missing().is_empty());
/// assert!(map.get(HumanoidBone::LeftHand).is_some());
/// ```
pub fn guess_humanoid(character: &Character) -> HumanoidMap {
    let skeleton = character.skeleton();
    let parts: Vec<NameParts> = skeleton.bones().iter().map(|bone| NameParts::of(&bone.name)).collect();
    let mut guess = Guess { skeleton, parts, depths: depths(skeleton), map: HumanoidMap::default() };
    for pair in &PAIRS {
        guess.best_named(pair, Side::Left);
        guess.best_named(pair, Side::Right);
    }
    guess.numbered_limbs("leg", &LEG);
    guess.numbered_limbs("arm", &ARM);
    for middle in &MIDDLE {
        guess.best_named(middle, Side::Middle);
    }
    guess.hips_above_legs();
    guess.trunk();
    guess.head();
    guess.fingers();
    guess.map
}

const LEG: [HumanoidBone; 4] =
    [HumanoidBone::LeftUpperLeg, HumanoidBone::LeftLowerLeg, HumanoidBone::LeftFoot, HumanoidBone::LeftToes];
const ARM: [HumanoidBone; 3] =
    [HumanoidBone::LeftUpperArm, HumanoidBone::LeftLowerArm, HumanoidBone::LeftHand];

struct Guess<'a> {
    skeleton: &'a Skeleton,
    /// One per bone.
    parts: Vec<NameParts>,
    /// Steps from the root, one per bone.
    depths: Vec<u32>,
    map: HumanoidMap,
}

fn depths(skeleton: &Skeleton) -> Vec<u32> {
    let mut depths = vec![0; skeleton.bone_count()];
    for &bone in skeleton.parents_first() {
        if let Some(parent) = skeleton.bone(bone).parent {
            depths[bone.index()] = depths[parent.index()] + 1;
        }
    }
    depths
}

fn on_side(left: HumanoidBone, side: Side) -> HumanoidBone {
    if side == Side::Right { left.mirrored() } else { left }
}

impl Guess<'_> {
    /// Selects the bone with the earliest name of the list; among equals the one with the lowest number, then nearest to the root.
    fn best_named(&mut self, part: &PartNames, side: Side) {
        let rank = |bone: usize| {
            let parts = &self.parts[bone];
            let place = part.names.iter().position(|&name| name == parts.word)?;
            (parts.side == side).then(|| (place, parts.numbers.clone(), self.depths[bone], bone))
        };
        let best = (0..self.parts.len()).filter_map(rank).min();
        if let Some((_, _, _, bone)) = best {
            self.map.set(on_side(part.left, side), BoneId::of(bone));
        }
    }

    /// Limbs with numbered bones of one name, in any order of numbers.
    fn numbered_limbs(&mut self, word: &str, chain: &[HumanoidBone]) {
        for side in [Side::Left, Side::Right] {
            let mut bones: Vec<usize> = (0..self.parts.len())
                .filter(|&bone| self.parts[bone].side == side && self.parts[bone].word == word)
                .collect();
            bones.sort_by_key(|&bone| self.depths[bone]);
            let is_chain =
                bones.windows(2).all(|pair| self.is_below(BoneId::of(pair[1]), BoneId::of(pair[0])));
            if bones.len() >= 3 && is_chain {
                for (&bone, &left) in bones.iter().zip(chain) {
                    self.map.set(on_side(left, side), BoneId::of(bone));
                }
            }
        }
    }

    fn is_below(&self, bone: BoneId, above: BoneId) -> bool {
        self.skeleton.upwards(bone).skip(1).any(|parent| parent == above)
    }

    /// The hips carry both legs; if the named bone does not, the nearest bone that does is used.
    fn hips_above_legs(&mut self) {
        use HumanoidBone::{Hips, LeftUpperLeg, RightUpperLeg};
        let (Some(left), Some(right)) = (self.map.get(LeftUpperLeg), self.map.get(RightUpperLeg)) else {
            return;
        };
        let carries = |bone: BoneId| self.is_below(left, bone) && self.is_below(right, bone);
        if self.map.get(Hips).is_some_and(carries) {
            return;
        }
        self.map.remove(Hips);
        let nearest = self.skeleton.upwards(left).skip(1).find(|&bone| self.is_below(right, bone));
        nearest.into_iter().for_each(|bone| self.map.set(Hips, bone));
    }

    /// Bones on the way from the hips to the neck, or else to an arm.
    fn trunk(&mut self) {
        use HumanoidBone::{Chest, Hips, LeftShoulder, LeftUpperArm, Neck, Spine, UpperChest};
        let Some(hips) = self.map.get(Hips) else { return };
        let ends = [Neck, LeftShoulder, LeftUpperArm].into_iter().filter_map(|bone| self.map.get(bone));
        let Some(end) = ends.into_iter().find(|&end| self.is_below(end, hips)) else { return };
        let is_trunk = |bone: &BoneId| {
            let parts = &self.parts[bone.index()];
            parts.side == Side::Middle && TRUNK.contains(&parts.word.as_str())
        };
        let up = self.skeleton.upwards(end).skip(1).take_while(|&bone| bone != hips);
        let mut way: Vec<BoneId> = up.filter(is_trunk).collect();
        way.reverse();
        let names: &[HumanoidBone] = match way.len() {
            0 => &[],
            1 => &[Spine],
            2 => &[Spine, Chest],
            _ => &[Spine, Chest, UpperChest],
        };
        if way.len() > 3 {
            way = vec![way[0], way[way.len() / 2], way[way.len() - 1]];
        }
        names.iter().zip(way).for_each(|(&name, bone)| self.map.set(name, bone));
    }

    /// The last bone of a numbered neck is the head if there is no other.
    fn head(&mut self) {
        use HumanoidBone::{Head, Neck};
        let Some(neck) = self.map.get(Neck).filter(|_| self.map.get(Head).is_none()) else { return };
        let is_neck = |bone: usize| self.parts[bone].word == self.parts[neck.index()].word;
        let below =
            (0..self.parts.len()).filter(|&bone| is_neck(bone) && self.is_below(BoneId::of(bone), neck));
        if let Some(head) = below.max_by_key(|&bone| self.depths[bone]) {
            self.map.set(Head, BoneId::of(head));
        }
    }

    /// The first three bones of each finger.
    fn fingers(&mut self) {
        for finger in &FINGERS {
            for side in [Side::Left, Side::Right] {
                let mut bones: Vec<usize> =
                    (0..self.parts.len()).filter(|&bone| self.is_of_finger(bone, finger, side)).collect();
                bones.sort_by_key(|&bone| (self.depths[bone], bone));
                let is_thumb = finger.left == HumanoidBone::LeftThumbMetacarpal;
                // Thumbs of two bones have no metacarpal.
                let first = finger.left.index() + if is_thumb && bones.len() == 2 { 2 } else { 0 };
                for (along, &bone) in bones.iter().take(3).enumerate() {
                    let place = first + 2 * along;
                    if place <= finger.left.index() + 4 {
                        self.map.set(on_side(HumanoidBone::ALL[place], side), BoneId::of(bone));
                    }
                }
            }
        }
    }

    fn is_of_finger(&self, bone: usize, finger: &PartNames, side: Side) -> bool {
        let parts = &self.parts[bone];
        let is_thumb = finger.left == HumanoidBone::LeftThumbMetacarpal;
        let is_named = finger.names.iter().any(|&name| {
            parts.word.strip_prefix(name).is_some_and(|rest| {
                let is_palm = rest == "metacarpal" && !is_thumb;
                !is_palm && (rest.is_empty() || ALONG_FINGER.contains(&rest))
            })
        });
        parts.side == side && is_named
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bone, CharacterParts, LocalTransform};
    use sinew_geometry::Trs;

    /// Bones as `name<parent`, sides written `{l|r}` standing for both.
    fn character(bones: &str) -> Character {
        let mut list: Vec<(String, Option<String>)> = Vec::new();
        for entry in bones.split_whitespace() {
            let (name, parent) =
                entry.split_once('<').map_or((entry, None), |(name, parent)| (name, Some(parent)));
            let is_sided = name.contains('{');
            for side in 0..if is_sided { 2 } else { 1 } {
                let on_side = |text: &str| match text.split_once('{') {
                    Some((before, rest)) => {
                        let (sides, after) = rest.split_once('}').expect("a closing brace");
                        let chosen = sides.split('|').nth(side).expect("two sides");
                        format!("{before}{chosen}{after}")
                    }
                    None => text.to_owned(),
                };
                list.push((on_side(name), parent.map(on_side)));
            }
        }
        let find =
            |name: &String| BoneId::of(list.iter().position(|(found, _)| found == name).expect("a parent"));
        let bones = list.iter().map(|(name, parent)| Bone {
            name: name.clone(),
            parent: parent.as_ref().map(find),
            rest: LocalTransform::Trs(Trs::IDENTITY),
            tip_in_bone: None,
        });
        Character::new(CharacterParts { bones: bones.collect(), ..CharacterParts::default() })
            .expect("a skeleton")
    }

    #[track_caller]
    fn check(bones: &str, expected: &[(HumanoidBone, &str)]) {
        let character = character(bones);
        let map = guess_humanoid(&character);
        assert_eq!(map.missing(), [], "{bones}");
        for &(bone, name) in expected {
            let found = map.get(bone).map(|id| character.skeleton().bone(id).name.as_str());
            assert_eq!(found, Some(name), "{bone}");
        }
    }

    #[test]
    fn rigs_of_many_programs_are_understood() {
        use HumanoidBone::{
            Chest, Head, Hips, LeftFoot, LeftHand, LeftIndexDistal, LeftIndexProximal, LeftLowerLeg,
            LeftThumbMetacarpal, LeftToes, LeftUpperArm, Neck, RightLowerArm, RightUpperLeg, Spine,
            UpperChest,
        };
        check(
            "m:Hips m:Spine<m:Hips m:Spine1<m:Spine m:Spine2<m:Spine1 m:Neck<m:Spine2 m:Head<m:Neck m:{Left|Right}Shoulder<m:Spine2 \
             m:{Left|Right}Arm<m:{Left|Right}Shoulder m:{Left|Right}ForeArm<m:{Left|Right}Arm m:{Left|Right}Hand<m:{Left|Right}ForeArm \
             m:{Left|Right}HandIndex1<m:{Left|Right}Hand m:{Left|Right}UpLeg<m:Hips m:{Left|Right}Leg<m:{Left|Right}UpLeg \
             m:{Left|Right}Foot<m:{Left|Right}Leg m:{Left|Right}ToeBase<m:{Left|Right}Foot",
            &[
                (UpperChest, "m:Spine2"),
                (LeftUpperArm, "m:LeftArm"),
                (LeftLowerLeg, "m:LeftLeg"),
                (LeftToes, "m:LeftToeBase"),
                (LeftIndexProximal, "m:LeftHandIndex1"),
            ],
        );
        check(
            "root pelvis<root spine_01<pelvis spine_02<spine_01 neck_01<spine_02 head<neck_01 clavicle_{l|r}<spine_02 \
             upperarm_{l|r}<clavicle_{l|r} lowerarm_{l|r}<upperarm_{l|r} hand_{l|r}<lowerarm_{l|r} thumb_01_{l|r}<hand_{l|r} \
             index_01_{l|r}<hand_{l|r} index_02_{l|r}<index_01_{l|r} index_03_{l|r}<index_02_{l|r} index_04_leaf_{l|r}<index_03_{l|r} \
             thigh_{l|r}<pelvis calf_{l|r}<thigh_{l|r} foot_{l|r}<calf_{l|r} ball_{l|r}<foot_{l|r}",
            &[
                (Hips, "pelvis"),
                (Chest, "spine_02"),
                (LeftIndexDistal, "index_03_l"),
                (LeftThumbMetacarpal, "thumb_01_l"),
                (LeftToes, "ball_l"),
            ],
        );
        check(
            "Armature torso_joint_1<Armature torso_joint_2<torso_joint_1 torso_joint_3<torso_joint_2 neck_joint_1<torso_joint_3 \
             neck_joint_2<neck_joint_1 arm_joint_{L|R}_1<torso_joint_3 arm_joint_{L|R}_2<arm_joint_{L|R}_1 \
             arm_joint_{L|R}_3<arm_joint_{L|R}_2 leg_joint_{L|R}_1<torso_joint_1 leg_joint_{L|R}_2<leg_joint_{L|R}_1 \
             leg_joint_{L|R}_3<leg_joint_{L|R}_2 leg_joint_{L|R}_5<leg_joint_{L|R}_3",
            &[
                (Hips, "torso_joint_1"),
                (Head, "neck_joint_2"),
                (LeftHand, "arm_joint_L_3"),
                (RightUpperLeg, "leg_joint_R_1"),
                (LeftToes, "leg_joint_L_5"),
            ],
        );
        check(
            "全ての親 センター<全ての親 上半身<センター 上半身2<上半身 首<上半身2 頭<首 下半身<センター {左|右}肩<上半身2 {左|右}腕<{左|右}肩 \
             {左|右}ひじ<{左|右}腕 {左|右}手首<{左|右}ひじ {左|右}足<下半身 {左|右}ひざ<{左|右}足 {左|右}足首<{左|右}ひざ {左|右}足ＩＫ<全ての親",
            &[
                (Hips, "センター"),
                (Spine, "上半身"),
                (Chest, "上半身2"),
                (RightLowerArm, "右ひじ"),
                (LeftFoot, "左足首"),
            ],
        );
        check(
            "hips spine<hips chest<spine neck<chest head<neck shoulder.{L|R}<chest upper_arm.{L|R}<shoulder.{L|R} \
             forearm.{L|R}<upper_arm.{L|R} hand.{L|R}<forearm.{L|R} thigh.{L|R}<hips shin.{L|R}<thigh.{L|R} foot.{L|R}<shin.{L|R} toe.{L|R}<foot.{L|R}",
            &[(LeftLowerLeg, "shin.L"), (Neck, "neck"), (RightLowerArm, "forearm.R")],
        );
        check(
            "pelvis abdomen<pelvis chest<abdomen neck<chest head<neck clavicle.{left|right}<chest upper_arm.{left|right}<clavicle.{left|right} \
             forearm.{left|right}<upper_arm.{left|right} hand.{left|right}<forearm.{left|right} index_proximal.{left|right}<hand.{left|right} \
             index_middle.{left|right}<index_proximal.{left|right} index_distal.{left|right}<index_middle.{left|right} thigh.{left|right}<pelvis \
             shank.{left|right}<thigh.{left|right} foot.{left|right}<shank.{left|right} toes.{left|right}<foot.{left|right}",
            &[(Spine, "abdomen"), (LeftLowerLeg, "shank.left"), (LeftIndexDistal, "index_distal.left")],
        );
    }

    #[test]
    fn what_is_no_human_has_missing_bones() {
        let map = guess_humanoid(&crate::samples::limb(4, 6));
        assert!(map.missing().contains(&HumanoidBone::Hips));
    }
}
