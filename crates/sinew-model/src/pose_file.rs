//! `pose.json`: changes relative to rest that a person can write.

use crate::TextError;
use glam::{Quat, Vec3};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use sinew_geometry::Trs;
use sinew_rig::{BoneId, Character, MeshId, Pose};
use std::fmt;
use std::marker::PhantomData;

/// A pose as it stands in a file:
/// `{"bones": {"NAME": {"rotation": [x,y,z,w], "translation": [x,y,z], "scale": [x,y,z]}}, "morphs": {"NAME": 0.5}}`.
///
/// Every value is a change relative to rest in the bone's own rest frame, `local = rest_local · change`; morph weights are
/// absolute. A name may be `#` and an index instead.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoseFile {
    /// Changes of bones, in the file's order.
    #[serde(default)]
    pub bones: Entries<BoneChange>,
    /// Weights of morphs, in the file's order.
    #[serde(default)]
    pub morphs: Entries<f32>,
}

/// The change of one bone; what is left out does not change.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoneChange {
    /// Quaternion `x, y, z, w`; made unit.
    pub rotation: Option<[f32; 4]>,
    /// Metres, in the bone's own frame.
    pub translation: Option<[f32; 3]>,
    /// Factor along the bone's own axes.
    pub scale: Option<[f32; 3]>,
}

/// The entries of a JSON object in their order, a name that stands twice included.
#[derive(Clone, Debug, PartialEq)]
pub struct Entries<T>(pub Vec<(String, T)>);

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl PoseFile {
    /// Parses the text of a pose file.
    ///
    /// # Errors
    /// The text is not JSON, or has other members than a pose.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        serde_json::from_str(text).map_err(TextError::syntax)
    }

    /// The character's rest pose with these changes.
    ///
    /// # Errors
    /// Everything that does not fit the character, not only the first.
    pub fn pose(&self, character: &Character) -> Result<Pose, Vec<TextError>> {
        let mut pose = Pose::rest(character);
        let mut errors = Vec::new();
        let mut changed: Vec<(BoneId, &str)> = Vec::new();
        for (name, change) in &self.bones.0 {
            match resolve_bone(character, name, change, &changed) {
                Ok((bone, change)) => {
                    pose.change(bone, &change);
                    changed.push((bone, name));
                }
                Err(error) => errors.push(error),
            }
        }
        let mut set: Vec<(MeshId, usize, &str)> = Vec::new();
        for (name, weight) in &self.morphs.0 {
            if !weight.is_finite() {
                errors.push(TextError::NotFinite { name: name.clone() });
            }
            match character.find_morphs(name) {
                Ok(morphs) => {
                    for (mesh, morph) in morphs {
                        if let Some((_, _, first)) = set.iter().find(|&&(m, at, _)| (m, at) == (mesh, morph))
                        {
                            errors.push(twice("morph", first, name));
                        }
                        pose.set_morph(character, mesh, morph, *weight);
                        set.push((mesh, morph, name));
                    }
                }
                Err(error) => errors.push(error.into()),
            }
        }
        if errors.is_empty() { Ok(pose) } else { Err(errors) }
    }
}

fn resolve_bone(
    character: &Character,
    name: &str,
    change: &BoneChange,
    changed: &[(BoneId, &str)],
) -> Result<(BoneId, Trs), TextError> {
    let bone = character.skeleton().find(name)?;
    if let Some((_, first)) = changed.iter().find(|(before, _)| *before == bone) {
        return Err(twice("bone", first, name));
    }
    let rotation = Quat::from_array(change.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]));
    let trs = Trs {
        translation: change.translation.map_or(Vec3::ZERO, Vec3::from),
        rotation: rotation.normalize(),
        scale: change.scale.map_or(Vec3::ONE, Vec3::from),
    };
    if rotation.length_squared() == 0.0 {
        return Err(TextError::ZeroRotation { name: name.to_owned() });
    }
    if !trs.is_finite() {
        return Err(TextError::NotFinite { name: name.to_owned() });
    }
    Ok((bone, trs))
}

fn twice(kind: &'static str, first: &str, second: &str) -> TextError {
    TextError::Twice { kind, first: first.to_owned(), second: second.to_owned() }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntriesVisitor<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for EntriesVisitor<T> {
            type Value = Entries<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of names")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(EntriesVisitor(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::samples;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let character = samples::limb(8, 4);
        let errors = match PoseFile::parse(text) {
            Ok(file) => file.pose(&character).err().unwrap_or_default(),
            Err(error) => vec![error],
        };
        assert_eq!(errors.iter().map(ToString::to_string).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn mistakes_are_all_named() {
        check(r##"{"bones": {"lower": {"rotation": [1,0,0,1]}}}"##, &[]);
        check(
            r##"{"bones": {"Lower": {}, "#9": {}, "upper": {"rotation": [0,0,0,0]}}, "morphs": {"smile": 1}}"##,
            &[
                "unknown bone \"Lower\"; did you mean \"lower\"?",
                "unknown bone #9; the model has #0 to #2",
                "bone \"upper\": the rotation has no length; [0, 0, 0, 1] changes nothing",
                "unknown morph \"smile\"",
            ],
        );
        check(
            r##"{"bones": {"lower": {}, "#1": {}}}"##,
            &["\"lower\" and \"#1\" are the same bone; keep one"],
        );
        check(
            r##"{"bones": {"lower": {}, "lower": {}}}"##,
            &["\"lower\" and \"lower\" are the same bone; keep one"],
        );
        check(
            r##"{"bone": {}}"##,
            &["unknown field `bone`, expected `bones` or `morphs` at line 1 column 7"],
        );
        check(
            r##"{"bones": {"lower": {"translation": [1e39, 0, 0]}}}"##,
            &["number out of range at line 1 column 41"],
        );
    }

    #[test]
    fn changes_are_in_the_bones_own_rest_frame() {
        let character = samples::limb(8, 4);
        let file =
            PoseFile::parse(r##"{"bones": {"lower": {"translation": [0, 0.1, 0], "scale": [2, 2, 2]}}}"##)
                .expect("right");
        let pose = file.pose(&character).expect("fits");
        let rest = Pose::rest(&character).parent_from_bone()[1];
        let change = glam::Affine3A::from_scale_rotation_translation(
            Vec3::splat(2.0),
            Quat::IDENTITY,
            Vec3::new(0.0, 0.1, 0.0),
        );
        assert_eq!(pose.parent_from_bone()[1], rest * change);
    }
}
