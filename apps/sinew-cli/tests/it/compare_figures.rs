//! `sinew compare` and `sinew figures` as a user runs them.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.args(arguments).current_dir(folder).output().expect("the binary runs")
}

#[track_caller]
fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn compare_draws_a_sheet_and_tells_the_numbers() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let limb = sinew::model::Model::new(sinew::rig::samples::limb(8, 16));
    limb.save(&folder.path().join("limb.glb"), &mut sinew::io::Report::default())
        .expect("the sample is right");
    let posed =
        ["compare", "limb.glb", "--clip", "bend", "--time", "1", "--size", "64x64", "-o", "sheet.png"];
    let told = json(
        folder.path(),
        &[&posed[..], &["--focus", "lower", "--methods", "lbs,sdef:s=0.3,bezier", "--json"]].concat(),
    );
    assert_eq!(told["methods"].as_array().map(Vec::len), Some(3));
    assert_eq!(told["methods"][1]["method"], "sdef:s=0.3");
    assert!(told["joints"][0]["turn_deg"].as_f64().is_some_and(|turn| (turn - 90.0).abs() < 0.1));
    assert!(std::fs::read(folder.path().join("sheet.png")).is_ok_and(|bytes| bytes.starts_with(b"\x89PNG")));

    for (extra, message) in [
        (&["--focus", "nobody"][..], "nobody"),
        (&["--camera", "all"][..], "one camera"),
        (&["--methods", "lbs,magic"][..], "magic"),
    ] {
        let output = run(folder.path(), &[&posed[..], extra].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(message), "{extra:?} said {said}");
    }
    let whole = run(folder.path(), &["compare", "limb.glb", "--clip", "bend", "-o", "clip.png"]);
    assert_eq!(whole.status.code(), Some(1));
}

#[test]
fn figures_writes_pictures_and_tables() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let told = json(folder.path(), &["figures", "skinning", "-o", "figures", "--size", "60x48", "--json"]);
    // Nine models by five methods, the sweep of s, two models by nlerp, and four with other weights by two methods.
    assert_eq!(told["measures"].as_array().map(Vec::len), Some(9 * 5 + 5 + 2 + 4 * 2));
    for name in [
        "model1.png",
        "model5-twist.png",
        "viewers-model2.png",
        "weights-model2.png",
        "loci.png",
        "sweep-loci.png",
        "measures.csv",
        "table.md",
    ] {
        assert!(folder.path().join("figures").join(name).exists(), "{name}");
    }
}
