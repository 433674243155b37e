//! Losses by kind and name, notes that are summed up, runs that do not disturb each other, and signals.

use crate::bench::Bench;
use serde_json::Value;
use sinew::mmd::pmx::{MmdBody, Pmx, PmxFrame, PmxJoint, PmxRigidBody};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The limb as a PMX with twelve rigid bodies, a joint and a display frame.
fn physics(bench: &Bench) {
    bench.works(&["convert", "limb.glb", "physics.pmx", "-q"]);
    let mut report = sinew::io::Report::default();
    let mut pmx = Pmx::read(&bench.bytes("physics.pmx"), &sinew::io::Limits::default(), &mut report)
        .expect("what we wrote");
    let body = MmdBody {
        group: 0,
        mask: 0,
        shape: 0,
        size: [1.0; 3],
        position: [0.0; 3],
        rotation_rad: [0.0; 3],
        physics: [1.0; 5],
        mode: 1,
    };
    let bodies = (0..12).map(|number| PmxRigidBody {
        name: format!("hair {number}").as_str().into(),
        name_en: "".into(),
        bone: 0,
        body,
    });
    pmx.rigid_bodies = bodies.collect();
    let values = [[0.0; 3]; 8];
    pmx.joints = vec![PmxJoint { name: "knot".into(), name_en: "".into(), kind: 0, bodies: [0, 1], values }];
    pmx.frames.push(PmxFrame { name: "more".into(), name_en: "".into(), special: 0, entries: Vec::new() });
    bench.write("physics.pmx", pmx.write());
}

