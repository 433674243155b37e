//! What `sinew inspect` tells of a model's file, beyond its character.

use crate::contents::of_gltf::{VRM_0, vrm_version};
use crate::model::Source;
use crate::motion::{MapOrigin, humanoid_map};
use crate::{Content, Document, Model};
use serde::Serialize;
use serde_json::Value;
use sinew_io::Report;
use sinew_rig::HumanoidBone;
use std::collections::BTreeMap;

/// A model's file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FileSummary {
    /// glTF, VRM, PMX, PMD, FBX, OBJ or BVH; "none" for a model that is from no file.
    pub format: &'static str,
    /// As the file declares it: `1.0`, or `0.x`.
    pub vrm_version: Option<String>,
    /// Height of the rest shape in the file's own units.
    pub height: f32,
    /// The file's unit: `m` for glTF, which is always in meters; `MMD units` of 0.08 m for MMD's formats.
    pub unit: &'static str,
    /// Which bone is which of a human.
    pub humanoid: HumanoidSummary,
    /// Names of materials by kind: PBR, unlit, MToon, toon.
    pub material_kinds: BTreeMap<&'static str, Vec<String>>,
    /// Physics, springs, expressions, constraints, cameras and all else that only the file has.
    pub contents: Vec<Content>,
}

/// The bones of a human.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HumanoidSummary {
    /// `file` or `guessed`.
    pub origin: &'static str,
    /// VRM's name, and the bone's.
    pub bones: BTreeMap<&'static str, String>,
    /// Bones that every human needs and that were not found.
    pub missing: Vec<&'static str>,
}

impl FileSummary {
    /// Of a model of this height in m.
    pub(crate) fn of(model: &Model, height_m: f32) -> Self {
        let vrm_version = match model.source {
            Source::Vrm0 => Some(VRM_0.to_owned()),
            _ => model.gltf().and_then(|document| vrm_version(document.json())),
        };
        let (format, unit, unit_m) = match &model.document {
            Some(Document::Gltf(_)) if vrm_version.is_some() => ("VRM", "m", 1.0),
            Some(Document::Gltf(_)) => ("glTF", "m", 1.0),
            Some(Document::Pmx(_)) => ("PMX", "MMD units", sinew_mmd::METRES_PER_UNIT),
            Some(Document::Pmd(_)) => ("PMD", "MMD units", sinew_mmd::METRES_PER_UNIT),
            None => match model.source {
                Source::Read(format) => (format, "m", 1.0),
                _ => ("none", "m", 1.0),
            },
        };
        Self {
            format,
            vrm_version,
            height: height_m / unit_m,
            unit,
            humanoid: humanoid(model),
            material_kinds: material_kinds(model),
            contents: model.contents(),
        }
    }
}

fn humanoid(model: &Model) -> HumanoidSummary {
    let (map, origin) = humanoid_map(model, &mut Report::default());
    let name = |bone| model.character.skeleton().bone(bone).name.clone();
    HumanoidSummary {
        origin: if origin == MapOrigin::File { "file" } else { "guessed" },
        bones: map.iter().map(|(human, bone)| (human.name(), name(bone))).collect(),
        missing: map.missing().into_iter().map(HumanoidBone::name).collect(),
    }
}

fn material_kinds(model: &Model) -> BTreeMap<&'static str, Vec<String>> {
    let json = model.gltf().map(sinew_io::GltfDocument::json);
    let mut kinds: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    for (index, material) in model.character.materials().iter().enumerate() {
        let kind = match (&model.document, json) {
            (Some(Document::Pmx(_) | Document::Pmd(_)), _) => "toon",
            (_, Some(json)) if is_mtoon(json, index) => "MToon",
            _ if material.is_unlit => "unlit",
            _ => "PBR",
        };
        kinds.entry(kind).or_default().push(material.name.clone());
    }
    kinds
}

/// Whether VRM 1.0 or 0.x calls a material MToon.
fn is_mtoon(json: &Value, index: usize) -> bool {
    let shader = json.pointer(&format!("/extensions/VRM/materialProperties/{index}/shader"));
    let extension = json.pointer(&format!("/materials/{index}/extensions/VRMC_materials_mtoon"));
    extension.is_some() || shader.and_then(Value::as_str).is_some_and(|shader| shader.contains("MToon"))
}
