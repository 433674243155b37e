//! Which bones the settings mean.

use super::AnatomyError;
use crate::config::{BoneSettings, FleshSettings};
use sinew_rig::{BoneId, Character, HumanoidBone, HumanoidMap};

impl BoneSettings {
    /// The bone that is meant. A model's own bone goes before one of a human of the same name: it is what the user sees.
    ///
    /// # Errors
    /// There is none.
    pub fn find(&self, character: &Character, map: Option<&HumanoidMap>) -> Result<BoneId, AnatomyError> {
        let by_name = character.skeleton().find(&self.bone).map_err(AnatomyError::from);
        match (by_name, HumanoidBone::from_name(&self.bone)) {
            (Err(_), Some(bone)) => {
                map.and_then(|map| map.get(bone)).ok_or(AnatomyError::BoneNotMapped { bone })
            }
            (by_name, _) => by_name,
        }
    }
}

impl FleshSettings {
    /// The bone of each exception, in their order: VRM's words by the map, other names by the character.
    ///
    /// # Errors
    /// All that mean no bone.
    pub fn find_bones(
        &self,
        character: &Character,
        map: Option<&HumanoidMap>,
    ) -> Result<Vec<BoneId>, Vec<AnatomyError>> {
        let found = self.bones.iter().map(|bone| bone.find(character, map));
        let (found, errors): (Vec<_>, Vec<_>) = found.partition(Result::is_ok);
        if errors.is_empty() {
            return Ok(found.into_iter().flatten().collect());
        }
        Err(errors.into_iter().filter_map(Result::err).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::{guess_humanoid, samples};

    #[test]
    fn bones_are_found_by_both_names_and_mistakes_reported_together() {
        let figure = samples::figure();
        let mut map = guess_humanoid(&figure);
        let named = |bone: &str| BoneSettings { bone: bone.to_owned(), ..BoneSettings::default() };
        let mut settings =
            FleshSettings { bones: vec![named("hips"), named("LeftToes")], ..FleshSettings::default() };
        let found = settings.find_bones(&figure, Some(&map)).unwrap();
        assert_eq!(Some(found[0]), map.get(HumanoidBone::Hips));
        assert_eq!(figure.skeleton().bone(found[1]).name, "LeftToes");
        map.remove(HumanoidBone::Hips);
        settings.bones.push(named("LeftTos"));
        let reported: Vec<String> =
            settings.find_bones(&figure, Some(&map)).unwrap_err().iter().map(ToString::to_string).collect();
        assert!(
            reported.len() == 2 && reported[0].contains("hips") && reported[1].contains("LeftToes"),
            "{reported:?}"
        );
    }
}
