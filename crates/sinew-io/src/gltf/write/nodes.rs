//! Nodes, skins, and the meshes of nodes.

use super::{Writer, named, set_name, set_or_remove};
use crate::gltf::json::whole_number;
use glam::{Quat, Vec3};
use serde_json::{Value, json};
use sinew_rig::{Bind, Bone, Character, Instance, LocalTransform};

impl Writer {
    pub(super) fn update_nodes(&mut self, original: &Character, character: &Character) {
        let (old, new) = (original.skeleton().bones(), character.skeleton().bones());
        for (index, bone) in new.iter().enumerate() {
            match old.get(index) {
                Some(before) => self.update_node(index, before, bone),
                None => {
                    let mut node = named(&bone.name);
                    set_local(&mut node, &bone.rest);
                    self.push_json("nodes", node);
                }
            }
        }
        let are_parents_kept = old.iter().zip(new).all(|(old, new)| old.parent == new.parent);
        if !are_parents_kept || new.len() > old.len() {
            self.update_children(old, new);
        }
    }

    fn update_node(&mut self, index: usize, before: &Bone, bone: &Bone) {
        let node = &mut self.document.json["nodes"][index];
        if before.name != bone.name {
            set_name(node, &bone.name);
        }
        if before.rest != bone.rest {
            set_local(node, &bone.rest);
        }
    }

    /// Moves nodes whose parent changed, and adds new ones to their parents or to the scene; all others keep their order.
    fn update_children(&mut self, old: &[Bone], new: &[Bone]) {
        for (index, bone) in new.iter().enumerate() {
            let before = old.get(index).map(|bone| bone.parent);
            if before == Some(bone.parent) {
                continue;
            }
            if let Some(before) = before {
                let list = match before {
                    Some(parent) => Some(&mut self.document.json["nodes"][parent.index()]["children"]),
                    None => self.default_scene_nodes(),
                };
                if let Some(children) = list.and_then(Value::as_array_mut) {
                    children.retain(|child| whole_number(child) != Some(index as u64));
                }
                if let Some(parent) = before {
                    let node = &mut self.document.json["nodes"][parent.index()];
                    let is_empty = node["children"].as_array().is_none_or(Vec::is_empty);
                    if is_empty {
                        set_or_remove(node, "children", None);
                    }
                }
            }
            let list = match bone.parent {
                Some(parent) => Some(list_in(&mut self.document.json["nodes"][parent.index()], "children")),
                None => self.default_scene_nodes(),
            };
            if let Some(children) = list.and_then(Value::as_array_mut) {
                children.push(index.into());
            }
        }
    }

    /// The root nodes of the default scene, if the file has scenes.
    fn default_scene_nodes(&mut self) -> Option<&mut Value> {
        Some(list_in(self.default_scene()?, "nodes"))
    }

    /// The default scene, if the file has scenes.
    pub(super) fn default_scene(&mut self) -> Option<&mut Value> {
        let scene = self.document.json.get("scene").and_then(whole_number).unwrap_or(0) as usize;
        self.document.json.get_mut("scenes")?.get_mut(scene)
    }

    pub(super) fn update_binds(&mut self, original: &Character, character: &Character) {
        for (index, bind) in character.binds().iter().enumerate() {
            match original.binds().get(index) {
                Some(before) if before == bind => {}
                Some(before) => self.update_bind(index, before, bind),
                None => {
                    let mut skin = named(&bind.name);
                    skin["joints"] = joint_list(bind);
                    skin["inverseBindMatrices"] = self.push_inverse_binds(bind).into();
                    self.push_json("skins", skin);
                }
            }
        }
    }

    fn update_bind(&mut self, index: usize, before: &Bind, bind: &Bind) {
        if before.joint_from_rest != bind.joint_from_rest {
            let accessor = self.push_inverse_binds(bind);
            self.document.json["skins"][index]["inverseBindMatrices"] = accessor.into();
        }
        let skin = &mut self.document.json["skins"][index];
        skin["joints"] = joint_list(bind);
        if before.name != bind.name {
            set_name(skin, &bind.name);
        }
    }

    fn push_inverse_binds(&mut self, bind: &Bind) -> usize {
        let matrices: Vec<[f32; 16]> =
            bind.joint_from_rest.iter().map(|affine| glam::Mat4::from(*affine).to_cols_array()).collect();
        self.push_floats(&matrices, None, false)
    }

    pub(super) fn update_instances(&mut self, original: &Character, character: &Character) {
        let same = |instances: &[Instance], instance: &Instance| instances.contains(instance);
        for gone in original.instances().iter().filter(|instance| !same(character.instances(), instance)) {
            let node = &mut self.document.json["nodes"][gone.bone.index()];
            for key in ["mesh", "skin", "weights"] {
                set_or_remove(node, key, None);
            }
        }
        for instance in character.instances().iter().filter(|instance| !same(original.instances(), instance))
        {
            let node = &mut self.document.json["nodes"][instance.bone.index()];
            node["mesh"] = instance.mesh.index().into();
            set_or_remove(node, "skin", instance.bind.map(|bind| bind.index().into()));
            let defaults = &character.mesh(instance.mesh).default_morph_weights;
            let weights = (instance.morph_weights != *defaults).then(|| json!(instance.morph_weights));
            set_or_remove(node, "weights", weights);
        }
    }
}

/// The list `key` of an object, created if missing.
fn list_in<'a>(object: &'a mut Value, key: &str) -> &'a mut Value {
    if !object[key].is_array() {
        object[key] = json!([]);
    }
    &mut object[key]
}

fn joint_list(bind: &Bind) -> Value {
    bind.joints.iter().map(|joint| joint.index()).collect::<Vec<_>>().into()
}

/// Writes a local transform without its identity parts.
fn set_local(node: &mut Value, rest: &LocalTransform) {
    match rest {
        LocalTransform::Matrix(affine) => {
            node["matrix"] = json!(glam::Mat4::from(*affine).to_cols_array());
            for key in ["translation", "rotation", "scale"] {
                set_or_remove(node, key, None);
            }
        }
        LocalTransform::Trs(trs) => {
            set_or_remove(node, "matrix", None);
            let (shift, turn) = (trs.translation, trs.rotation);
            set_or_remove(node, "translation", (shift != Vec3::ZERO).then(|| json!(shift.to_array())));
            set_or_remove(node, "rotation", (turn != Quat::IDENTITY).then(|| json!(turn.to_array())));
            set_or_remove(node, "scale", (trs.scale != Vec3::ONE).then(|| json!(trs.scale.to_array())));
        }
    }
}
