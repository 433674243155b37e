//! Which bone of a character is which bone of a human.

use super::HumanoidBone;
use crate::{BoneId, Character, FindError};

/// Bones of a human and the bones of one character that they are.
///
/// Invariant: no bone of the character stands for two bones of a human.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HumanoidMap {
    bones: [Option<BoneId>; HumanoidBone::COUNT],
}

impl Default for HumanoidMap {
    fn default() -> Self {
        Self { bones: [None; HumanoidBone::COUNT] }
    }
}

/// Why names do not make a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HumanoidMapError {
    /// Not a bone of a human.
    #[error("{name:?} is no bone of a human in VRM's words{}", near_text(.nearest))]
    UnknownHumanoidBone {
        /// As written.
        name: String,
        /// The nearest names, best first.
        nearest: Vec<String>,
    },
    /// Not a bone of the character.
    #[error("{bone}: {source}")]
    Find {
        /// The bone of a human.
        bone: HumanoidBone,
        /// What is wrong with the name.
        source: FindError,
    },
    /// One bone of the character for two of a human.
    #[error("{first} and {second} are both {name:?}; a bone can be only one of them")]
    Twice {
        /// The first.
        first: HumanoidBone,
        /// The second.
        second: HumanoidBone,
        /// The bone of the character.
        name: String,
    },
}

fn near_text(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        [first, ..] => format!("; did you mean {first:?}?"),
    }
}

impl HumanoidMap {
    /// The character's bone.
    pub fn get(&self, bone: HumanoidBone) -> Option<BoneId> {
        self.bones[bone.index()]
    }

    /// What bone of a human the character's bone is.
    pub fn humanoid_bone(&self, bone: BoneId) -> Option<HumanoidBone> {
        self.iter().find(|&(_, mapped)| mapped == bone).map(|(humanoid, _)| humanoid)
    }

    /// Says which bone it is. A bone of the character that stood for another is taken from that.
    pub fn set(&mut self, bone: HumanoidBone, mapped: BoneId) {
        if let Some(before) = self.humanoid_bone(mapped) {
            self.bones[before.index()] = None;
        }
        self.bones[bone.index()] = Some(mapped);
    }

    /// Says that the character has no such bone.
    pub fn remove(&mut self, bone: HumanoidBone) {
        self.bones[bone.index()] = None;
    }

    /// All that are there, in VRM's order.
    pub fn iter(&self) -> impl Iterator<Item = (HumanoidBone, BoneId)> + '_ {
        HumanoidBone::ALL.iter().filter_map(|&bone| Some((bone, self.get(bone)?)))
    }

    /// Bones that every human needs and this map has not.
    pub fn missing(&self) -> Vec<HumanoidBone> {
        let is_missing = |bone: &HumanoidBone| bone.is_required() && self.get(*bone).is_none();
        HumanoidBone::ALL.iter().copied().filter(is_missing).collect()
    }

    /// A map from names: of bones of a human, and of bones of the character (or `#` and an index).
    ///
    /// # Errors
    /// Everything that is wrong, not only the first.
    pub fn from_names<'a>(
        character: &Character,
        names: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, Vec<HumanoidMapError>> {
        let mut map = Self::default();
        let mut errors = Vec::new();
        for (humanoid, name) in names {
            let Some(bone) = HumanoidBone::from_name(humanoid) else {
                let all = HumanoidBone::ALL.iter().map(|bone| bone.name());
                let nearest = crate::nearest_names(humanoid, all);
                errors.push(HumanoidMapError::UnknownHumanoidBone { name: humanoid.into(), nearest });
                continue;
            };
            match character.skeleton().find(name) {
                Ok(found) => match map.humanoid_bone(found) {
                    Some(first) => {
                        errors.push(HumanoidMapError::Twice { first, second: bone, name: name.into() });
                    }
                    None => map.set(bone, found),
                },
                Err(source) => errors.push(HumanoidMapError::Find { bone, source }),
            }
        }
        if errors.is_empty() { Ok(map) } else { Err(errors) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn names_that_mean_nothing_are_told_with_near_ones() {
        let character = samples::limb(4, 6);
        let names =
            [("leftUperArm", "upper"), ("leftLowerArm", "lowr"), ("leftHand", "lower"), ("head", "lower")];
        let errors = HumanoidMap::from_names(&character, names).expect_err("three mistakes");
        let told: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(told[0].contains("leftUpperArm"), "{told:?}");
        assert!(told[1].contains("\"lower\""), "{told:?}");
        assert!(told[2].contains("only one"), "{told:?}");
    }

    #[test]
    fn a_bone_is_one_bone_only() {
        let mut map = HumanoidMap::default();
        map.set(HumanoidBone::Hips, BoneId(3));
        map.set(HumanoidBone::Spine, BoneId(3));
        assert_eq!(map.get(HumanoidBone::Hips), None);
        assert_eq!(map.iter().collect::<Vec<_>>(), [(HumanoidBone::Spine, BoneId(3))]);
        assert_eq!(map.missing().len(), 12);
    }
}
