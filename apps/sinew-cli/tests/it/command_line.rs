//! The binary as a user runs it: every command, on good input and bad.

use crate::bench::Bench;
use serde_json::Value;
use std::path::Path;

fn npy(path: &Path) -> sinew::io::NpyArray {
    sinew::io::read_npy_f32(&std::fs::read(path).expect("written")).expect("a NumPy file")
}

#[test]
fn inspect_tells_the_numbers() {
    let bench = Bench::new();
    let text = bench.works(&["inspect", "limb.glb"]);
    assert!(text.contains("bend") && text.contains("lower"), "{text}");
    let json: Value = serde_json::from_str(&bench.works(&["inspect", "limb.glb", "--json"])).expect("JSON");
    assert_eq!(json["joints"], 2);
    assert_eq!(json["bones"][1]["name"], "lower");
    assert_eq!(json["clips"][0]["duration_secs"], 2.0);
    assert_eq!(json["influence_histogram"].as_array().map(Vec::len), Some(3));
}

#[test]
fn skin_writes_every_format() {
    let bench = Bench::new();
    let vertices = npy_rows(&bench);
    for name in ["one.npy", "one.obj", "one.glb", "one.gltf"] {
        bench.works(&["skin", "limb.glb", "--clip", "bend", "--time", "1", "-o", name]);
        assert!(bench.path(name).exists(), "{name}");
    }
    for name in ["all.npy", "all.pc2", "all.usda"] {
        bench.works(&["skin", "limb.glb", "--clip", "0", "--fps", "10", "-o", name]);
        assert!(bench.path(name).exists(), "{name}");
    }
    assert_eq!(npy(&bench.path("all.npy")).shape, [21, vertices, 3]);
    bench.works(&["skin", "limb.glb", "--normals", "-o", "rest.npy"]);
    assert_eq!(npy(&bench.path("rest.normals.npy")).shape, [vertices, 3]);
}

fn npy_rows(bench: &Bench) -> usize {
    bench.works(&["skin", "limb.glb", "-o", "rest.npy"]);
    npy(&bench.path("rest.npy")).shape[0]
}

