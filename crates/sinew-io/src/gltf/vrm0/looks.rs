//! Expressions, gaze, first person and toon materials.

use super::super::json::whole_number;
use super::{extensions_of, list, nodes_of_mesh, point};
use crate::Report;
use crate::gltf::GltfDocument;
use serde_json::{Map, Value, json};

/// Names of VRM 0.x and of VRM 1.0.
const PRESETS: [(&str, &str); 18] = [
    ("joy", "happy"),
    ("angry", "angry"),
    ("sorrow", "sad"),
    ("fun", "relaxed"),
    ("a", "aa"),
    ("i", "ih"),
    ("u", "ou"),
    ("e", "ee"),
    ("o", "oh"),
    ("blink", "blink"),
    ("blink_l", "blinkLeft"),
    ("blink_r", "blinkRight"),
    ("lookup", "lookUp"),
    ("lookdown", "lookDown"),
    ("lookleft", "lookLeft"),
    ("lookright", "lookRight"),
    ("neutral", "neutral"),
    ("surprised", "surprised"),
];

pub(super) fn expressions(json: &Value, vrm: &Value, report: &mut Report) -> Value {
    let (mut preset, mut custom) = (Map::new(), Map::new());
    let mut material_values = 0;
    for group in list(&vrm["blendShapeMaster"]["blendShapeGroups"]) {
        let binds: Vec<Value> =
            list(&group["binds"]).iter().flat_map(|bind| morph_binds(json, bind)).collect();
        let mut expression = json!({ "isBinary": group["isBinary"].as_bool().unwrap_or(false) });
        if !binds.is_empty() {
            expression["morphTargetBinds"] = binds.into();
        }
        material_values += list(&group["materialValues"]).len();
        let old = group["presetName"].as_str().unwrap_or_default().to_lowercase();
        match PRESETS.iter().find(|(name, _)| *name == old) {
            Some((_, name)) => preset.insert((*name).into(), expression),
            None => custom.insert(group["name"].as_str().unwrap_or("custom").into(), expression),
        };
    }
    if material_values > 0 {
        let what = format!("{material_values} changes of materials by expressions are left out");
        report.warn("VRM.blendShapeMaster", what);
    }
    let lists = [("preset", preset), ("custom", custom)].into_iter().filter(|(_, list)| !list.is_empty());
    lists.map(|(key, list)| (key.to_owned(), Value::from(list))).collect::<Map<_, _>>().into()
}

fn morph_binds(json: &Value, bind: &Value) -> Vec<Value> {
    let (Some(mesh), Some(index)) = (whole_number(&bind["mesh"]), whole_number(&bind["index"])) else {
        return Vec::new();
    };
    let weight = (bind["weight"].as_f64().unwrap_or(100.0) / 100.0).clamp(0.0, 1.0);
    let bind = |node| json!({ "node": node, "index": index, "weight": weight });
    nodes_of_mesh(json, mesh).map(bind).collect()
}

/// `lookAt` and `firstPerson`.
pub(super) fn gaze(json: &Value, vrm: &Value) -> Vec<(&'static str, Value)> {
    let old = &vrm["firstPerson"];
    if !old.is_object() {
        return Vec::new();
    }
    let is_bone = old["lookAtTypeName"].as_str() != Some("BlendShape");
    let mut gaze = json!({
        "type": if is_bone { "bone" } else { "expression" },
        "offsetFromHeadBone": point(&old["firstPersonBoneOffset"]),
    });
    for side in ["HorizontalInner", "HorizontalOuter", "VerticalDown", "VerticalUp"] {
        let range = &old[format!("lookAt{side}")];
        if let (Some(input), Some(output)) = (range["xRange"].as_f64(), range["yRange"].as_f64()) {
            gaze[format!("rangeMap{side}")] = json!({ "inputMaxValue": input, "outputScale": output });
        }
    }
    let mut found = vec![("lookAt", gaze)];
    let annotations: Vec<Value> =
        list(&old["meshAnnotations"]).iter().flat_map(|entry| annotations(json, entry)).collect();
    if !annotations.is_empty() {
        found.push(("firstPerson", json!({ "meshAnnotations": annotations })));
    }
    found
}

fn annotations(json: &Value, entry: &Value) -> Vec<Value> {
    let kind = match entry["firstPersonFlag"].as_str() {
        Some("Both") => "both",
        Some("ThirdPersonOnly") => "thirdPersonOnly",
        Some("FirstPersonOnly") => "firstPersonOnly",
        _ => "auto",
    };
    let nodes = whole_number(&entry["mesh"]).into_iter().flat_map(|mesh| nodes_of_mesh(json, mesh));
    nodes.map(|node| json!({ "node": node, "type": kind })).collect()
}

/// MToon materials in the words of VRM 1.0; other shaders are reported.
pub(super) fn set_materials(document: &mut GltfDocument, vrm: &Value, report: &mut Report) {
    let mut is_used = false;
    for (index, old) in list(&vrm["materialProperties"]).iter().enumerate() {
        match old["shader"].as_str() {
            Some("VRM/MToon") => {
                let mtoon = mtoon(&document.json, old);
                if let Some(extensions) = extensions_of(&mut document.json, "materials", index) {
                    extensions["VRMC_materials_mtoon"] = mtoon;
                    is_used = true;
                }
            }
            Some("VRM_USE_GLTFSHADER") | None => {}
            Some(other) => {
                let place = format!("VRM.materialProperties[{index}]");
                report.warn(place, format!("shader {other:?} is left out; the glTF material stays"));
            }
        }
    }
    if is_used {
        document.use_extension("VRMC_materials_mtoon");
    }
}

/// Shade and outline. VRM 1.0 counts the border of the shade the other way: from the light's side, in cosines.
fn mtoon(json: &Value, old: &Value) -> Value {
    let number = |key: &str, default: f64| old["floatProperties"][key].as_f64().unwrap_or(default);
    let color = |key: &str, default: f64| -> Vec<f64> {
        let parts = list(&old["vectorProperties"][key]);
        (0..3).map(|at| linear(parts.get(at).and_then(Value::as_f64).unwrap_or(default))).collect()
    };
    let shift = number("_ShadeShift", 0.0);
    let toony = number("_ShadeToony", 0.9);
    let toony = toony + (1.0 - toony) * (0.5 + 0.5 * shift);
    let mut mtoon = json!({
        "specVersion": "1.0",
        "shadeColorFactor": color("_ShadeColor", 1.0),
        "shadingToonyFactor": toony,
        "shadingShiftFactor": -shift - (1.0 - toony),
    });
    let texture = whole_number(&old["textureProperties"]["_ShadeTexture"]);
    if let Some(texture) = texture.filter(|&texture| (texture as usize) < list(&json["textures"]).len()) {
        mtoon["shadeMultiplyTexture"] = json!({ "index": texture });
    }
    let modes = [(1.0, "worldCoordinates"), (2.0, "screenCoordinates")];
    let mode = modes.iter().find(|(mode, _)| *mode == number("_OutlineWidthMode", 0.0));
    if let Some((_, mode)) = mode {
        mtoon["outlineWidthMode"] = (*mode).into();
        // Centimeters.
        mtoon["outlineWidthFactor"] = (0.01 * number("_OutlineWidth", 0.0)).into();
        mtoon["outlineColorFactor"] = color("_OutlineColor", 0.0).into();
    }
    mtoon
}

/// From sRGB.
fn linear(value: f64) -> f64 {
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}
