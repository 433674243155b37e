//! `sinew elastic`: every format, refusals by line, the same for any number of threads, and nothing half-written.

use crate::bench::Bench;
use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const SCENE: &str = "[scene]\nduration = 0.6\nsize = [96, 64]\n[[body]]\nname = \"bar\"\nmade = \"cuboid\"\nat = [0, 0.6, 0]\n\
    young = 60000\nbeta = 0.9\n[[body.example]]\nname = \"flat\"\nshape = \"squash\"\n\
    [[body]]\nname = \"two\"\nmade = \"cuboid\"\nat = [1, 0.6, 0]\ncells = [2, 4, 2]\n[strip]\ntimes = [0, 0.5]\n";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("scene.toml", SCENE);
    bench
}

fn told(bench: &Bench, arguments: &[&str]) -> Value {
    let all = [&["elastic", "scene.toml", "--json", "-q"], arguments].concat();
    serde_json::from_str(&bench.works(&all)).expect("JSON")
}

#[test]
fn every_format_is_written_and_valid() {
    let bench = bench();
    let names = ["a.gif", "a.png", "a.glb", "a.gltf", "a.usda", "a.pc2", "a.npy", "a.csv"];
    let outputs: Vec<&str> = names.iter().flat_map(|name| ["-o", name]).collect();
    let told = told(&bench, &outputs);
    let read = |name: &str| std::fs::read(bench.path(name)).expect("written");
    assert!(read("a.gif").starts_with(b"GIF89a"));
    assert!(read("a.png").starts_with(b"\x89PNG"));
    assert!(read("a.usda").starts_with(b"#usda"));
    assert!(read("a.pc2").starts_with(b"POINTCACHE2"));
    let array = sinew::io::read_npy_f32(&read("a.npy")).expect("NumPy");
    let vertices: u64 = (0..2).map(|body| told["bodies"][body]["vertices"].as_u64().expect("a number")).sum();
    assert_eq!(array.shape, [18, vertices as usize, 3]);
    let table = String::from_utf8(read("a.csv")).expect("text");
    assert_eq!(table.lines().count(), 1 + 2 * 18);
    assert!(table.starts_with("time_secs,body,group,most_speed,kinetic_energy,weight_1\n0.00000,\"bar\",0,"));
    // The model plays what the caches hold.
    let inspected = bench.works(&["inspect", "a.glb", "--json"]);
    let inspected: Value = serde_json::from_str(&inspected).expect("JSON");
    assert!(inspected.to_string().contains("bar"), "{inspected}");
    let morphs = told["files"].as_array().expect("a list").iter().find(|file| file["file"] == "a.glb");
    let morphs = morphs.expect("the model")["morphs"].as_array().expect("a list").clone();
    assert!(morphs.iter().all(|mesh| mesh["worst_error"].as_f64().expect("a number") < 5e-4), "{morphs:?}");
    bench.works(&["skin", "a.glb", "--clip", "0", "--fps", "30", "-o", "back.npy"]);
    let back =
        sinew::io::read_npy_f32(&std::fs::read(bench.path("back.npy")).expect("written")).expect("NumPy");
    // Whether the last frame is within the clip is up to rounding of its time.
    assert!((17..=18).contains(&back.shape[0]) && back.shape[1..] == array.shape[1..], "{:?}", back.shape);
    let worst = back.values.iter().zip(&array.values).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(worst < 1e-3, "{worst} m between the model and the cache");
}

#[test]
fn a_folder_takes_several_formats() {
    let bench = bench();
    let told = told(&bench, &["-o", "out", "--size", "48x32", "--fps", "10"]);
    assert_eq!(told["files"].as_array().expect("a list").len(), 4);
    for file in told["files"].as_array().expect("a list") {
        assert!(bench.path(file["file"].as_str().expect("a name")).exists(), "{file}");
    }
    assert_eq!((&told["frames"], &told["size"]), (&6.into(), &serde_json::json!([48, 32])));
}

