//! `sinew motion`.

use crate::bench::Bench;
use serde_json::Value;
use sinew::model::Model;
use sinew::rig::samples;

/// A bench with the sample figure in it.
fn bench() -> Bench {
    let bench = Bench::with_rows(4);
    let figure = Model::new(samples::figure());
    figure.save(&bench.path("figure.glb"), &mut Default::default()).expect("the sample is right");
    bench
}

#[test]
fn gaits_and_jumps_are_written_in_every_format() {
    let bench = bench();
    for (motion, output) in
        [("walk", "walk.glb"), ("run", "run.bvh"), ("gait", "gait.vmd"), ("jump", "jump.toml")]
    {
        let told = bench.works(&[
            "motion",
            motion,
            "--character",
            "figure.glb",
            "--seconds",
            "1.5",
            "--json",
            "-o",
            output,
        ]);
        let json: Value = serde_json::from_str(&told).expect("JSON");
        assert!(json["seconds"].as_f64().expect("a number") > 1.0, "{told}");
        assert!(bench.path(output).exists());
    }
    let inspected: Value =
        serde_json::from_str(&bench.works(&["inspect", "walk.glb", "--json"])).expect("JSON");
    let clips = inspected["clips"].as_array().expect("a list");
    assert!(clips.iter().any(|clip| clip["name"] == "walk"), "{clips:?}");
}

#[test]
fn what_is_written_is_read_again() {
    let bench = bench();
    let figure = ["--character", "figure.glb", "-q", "-o"];
    bench.works(&[&["motion", "walk", "--seconds", "1"], &figure[..], &["a.toml"]].concat());
    bench.works(&[&["motion", "a.toml"], &figure[..], &["b.glb"]].concat());
    bench.works(&[&["motion", "a.toml"], &figure[..], &["b.bvh"]].concat());
    bench.works(&[&["motion", "b.bvh"], &figure[..], &["c.glb"]].concat());
    bench.works(&["motion", "map", "figure.glb", "-o", "map.toml", "-q"]);
    bench.works(
        &[&["motion", "walk", "--map", "map.toml", "--seconds", "1"], &figure[..], &["d.glb"]].concat(),
    );
}

#[test]
fn a_path_with_speeds_is_followed() {
    let bench = bench();
    let path = "points = [[0, 0], [0, 3], [2, 5]]\nspeeds = [{ time = 0, speed = 1.2 }, { time = 2, speed = 3.2 }]\n";
    std::fs::write(bench.path("path.toml"), path).expect("a file");
    bench.works(&[
        "motion",
        "gait",
        "--character",
        "figure.glb",
        "--path",
        "path.toml",
        "-q",
        "-o",
        "way.glb",
    ]);
    std::fs::write(bench.path("bad.toml"), "points = [[0, 0]]").expect("a file");
    bench.fails(&["motion", "walk", "--path", "bad.toml", "-o", "x.glb"], 1, "at least two points");
    std::fs::write(bench.path("bad.toml"), "punkte = [[0, 0]]").expect("a file");
    bench.fails(&["motion", "walk", "--path", "bad.toml", "-o", "x.glb"], 1, "punkte");
}

#[test]
fn impossible_requests_get_clear_answers() {
    let bench = bench();
    let cases: [(&[&str], &str); 13] = [
        (&["walk", "--speed", "0"], "is too slow to walk"),
        (&["walk", "--speed", "-1.4"], "is too slow to walk"),
        (&["run", "--speed", "50"], "too fast for these legs"),
        (&["walk", "--speed", "3"], "or run"),
        (&["run", "--speed", "1"], "or walk"),
        (&["walk", "--seconds", "0"], "a duration of"),
        (&["walk", "--stoop", "200"], "stoop_deg"),
        (&["walk", "--step-length", "3"], "steps of 3.00 m"),
        (&["jump", "--height", "-1"], "height_m"),
        (&["wlk"], "did you mean \"walk\""),
        (&["nothing.bvh"], "nothing.bvh"),
        (&["walk", "--from-rest", "--to-rest", "--seconds", "1"], "a duration of"),
        (&["walk", "--character", "limb.glb"], "sinew motion map"),
    ];
    for (arguments, message) in cases {
        let character: &[&str] =
            if arguments.contains(&"--character") { &[] } else { &["--character", "figure.glb"] };
        bench.fails(&[&["motion"], arguments, character, &["-o", "x.glb"]].concat(), 1, message);
    }
    bench.fails(&["motion", "walk", "--character", "figure.glb", "-o", "x.png"], 1, ".bvh");
}

#[test]
fn keys_for_bones_that_are_not_there_suggest_near_names() {
    let bench = bench();
    let keys = "name = \"wave\"\n[[track]]\nbone = \"LeftHnd\"\nkeys = [{ time = 0, rotate = [0, 0, 10] }]\n";
    std::fs::write(bench.path("wave.toml"), keys).expect("a file");
    bench.fails(
        &["motion", "wave.toml", "--character", "figure.glb", "-o", "x.glb"],
        1,
        "did you mean \"LeftHand\"",
    );
    std::fs::write(bench.path("wave.toml"), keys.replace("LeftHnd", "leftHand")).expect("a file");
    bench.works(&["motion", "wave.toml", "--character", "figure.glb", "-q", "-o", "x.glb"]);
    std::fs::write(bench.path("bad.bvh"), "HIERARCHY\nROOT a\n{\nOFFSET 0 zero 0\n").expect("a file");
    bench.fails(&["motion", "bad.bvh", "--character", "figure.glb", "-o", "y.glb"], 1, "line 4");
}

#[test]
fn a_motion_means_the_same_in_every_command() {
    let bench = bench();
    bench.write("path.toml", "points = [[0, 0], [0, 2]]");
    let walk = ["--motion", "walk", "--time", "0.5"];
    bench.works(&[&["skin", "figure.glb", "-q", "-o", "skin.npy"][..], &walk].concat());
    let gait = ["--motion", "gait", "--path", "path.toml", "--time", "0.5"];
    bench.works(&[&["skin", "figure.glb", "-q", "-o", "gait.npy"][..], &gait].concat());
    bench.works(&["convert", "figure.glb", "walk.glb", "-q", "--motion", "walk", "--motion", "jump"]);
    bench.works(&["skin", "walk.glb", "-q", "--clip", "walk", "--time", "0.5", "-o", "clip.npy"]);
    assert_eq!(bench.bytes("skin.npy"), bench.bytes("clip.npy"));
    let needs = "figure.glb: motion \"gait\" needs a path file: --path path.toml";
    bench.fails(&["skin", "figure.glb", "--motion", "gait", "-o", "x.npy"], 1, needs);
    bench.fails(&["flesh", "figure.glb", "--motion", "gait", "-o", "x.npy"], 1, needs);
    bench.fails(
        &["convert", "limb.glb", "x.glb", "--motion", "walk"],
        1,
        "limb.glb: walk is made for humans",
    );
    bench.fails(&["skin", "figure.glb", "--path", "path.toml", "-o", "x.npy"], 2, "--motion");
}
