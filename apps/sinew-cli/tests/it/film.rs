//! `sinew film`: whole films, films that were killed, previews, and scenes that make no sense.

use crate::bench::Bench;
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const CHARACTER: &str =
    "[[character]]\nname = \"limb\"\nfile = \"limb.glb\"\nmotion = { clip = \"bend\", repeat = true }\n";
const CAMERA: &str = "[[camera]]\neye = { orbit = [0, 0.5, 0], keys = [{ time = 0, distance = 2.5 }, { time = 2, azimuth = 70 }] }\n\
    target = { follow = \"limb\", smooth = 0.5 }\n";

/// A bench with a scene of so many frames.
fn bench(frames: usize, size: (u32, u32)) -> Bench {
    let bench = Bench::new();
    let film =
        format!("[film]\nfps = 30\nsize = [{}, {}]\nduration = {}\n", size.0, size.1, frames as f64 / 30.0);
    bench.write("scene.toml", format!("{film}{CHARACTER}{CAMERA}"));
    bench
}

fn frames_in(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with("frame_")).count()
}

/// Starts a film and waits until some frames are kept, but not all.
fn started(bench: &Bench, arguments: &[&str], scratch: &str, frames: usize) -> Child {
    let child = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args(arguments)
        .current_dir(bench.path(""))
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let start = Instant::now();
    while frames_in(&bench.path(scratch)) < 3 {
        assert!(start.elapsed() < Duration::from_secs(120), "no frames after two minutes");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(frames_in(&bench.path(scratch)) < frames, "the film was done too soon to be stopped");
    child
}

#[track_caller]
fn assert_same_frames(bench: &Bench, a: &str, b: &str, count: usize) {
    for frame in 0..count {
        let name = format!("frame_{frame:06}.png");
        let read = |folder: &str| std::fs::read(bench.path(folder).join(&name)).expect("a frame");
        assert!(read(a) == read(b), "{name} of {a} and {b}");
    }
    let counts = (frames_in(&bench.path(a)), frames_in(&bench.path(b)));
    assert_eq!(counts, (count, count), "no frame is missing and none too many");
}

#[test]
fn a_film_killed_half_way_goes_on_to_identical_frames() {
    const FRAMES: usize = 60;
    let bench = bench(FRAMES, (480, 270));
    let arguments = ["film", "scene.toml", "-o", "killed", "--threads", "1"];
    let mut child = started(&bench, &arguments, ".killed.frames", FRAMES);
    child.kill().expect("killed");
    child.wait().expect("ended");
    assert!(!bench.path("killed").exists(), "nothing is put in place before all is done");
    let kept = frames_in(&bench.path(".killed.frames"));
    let output = bench.run(&["film", "scene.toml", "-o", "killed", "--json"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("going on"), "{said}");
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let number = |key: &str| told[key].as_u64().expect("a number") as usize;
    assert!(number("kept") >= kept && number("kept") < FRAMES, "{kept} and {}", number("kept"));
    assert_eq!(number("kept") + number("drawn"), FRAMES);
    assert!(!bench.path(".killed.frames").exists(), "a finished film leaves no scratch");
    bench.works(&["film", "scene.toml", "-o", "whole", "-q"]);
    assert_same_frames(&bench, "killed", "whole", FRAMES);
}

#[cfg(unix)]
#[test]
fn an_interrupted_film_says_how_to_go_on() {
    const FRAMES: usize = 60;
    let bench = bench(FRAMES, (480, 270));
    let arguments = ["film", "scene.toml", "-o", "film.gif", "--threads", "1"];
    let child = started(&bench, &arguments, ".film.gif.frames", FRAMES);
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    let output = child.wait_with_output().expect("ended");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("run the same command again to go on"), "{said}");
    assert!(frames_in(&bench.path(".film.gif.frames")) >= 3);
    // Another scene under the same name does not take the frames.
    let text = std::fs::read_to_string(bench.path("scene.toml")).expect("readable");
    bench.write("scene.toml", text.replace("smooth = 0.5", "smooth = 0.6").replace("[480, 270]", "[32, 32]"));
    let output = bench.run(&["film", "scene.toml", "-o", "film.gif"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("starting anew"), "{said}");
    assert!(std::fs::read(bench.path("film.gif")).expect("a film").starts_with(b"GIF89a"));
}

#[test]
fn preview_and_film_have_the_same_joints_frame_by_frame() {
    let bench = bench(8, (64, 48));
    let digests = |arguments: &[&str]| {
        let all = [&["film", "scene.toml", "--json", "-q"], arguments].concat();
        let told: Value = serde_json::from_str(&bench.works(&all)).expect("JSON");
        assert_eq!(told["frames"], 8);
        told["joint_digests"].as_array().expect("a list").clone()
    };
    let film = digests(&["-o", "film"]);
    let preview = digests(&["-o", "preview", "--preview", "--threads", "1"]);
    assert_eq!(film, preview);
    assert_eq!(film.len(), 8);
    assert_ne!(film[0], film[5], "it moves");
    let read = |name: &str| std::fs::read(bench.path(name).join("frame_000003.png")).expect("a frame");
    assert!(read("film") != read("preview"), "lines are no shaded picture");
}

#[test]
fn a_part_a_size_and_a_rate_can_be_asked_for() {
    let bench = bench(12, (64, 48));
    let told = |arguments: &[&str]| -> Value {
        let all = [&["film", "scene.toml", "--json", "-q"], arguments].concat();
        serde_json::from_str(&bench.works(&all)).expect("JSON")
    };
    let part = told(&["--frames", "3..6", "--size", "40x30", "-o", "part"]);
    assert_eq!(
        (&part["frames"], &part["first_frame"], &part["size"]),
        (&3.into(), &3.into(), &serde_json::json!([40, 30]))
    );
    assert!(bench.path("part/frame_000005.png").exists() && !bench.path("part/frame_000006.png").exists());
    let slow = told(&["--fps", "10", "-o", "slow.gif"]);
    assert_eq!((&slow["frames"], &slow["fps"]), (&4.into(), &10.0.into()));
    told(&["--frames", "2..3", "--quality", "high", "-o", "still.png"]);
    assert!(std::fs::read(bench.path("still.png")).expect("a picture").starts_with(b"\x89PNG"));
}

#[test]
fn a_human_of_patches_is_filmed_with_a_clip_of_a_file() {
    let bench = Bench::new();
    let clip = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/scenes/exercise.glb");
    std::fs::copy(clip, bench.path("exercise.glb")).expect("copied");
    let body = "[[character]]\nname = \"woman\"\nbody = { sex = \"female\", stature = 1.7, tessellation = 4 }\n\
        motion = { file = \"exercise.glb\", repeat = true }\n";
    bench.write("scene.toml", format!("[film]\nsize = [96, 96]\nduration = 1\nfps = 4\n{body}"));
    let told: Value =
        serde_json::from_str(&bench.works(&["film", "scene.toml", "--json", "-o", "film"])).expect("JSON");
    assert_eq!(told["frames"], 4);
    assert_eq!(told["warnings"].as_array().map(Vec::len), Some(0), "{}", told["warnings"]);
    let digests = told["joint_digests"].as_array().expect("a list");
    assert_ne!(digests[0], digests[3], "she moves");
}

#[test]
fn nonsense_is_refused_in_a_few_words() {
    let bench = bench(6, (32, 32));
    bench.fails(&["film", "no.toml", "-o", "a.mp4"], 1, "no.toml");
    bench.fails(
        &["film", "scene.toml", "-o", "a.webm"],
        1,
        "known are .mp4, .gif, .png for a single frame, and folders",
    );
    bench.fails(&["film", "scene.toml", "-o", "a.png"], 1, "stores one picture, but there are 6 frames");
    bench.fails(&["film", "scene.toml", "--frames", "4..9", "-o", "a.gif"], 1, "the film has frames 0..6");
    bench.fails(&["film", "scene.toml", "--frames", "4..4", "-o", "a.gif"], 2, "use A..B with A below B");
    bench.fails(&["film", "scene.toml", "--fps", "0", "-o", "a.gif"], 2, "0.1 to 1000 fps");
    bench.fails(&["film", "scene.toml", "-o", "nowhere/a.gif"], 1, "nowhere");
    for (text, message) in [
        ("", "no [[character]]"),
        ("[films]\n", "line 1, column 2: unknown key `films`; did you mean `film`?"),
        ("[[character]]\nfile = \"gone.glb\"\n", "line 1: character \"character 1\": \"gone.glb\""),
        (
            "[[character]]\nfile = \"limb.glb\"\nmotion = { clip = \"jump\" }\n",
            "line 3: character \"character 1\": motion: unknown clip",
        ),
        ("[[character]]\nbody = { stature = 9 }\n[film]\nduration = 1\n", "stature"),
        ("[[character]]\nbody = { preset = \"athletics\" }\n[film]\nduration = 1\n", "athletic"),
    ] {
        bench.write("wrong.toml", text);
        bench.fails(&["film", "wrong.toml", "-o", "a.gif"], 1, message);
    }
    let below = format!("{CHARACTER}[[camera]]\neye = [0, -0.5, 3]\ntarget = [0, 1, 0]\n");
    bench.write("wrong.toml", below);
    bench.fails(&["film", "wrong.toml", "-o", "a.gif"], 1, "inside the ground at 0.000 m");
}
