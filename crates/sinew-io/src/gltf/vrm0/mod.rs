//! VRM 0.x read as VRM 1.0.
//!
//! The two say the same in other words, but for one thing: a character of VRM 0.x looks along −Z. So everything hangs under a new node
//! that turns it, and whatever is done later meets VRM 1.0 alone.

mod looks;
mod meta;
mod springs;

use super::GltfDocument;
use super::document::object_in;
use super::json::whole_number;
use crate::Report;
use serde_json::{Map, Value, json};

/// Name of the node that turns the character.
const TURN_NAME: &str = "VRM 0.x turned";

impl GltfDocument {
    /// The same document as VRM 1.0 that looks along +Z, if it is VRM 0.x; what VRM 1.0 cannot say is reported.
    pub fn upgrade_vrm0(&mut self, report: &mut Report) {
        let extension = self.json.get("extensions").and_then(|extensions| extensions.get("VRM")).cloned();
        let is_newer = self.json.pointer("/extensions/VRMC_vrm").is_some();
        let Some(vrm) = extension.filter(|vrm| vrm.is_object() && !is_newer) else { return };
        report.warn("", "VRM 0.x is read as VRM 1.0 and turned to look along +Z");
        self.turn_roots();
        self.set_extension("VRMC_vrm", self.vrm1_of(&vrm, report));
        if let Some(springs) = springs::springs(self, &vrm, report) {
            self.set_extension("VRMC_springBone", springs);
        }
        looks::set_materials(self, &vrm, report);
        self.remove_extension("VRM");
    }

    fn vrm1_of(&self, vrm: &Value, report: &mut Report) -> Value {
        let mut new = json!({
            "specVersion": "1.0",
            "meta": meta::meta(&self.json, &vrm["meta"]),
            "humanoid": { "humanBones": human_bones(vrm) },
        });
        let expressions = looks::expressions(&self.json, vrm, report);
        if expressions.as_object().is_some_and(|members| !members.is_empty()) {
            new["expressions"] = expressions;
        }
        for (key, value) in looks::gaze(&self.json, vrm) {
            new[key] = value;
        }
        new
    }

    /// Hangs the roots of the default scene under a node that turns them by 180°. Skinned meshes stay: their bones move them.
    fn turn_roots(&mut self) {
        let scene = self.json.get("scene").and_then(whole_number).unwrap_or(0);
        let place = format!("/scenes/{scene}/nodes");
        let Some(roots) = self.json.pointer(&place).and_then(Value::as_array).cloned() else { return };
        let is_skin = |root: &Value| {
            let node = whole_number(root).and_then(|root| self.json["nodes"].get(root as usize));
            node.is_some_and(|node| node.get("skin").is_some() && node.get("children").is_none())
        };
        let (skins, turned): (Vec<Value>, Vec<Value>) = roots.into_iter().partition(is_skin);
        if turned.is_empty() {
            return;
        }
        let turn =
            self.add_node(json!({ "name": TURN_NAME, "rotation": [0.0, 1.0, 0.0, 0.0], "children": turned }));
        if let Some(roots) = self.json.pointer_mut(&place) {
            *roots = std::iter::once(turn.into()).chain(skins).collect::<Vec<Value>>().into();
        }
    }

    fn add_node(&mut self, node: Value) -> usize {
        let nodes = self.list_mut("nodes");
        nodes.push(node);
        nodes.len() - 1
    }

    fn remove_extension(&mut self, name: &str) {
        if let Some(extensions) = self.json.get_mut("extensions").and_then(Value::as_object_mut) {
            extensions.shift_remove(name);
        }
        for key in ["extensionsUsed", "extensionsRequired"] {
            let Some(list) = self.json.get_mut(key).and_then(Value::as_array_mut) else { continue };
            list.retain(|listed| listed != name);
            // An empty list is not valid.
            if list.is_empty()
                && let Some(json) = self.json.as_object_mut()
            {
                json.shift_remove(key);
            }
        }
    }
}

/// The bones by name; thumbs have other names in VRM 0.x.
fn human_bones(vrm: &Value) -> Value {
    let mut bones = Map::new();
    for bone in list(&vrm["humanoid"]["humanBones"]) {
        let (Some(name), Some(node)) = (bone["bone"].as_str(), whole_number(&bone["node"])) else { continue };
        bones.insert(super::humanoid::renamed(name), json!({ "node": node }));
    }
    bones.into()
}

/// The entries of a list; none of anything else.
fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A vector of VRM 0.x, an object of x, y and z.
fn vector(value: &Value) -> Option<[f64; 3]> {
    let part = |key: &str| value[key].as_f64().filter(|part| part.is_finite()).unwrap_or(0.0);
    value.is_object().then(|| ["x", "y", "z"].map(part))
}

/// Points on bones: z is the other way in VRM 0.x than in its own nodes.
fn point(value: &Value) -> [f64; 3] {
    let [x, y, z] = vector(value).unwrap_or_default();
    [x, y, -z]
}

/// The nodes that show a mesh.
fn nodes_of_mesh(json: &Value, mesh: u64) -> impl Iterator<Item = usize> + '_ {
    let shows = move |node: &Value| node.get("mesh").and_then(whole_number) == Some(mesh);
    list(&json["nodes"]).iter().enumerate().filter(move |(_, node)| shows(node)).map(|(index, _)| index)
}

/// A member of an object in the document, made if missing.
fn extensions_of<'a>(json: &'a mut Value, list: &str, index: usize) -> Option<&'a mut Value> {
    let entry = json.get_mut(list)?.get_mut(index).filter(|entry| entry.is_object())?;
    Some(object_in(entry, "extensions"))
}

#[cfg(test)]
mod tests;
