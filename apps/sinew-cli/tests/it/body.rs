//! `sinew body`.

use crate::bench::Bench;
use serde_json::Value;

const ME: [&str; 8] = ["body", "--stature", "1.72", "--weight", "68", "--sex", "female", "--set"];

#[test]
fn measures_asked_for_are_on_the_body_and_in_the_file() {
    let bench = Bench::with_rows(4);
    let out =
        bench.works(&[&ME[..], &["waist=0.78", "--tessellation", "4", "--json", "-o", "me.glb"]].concat());
    let json: Value = serde_json::from_str(&out).expect("JSON");
    for (name, asked, most) in [("stature", 1.72, 1e-3), ("weight", 68.0, 0.68), ("waist_girth", 0.78, 2e-3)]
    {
        let lines = json["measures"].as_array().expect("a list");
        let line = lines.iter().find(|line| line["name"] == name).expect("the measure");
        assert_eq!(line["is_given"], true, "{name}");
        assert!((line["measured"].as_f64().expect("a number") - asked).abs() < most, "{line}");
    }
    assert_eq!(json["euler_characteristic"], 2);
    assert_eq!(json["humanoid"]["leftLowerArm"], "forearm.left");
    let inspected: Value =
        serde_json::from_str(&bench.works(&["inspect", "me.glb", "--json"])).expect("JSON");
    let bounds = &inspected["bounds"];
    let height = bounds["max"][1].as_f64().expect("a number") - bounds["min"][1].as_f64().expect("a number");
    assert!((height - 1.72).abs() < 1e-3, "{height}");
}

#[test]
fn a_design_that_was_written_builds_the_same_body() {
    let bench = Bench::with_rows(4);
    bench.works(&["body", "--preset", "lanky", "-o", "me.toml", "-q"]);
    let volume = |arguments: &[&str]| {
        let json: Value = serde_json::from_str(&bench.works(arguments)).expect("JSON");
        json["volume_m3"].as_f64().expect("a number")
    };
    let from_design = volume(&["body", "--spec", "me.toml", "-o", "a.obj", "--json", "-q"]);
    let from_preset = volume(&["body", "--preset", "lanky", "-o", "b.obj", "--json", "-q"]);
    assert!((from_design - from_preset).abs() < 1e-12, "{from_design} {from_preset}");
}

#[test]
fn what_no_body_has_is_refused_with_its_key_and_a_range() {
    let bench = Bench::with_rows(4);
    for (arguments, words) in [
        (&["--stature", "1.7", "--set", "waist=1.75"][..], &["waist_girth 1.75", "use "][..]),
        (&["--set", "waist=-0.5"], &["waist_girth -0.5 m must be above 0; use 0."]),
        (&["--weight", "0"], &["weight 0 kg must be above 0; use 5"]),
        (&["--stature", "NaN"], &["stature NaN m is not a finite number; use 1."]),
        (&["--weight", "inf"], &["weight inf kg is not a finite number; use 5"]),
        (&["--set", "wasit=0.8"], &["did you mean"]),
        (&["--set", "nonsense=1"], &["--set nonsense=1", "nonsense"]),
        (&["--set", "waist"], &["use NAME=VALUE"]),
        (&["--set", "waist=wide"], &["--set waist=wide: use a number"]),
        (&["--preset", "giant"], &["unknown preset"]),
    ] {
        for word in words {
            bench.fails(&[&["body", "-o", "x.glb"], arguments].concat(), 1, word);
        }
    }
    assert!(!bench.path("x.glb").exists(), "nothing is written");
}

#[test]
fn designs_that_make_no_sense_are_refused_with_the_place() {
    let bench = Bench::with_rows(4);
    for (text, words) in [
        ("scale = 1.0\n[rings]\nwaist = { girth = }\n", &["bad.toml", "line 3"][..]),
        ("[rings]\nwasit = { girth = 0.9 }\n", &["rings.wasit"]),
        ("[rings]\nwaist = { girth = -0.9 }\n", &["rings.waist.girth -0.9 is out of range"]),
        ("[joints]\nelbow = [nan, 0.0, 0.0]\n", &["joints.elbow"]),
    ] {
        std::fs::write(bench.path("bad.toml"), text).expect("written");
        for word in words {
            bench.fails(&["body", "--spec", "bad.toml", "-o", "x.glb"], 1, word);
        }
    }
    assert!(!bench.path("x.glb").exists(), "nothing is written");
}

