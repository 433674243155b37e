//! `sinew body`.

mod bench;

use bench::Bench;
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
    for (arguments, key) in [
        (&["--stature", "1.7", "--set", "waist=1.75"][..], "use "),
        (&["--set", "waist=-0.5"], "waist_girth is -0.5 m and must be more than 0; use 0."),
        (&["--weight", "0"], "weight is 0 kg and must be more than 0; use 5"),
        (&["--stature", "NaN"], "stature is NaN m and must be a finite number; use 1."),
        (&["--set", "wasit=0.8"], "did you mean"),
        (&["--preset", "giant"], "no preset is named"),
    ] {
        bench.fails(&[&["body", "-o", "x.glb"], arguments].concat(), 1, key);
    }
    assert!(!bench.path("x.glb").exists(), "nothing is written");
}

#[test]
fn measures_and_presets_are_listed() {
    let bench = Bench::with_rows(4);
    assert_eq!(bench.works(&["body", "--list", "measures"]).lines().count(), 57);
    assert!(bench.works(&["body", "--list", "presets"]).contains("athletic: "));
}