fn said(bench: &Bench, arguments: &[&str]) -> String {
    let output = bench.run(arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {text}");
    text
}

#[test]
fn what_a_format_cannot_hold_is_told_by_kind_count_and_name() {
    let bench = Bench::new();
    physics(&bench);
    let text = said(&bench, &["convert", "physics.pmx", "plain.glb"]);
    for expected in [
        "glTF cannot store rigid bodies: 12 left out (\"hair 0\", \"hair 1\", \"hair 2\" and 9 more)",
        "glTF cannot store joints of rigid bodies: 1 left out (\"knot\")",
        "glTF cannot store display frames: 2 left out",
    ] {
        assert!(text.contains(expected), "{expected}:\n{text}");
    }
    let text = said(&bench, &["convert", "physics.pmx", "plain.glb", "--verbose"]);
    assert!(text.contains("\"hair 11\""), "{text}");
    let json: Value =
        serde_json::from_str(&bench.works(&["convert", "physics.pmx", "plain.glb", "--json", "-q"]))
            .expect("JSON");
    let lost = json["lost"].as_array().expect("a list");
    let bodies = lost.iter().find(|loss| loss["kind"] == "rigid bodies").expect("told");
    assert_eq!((&bodies["count"], &bodies["names"][11]), (&12.into(), &"hair 11".into()));
    // Its own format keeps everything.
    let text = said(&bench, &["convert", "physics.pmx", "copy.pmx"]);
    assert!(!text.contains("cannot store"), "{text}");
    assert!(bench.bytes("copy.pmx") == bench.bytes("physics.pmx"));
}

#[test]
fn inspect_shows_what_only_the_file_has() {
    let bench = Bench::new();
    physics(&bench);
    let text = bench.works(&["inspect", "physics.pmx"]);
    for expected in ["format      PMX", "12 rigid bodies: \"hair 0\"", "1 joints of rigid bodies: \"knot\""] {
        assert!(text.contains(expected), "{expected}:\n{text}");
    }
    let json: Value =
        serde_json::from_str(&bench.works(&["inspect", "physics.pmx", "--json"])).expect("JSON");
    assert_eq!(json["contents"][0]["kind"], "rigid bodies");
    assert_eq!(
        json["material_kinds"]["toon"].as_array().map(Vec::len),
        json["materials"].as_array().map(Vec::len)
    );
    let height = json["height"].as_f64().expect("a number");
    let meters = json["bounds"]["max"][1].as_f64().unwrap() - json["bounds"]["min"][1].as_f64().unwrap();
    assert!((0.08 * height - meters).abs() < 1e-5 * meters, "{height} units, {meters} m");
    bench.works(&["body", "--tessellation", "4", "-o", "me.vrm", "-q"]);
    let json: Value = serde_json::from_str(&bench.works(&["inspect", "me.vrm", "--json"])).expect("JSON");
    assert_eq!((&json["format"], &json["vrm_version"]), (&"VRM".into(), &"1.0".into()));
    assert_eq!(json["humanoid"]["origin"], "file");
    assert!(json["humanoid"]["bones"]["hips"].is_string(), "{}", json["humanoid"]);
    bench.works(&["convert", "limb.glb", "limb.obj", "-q"]);
    let text = bench.works(&["inspect", "limb.obj"]);
    assert!(text.contains("format      OBJ"), "{text}");
    let old =
        r#"{ "asset": { "version": "2.0" }, "nodes": [{ "name": "tail" }], "extensions": { "VRM": {} } }"#;
    bench.write("old.gltf", old);
    let text = bench.works(&["inspect", "old.gltf"]);
    assert!(text.contains("format      VRM 0.x"), "{text}");
}

#[test]
fn commands_say_what_other_programs_show() {
    let bench = Bench::new();
    let text = said(&bench, &["rig", "limb.glb", "--method", "bezier", "-o", "soft.glb"]);
    assert!(
        text.contains("Blender, Unity, Unreal, Godot, three.js: plain skinning only, not bezier"),
        "{text}"
    );
    let command = text.lines().find_map(|line| line.strip_prefix("for the rest: sinew ")).expect("a command");
    let arguments: Vec<&str> = command.split(' ').collect();
    let text = said(&bench, &arguments);
    assert!(text.contains("helper bones move in the file's clips"), "{text}");
    let command = text.lines().find_map(|line| line.strip_prefix("for the rest: sinew ")).expect("a command");
    let command = command.split(" (").next().expect("a command");
    bench.works(&command.split(' ').collect::<Vec<_>>());
    assert!(bench.path("soft-helpers.py").exists());
    let quiet = bench.run(&["rig", "limb.glb", "-o", "soft.glb", "-q", "--json"]);
    assert!(quiet.stderr.is_empty());
    let json: Value = serde_json::from_slice(&quiet.stdout).expect("JSON");
    assert_eq!(json["programs"]["programs"][0]["programs"], "Sinew");
}

/// Starts a command and waits until `is_started`.
fn started(bench: &Bench, arguments: &[&str], is_started: impl Fn() -> bool) -> Child {
    let child = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args(arguments)
        .current_dir(bench.path(""))
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let start = Instant::now();
    while !is_started() {
        assert!(start.elapsed() < Duration::from_secs(120), "{arguments:?} has not begun after two minutes");
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

/// Commands that run for seconds, each with a temporary file or folder while it does.
#[cfg(unix)]
const LONG: [&str; 5] = [
    "skin limb.glb --clip bend --fps 900 --threads 1 -o out.npy",
    "skin limb.glb --clip bend --fps 900 --threads 1 -o out.usda",
    "render limb.glb --clip bend --fps 500 --size 640x480 --threads 1 -o frames",
    "demo -o demo --threads 1",
    "flesh limb.glb --clip bend --fps 900 --tets 20000 --threads 1 -o out.pc2",
];

#[cfg(unix)]
#[test]
fn a_signal_leaves_nothing_behind() {
    let bench = Bench::with_rows(400);
    let before = bench.files();
    for line in LONG {
        let arguments: Vec<&str> = line.split(' ').collect();
        let begun = Instant::now();
        // Something is being written, or a second has passed in a job that writes at its end.
        let is_started = || bench.files() != before || begun.elapsed() > Duration::from_secs(1);
        let child = started(&bench, &arguments, is_started);
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
        assert!(sent.success(), "{line}: it was done too soon to be stopped");
        let output = child.wait_with_output().expect("ended");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{line}: {said}");
        let is_temporary = |path: &std::path::Path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
        };
        // A demo that is stopped keeps the files that are whole.
        let kept = std::fs::read_dir(bench.path("demo")).into_iter().flatten().flatten();
        assert!(kept.map(|entry| entry.path()).all(|path| !is_temporary(&path)), "{line}");
        let _ = std::fs::remove_dir_all(bench.path("demo"));
        assert_eq!(bench.files(), before, "{line}");
    }
}

#[test]
fn two_films_of_one_name_do_not_disturb_each_other() {
    let bench = Bench::new();
    let scene = "[film]\nsize = [320, 240]\nfps = 30\nduration = 2\n\
        [[character]]\nname = \"limb\"\nfile = \"limb.glb\"\nmotion = { clip = \"bend\" }\n";
    bench.write("scene.toml", scene);
    let arguments = ["film", "scene.toml", "-o", "film.gif", "--threads", "1"];
    let first = started(&bench, &arguments, || bench.path(".film.gif.frames").exists());
    let second = bench.run(&arguments);
    let first = first.wait_with_output().expect("ended");
    for output in [&first, &second] {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(String::from_utf8_lossy(&second.stderr).contains("another run writes the same file"));
    assert!(bench.bytes("film.gif").starts_with(b"GIF89a"));
    let hidden =
        |path: &std::path::PathBuf| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.'));
    assert!(!bench.files().iter().any(hidden), "{:?}", bench.files());
}

#[test]
fn warnings_of_one_kind_are_one_line() {
    let bench = Bench::new();
    physics(&bench);
    let mut report = sinew::io::Report::default();
    let mut pmx = Pmx::read(&bench.bytes("physics.pmx"), &sinew::io::Limits::default(), &mut report)
        .expect("what we wrote");
    // Names that PMD cannot spell, one in each of twelve bodies.
    pmx.rigid_bodies.iter_mut().for_each(|body| body.name = "뼈".into());
    bench.write("physics.pmx", pmx.write());
    let text = said(&bench, &["convert", "physics.pmx", "old.pmd"]);
    assert!(text.contains("(and 11 more like it; --verbose lists them)"), "{text}");
    let all = said(&bench, &["convert", "physics.pmx", "old.pmd", "-v"]);
    assert_eq!(all.lines().filter(|line| line.contains("rigid bodies[")).count(), 12, "{all}");
}
