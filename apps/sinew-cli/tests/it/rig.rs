//! `sinew rig`, and the skinning options of `sinew skin` and `sinew render`.

use crate::bench::Bench;
use serde_json::Value;

/// A folder with the limb of the samples and a pose that bends it.
fn bent_limb() -> Bench {
    let bench = Bench::with_rows(24);
    bench.write("bend.json", r#"{"bones": {"lower": {"rotation": [0.7, 0, 0, 0.7]}}}"#);
    bench
}

impl Bench {
    /// The bent vertices of a model under more options.
    #[track_caller]
    fn bent(&self, model: &str, options: &[&str]) -> Vec<f32> {
        let arguments = [&["skin", model, "--pose", "bend.json", "-o", "out.npy", "-q"], options].concat();
        self.works(&arguments);
        sinew::io::read_npy_f32(&self.bytes("out.npy")).expect("a NumPy file").values
    }
}

/// Bends of single metres in f32, twice computed.
const ROUNDING_M: f32 = 1e-6;

fn distance(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len(), "as many numbers");
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn a_rigged_file_plays_as_authored() {
    let bench = bent_limb();
    for method in ["sdef", "sdef:s=0.25", "bezier:rotation=nlerp", "dlb", "cor", "sbs"] {
        bench.works(&[
            "rig",
            "limb.glb",
            "--spherical",
            "auto",
            "--method",
            method,
            "-o",
            "rigged.glb",
            "-q",
        ]);
        let (authored, asked) =
            (bench.bent("rigged.glb", &[]), bench.bent("limb.glb", &["--method", method]));
        assert!(distance(&authored, &asked) < ROUNDING_M, "{method}");
        assert!(distance(&authored, &bench.bent("limb.glb", &[])) > 1e-3, "{method} is not lbs");
        // What a user asks for goes first.
        let linear = bench.bent("rigged.glb", &["--method", "lbs"]);
        assert!(distance(&linear, &bench.bent("limb.glb", &[])) < ROUNDING_M, "{method}");
        let by_rule = bench.bent("rigged.glb", &["--joint", "low*=lbs"]);
        assert!(distance(&by_rule, &linear) < ROUNDING_M, "{method}");
    }
    // Without a method it is sdef.
    let told: Value =
        serde_json::from_str(&bench.works(&["rig", "limb.glb", "-o", "r.glb", "--json"])).expect("JSON");
    assert_eq!(told["method"], "sdef");
    assert!(told["spherical_vertices"].as_u64().is_some_and(|count| count > 20), "{told}");
}

#[test]
fn attributes_and_extension_survive_every_conversion() {
    let bench = bent_limb();
    bench.works(&[
        "rig",
        "limb.glb",
        "--method",
        "bezier",
        "--joint",
        "lower=sdef:s=0.25",
        "-o",
        "rigged.glb",
        "-q",
    ]);
    bench.works(&["convert", "rigged.glb", "copy.glb", "-q"]);
    assert!(bench.bytes("copy.glb") == bench.bytes("rigged.glb"), "another file");
    bench.works(&["convert", "rigged.glb", "text.gltf", "-q"]);
    bench.works(&["convert", "text.gltf", "back.glb", "-q"]);
    let expected = bench.bent("rigged.glb", &[]);
    assert_eq!(bench.bent("text.gltf", &[]), expected);
    assert_eq!(bench.bent("back.glb", &[]), expected);
    assert!(distance(&expected, &bench.bent("limb.glb", &["--method", "sdef:s=0.25"])) < ROUNDING_M);
    let text = String::from_utf8(bench.bytes("text.gltf")).expect("JSON");
    for name in ["SINEW_skin", "_SDEF_C", "_SDEF_R0", "_SDEF_R1", "_SINEW_VERTEX", "extensionsUsed"] {
        assert!(text.contains(name), "{name}");
    }
    // A cut to one influence takes the parameters with it.
    bench.works(&["convert", "rigged.glb", "cut.glb", "--max-influences", "1", "-q"]);
    assert!(distance(&bench.bent("cut.glb", &[]), &bench.bent("cut.glb", &["--method", "lbs"])) < ROUNDING_M);
}

#[test]
fn a_file_without_them_stays_byte_for_byte() {
    let bench = bent_limb();
    bench.works(&["convert", "limb.glb", "copy.glb", "-q"]);
    assert!(bench.bytes("copy.glb") == bench.bytes("limb.glb"), "another file");
    assert!(!String::from_utf8_lossy(&bench.bytes("limb.glb")).contains("SINEW"), "nothing to say");
}

#[test]
fn skin_files_and_rules_choose_methods() {
    let bench = bent_limb();
    bench.write("skin.toml", "[skin]\nmethod = \"dlb\"\njoints = { \"low*\" = \"bezier\" }\n");
    let by_file = bench.bent("limb.glb", &["--skin", "skin.toml"]);
    assert!(distance(&by_file, &bench.bent("limb.glb", &["--method", "bezier"])) < ROUNDING_M);
    let by_rule = bench.bent("limb.glb", &["--skin", "skin.toml", "--joint", "lower=dlb"]);
    assert!(distance(&by_rule, &bench.bent("limb.glb", &["--method", "dlb"])) < ROUNDING_M);
    bench.write(
        "wide.toml",
        "[skin]\nmethod = \"sdef\"\nranges = { lower = { r0 = [0, 0.1, 0], r1 = [0, 0.5, 0] } }\n",
    );
    let wide = bench.bent("limb.glb", &["--skin", "wide.toml"]);
    assert!(distance(&wide, &bench.bent("limb.glb", &["--method", "sdef"])) > 1e-3, "the range counts");
    bench.works(&[
        "render",
        "limb.glb",
        "--skin",
        "skin.toml",
        "--pose",
        "bend.json",
        "--size",
        "64x64",
        "-o",
        "x.png",
        "-q",
    ]);
    bench.fails(&["skin", "limb.glb", "--joint", "lover=dlb", "-o", "x.npy"], 1, "did you mean \"lower\"?");
    bench.fails(&["skin", "limb.glb", "--joint", "lower", "-o", "x.npy"], 2, "PATTERN=METHOD");
    bench.fails(&["skin", "limb.glb", "--joint", "lower=delta_mush", "-o", "x.npy"], 2, "whole model");
    bench.fails(&["skin", "limb.glb", "--method", "sdef:s=7", "-o", "x.npy"], 2, "a number from 0 to 1");
    bench.write("bad.toml", "[skin]\nmethod = \"magic\"\n");
    bench.fails(
        &["skin", "limb.glb", "--skin", "bad.toml", "-o", "x.npy"],
        1,
        "bad.toml: skin.method: unknown method",
    );
    bench.write("lost.toml", "[skin]\nranges = { Low = { r0 = [0, 0, 0], r1 = [0, 1, 0] } }\n");
    bench.fails(&["render", "limb.glb", "--skin", "lost.toml", "-o", "x.png"], 1, "unknown bone \"Low\"");
}

#[test]
fn calibration_tells_how_much_it_changed() {
    let bench = bent_limb();
    let told = bench.works(&["rig", "limb.glb", "--calibrate", "-o", "even.glb", "--json"]);
    let told: Value = serde_json::from_str(&told).expect("JSON");
    let largest = told["calibration"]["largest_change"].as_f64().expect("told");
    assert!(largest < 1e-3, "linear weights stay: {told}");
    let said = bench.run(&["rig", "limb.glb", "--calibrate", "-o", "even.glb"]);
    assert!(String::from_utf8_lossy(&said.stderr).contains("calibrated 1 joints"), "{said:?}");
}

#[test]
fn joints_are_optimized_and_restored() {
    let bench = bent_limb();
    bench.works(&["rig", "limb.glb", "-o", "derived.glb", "-q"]);
    let told = bench.works(&["rig", "limb.glb", "--optimize", "low*", "-o", "soft.glb", "--json"]);
    let told: Value = serde_json::from_str(&told).expect("JSON");
    let joint = &told["optimized"][0];
    assert_eq!(joint["bone"], "lower");
    assert!(joint["vertices"].as_u64().is_some_and(|count| count > 20), "{told}");
    for bend in joint["bends"].as_array().expect("bends") {
        let turn = |at: usize| bend["turn_deg"][at].as_f64().expect("degrees");
        assert!(turn(1) < turn(0), "{bend}");
    }
    let derived = bench.bent("derived.glb", &[]);
    assert!(distance(&derived, &bench.bent("soft.glb", &[])) > 1e-3, "nothing changed");
    bench.works(&["rig", "soft.glb", "--undo", "-o", "undone.glb", "-q"]);
    assert!(distance(&derived, &bench.bent("undone.glb", &[])) < ROUNDING_M, "not as before");
    bench.fails(&["rig", "undone.glb", "--undo", "-o", "x.glb"], 1, "no optimized joints");
    bench.fails(&["rig", "limb.glb", "--optimize", "knee", "-o", "x.glb"], 1, "unknown bone \"knee\"");
    bench.fails(
        &["rig", "limb.glb", "--method", "dlb", "--optimize", "lower", "-o", "x.glb"],
        1,
        "needs sdef",
    );
    let said = bench.run(&["rig", "limb.glb", "--method", "sdef", "--optimize", "lower", "-o", "soft.pmx"]);
    assert!(String::from_utf8_lossy(&said.stderr).contains("cannot hold what the joints had"), "{said:?}");
}

#[test]
fn boxes_make_weights_and_mistakes_are_explained() {
    let bench = bent_limb();
    let both = "[[box]]\nbone = \"upper\"\nmin = [-1, -1, -1]\nmax = [1, 0.4, 1]\n[[box]]\nbone = \"lower\"\nmin = [-1, 0.2, -1]\nmax = [1, 1, 1]\nspace = \"rest\"\n";
    bench.write("boxes.toml", both);
    let told = bench.works(&["rig", "limb.glb", "--spherical", "boxes.toml", "-o", "boxed.glb", "--json"]);
    let told: Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!(told["boxes"]["outside_vertices"], 0);
    assert!(told["boxes"]["soft_vertices"].as_u64().is_some_and(|count| count > 0), "{told}");
    assert!(distance(&bench.bent("boxed.glb", &[]), &bench.bent("limb.glb", &["--method", "sdef"])) > 1e-3);
    bench.write("lost.toml", both.replace("lower", "lover"));
    bench.fails(
        &["rig", "limb.glb", "--spherical", "lost.toml", "-o", "x.glb"],
        1,
        "did you mean \"lower\"?",
    );
    bench.write("nan.toml", both.replace("0.4", "nan"));
    bench.fails(&["rig", "limb.glb", "--spherical", "nan.toml", "-o", "x.glb"], 1, "not finite");
    bench.write("empty.toml", "");
    bench.fails(&["rig", "limb.glb", "--spherical", "empty.toml", "-o", "x.glb"], 1, "no [[box]]");
    bench.fails(&["rig", "limb.glb", "--spherical", "none.toml", "-o", "x.glb"], 1, "none.toml");
    bench.fails(&["rig", "limb.glb", "-o", "x.obj"], 1, "only .glb, .gltf, .vrm and .pmx");
    bench.works(&["skin", "limb.glb", "-o", "rigid.obj", "-q"]);
    bench.fails(&["rig", "rigid.obj", "-o", "x.glb"], 1, "no mesh is bound to bones");
}
