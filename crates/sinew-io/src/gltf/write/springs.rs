//! Chains that swing: the extension `VRMC_springBone` of VRM 1.0.

use super::{Writer, named, set_or_remove};
use crate::gltf::spring_keys::{EXTENDED_COLLIDER, MEMBERS, SPRING_EXTENSION};
use serde_json::{Map, Value, json};
use sinew_rig::{ColliderGroup, ColliderShape, SpringChain, SpringCollider, SpringJoint, Springs};

impl Writer {
    /// Writes the extension if it changed; keeps unknown members of the extension itself.
    pub(super) fn update_springs(&mut self, before: &Springs, springs: &Springs) {
        if *springs == (Springs { play: springs.play, ..before.clone() }) {
            return;
        }
        let mut entry = self.document_extension(SPRING_EXTENSION);
        MEMBERS.iter().for_each(|member| set_or_remove(&mut entry, member, None));
        if !springs.is_empty() {
            entry["specVersion"] = "1.0".into();
            let lists = [
                ("colliders", springs.colliders.iter().map(collider).collect::<Vec<_>>()),
                ("colliderGroups", springs.groups.iter().map(group).collect()),
                ("springs", springs.chains.iter().map(chain).collect()),
            ];
            // Lists without entries are not valid.
            for (key, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
                entry[key] = list.into();
            }
        }
        let is_empty = entry.as_object().is_some_and(Map::is_empty);
        self.set_document_extension(SPRING_EXTENSION, (!is_empty).then_some(entry));
        if springs.colliders.iter().any(|collider| is_extended(&collider.shape)) {
            self.document.use_extension(EXTENDED_COLLIDER);
        }
    }
}

fn is_extended(shape: &ColliderShape) -> bool {
    match shape {
        ColliderShape::Sphere { is_inside, .. } | ColliderShape::Capsule { is_inside, .. } => *is_inside,
        ColliderShape::Plane { .. } => true,
    }
}

fn collider(collider: &SpringCollider) -> Value {
    let shape = match collider.shape {
        ColliderShape::Sphere { offset, radius, is_inside } => {
            json!({ "sphere": { "offset": offset.to_array(), "radius": radius, "inside": is_inside } })
        }
        ColliderShape::Capsule { offset, tail, radius, is_inside } => json!({ "capsule": {
            "offset": offset.to_array(), "tail": tail.to_array(), "radius": radius, "inside": is_inside,
        }}),
        ColliderShape::Plane { offset, normal } => {
            json!({ "plane": { "offset": offset.to_array(), "normal": normal.to_array() } })
        }
    };
    let mut entry = json!({ "node": collider.bone.index() });
    if is_extended(&collider.shape) {
        // Programs without the extension see a ball that nothing touches.
        entry["shape"] = json!({ "sphere": { "offset": FAR_AWAY, "radius": 0.0 } });
        entry["extensions"] = json!({ EXTENDED_COLLIDER: { "specVersion": "1.0", "shape": shape } });
    } else {
        let mut shape = shape;
        for of_kind in shape.as_object_mut().into_iter().flat_map(Map::values_mut) {
            set_or_remove(of_kind, "inside", None);
        }
        entry["shape"] = shape;
    }
    entry
}

/// m.
const FAR_AWAY: [f32; 3] = [0.0, -10_000.0, 0.0];

fn group(group: &ColliderGroup) -> Value {
    let mut entry = named(&group.name);
    entry["colliders"] = json!(group.colliders);
    entry
}

fn chain(chain: &SpringChain) -> Value {
    let mut entry = named(&chain.name);
    entry["joints"] = chain.joints.iter().map(joint).collect();
    if !chain.groups.is_empty() {
        entry["colliderGroups"] = json!(chain.groups);
    }
    if let Some(center) = chain.center {
        entry["center"] = center.index().into();
    }
    entry
}

fn joint(joint: &SpringJoint) -> Value {
    json!({
        "node": joint.bone.index(),
        "hitRadius": joint.hit_radius_m,
        "stiffness": joint.stiffness,
        "gravityPower": joint.gravity_power,
        "gravityDir": joint.gravity_dir.to_array(),
        "dragForce": joint.drag,
    })
}

#[cfg(test)]
mod tests {
    use crate::Report;
    use crate::gltf::GltfDocument;
    use glam::Vec3;
    use sinew_rig::{
        BoneId, Character, ColliderGroup, ColliderShape, SpringChain, SpringCollider, SpringJoint, Springs,
        samples,
    };

    fn springy() -> Character {
        let mut parts = samples::limb(8, 4).into_parts();
        let joint = |bone| SpringJoint { stiffness: 0.5, drag: 0.25, ..SpringJoint::new(BoneId(bone)) };
        let (offset, tail, normal) = (Vec3::X, Vec3::Y, Vec3::Z);
        let shapes = [
            ColliderShape::Sphere { offset, radius: 0.5, is_inside: false },
            ColliderShape::Capsule { offset, tail, radius: 0.25, is_inside: true },
            ColliderShape::Plane { offset, normal },
        ];
        parts.springs = Springs {
            chains: vec![SpringChain {
                name: "tail".into(),
                joints: [0, 1, 2].map(joint).into(),
                groups: vec![0],
                center: Some(BoneId(0)),
            }],
            colliders: shapes.map(|shape| SpringCollider { bone: BoneId(1), shape }).into(),
            groups: vec![ColliderGroup { name: "all".into(), colliders: vec![2, 0, 1] }],
            ..Springs::default()
        };
        Character::new(parts).expect("sound")
    }

    #[test]
    fn springs_come_back_and_unchanged_files_stay() {
        let character = springy();
        let document = GltfDocument::from_character(&character, &mut Report::default());
        let mut report = Report::default();
        let again = document.to_character(&mut report).expect("sound");
        assert_eq!(again.springs(), character.springs());
        assert!(report.is_empty(), "{report:?}");
        assert_eq!(document.updated(&again, &mut report).expect("the same"), document);
        let mut parts = again.into_parts();
        parts.springs = Springs::default();
        let without = document.updated(&Character::new(parts).expect("sound"), &mut report).expect("fewer");
        assert!(!without.json().to_string().contains("VRMC_springBone\""), "{}", without.json());
    }

    #[test]
    fn springs_that_contradict_themselves_are_reported_and_left_out() {
        let mut document = GltfDocument::from_character(&springy(), &mut Report::default());
        let mut extension = document.json()["extensions"]["VRMC_springBone"].clone();
        let joints =
            |nodes: &[u32]| nodes.iter().map(|node| serde_json::json!({ "node": node })).collect::<Vec<_>>();
        for nodes in [&[2, 1][..], &[0, 1], &[0, 77]] {
            let spring = serde_json::json!({ "joints": joints(nodes) });
            extension["springs"].as_array_mut().expect("a list").push(spring);
        }
        extension["colliders"][0]["shape"] = serde_json::json!({ "cube": {} });
        document.set_extension("VRMC_springBone", extension);
        let mut report = Report::default();
        let character = document.to_character(&mut report).expect("sound");
        assert_eq!(character.springs().chains.len(), 1);
        assert_eq!(report.warnings().len(), 4, "{report:?}");
    }
}
