//! Bodies that carry their design: `--method patches` in every command, and what becomes of the design.

use crate::bench::Bench;
use serde_json::{Value, json};

/// An arm bent and its hand twisted, as pose files say it.
const POSE: &str = r#"{ "bones": { "forearm.left": { "rotation": [0.5, 0.0, 0.0, 0.8660254] },
    "hand.left": { "rotation": [0.0, 0.3826834, 0.0, 0.9238795] } } }"#;

fn bench() -> Bench {
    let bench = Bench::with_rows(4);
    bench.works(&["body", "--tessellation", "4", "-q", "-o", "man.glb"]);
    bench.write("pose.json", POSE);
    bench
}

/// Vertices of a model in the pose.
#[track_caller]
fn shape(bench: &Bench, model: &str, method: &str) -> Vec<f32> {
    bench.works(&["skin", model, "--method", method, "--pose", "pose.json", "-q", "-o", "shape.npy"]);
    let bytes = bench.bytes("shape.npy");
    let head = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    bytes[head..]
        .chunks_exact(4)
        .map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]))
        .collect()
}

fn largest_step(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len(), "as many vertices");
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn the_design_survives_every_command_that_keeps_the_mesh() {
    let bench = bench();
    let first = shape(&bench, "man.glb", "patches");
    assert!(
        largest_step(&first, &shape(&bench, "man.glb", "lbs")) > 0.005,
        "patches are not linear blending"
    );
    bench.works(&["convert", "man.glb", "b.gltf", "-q"]);
    bench.works(&["motion", "walk", "--character", "b.gltf", "--seconds", "1", "-q", "-o", "c.glb"]);
    bench.works(&["rig", "c.glb", "--method", "bezier", "-q", "-o", "d.glb"]);
    let words = ["fit", "d.glb", "--from", "patches", "--joints", "forearm.left", "--helpers", "2"];
    bench.works(&[&words[..], &["--starts", "1", "--poses", "20", "-q", "-o", "e.glb"]].concat());
    for name in ["b.gltf", "c.glb", "d.glb", "e.glb"] {
        assert!(largest_step(&first, &shape(&bench, name, "patches")) < 1e-6, "{name}");
    }
    // A VRM rests in T-pose: its pose counts from there, and its mesh is bound as before.
    bench.works(&["convert", "man.glb", "man.vrm", "-q"]);
    assert!(shape(&bench, "man.vrm", "patches").iter().all(|number| number.is_finite()));
    // The posed shape has no bones that its design could move.
    bench.works(&["skin", "man.glb", "--pose", "pose.json", "-q", "-o", "posed.glb"]);
    bench.fails(&["render", "posed.glb", "--method", "patches", "-o", "x.png"], 1, "carries no body design");
}

#[test]
fn patches_are_drawn_compared_and_baked_in_their_modes() {
    let bench = bench();
    let modes = "patches:volume=held,bend=source,twist=source";
    let plain = shape(&bench, "man.glb", "patches");
    for mode in ["patches:volume=held", "patches:bend=source", "patches:twist=source", modes] {
        assert!(largest_step(&plain, &shape(&bench, "man.glb", mode)) > 1e-4, "{mode} does something");
    }
    let pose = ["--pose", "pose.json", "-q"];
    bench.works(
        &[&["render", "man.glb", "--method", modes, "--size", "64x64", "-o", "a.png"][..], &pose].concat(),
    );
    let methods =
        ["compare", "man.glb", "--methods", "patches,patches:volume=held,bend=source,lbs", "--json"];
    let out = bench.works(&[&methods[..], &["--size", "48x48", "-o", "c.png"], &pose].concat());
    let told: Value = serde_json::from_str(&out).expect("JSON");
    let names: Vec<&str> =
        told["methods"].as_array().expect("a list").iter().flat_map(|m| m["method"].as_str()).collect();
    assert_eq!(names, ["patches", "patches:volume=held,bend=source", "lbs"]);
    let words = ["bake", "man.glb", "--from", modes, "--motion", "walk", "--fps", "5", "--helpers", "2"];
    bench.works(&[&words[..], &["-q", "-o", "walk.glb"]].concat());
    bench.write(
        "scene.toml",
        "[film]\nsize = [64, 48]\n[[character]]\nfile = \"man.glb\"\nmethod = \"patches:bend=source\"\nmotion = { walk = { speed = 1.2 } }\n\
         [[camera]]\neye = [4, 1, 2]\ntarget = [0, 1, 2]\n",
    );
    bench.works(&["film", "scene.toml", "--frames", "0..1", "-q", "-o", "frames"]);
}

#[test]
fn designs_that_do_not_fit_are_explained() {
    let bench = bench();
    bench.works(&["convert", "man.glb", "man.gltf", "-q"]);
    let right: Value = serde_json::from_slice(&bench.bytes("man.gltf")).expect("JSON");
    let body = |change: &dyn Fn(&mut Value)| {
        let mut json = right.clone();
        change(&mut json["extensions"]["SINEW_body"]);
        bench.write("wrong.gltf", json.to_string());
    };
    let check = |said: &str| {
        bench.fails(&["skin", "wrong.gltf", "--method", "patches", "-o", "x.npy"], 1, said);
        // The mesh is complete without its design.
        bench.works(&["skin", "wrong.gltf", "--method", "bezier", "-q", "-o", "shape.npy"]);
    };
    body(&|body| body["design"] = json!("scale = \"big\""));
    check("SINEW_body.design: ");
    body(&|body| body["design"] = json!(7));
    check("extensions.SINEW_body.design must be a text, found 7");
    body(&|body| body["steps"] = json!(-2));
    check("SINEW_body.steps");
    body(&|body| body["steps"] = json!(8));
    check("the mesh no longer fits the body's design");
    body(&|body| body["template"] = json!("quadruped"));
    check("SINEW_body.design: ");
    bench.fails(
        &["skin", "limb.glb", "--method", "patches", "-o", "x.npy"],
        1,
        "the model carries no body design",
    );
    let joint = ["skin", "man.glb", "--method", "patches", "--joint", "forearm.left=dlb", "-o", "x.npy"];
    bench.fails(&joint, 1, "patches move the whole body");
    bench.fails(&["rig", "man.glb", "--method", "patches", "-o", "x.glb"], 1, "not a method of a file");
    bench.fails(
        &["skin", "man.glb", "--method", "patches:bend=own", "-o", "x.npy"],
        2,
        "use bisector or source",
    );
}
