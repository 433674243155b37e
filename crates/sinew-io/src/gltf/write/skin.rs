//! Skinning method of the character: the extension `SINEW_skin` and its vertex attributes.

use super::encode::VERTICES;
use super::meshes::of;
use super::{Writer, set_or_remove};
use crate::gltf::skin_keys::{METHOD_KEY, SCALAR_METHOD_KEY, SKIN_EXTENSION, SPHERICAL_KEYS};
use glam::Vec3;
use serde_json::{Map, Value, json};
use sinew_rig::{AuthoredSkin, FormerVertex, MaterialGroup, Mesh, Spherical};

impl Writer {
    /// Writes the extension if it changed; keeps unknown members.
    pub(super) fn update_skin(&mut self, before: &AuthoredSkin, skin: &AuthoredSkin) {
        if before == skin {
            return;
        }
        let entry = &mut self.document_extension(SKIN_EXTENSION);
        let joints = skin.joints.iter().map(|rule| json!({ "bone": rule.pattern, "method": rule.method }));
        let ranges = skin.ranges.iter().map(
            |range| json!({ "bone": range.pattern, "r0": range.r0.to_array(), "r1": range.r1.to_array() }),
        );
        let list = |items: Vec<Value>| (!items.is_empty()).then(|| items.into());
        set_or_remove(entry, "method", skin.method.clone().map(Value::from));
        set_or_remove(entry, "s", skin.s.map(|s| json!(s)));
        set_or_remove(entry, "rotation", skin.rotation.clone().map(Value::from));
        set_or_remove(entry, "joints", list(joints.collect()));
        set_or_remove(entry, "ranges", list(ranges.collect()));
        set_or_remove(entry, "former", list(skin.former.iter().map(former).collect()));
        let is_empty = entry.as_object().is_some_and(Map::is_empty);
        let entry = entry.take();
        self.set_document_extension(SKIN_EXTENSION, (!is_empty).then_some(entry));
    }

    /// c, r0 and r1; zeros for a vertex without them.
    pub(super) fn spherical(&mut self, mesh: &Mesh, group: &MaterialGroup, out: &mut Map<String, Value>) {
        if mesh.spherical.is_empty() {
            return;
        }
        let points: [fn(&Spherical) -> Vec3; 3] = [|s| s.center, |s| s.r0, |s| s.r1];
        for (key, point) in SPHERICAL_KEYS.into_iter().zip(points) {
            let value = |entry: &Option<Spherical>| entry.as_ref().map_or(Vec3::ZERO, point);
            let values: Vec<Vec3> = of(&mesh.spherical, group).iter().map(value).collect();
            out.insert(key.into(), self.push_floats(&values, VERTICES, false).into());
        }
    }

    /// Method codes, each in a vector as wide as the other attributes of Sinew.
    pub(super) fn methods(&mut self, mesh: &Mesh, group: &MaterialGroup, out: &mut Map<String, Value>) {
        if !mesh.methods.is_empty() {
            let vector = |&code: &u8| Vec3::new(f32::from(code), 0.0, 0.0);
            let codes: Vec<Vec3> = of(&mesh.methods, group).iter().map(vector).collect();
            out.insert(METHOD_KEY.into(), self.push_floats(&codes, VERTICES, false).into());
        }
    }

    /// Whether a primitive of the file has its codes as scalars, which are then written anew.
    pub(super) fn has_scalar_methods(&self, mesh: usize, primitive: usize) -> bool {
        self.document.json["meshes"][mesh]["primitives"][primitive]["attributes"]
            .get(SCALAR_METHOD_KEY)
            .is_some()
    }
}

/// A vertex before an optimization.
fn former(former: &FormerVertex) -> Value {
    let joints: Vec<u16> = former.influences.iter().map(|&(joint, _)| joint).collect();
    let weights: Vec<f32> = former.influences.iter().map(|&(_, weight)| weight).collect();
    let mut entry =
        json!({ "mesh": former.mesh.index(), "vertex": former.vertex, "joints": joints, "weights": weights });
    if let Some(Spherical { center, r0, r1 }) = former.spherical {
        for (key, point) in ["c", "r0", "r1"].into_iter().zip([center, r0, r1]) {
            entry[key] = json!(point.to_array());
        }
    }
    entry
}
