//! A body as a VRM 1.0 avatar: glTF with the extension `VRMC_vrm`.
//!
//! The extension says who made the avatar, what may be done with it, and which node is which bone of a human. Expressions, gaze and
//! springs are optional there and left out.

use serde_json::{Map, Value, json};
use sinew_io::{GltfDocument, Report};
use sinew_model::{SaveError, for_gltf, save_document};
use sinew_rig::{Character, HumanoidMap};
use std::path::Path;

/// What VRM asks to know about an avatar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VrmMeta {
    /// The avatar's name.
    pub name: String,
    /// Who made it; at least one.
    pub authors: Vec<String>,
}

/// VRM's own licence, whose terms the other members of the meta data choose. Those that are not written are the strictest.
const LICENSE_URL: &str = "https://vrm.dev/licenses/1.0/";

/// Bones that VRM 1.0 asks for.
const REQUIRED_BONES: &str = "hips spine head leftUpperLeg leftLowerLeg leftFoot rightUpperLeg rightLowerLeg rightFoot \
    leftUpperArm leftLowerArm leftHand rightUpperArm rightLowerArm rightHand";

/// A body's character as a VRM document.
pub fn vrm_document(
    character: &Character,
    map: &HumanoidMap,
    meta: &VrmMeta,
    report: &mut Report,
) -> GltfDocument {
    let mut document = GltfDocument::from_character(&for_gltf(character.clone(), report), report);
    let bones = human_bones(&document, character, map);
    for missing in REQUIRED_BONES.split(' ').filter(|bone| !bones.contains_key(*bone)) {
        report.warn(
            "VRMC_vrm.humanoid",
            format!("VRM asks for the bone {missing:?}, which the body does not have"),
        );
    }
    report.warn(
        "VRMC_vrm",
        "VRM asks for a rest pose with arms held out level; this body rests with its arms lower, so that motions for VRM need to be \
         taken over bone by bone",
    );
    document.set_extension(
        "VRMC_vrm",
        json!({
            "specVersion": "1.0",
            "meta": { "name": meta.name, "authors": meta.authors, "licenseUrl": LICENSE_URL },
            "humanoid": { "humanBones": bones },
        }),
    );
    document
}

/// Writes a body's character as a `.vrm` file.
///
/// # Errors
/// The file cannot be written; what was there before stays.
pub fn save_vrm(
    character: &Character,
    map: &HumanoidMap,
    meta: &VrmMeta,
    path: &Path,
    report: &mut Report,
) -> Result<(), SaveError> {
    save_document(&vrm_document(character, map, meta, report), path, report)
}

/// Nodes by VRM's names. Nodes are found by their name, because writing may have added some.
fn human_bones(document: &GltfDocument, character: &Character, map: &HumanoidMap) -> Map<String, Value> {
    let nodes = document.json()["nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut bones = Map::new();
    for (human, bone) in map.iter() {
        let name = &character.skeleton().bone(bone).name;
        if let Some(node) = nodes.iter().position(|node| node["name"] == name.as_str()) {
            bones.insert(human.name().into(), json!({ "node": node }));
        }
    }
    bones
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{BodyRequest, make};
    use sinew_body::character::CharacterSettings;

    #[test]
    fn the_extension_has_what_vrm_asks_for() {
        let made = make(&BodyRequest::default()).expect("the mean man");
        let character =
            made.body.to_character(&CharacterSettings { steps: 4, ..CharacterSettings::default() });
        let meta = VrmMeta { name: "me".into(), authors: vec!["somebody".into()] };
        let map = sinew_rig::guess_humanoid(&character);
        let document = vrm_document(&character, &map, &meta, &mut Report::default());
        let json = document.json();
        assert!(json["extensionsUsed"].as_array().expect("a list").iter().any(|name| name == "VRMC_vrm"));
        let vrm = &json["extensions"]["VRMC_vrm"];
        assert_eq!(vrm["specVersion"], "1.0");
        assert_eq!((&vrm["meta"]["name"], &vrm["meta"]["authors"][0]), (&json!("me"), &json!("somebody")));
        assert_eq!(vrm["meta"]["licenseUrl"], LICENSE_URL);
        let bones = vrm["humanoid"]["humanBones"].as_object().expect("bones by name");
        for name in REQUIRED_BONES.split(' ') {
            let node = bones[name]["node"].as_u64().expect("a node") as usize;
            assert!(json["nodes"][node]["name"].is_string(), "{name}");
        }
        // A node is one bone, and a child's node is below its parent's.
        let node = |name: &str| bones[name]["node"].as_u64().expect("a node");
        let children = json["nodes"][node("leftLowerArm") as usize]["children"].as_array().expect("children");
        assert!(children.iter().any(|child| child.as_u64() == Some(node("leftHand"))));
        let mut nodes: Vec<u64> = bones.keys().map(|name| node(name)).collect();
        nodes.sort_unstable();
        nodes.dedup();
        assert_eq!(nodes.len(), bones.len());
    }
}
