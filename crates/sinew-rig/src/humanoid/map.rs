//! Maps human bones to a character's bones.

use super::HumanoidBone;
use crate::{BoneId, Character, FindError};

/// Human bones and the matching bones of one character.
///
/// Invariant: no bone of the character matches two human bones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HumanoidMap {
    bones: [Option<BoneId>; HumanoidBone::COUNT],
}

impl Default for HumanoidMap {
    fn default() -> Self {
        Self { bones: [None; HumanoidBone::COUNT] }
    }
}

/// Error of making a map from names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum HumanoidMapError {
    #[error("unknown human bone {name:?}; use VRM names{}", crate::suggestion(.nearest))]
    UnknownHumanoidBone { name: String, nearest: Vec<String> },
    #[error("{bone}: {source}")]
    Find { bone: HumanoidBone, source: FindError },
    #[error("{first} and {second} are both {name:?}; use different bones")]
    Twice { first: HumanoidBone, second: HumanoidBone, name: String },
}

impl HumanoidMap {
    /// The character's bone.
    pub fn get(&self, bone: HumanoidBone) -> Option<BoneId> {
        self.bones[bone.index()]
    }

    /// The human bone of a character's bone.
    pub fn humanoid_bone(&self, bone: BoneId) -> Option<HumanoidBone> {
        self.iter().find(|&(_, mapped)| mapped == bone).map(|(humanoid, _)| humanoid)
    }

    /// Sets a bone. Removes an earlier match of the same character bone.
    pub fn set(&mut self, bone: HumanoidBone, mapped: BoneId) {
        if let Some(before) = self.humanoid_bone(mapped) {
            self.bones[before.index()] = None;
        }
        self.bones[bone.index()] = Some(mapped);
    }

    /// Marks a bone as missing.
    pub fn remove(&mut self, bone: HumanoidBone) {
        self.bones[bone.index()] = None;
    }

    /// All mapped bones, in VRM's order.
    pub fn iter(&self) -> impl Iterator<Item = (HumanoidBone, BoneId)> + '_ {
        HumanoidBone::ALL.iter().filter_map(|&bone| Some((bone, self.get(bone)?)))
    }

    /// Required bones that are missing.
    pub fn missing(&self) -> Vec<HumanoidBone> {
        let is_missing = |bone: &HumanoidBone| bone.is_required() && self.get(*bone).is_none();
        HumanoidBone::ALL.iter().copied().filter(is_missing).collect()
    }

    /// A map from names: of human bones, and of bones of the character (or `#` and an index).
    ///
    /// # Errors
    /// All problems, not only the first.
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
        assert!(told[2].contains("different bones"), "{told:?}");
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