#[test]
fn measures_are_told() {
    let told = told(&bench(), &["--threads", "1"]);
    assert_eq!((&told["frames"], &told["particles"], &told["threads"]), (&18.into(), &270.into(), &1.into()));
    assert_eq!((&told["steps"], &told["iterations"]), (&34.into(), &20.into()));
    for key in ["mean_ms", "median_ms", "p95_ms", "most_ms", "matching_ms", "real_time_factor"] {
        assert!(told["times"][key].as_f64().is_some_and(|value| value > 0.0), "{key}: {}", told["times"]);
    }
    for key in ["projection_ms", "contact_ms"] {
        assert!(told["times"][key].as_f64().is_some_and(|value| value >= 0.0), "{key}: {}", told["times"]);
    }
    let bar = &told["bodies"][0];
    assert_eq!((&bar["name"], &bar["examples"]), (&"bar".into(), &serde_json::json!(["flat"])));
    assert_eq!(bar["weights"].as_array().expect("a list").len(), 18);
    assert!(bar["most_weights"][0].as_f64().expect("a number") > 0.05, "{}", bar["most_weights"]);
    assert!((bar["mass"].as_f64().expect("a number") - 32.0).abs() < 1e-3);
    assert_eq!(told["bodies"][1]["weights"][3], serde_json::json!([]));
}

#[test]
fn threads_change_nothing() {
    let bench = bench();
    bench.works(&[
        "elastic",
        "scene.toml",
        "-q",
        "--threads",
        "1",
        "-o",
        "one.npy",
        "-o",
        "one.csv",
        "-o",
        "one.png",
    ]);
    bench.works(&[
        "elastic",
        "scene.toml",
        "-q",
        "--threads",
        "2",
        "-o",
        "two.npy",
        "-o",
        "two.csv",
        "-o",
        "two.png",
    ]);
    let read = |name: &str| std::fs::read(bench.path(name)).expect("written");
    for extension in ["npy", "csv", "png"] {
        assert!(read(&format!("one.{extension}")) == read(&format!("two.{extension}")), "{extension}");
    }
}

#[test]
fn nonsense_is_refused_in_a_few_words() {
    let bench = bench();
    bench.fails(&["elastic", "no.toml", "-o", "a.gif"], 1, "no.toml");
    bench.fails(&["elastic", "scene.toml"], 2, "--output");
    bench.fails(&["elastic", "scene.toml", "-o", "a.webm"], 1, "known are .mp4, .gif, .png");
    bench.fails(&["elastic", "scene.toml", "-o", "nowhere/a.gif"], 1, "does not exist; create it first");
    bench.fails(&["elastic", "scene.toml", "--fps", "0", "-o", "a.gif"], 2, "0.1 to 1000 fps");
    bench.fails(&["elastic", "scene.toml", "--tolerance", "-1", "-o", "a.glb"], 2, "above 0");
    for (text, message) in [
        ("", "wrong.toml: line 1, column 1: no [[body]]"),
        (
            "[[body]]\nmade = \"cuboid\"\nwobble = 1\n",
            "line 3, column 1: body \"body 1\": unknown key `wobble`",
        ),
        ("[[body]]\nfile = \"gone.obj\"\n", "line 1, column 1: body \"body 1\": \"gone.obj\""),
        ("[[body]]\nmade = \"cuboid\"\n[[body.example]]\nfile = \"limb.glb\"\n", "line 3"),
        ("[[body]]\nmade = 4\n", "line 2, column 8: body \"body 1\".made: expected a text, found a number"),
        ("[[body]\n", "line 1"),
    ] {
        bench.write("wrong.toml", text);
        bench.fails(&["elastic", "wrong.toml", "-o", "a.gif"], 1, message);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_scene_leaves_nothing() {
    let bench = bench();
    bench.write("long.toml", SCENE.replace("duration = 0.6", "duration = 600"));
    let before = bench.files();
    let child = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args(["elastic", "long.toml", "-o", "long.gif", "--threads", "1"])
        .current_dir(bench.path(""))
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    std::thread::sleep(Duration::from_millis(500));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    let start = Instant::now();
    let output = child.wait_with_output().expect("ended");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("nothing was left half-written"), "{said}");
    assert!(start.elapsed() < Duration::from_secs(20), "it stops soon");
    assert_eq!(bench.files(), before);
}