#[test]
fn a_pose_file_moves_what_it_names() {
    let bench = Bench::new();
    let rows = npy_rows(&bench);
    bench.write("pose.json", r##"{"bones": {"#0": {"translation": [1, 0, 0]}}}"##);
    bench.works(&["skin", "limb.glb", "--pose", "pose.json", "-o", "moved.npy"]);
    let (rest, moved) = (npy(&bench.path("rest.npy")), npy(&bench.path("moved.npy")));
    for vertex in 0..rows {
        let shift: Vec<f32> =
            (0..3).map(|axis| moved.values[3 * vertex + axis] - rest.values[3 * vertex + axis]).collect();
        assert!(
            (shift[0] - 1.0).abs() < 1e-6 && shift[1].abs() < 1e-6 && shift[2].abs() < 1e-6,
            "vertex {vertex}: {shift:?}"
        );
    }
}

#[test]
fn threads_do_not_change_a_byte() {
    let bench = Bench::new();
    for threads in ["1", "3"] {
        bench.works(&[
            "--threads",
            threads,
            "skin",
            "limb.glb",
            "--clip",
            "bend",
            "-o",
            &format!("{threads}.npy"),
        ]);
        bench.works(&[
            "--threads",
            threads,
            "render",
            "limb.glb",
            "--size",
            "160x120",
            "-o",
            &format!("{threads}.png"),
        ]);
    }
    let bytes = |name: &str| std::fs::read(bench.path(name)).expect("written");
    assert_eq!(bytes("1.npy"), bytes("3.npy"));
    assert_eq!(bytes("1.png"), bytes("3.png"));
}

#[test]
fn render_draws_pictures_frames_and_films() {
    let bench = Bench::new();
    for (name, options) in [
        ("plain.png", vec![]),
        ("shown.png", vec!["--show", "bones,wire", "--camera", "side"]),
        (
            "weights.png",
            vec![
                "--show",
                "weights=lower",
                "--camera",
                "eye=1,1,2 target=0,0.3,0 fov=35",
                "--background",
                "#204060",
            ],
        ),
        ("sheet.png", vec!["--camera", "all", "--no-ground"]),
        ("bend.gif", vec!["--clip", "bend", "--fps", "5"]),
        ("frames", vec!["--clip", "bend", "--fps", "5"]),
    ] {
        let fixed = ["render", "limb.glb", "--size", "160x120", "-o", name];
        bench.works(&fixed.into_iter().chain(options).collect::<Vec<_>>());
    }
    assert_eq!(std::fs::read_dir(bench.path("frames")).expect("a folder").count(), 11);
    assert!(std::fs::read(bench.path("bend.gif")).expect("written").starts_with(b"GIF89a"));
}

#[test]
fn convert_keeps_or_reports() {
    let bench = Bench::new();
    for name in ["copy.glb", "copy.gltf", "copy.obj"] {
        bench.works(&["convert", "limb.glb", name]);
    }
    let output = bench.run(&["convert", "limb.glb", "again.obj"]);
    assert!(
        String::from_utf8_lossy(&output.stderr)
            .contains("OBJ cannot store bones and the weights on them: 2 left out")
    );
    let json: Value = serde_json::from_str(&bench.works(&[
        "convert",
        "limb.glb",
        "cut.glb",
        "--max-influences",
        "1",
        "--json",
    ]))
    .expect("JSON");
    assert!(json["influence_cut"]["changed_vertices"].as_u64() > Some(0));
    let cut: Value = serde_json::from_str(&bench.works(&["inspect", "cut.glb", "--json"])).expect("JSON");
    assert_eq!(cut["max_influences"], 1);
}

#[test]
fn mistakes_are_explained_and_leave_nothing_behind() {
    let bench = Bench::new();
    bench.write("bad.json", r#"{"bones": {"lowerr": {}}}"#);
    bench.write("broken.json", "{");
    bench.write("cut.glb", &std::fs::read(bench.path("limb.glb")).expect("written")[..200]);
    bench.write("model.blend", "BLENDER");
    bench.fails(&["inspect", "missing.glb"], 1, "missing.glb: No such file");
    bench.fails(&["inspect", "cut.glb"], 1, "cut.glb: byte 0: the whole file needs");
    bench.fails(&["inspect", "model.blend"], 1, "\".blend\" is not a known kind of model");
    bench.fails(&["skin", "limb.glb", "--pose", "bad.json", "-o", "x.npy"], 1, "did you mean \"lower\"?");
    bench.fails(
        &["skin", "limb.glb", "--pose", "broken.json", "-o", "x.npy"],
        1,
        "broken.json: EOF while parsing",
    );
    bench.fails(&["skin", "limb.glb", "--clip", "bned", "-o", "x.npy"], 1, "did you mean \"bend\"?");
    bench.fails(&["skin", "limb.glb", "--clip", "7", "-o", "x.npy"], 1, "unknown clip #7");
    bench.fails(
        &["skin", "limb.glb", "--clip", "bend", "--fps", "0", "-o", "x.npy"],
        1,
        "invalid frame rate 0",
    );
    bench.fails(&["skin", "limb.glb", "-o", "x.xyz"], 1, "cannot write one pose as \".xyz\"");
    bench.fails(&["skin", "limb.glb", "-o", "nowhere/x.npy"], 1, "create it first");
    bench.fails(&["skin", "limb.glb", "--method", "magic", "-o", "x.npy"], 2, "unknown method \"magic\"");
    bench.fails(&["skin", "limb.glb", "--time", "1", "-o", "x.npy"], 2, "--clip");
    bench.fails(&["render", "limb.glb", "--camera", "nowhere", "-o", "x.png"], 2, "use front, side, back");
    bench.fails(&["render", "limb.glb", "--clip", "bend", "-o", "x.png"], 1, "a whole clip is many pictures");
    bench.fails(&["render", "limb.glb", "--size", "0x9", "-o", "x.png"], 2, "WIDTHxHEIGHT");
    bench.fails(&["inspect", "limb.glb", "--max-memory", "1kB"], 1, "--max-memory");
    bench.fails(&["dance"], 2, "unrecognized subcommand");
}

#[cfg(unix)]
#[test]
fn files_outside_the_models_folder_are_not_read() {
    let bench = Bench::new();
    let outside = tempfile::tempdir().expect("a temporary folder");
    let secret = outside.path().join("secret.bin");
    std::fs::write(&secret, [0u8; 64]).expect("writable");
    std::os::unix::fs::symlink(&secret, bench.path("link.bin")).expect("a link");
    let folder = outside.path().file_name().expect("named").to_string_lossy().into_owned();
    let absolute = secret.to_string_lossy().into_owned();
    let ways = [
        (format!("../{folder}/secret.bin"), "\"..\" is not supported"),
        (format!("%2e%2e/{folder}/secret.bin"), "\"..\" is not supported"),
        (absolute.clone(), "absolute paths are not supported"),
        (absolute.replace('/', "%2F"), "absolute paths are not supported"),
        (format!("file://{absolute}"), "scheme"),
        ("https://example.com/secret.bin".to_owned(), "scheme"),
        ("link.bin".to_owned(), "outside the model's folder"),
    ];
    for (uri, message) in &ways {
        let buffer = serde_json::json!({ "asset": { "version": "2.0" }, "buffers": [{ "uri": uri, "byteLength": 64 }] });
        bench.write("buffer.gltf", buffer.to_string());
        bench.fails(&["inspect", "buffer.gltf"], 1, message);
        let image = serde_json::json!({ "asset": { "version": "2.0" }, "images": [{ "uri": uri }] });
        bench.write("image.gltf", image.to_string());
        bench.fails(&["inspect", "image.gltf"], 1, message);
    }
}

#[test]
fn an_output_that_cannot_be_finished_keeps_what_was_there() {
    let bench = Bench::new();
    bench.write("x.npy", "mine");
    bench.fails(&["skin", "limb.glb", "--clip", "bned", "-o", "x.npy"], 1, "unknown clip");
    assert_eq!(std::fs::read(bench.path("x.npy")).expect("still there"), b"mine");
}

#[test]
fn bench_measures_every_method_beside_its_scalar_twin() {
    let bench = Bench::new();
    let small = ["-q", "--threads", "1", "bench", "skin", "--vertices", "2000", "--bones", "10", "--json"];
    let rows: Vec<Value> = serde_json::from_str(&bench.works(&small)).expect("JSON");
    for method in ["lbs", "dlb", "sdef"] {
        for order in ["grouped", "caller"] {
            let fits =
                |row: &&Value| row["method"] == method && row["order"] == order && row["backend"] == "scalar";
            let row = rows.iter().find(fits).expect("measured");
            assert!(row["threads"] == 1 && row["ns_per_vertex"].as_f64() > Some(0.0), "{row}");
        }
    }
    bench.fails(&["bench", "skin", "--bones", "3", "--influences", "4"], 1, "use more --bones");
}

#[test]
fn bench_measures_soft_bodies_of_every_size_and_backend() {
    let bench = Bench::new();
    let short = ["-q", "--threads", "1", "bench", "soft", "--seconds", "0", "--json"];
    let rows: Vec<Value> = serde_json::from_str(&bench.works(&short)).expect("JSON");
    for particles in [225, 2025, 20_000] {
        for examples in ["none", "5 global", "5 local"] {
            let fits = |row: &&Value| {
                row["particles"] == particles && row["examples"] == examples && row["backend"] == "scalar"
            };
            let row = rows.iter().find(fits).expect("measured");
            assert!(row["threads"] == 1 && row["ns_per_particle"].as_f64() > Some(0.0), "{row}");
        }
    }
    bench.fails(&["bench", "soft", "--seconds", "4000"], 2, "from 0 to 3600");
}

#[test]
fn help_has_examples_everywhere() {
    let bench = Bench::new();
    for command in [
        &["--help"][..],
        &["inspect", "--help"],
        &["convert", "--help"],
        &["skin", "--help"],
        &["render", "--help"],
        &["demo", "--help"],
    ] {
        assert!(bench.works(command).contains("Examples:"), "{command:?}");
    }
}

#[test]
fn completions_and_manual_pages_name_every_command() {
    let bench = Bench::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh", "man"] {
        let text = bench.works(&["completions", shell]);
        assert!(text.contains("inspect") && text.contains("elastic"), "{shell}: {text}");
    }
    bench.works(&["completions", "man", "-q", "-o", "man"]);
    assert!(bench.path("man/sinew-inspect.1").exists() && bench.path("man/sinew.1").exists());
    bench.fails(&["completions", "tcsh"], 2, "bash");
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_quietly() {
    let bench = Bench::new();
    let program = env!("CARGO_BIN_EXE_sinew");
    // The reader is gone at once, as `head` is after its lines.
    let script = format!("{program} body --list measures 2> said | true; cat said");
    for _ in 0..5 {
        let output = std::process::Command::new("sh")
            .args(["-c", &script])
            .current_dir(bench.path("."))
            .output()
            .expect("a shell");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    }
}