/// A tall box: enough of a mesh to be looked at before it is refused.
const BOX: &str = "v -0.3 0 -0.2\nv 0.3 0 -0.2\nv 0.3 0 0.2\nv -0.3 0 0.2\nv -0.3 1.8 -0.2\nv 0.3 1.8 -0.2\nv 0.3 1.8 0.2\nv -0.3 1.8 0.2\n\
    f 1 2 3 4\nf 8 7 6 5\nf 5 6 2 1\nf 6 7 3 2\nf 7 8 4 3\nf 8 5 1 4\n";

#[test]
fn fits_that_cannot_be_are_refused_with_the_joint_or_line() {
    let bench = Bench::with_rows(4);
    let write = |name: &str, text: &str| std::fs::write(bench.path(name), text).expect("written");
    write("scan.obj", BOX);
    write("few.json", r#"{"elbow": [0.2, 1.1, 0.0]}"#);
    write("bad.json", r#"{"elbow": [0.2, "high", 0.0]}"#);
    write("list.txt", "1\ntwo\n");
    let fit = ["body", "--fit", "scan.obj", "-o", "me.toml", "--joints"];
    bench.fails(&[&fit[..], &["few.json"]].concat(), 1, "joint \"pelvis\" is missing; add it to the joints");
    bench.fails(&[&fit[..], &["bad.json"]].concat(), 1, "elbow: expected three finite numbers");
    bench.fails(
        &[&fit[..], &["few.json", "--exclude", "list.txt"]].concat(),
        1,
        "line 2: \"two\" is not a vertex",
    );
    bench.fails(&["body", "--fit", "scan.obj", "-o", "me.toml"], 2, "--joints");
    bench.fails(&["body", "--fit", "scan.obj", "--joints", "few.json", "-o", "me.glb"], 1, "use .toml");
    assert!(!bench.path("me.toml").exists(), "nothing is written");
}

/// The template's own body is a scan whose design is known: the fit finds it again.
#[test]
fn a_scan_is_fitted_drawn_and_built() {
    let bench = Bench::with_rows(4);
    bench.works(&["body", "--preset", "average", "--tessellation", "4", "--weld", "-o", "scan.obj", "-q"]);
    bench.works(&["body", "--preset", "average", "--whole", "-o", "scan.toml", "-q"]);
    let design = std::fs::read_to_string(bench.path("scan.toml")).expect("read");
    let joints = design.split("[joints]").nth(1).and_then(|rest| rest.split("\n[").next()).expect("joints");
    let lines = joints.lines().filter(|line| line.contains(" = ["));
    let entries: Vec<String> = lines
        .map(|line| {
            let (name, at) = line.split_once(" = ").expect("an entry");
            format!("\"{name}\": {at}")
        })
        .collect();
    std::fs::write(bench.path("joints.json"), format!("{{{}}}", entries.join(", "))).expect("written");
    std::fs::write(bench.path("none.txt"), "0\n1\n").expect("written");
    let fit = ["body", "--fit", "scan.obj", "--joints", "joints.json", "--exclude", "none.txt"];
    let more = ["--residuals", "map.png", "-o", "me.toml", "--json", "-q"];
    let json: Value = serde_json::from_str(&bench.works(&[&fit[..], &more].concat())).expect("JSON");
    let millimetres = |key: &str| 1e3 * json[key].as_f64().expect("a number");
    assert!(millimetres("rms_m") < 8.0 && millimetres("p95_m") < 20.0, "{json}");
    assert!(json["worst"]["vertex"].as_u64().is_some(), "{json}");
    assert!(std::fs::read(bench.path("map.png")).expect("read").starts_with(b"\x89PNG"));
    bench.works(&["body", "--spec", "me.toml", "-o", "me.glb", "-q"]);
}

#[test]
fn a_vrm_file_names_the_bones_of_a_human() {
    let bench = Bench::with_rows(4);
    let body = ["body", "--sex", "female", "--tessellation", "4", "--author", "A. Uthor", "-o", "me.vrm"];
    bench.works(&body);
    let bytes = std::fs::read(bench.path("me.vrm")).expect("read");
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    let json: Value = serde_json::from_slice(&bytes[20..20 + length]).expect("JSON");
    let vrm = &json["extensions"]["VRMC_vrm"];
    assert_eq!(vrm["meta"]["name"], "me");
    assert_eq!(vrm["meta"]["authors"], serde_json::json!(["A. Uthor"]));
    let hips = vrm["humanoid"]["humanBones"]["hips"]["node"].as_u64().expect("a node") as usize;
    assert_eq!(json["nodes"][hips]["name"], "pelvis");
    bench.works(&["inspect", "me.vrm"]);
}

#[test]
fn measures_and_presets_are_listed() {
    let bench = Bench::with_rows(4);
    assert_eq!(bench.works(&["body", "--list", "measures"]).lines().count(), 57);
    assert!(bench.works(&["body", "--list", "presets"]).contains("athletic: "));
}
