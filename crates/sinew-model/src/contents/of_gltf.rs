//! Contents of glTF and VRM files, from their JSON. Members of another type than expected count as missing.

use super::{Content, ContentKind};
use serde_json::Value;

/// Extensions that the character has, or that another kind here counts.
const COUNTED: [&str; 12] = [
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    "KHR_materials_unlit",
    "SINEW_skin",
    "SINEW_helper_controllers",
    "SINEW_body",
    "KHR_lights_punctual",
    "KHR_materials_variants",
    "VRM",
    "VRMC_vrm",
    "VRMC_springBone",
    "VRMC_node_constraint",
];

/// Maps that [`sinew_rig::Material`] does not have.
const MAPS: [&str; 4] = [
    "/normalTexture",
    "/occlusionTexture",
    "/emissiveTexture",
    "/pbrMetallicRoughness/metallicRoughnessTexture",
];

pub(super) fn contents(json: &Value) -> Vec<Content> {
    let constrained = list(json, "/nodes").iter().filter(|node| {
        let extensions = node.get("extensions");
        extensions.is_some_and(|extensions| extensions.get("VRMC_node_constraint").is_some())
    });
    let has_maps = |material: &&Value| MAPS.iter().any(|map| material.pointer(map).is_some());
    let extensions = list(json, "/extensionsUsed").iter().filter_map(Value::as_str);
    let lists = [
        (ContentKind::Spring, springs(json)),
        (ContentKind::Collider, colliders(json)),
        (ContentKind::Expression, expressions(json)),
        (ContentKind::Constraint, constrained.map(|node| text(node, "name")).collect()),
        (ContentKind::Vrm, meta_name(json).into_iter().collect()),
        (ContentKind::Camera, cameras(json)),
        (ContentKind::Light, names(json, "/extensions/KHR_lights_punctual/lights")),
        (ContentKind::MaterialVariant, names(json, "/extensions/KHR_materials_variants/variants")),
        (
            ContentKind::MaterialMap,
            list(json, "/materials").iter().filter(has_maps).map(|material| text(material, "name")).collect(),
        ),
        (
            ContentKind::Extension,
            extensions.filter(|name| !COUNTED.contains(name)).map(str::to_owned).collect(),
        ),
    ];
    lists.into_iter().map(|(kind, names)| Content { kind, names }).collect()
}

/// The version of files that say what VRM 1.0 says in other words.
pub(crate) const VRM_0: &str = "0.x";

/// The version of VRM that a file declares: `1.0`, or `0.x`.
pub(crate) fn vrm_version(json: &Value) -> Option<String> {
    let version = |place: &str| json.pointer(place).map(|found| found.as_str().unwrap_or("").to_owned());
    match version("/extensions/VRMC_vrm/specVersion") {
        Some(version) => Some(version),
        None if json.pointer("/extensions/VRMC_vrm").is_some() => Some("1.0".to_owned()),
        None => json.pointer("/extensions/VRM").map(|_| VRM_0.to_owned()),
    }
}

