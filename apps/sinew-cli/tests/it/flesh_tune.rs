//! `sinew flesh tune`.

use crate::bench::Bench;
use serde_json::Value;

/// Few tetrahedra, so that a run takes a moment.
const TETS: [&str; 2] = ["--tets", "400"];

fn recorded() -> Bench {
    let bench = Bench::with_rows(16);
    let play = [
        "flesh",
        "limb.glb",
        "--clip",
        "0",
        "--preset",
        "cartoon",
        "-o",
        "shapes.npy",
        "-o",
        "shapes.pc2",
        "-q",
    ];
    bench.works(&[&play[..], &TETS].concat());
    bench
}

#[test]
fn settings_are_found_from_recorded_skin_and_read_back() {
    let bench = recorded();
    let tune = |examples: &str, output: &str| {
        let base = ["flesh", "tune", "limb.glb", "--clip", "0", "--config", "start.toml"];
        let how = ["--only", "stiffness,damping", "--evaluations", "25", "--json", "-q"];
        let files = ["--examples", examples, "-o", output];
        let told = bench.works(&[&base[..], &how, &files, &TETS].concat());
        serde_json::from_str::<Value>(&told).expect("JSON")
    };
    // All of `cartoon` but what is sought.
    bench.write(
        "start.toml",
        "preset = \"cartoon\"\n[[layer]]\nname = \"muscle\"\nyoung_pa = 20000\n[[layer]]\nname = \"fat\"\nyoung_pa = 1500\ndamping_per_sec = 8\n",
    );
    let told = tune("shapes.npy", "flesh.toml");
    let number =
        |path: &str| told.pointer(path).and_then(Value::as_f64).unwrap_or_else(|| panic!("{path}: {told}"));
    assert!(number("/after/rms_m") < 0.2 * number("/before/rms_m"), "{told}");
    assert!(number("/after/held_out_share") < 0.5 * number("/before/held_out_share"), "{told}");
    assert!(number("/evaluations") <= 25.0 && number("/follow_through_m") > 0.0);
    let text = std::fs::read_to_string(bench.path("flesh.toml")).expect("written");
    let found = sinew::flesh::config::read(&text).expect("reads back");
    assert_eq!(found.layers[2].young_pa, number("/layers_after/2/young_pa"));
    assert_eq!(found.layers[2].fiber_share, number("/layers_before/2/fibre_share"));

    let again = tune("shapes.pc2", "again.toml");
    assert_eq!(again["after"], told["after"], "the same shapes give the same settings");
    let play = ["flesh", "limb.glb", "--clip", "0", "--config", "flesh.toml", "-o", "found.npy", "-q"];
    bench.works(&[&play[..], &TETS].concat());
}

#[test]
fn what_cannot_be_tuned_to_is_refused_and_nothing_is_written() {
    let bench = recorded();
    let fails = |more: &[&str], code: i32, message: &str| {
        let base = ["flesh", "tune", "limb.glb", "--clip", "0"];
        bench.fails(&[&base[..], more, &TETS].concat(), code, message);
    };
    let shapes = std::fs::read(bench.path("shapes.npy")).expect("recorded");
    let array = sinew::io::read_npy_f32(&shapes).expect("NumPy");
    let write = |name: &str, shape: [usize; 3], values: &[f32]| {
        bench.write(name, sinew::io::write_npy(&shape, values).expect("a shape that fits"));
    };
    let [frames, vertices] = [array.shape[0], array.shape[1]];
    write("short.npy", [frames - 1, vertices, 3], &array.values[3 * vertices..]);
    write("other.npy", [frames, vertices - 1, 3], &array.values[3 * frames..]);
    let mut broken = array.values.clone();
    broken[3 * vertices + 4] = f32::NAN;
    write("nan.npy", [frames, vertices, 3], &broken);
    write("none.npy", [0, vertices, 3], &[]);
    bench.write("empty.npy", "");
    bench.write("cut.pc2", &std::fs::read(bench.path("shapes.pc2")).expect("recorded")[..50]);
    let to = ["-o", "flesh.toml", "--examples"];
    let given = |name: &'static str| [&to[..], &[name]].concat();
    fails(&given("short.npy"), 1, "short.npy: ");
    fails(&given("short.npy"), 1, "--fps");
    fails(&given("other.npy"), 1, "other.npy: frame 0 has");
    fails(&given("nan.npy"), 1, "nan.npy: frame 1: vertex 1 is not finite");
    fails(&given("none.npy"), 1, "none.npy: it has no frames");
    fails(&given("empty.npy"), 1, "empty.npy: the file is empty");
    fails(&given("cut.pc2"), 1, "cut.pc2: ");
    fails(&given("missing.npy"), 1, "missing.npy");
    fails(&given("limb.glb"), 1, "use .npy or .pc2");
    fails(&["--examples", "shapes.npy", "-o", "flesh.json"], 1, "settings files must be .toml");
    fails(&["--examples", "shapes.npy", "-o", "nowhere/flesh.toml"], 1, "does not exist; create it first");
    fails(
        &["--examples", "shapes.npy", "-o", "x.toml", "--only", "speed"],
        2,
        "use stiffness, damping, beta",
    );
    fails(&["--examples", "shapes.npy", "-o", "x.toml", "--evaluations", "0"], 2, "--evaluations");
    fails(&["-o", "x.toml"], 2, "--examples");
}
