//! The humanoid bones of VRM files.

use super::GltfDocument;
use crate::Report;
use serde_json::Value;
use sinew_rig::{BoneId, Character, HumanoidBone, HumanoidMap};

impl GltfDocument {
    /// The humanoid bones of VRM 1.0 (`VRMC_vrm`), of an animation for it (`VRMC_vrm_animation`) or of VRM 0.x (`VRM`); `None` if the
    /// file has none of them. Invalid entries are reported and
    /// left out.
    pub fn humanoid(&self, character: &Character, report: &mut Report) -> Option<HumanoidMap> {
        let extensions = self.json.get("extensions")?;
        let bones = |extension: &str| extensions.get(extension)?.get("humanoid")?.get("humanBones");
        let entries: Vec<(String, &Value)> =
            match (bones("VRMC_vrm").or_else(|| bones("VRMC_vrm_animation")), bones("VRM")) {
                (Some(Value::Object(bones)), _) => {
                    bones.iter().map(|(name, bone)| (name.clone(), bone)).collect()
                }
                (_, Some(Value::Array(bones))) => {
                    let name = |bone: &Value| Some(renamed(bone.get("bone")?.as_str()?));
                    bones.iter().filter_map(|bone| Some((name(bone)?, bone))).collect()
                }
                _ => return None,
            };
        let mut map = HumanoidMap::default();
        for (name, entry) in entries {
            let place = format!("humanBones.{name}");
            let Some(bone) = HumanoidBone::from_name(&name) else {
                report.warn(place, "unknown VRM bone; left out");
                continue;
            };
            let node = entry.get("node").and_then(Value::as_u64).and_then(|node| usize::try_from(node).ok());
            match node.filter(|&node| node < character.skeleton().bone_count()) {
                Some(node) => match map.humanoid_bone(BoneId::of(node)) {
                    Some(first) => report.warn(place, format!("{first} already uses this node; left out")),
                    None => map.set(bone, BoneId::of(node)),
                },
                None => report.warn(place, "the node does not exist; left out"),
            }
        }
        Some(map)
    }
}

/// Thumbs have other names in VRM 0.x.
pub(super) fn renamed(name: &str) -> String {
    match name.strip_suffix("ThumbProximal").or_else(|| name.strip_suffix("ThumbIntermediate")) {
        Some(side) if name.ends_with("Proximal") => format!("{side}ThumbMetacarpal"),
        Some(side) => format!("{side}ThumbProximal"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    fn map(extensions: &str) -> (Option<HumanoidMap>, usize) {
        let nodes = r#"[{"name":"a"},{"name":"b"},{"name":"c"}]"#;
        let text = format!(r#"{{"asset":{{"version":"2.0"}},"nodes":{nodes},"extensions":{extensions}}}"#);
        let none = |_: &str, _: u64| unreachable!("no file is named");
        let mut report = Report::default();
        let document =
            GltfDocument::read(text.into_bytes(), &none, &Limits::default(), &mut report).expect("glTF");
        let character = document.to_character(&mut report).expect("a character");
        let mut of_map = Report::default();
        (document.humanoid(&character, &mut of_map), of_map.warnings().len())
    }

    #[test]
    fn both_versions_are_read() {
        let (found, warnings) = map(
            r#"{"VRMC_vrm":{"humanoid":{"humanBones":{"hips":{"node":1},"leftThumbProximal":{"node":2}}}}}"#,
        );
        let found = found.expect("a map");
        assert_eq!(found.get(HumanoidBone::Hips), Some(BoneId(1)));
        assert_eq!(found.get(HumanoidBone::LeftThumbProximal), Some(BoneId(2)));
        assert_eq!(warnings, 0);
        let (found, _) = map(
            r#"{"VRM":{"humanoid":{"humanBones":[{"bone":"hips","node":0},{"bone":"leftThumbProximal","node":2}]}}}"#,
        );
        assert_eq!(found.expect("a map").get(HumanoidBone::LeftThumbMetacarpal), Some(BoneId(2)));
        assert_eq!(map("{}").0, None);
    }

    #[test]
    fn nonsense_is_reported_and_left_out() {
        let (found, warnings) = map(
            r#"{"VRMC_vrm":{"humanoid":{"humanBones":{"hips":{"node":9},"tail":{"node":0},"head":{},"neck":{"node":1},"jaw":{"node":1}}}}}"#,
        );
        assert_eq!(found.expect("a map").iter().count(), 1);
        assert_eq!(warnings, 4);
    }
}