fn list<'a>(json: &'a Value, place: &str) -> &'a [Value] {
    json.pointer(place).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text(object: &Value, key: &str) -> String {
    object.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn names(json: &Value, place: &str) -> Vec<String> {
    list(json, place).iter().map(|entry| text(entry, "name")).collect()
}

/// The name of the node that an entry names.
fn node_name(json: &Value, entry: &Value) -> String {
    let node = entry.get("node").and_then(Value::as_u64).and_then(|node| usize::try_from(node).ok());
    node.and_then(|node| list(json, "/nodes").get(node)).map(|node| text(node, "name")).unwrap_or_default()
}

/// VRM 1.0 names its springs, and one without a name is called after its first bone; 0.x has groups with a comment.
fn springs(json: &Value) -> Vec<String> {
    let groups = list(json, "/extensions/VRM/secondaryAnimation/boneGroups").iter();
    let name = |spring: &Value| {
        let first = || spring.pointer("/joints/0").map(|joint| node_name(json, joint)).unwrap_or_default();
        Some(text(spring, "name")).filter(|name| !name.is_empty()).unwrap_or_else(first)
    };
    let mut springs: Vec<String> =
        list(json, "/extensions/VRMC_springBone/springs").iter().map(name).collect();
    springs.extend(groups.map(|group| text(group, "comment")));
    springs
}

/// Colliders are called after their bone.
fn colliders(json: &Value) -> Vec<String> {
    let new = list(json, "/extensions/VRMC_springBone/colliders").iter().map(|entry| node_name(json, entry));
    let old = list(json, "/extensions/VRM/secondaryAnimation/colliderGroups").iter().flat_map(|group| {
        let count = group.get("colliders").and_then(Value::as_array).map_or(0, Vec::len);
        std::iter::repeat_n(node_name(json, group), count)
    });
    new.chain(old).collect()
}

fn expressions(json: &Value) -> Vec<String> {
    let keys = |place: &str| {
        let entries = json.pointer(place).and_then(Value::as_object);
        entries.map_or_else(Vec::new, |entries| entries.keys().cloned().collect())
    };
    let mut expressions = keys("/extensions/VRMC_vrm/expressions/preset");
    expressions.extend(keys("/extensions/VRMC_vrm/expressions/custom"));
    expressions.extend(names(json, "/extensions/VRM/blendShapeMaster/blendShapeGroups"));
    expressions
}

/// Cameras in the scene, called after their node where they have no name.
fn cameras(json: &Value) -> Vec<String> {
    let cameras = list(json, "/cameras");
    let placed = list(json, "/nodes").iter().filter_map(|node| {
        let camera = usize::try_from(node.get("camera")?.as_u64()?).ok()?;
        let own = text(cameras.get(camera)?, "name");
        Some(if own.is_empty() { text(node, "name") } else { own })
    });
    placed.collect()
}

/// The avatar's name, where the file is a VRM.
fn meta_name(json: &Value) -> Option<String> {
    let meta = |place: &str| json.pointer(place).filter(|meta| meta.is_object());
    let new = meta("/extensions/VRMC_vrm/meta").map(|meta| text(meta, "name"));
    new.or_else(|| meta("/extensions/VRM/meta").map(|meta| text(meta, "title")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(json: &Value, kind: ContentKind) -> Vec<String> {
        let found = contents(json).into_iter().find(|content| content.kind == kind);
        found.expect("every kind is listed").names
    }

    #[test]
    fn both_versions_of_vrm_are_counted() {
        let new = json!({
            "nodes": [{ "name": "head" }, { "name": "aim", "extensions": { "VRMC_node_constraint": {} } }],
            "extensionsUsed": ["VRMC_vrm", "EXT_something"],
            "extensions": {
                "VRMC_vrm": {
                    "specVersion": "1.0",
                    "meta": { "name": "Ann" },
                    "expressions": { "preset": { "happy": {} }, "custom": { "wink": {} } },
                },
                "VRMC_springBone": { "springs": [{ "name": "hair" }, {}, { "joints": [{ "node": 0 }] }], "colliders": [{ "node": 0 }] },
            },
        });
        assert_eq!(of(&new, ContentKind::Spring), ["hair", "", "head"]);
        assert_eq!(of(&new, ContentKind::Collider), ["head"]);
        assert_eq!(of(&new, ContentKind::Expression), ["happy", "wink"]);
        assert_eq!(of(&new, ContentKind::Constraint), ["aim"]);
        assert_eq!(of(&new, ContentKind::Vrm), ["Ann"]);
        assert_eq!(of(&new, ContentKind::Extension), ["EXT_something"]);
        assert_eq!(vrm_version(&new).as_deref(), Some("1.0"));
        let old = json!({
            "nodes": [{ "name": "head" }],
            "extensions": { "VRM": {
                "meta": { "title": "Bob" },
                "blendShapeMaster": { "blendShapeGroups": [{ "name": "Joy" }] },
                "secondaryAnimation": {
                    "boneGroups": [{ "comment": "tail" }],
                    "colliderGroups": [{ "node": 0, "colliders": [{}, {}] }],
                },
            } },
        });
        assert_eq!(of(&old, ContentKind::Spring), ["tail"]);
        assert_eq!(of(&old, ContentKind::Collider), ["head", "head"]);
        assert_eq!(of(&old, ContentKind::Expression), ["Joy"]);
        assert_eq!(vrm_version(&old).as_deref(), Some("0.x"));
    }

    #[test]
    fn cameras_lights_and_maps_are_found_and_nonsense_is_not() {
        let json = json!({
            "nodes": [{ "name": "eye", "camera": 0 }, { "camera": 9 }, 3],
            "cameras": [{}],
            "materials": [{ "name": "skin", "normalTexture": { "index": 0 } }, {}],
            "extensions": { "KHR_lights_punctual": { "lights": [{ "name": "sun" }] }, "VRMC_springBone": 7 },
        });
        assert_eq!(of(&json, ContentKind::Camera), ["eye"]);
        assert_eq!(of(&json, ContentKind::Light), ["sun"]);
        assert_eq!(of(&json, ContentKind::MaterialMap), ["skin"]);
        assert!(of(&json, ContentKind::Spring).is_empty());
        assert_eq!(vrm_version(&json), None);
        assert!(contents(&json!([])).iter().all(|content| content.names.is_empty()));
    }
}
