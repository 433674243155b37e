//! Files with controllers of helpers: `sinew inspect`, `skin`, `convert` and `export controllers`.

use crate::bench::Bench;
use serde_json::{Value, json};

/// A folder with `rig.gltf`: the sample limb, whose lower half turns with the upper by a controller.
fn rig() -> Bench {
    let bench = Bench::with_rows(24);
    bench.works(&["convert", "limb.glb", "rig.gltf", "-q"]);
    let text = std::fs::read_to_string(bench.path("rig.gltf")).expect("written");
    let mut document: Value = serde_json::from_str(&text).expect("JSON");
    let node = |name: &str| {
        let nodes = document["nodes"].as_array().expect("nodes");
        nodes.iter().position(|node| node["name"] == name).expect("a bone of that name")
    };
    let (upper, lower) = (node("upper"), node("lower"));
    document["extensions"]["SINEW_helper_controllers"] = json!({
        "drivers": [{ "node": upper, "axes": [[0, 0, 1]] }],
        "monomials": [[0]],
        "helpers": [{ "node": lower, "functions": [1], "coefficients": [[0, 0, 0, -1.5, 0, 0]] }],
    });
    document["extensionsUsed"] = json!(["SINEW_helper_controllers"]);
    bench.write("rig.gltf", document.to_string());
    bench
}

fn positions(bench: &Bench, arguments: &[&str]) -> Vec<f32> {
    bench.works(&[&["skin"], arguments, &["-o", "out.npy", "-q"]].concat());
    let bytes = std::fs::read(bench.path("out.npy")).expect("written");
    sinew::io::read_npy_f32(&bytes).expect("a NumPy file").values
}

fn distance(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len(), "as many numbers");
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn a_pose_moves_helpers_by_their_controllers() {
    let bench = rig();
    // Half an angle of 0.3 about z is −0.45 of half an angle about x: sin and cos of both.
    bench.write("turn.json", r#"{"bones": {"upper": {"rotation": [0, 0, 0.29552, 0.955336]}}}"#);
    bench.write(
        "both.json",
        r#"{"bones": {"upper": {"rotation": [0, 0, 0.29552, 0.955336]}, "lower": {"rotation": [-0.434966, 0, 0, 0.900447]}}}"#,
    );
    let followed = positions(&bench, &["rig.gltf", "--pose", "turn.json"]);
    assert!(distance(&followed, &positions(&bench, &["limb.glb", "--pose", "both.json"])) < 1e-5);
    assert!(distance(&followed, &positions(&bench, &["limb.glb", "--pose", "turn.json"])) > 0.05);
    // A clip that drives the helper overrules them.
    let clip = ["--clip", "0", "--time", "1"];
    let (played, plain) = (
        positions(&bench, &[&["rig.gltf"][..], &clip].concat()),
        positions(&bench, &[&["limb.glb"][..], &clip].concat()),
    );
    assert!(distance(&played, &plain) < 1e-6);
}

#[test]
fn inspect_tells_of_them_and_mmd_of_their_loss() {
    let bench = rig();
    let told = bench.works(&["inspect", "rig.gltf"]);
    assert!(told.contains("controllers") && told.contains("follow 1 bones"), "{told}");
    let summary: Value =
        serde_json::from_str(&bench.works(&["inspect", "rig.gltf", "--json"])).expect("JSON");
    assert_eq!(summary["controllers"]["coefficients"], json!(1));
    let losses: Value =
        serde_json::from_str(&bench.works(&["convert", "rig.gltf", "rig.pmx", "--json"])).expect("JSON");
    assert_eq!(losses["lost"][0]["kind"], "controllers of helper bones", "{losses}");
}

#[test]
fn edited_coefficients_are_baked_again() {
    let bench = rig();
    bench.works(&["convert", "rig.gltf", "baked.glb", "--bake-helpers", "-q"]);
    let (before, after) = (
        positions(&bench, &["rig.gltf", "--clip", "0", "--time", "1"]),
        positions(&bench, &["baked.glb", "--clip", "0", "--time", "1"]),
    );
    assert!(distance(&before, &after) > 0.05, "the lower half follows now, instead of its old track");
    bench.fails(&["convert", "limb.glb", "no.glb", "--bake-helpers"], 1, "no helper controllers to bake");
}

#[test]
fn scripts_are_written_for_every_program() {
    let bench = rig();
    for (program, name, expected) in [
        ("blender", "rig.py", "\"coefficients\":[[0.0,0.0,0.0,-1.5,0.0,0.0,0.0]]"),
        ("unity", "rig.cs", "new HelperBone(\"lower\""),
        ("godot", "rig.gd", "extends SkeletonModifier3D"),
        ("json", "rig.json", "\"reference\""),
    ] {
        bench.works(&["export", "controllers", "rig.gltf", "--for", program, "-o", name, "-q"]);
        let text = std::fs::read_to_string(bench.path(name)).expect("written");
        assert!(text.contains(expected), "{program}: {text}");
    }
    let table = std::fs::read_to_string(bench.path("rig.reference.json")).expect("written beside");
    let table: Value = serde_json::from_str(&table).expect("JSON");
    assert_eq!(table.as_array().map(Vec::len), Some(9));
    let (input, number) = (&table[3]["inputs"][0], &table[3]["numbers"][0][3]);
    let expected = -1.5 * input.as_f64().expect("a number");
    assert!((number.as_f64().expect("a number") - expected).abs() < 1e-12, "{input} {number}");
}

#[test]
fn classes_of_unity_are_named_after_their_files() {
    let bench = rig();
    for (name, class) in [("Hero.cs", "Hero"), ("2nd-hero.cs", "_2nd_hero")] {
        let saved =
            bench.works(&["export", "controllers", "rig.gltf", "--for", "unity", "-o", name, "--json"]);
        let saved: Value = serde_json::from_str(&saved).expect("JSON");
        assert_eq!(saved["class"], json!(class));
        let text = std::fs::read_to_string(bench.path(name)).expect("written");
        assert!(text.contains(&format!("public class {class} : MonoBehaviour")), "{text}");
    }
}

#[test]
fn bones_have_the_names_that_godots_importer_gives_them() {
    let bench = rig();
    let text = std::fs::read_to_string(bench.path("rig.gltf")).expect("written");
    bench.write("rig.gltf", text.replace("\"upper\"", "\"mixamorig:Upper\""));
    for (program, name, bone) in
        [("godot", "rig.gd", "\"mixamorig_Upper\""), ("blender", "rig.py", "\"mixamorig:Upper\"")]
    {
        bench.works(&["export", "controllers", "rig.gltf", "--for", program, "-o", name, "-q"]);
        let text = std::fs::read_to_string(bench.path(name)).expect("written");
        assert!(text.contains(&format!("\"name\":{bone}")), "{program}: {text}");
    }
}

#[test]
fn what_cannot_be_exported_is_told_and_nothing_written() {
    let bench = rig();
    let export = |input: &str, program: &str, output: &str, message: &str| {
        bench.fails(&["export", "controllers", input, "--for", program, "-o", output], 1, message);
    };
    export("limb.glb", "blender", "no.py", "limb.glb: the model has no helper controllers");
    export("rig.gltf", "blender", "no.cs", "use .py");
    let text = std::fs::read_to_string(bench.path("rig.gltf")).expect("written");
    bench.write("broken.gltf", text.replace("-1.5", "\"x\""));
    export(
        "broken.gltf",
        "json",
        "no.json",
        "helpers[0].coefficients[0][3] must be a finite number, found \"x\"",
    );
}
