//! `sinew flesh`: every format, settings that are written and read again, the same for any number of threads, refusals.

use crate::bench::Bench;
use serde_json::Value;

/// A figure that waves, small and fast.
fn bench() -> Bench {
    let bench = Bench::new();
    let figure = sinew::model::Model::new(sinew::rig::samples::figure());
    figure.save(&bench.path("figure.glb"), &mut sinew::io::Report::default()).expect("the sample is right");
    bench
}

const FAST: [&str; 9] = ["flesh", "figure.glb", "-q", "--clip", "0", "--tets", "800", "--fps", "10"];

fn told(bench: &Bench, arguments: &[&str]) -> Value {
    let all = [&FAST[..], &["--json"], arguments].concat();
    serde_json::from_str(&bench.works(&all)).expect("JSON")
}

#[test]
fn every_format_is_written_and_the_model_plays_what_the_cache_holds() {
    let bench = bench();
    let names = ["a.gif", "a.png", "a.glb", "a.usda", "a.pc2", "a.npy"];
    let outputs: Vec<&str> = names.iter().flat_map(|name| ["-o", name]).collect();
    let told = told(&bench, &[&outputs[..], &["--size", "48x64"]].concat());
    let read = |name: &str| std::fs::read(bench.path(name)).expect("written");
    assert!(read("a.gif").starts_with(b"GIF89a") && read("a.png").starts_with(b"\x89PNG"));
    assert!(read("a.usda").starts_with(b"#usda") && read("a.pc2").starts_with(b"POINTCACHE2"));
    let array = sinew::io::read_npy_f32(&read("a.npy")).expect("NumPy");
    let frames = told["frames"].as_u64().expect("a number") as usize;
    assert_eq!(array.shape[..2], [frames, told["sizes"]["vertices"].as_u64().expect("a number") as usize]);
    assert_eq!(told["volumes"].as_array().expect("a list").len(), frames);
    assert!(told["farthest_m"].as_f64().expect("a number") > 1e-4, "{}", told["farthest_m"]);
    assert_eq!(told["sizes"]["muscles"], 36);
    let model = told["files"].as_array().expect("a list").iter().find(|file| file["file"] == "a.glb");
    let worst = model.expect("the model")["morphs"][0]["worst_error"].as_f64().expect("a number");
    bench.works(&["skin", "a.glb", "--clip", "0", "--fps", "10", "-o", "back.npy"]);
    let back =
        sinew::io::read_npy_f32(&std::fs::read(bench.path("back.npy")).expect("written")).expect("NumPy");
    assert_eq!(back.shape, array.shape);
    let apart = back.values.iter().zip(&array.values).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    // Joints stretch what morphs add before them.
    assert!(f64::from(apart) < 2.0 * worst + 1e-4, "{apart} m apart; {worst} m were told");
}

#[test]
fn settings_are_written_and_read_again() {
    let bench = bench();
    bench.works(&["flesh", "init", "figure.glb", "--preset", "heavy", "-o", "flesh.toml"]);
    let text = std::fs::read_to_string(bench.path("flesh.toml")).expect("text");
    assert!(text.contains("LeftLowerArm") && text.contains("young_pa"), "{text}");
    let by_preset = told(&bench, &["--preset", "heavy"]);
    let by_file = told(&bench, &["--config", "flesh.toml"]);
    assert_eq!(by_preset["rms_m"], by_file["rms_m"]);
    bench.write("flesh.toml", text.replacen("young_pa", "jung_pa", 1));
    let wrong = [&FAST[..], &["--config", "flesh.toml", "-o", "a.npy"]].concat();
    bench.fails(&wrong, 1, "flesh.toml: line");
}

#[test]
fn threads_change_nothing_and_loops_close() {
    let bench = bench();
    for (threads, name) in [("1", "one.npy"), ("2", "two.npy")] {
        bench.works(&[&FAST[..], &["--threads", threads, "-o", name]].concat());
    }
    let read = |name: &str| std::fs::read(bench.path(name)).expect("written");
    assert!(read("one.npy") == read("two.npy"));
    let told = told(&bench, &["--loop"]);
    assert!(told["seam_m"].as_f64().is_some_and(|seam| seam < 0.01), "{}", told["seam_m"]);
}

#[test]
fn what_is_painted_counts() {
    let bench = bench();
    let vertices = told(&bench, &[])["sizes"]["vertices"].as_u64().expect("a number") as usize;
    let mut file = sinew::io::NpyWriter::new(
        sinew::io::PendingFile::create(bench.path("soft.npy")).expect("a file"),
        &[vertices],
    )
    .expect("a header");
    file.write_values(&vec![0.0; vertices]).expect("written");
    file.finish().expect("whole").commit().expect("in place");
    let painted = told(&bench, &["--paint", "softness=soft.npy"]);
    let free = told(&bench, &[]);
    // Muscles bulge all the same, but nothing swings.
    let most = |told: &Value| {
        let energies = told["energies"].as_array().expect("a list").iter();
        energies.map(|energy| energy.as_f64().expect("a number")).fold(0.0, f64::max)
    };
    assert!(most(&painted) < 0.01 * most(&free), "{} J of {} J", most(&painted), most(&free));
}

#[test]
fn nonsense_is_refused_in_a_few_words() {
    let bench = bench();
    let with = |more: &[&'static str]| [&FAST[..], more].concat();
    bench.fails(&["flesh", "no.glb", "-o", "a.glb"], 1, "no.glb");
    bench.fails(&["flesh", "figure.glb", "--motion", "wlak", "-o", "a.glb"], 1, "did you mean \"walk\"");
    bench.fails(&["flesh", "limb.glb", "--motion", "walk", "-o", "a.glb"], 1, "walk is made for humans");
    bench.fails(&["flesh", "figure.glb", "--clip", "nope", "-o", "a.glb"], 1, "nope");
    bench.fails(&with(&["-o", "a.fbx"]), 1, "known are .glb");
    bench.fails(&with(&["-o", "nowhere/a.glb"]), 1, "does not exist; create it first");
    bench.fails(&with(&["--preset", "jelly", "-o", "a.glb"]), 2, "cartoon");
    bench.fails(&with(&["--speed", "0", "-o", "a.npy"]), 2, "0.001 to 1000");
    bench.fails(&with(&["--speed", "2", "-o", "a.glb"]), 1, "--speed goes with films");
    bench.fails(&with(&["--paint", "softness=r", "-o", "a.npy"]), 1, "no vertex colors");
    bench.fails(&with(&["--paint", "taste=r", "-o", "a.npy"]), 1, "cannot paint");
    bench.fails(&["flesh", "init", "figure.glb", "-o", "flesh.json"], 1, ".toml");
    bench.fails(&["flesh", "figure.glb"], 2, "--output");
}
