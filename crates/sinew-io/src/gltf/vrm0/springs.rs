//! `secondaryAnimation` as `VRMC_springBone`.
//!
//! A group of VRM 0.x names roots, and everything below them swings. The tail of a bone is its first child. A bone without children has a
//! tail 7 cm on, along its own offset from its parent; VRM 1.0 has no such tails, so a node is added there.

use super::super::json::whole_number;
use super::{list, point, vector};
use crate::Report;
use crate::gltf::GltfDocument;
use serde_json::{Value, json};
use std::collections::HashSet;

/// Length of a tail that is no bone, m.
const TAIL_M: f64 = 0.07;

/// The extension; `None` if nothing swings.
pub(super) fn springs(document: &mut GltfDocument, vrm: &Value, report: &mut Report) -> Option<Value> {
    let old = &vrm["secondaryAnimation"];
    let (colliders, groups) = colliders(document, old, report);
    let mut taken = HashSet::new();
    let mut springs = Vec::new();
    for (index, bone_group) in list(&old["boneGroups"]).iter().enumerate() {
        for root in list(&bone_group["bones"]) {
            match node_index(document, root) {
                Some(root) => springs.extend(chains(document, bone_group, root, groups.len(), &mut taken)),
                None => {
                    let place = format!("VRM.secondaryAnimation.boneGroups[{index}]");
                    report.warn(place, format!("node {root} does not exist; left out"));
                }
            }
        }
    }
    let mut extension = json!({ "specVersion": "1.0" });
    for (key, list) in [("colliders", colliders), ("colliderGroups", groups), ("springs", springs)] {
        if !list.is_empty() {
            extension[key] = list.into();
        }
    }
    extension.get("springs").is_some().then_some(extension)
}

/// Colliders and their groups. A group whose node does not exist stays, empty, because springs name groups by number.
fn colliders(document: &GltfDocument, old: &Value, report: &mut Report) -> (Vec<Value>, Vec<Value>) {
    let (mut colliders, mut groups) = (Vec::new(), Vec::new());
    for (index, group) in list(&old["colliderGroups"]).iter().enumerate() {
        let node = node_index(document, &group["node"]);
        if node.is_none() {
            let place = format!("VRM.secondaryAnimation.colliderGroups[{index}]");
            report.warn(place, "its node does not exist; left out");
        }
        let mut of_group = Vec::new();
        for collider in node.into_iter().flat_map(|_| list(&group["colliders"])) {
            of_group.push(colliders.len());
            let radius = collider["radius"].as_f64().unwrap_or(0.0);
            let sphere = json!({ "offset": point(&collider["offset"]), "radius": radius });
            colliders.push(json!({ "node": node, "shape": { "sphere": sphere } }));
        }
        groups.push(json!({ "colliders": of_group }));
    }
    (colliders, groups)
}

/// A chain along first children, and one for each further branch.
fn chains(
    document: &mut GltfDocument,
    group: &Value,
    root: usize,
    group_count: usize,
    taken: &mut HashSet<usize>,
) -> Vec<Value> {
    let mut chains = Vec::new();
    let mut starts = vec![root];
    while let Some(start) = starts.pop() {
        let mut nodes = Vec::new();
        let mut next = Some(start);
        // Also ends where a damaged file goes round.
        while let Some(node) = next.filter(|&node| taken.insert(node)) {
            let children: Vec<usize> = children_of(document, node);
            starts.extend(children.iter().skip(1));
            next = children.first().copied();
            nodes.push(node);
        }
        if let Some(&last) = nodes.last() {
            nodes.extend(tail(document, last));
        }
        if nodes.len() > 1 {
            chains.push(chain(document, group, &nodes, group_count));
        }
    }
    chains
}

fn chain(document: &GltfDocument, group: &Value, nodes: &[usize], group_count: usize) -> Value {
    let number = |key: &str, default: f64| group[key].as_f64().unwrap_or(default);
    // In the world, which the character's turn turns along.
    let [x, y, z] = vector(&group["gravityDir"]).unwrap_or([0.0, -1.0, 0.0]);
    let joint = |&node: &usize| {
        json!({
            "node": node,
            "hitRadius": number("hitRadius", 0.0),
            // Spelled so in the format.
            "stiffness": number("stiffiness", 1.0),
            "gravityPower": number("gravityPower", 0.0),
            "gravityDir": [-x, y, -z],
            "dragForce": number("dragForce", 0.4),
        })
    };
    let mut chain = json!({ "joints": nodes.iter().map(joint).collect::<Vec<_>>() });
    if let Some(name) = group["comment"].as_str().filter(|name| !name.is_empty()) {
        chain["name"] = name.into();
    }
    let groups: Vec<u64> = list(&group["colliderGroups"])
        .iter()
        .filter_map(whole_number)
        .filter(|&group| group < group_count as u64)
        .collect();
    if !groups.is_empty() {
        chain["colliderGroups"] = json!(groups);
    }
    if let Some(center) = node_index(document, &group["center"]) {
        chain["center"] = center.into();
    }
    chain
}

/// A node at the end of a bone without children; `None` where the bone has no direction.
fn tail(document: &mut GltfDocument, bone: usize) -> Option<usize> {
    let node = &document.json["nodes"][bone];
    let offset: Vec<f64> = list(&node["translation"]).iter().filter_map(Value::as_f64).collect();
    let length = offset.iter().map(|part| part * part).sum::<f64>().sqrt();
    if offset.len() != 3 || !(length > 0.0 && length.is_finite()) || node.get("children").is_some() {
        return None;
    }
    let name = format!("{} end", node["name"].as_str().unwrap_or("spring"));
    let place: Vec<f64> = offset.iter().map(|part| part / length * TAIL_M).collect();
    let tail = document.add_node(json!({ "name": name, "translation": place }));
    document.json["nodes"][bone]["children"] = json!([tail]);
    document.added_ends.push(tail);
    Some(tail)
}

fn children_of(document: &GltfDocument, node: usize) -> Vec<usize> {
    let children = list(&document.json["nodes"][node]["children"]);
    children.iter().filter_map(|child| node_index(document, child)).collect()
}

fn node_index(document: &GltfDocument, value: &Value) -> Option<usize> {
    let index = usize::try_from(whole_number(value)?).ok()?;
    (index < list(&document.json["nodes"]).len()).then_some(index)
}
