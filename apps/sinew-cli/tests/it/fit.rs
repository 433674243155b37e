//! `sinew fit`: folders of arrays, deformers, shapes, suggestions, and bad input without a file left behind.

use crate::bench::Bench;
use serde_json::Value;
use std::f32::consts::FRAC_PI_2;

/// A tube of 12 rings of 8 vertices along +Y on two bones, the upper of which bends about x; the truth turns each ring by its share.
struct Tube {
    bench: Bench,
    bends: Vec<f32>,
    rings: usize,
}

impl Tube {
    fn new(bends: Vec<f32>, rings: usize) -> Self {
        let tube = Self { bench: Bench::new(), bends, rings };
        std::fs::create_dir(tube.bench.path("tube")).expect("writable");
        tube.write_all();
        tube
    }

    fn rest(&self) -> Vec<[f32; 3]> {
        let place = |at: usize| {
            let angle = (at % 8) as f32 * FRAC_PI_2 / 2.0;
            [0.3 * angle.cos(), (at / 8) as f32 / (self.rings.max(2) - 1) as f32 * 2.0, 0.3 * angle.sin()]
        };
        (0..8 * self.rings).map(place).collect()
    }

    fn array(&self, name: &str, shape: &[usize], values: &[f32]) {
        let bytes = sinew::io::write_npy(shape, values).expect("values as the shape says");
        self.bench.write(&format!("tube/{name}.npy"), bytes);
    }

    fn write_all(&self) {
        let rest = self.rest();
        self.array("rest", &[rest.len(), 3], rest.as_flattened());
        self.array("parents", &[2], &[-1.0, 0.0]);
        let mut faces = Vec::new();
        for at in 0..8 * self.rings.saturating_sub(1) {
            let (next, up) = (at / 8 * 8 + (at + 1) % 8, at + 8);
            faces.extend([at, next, up].map(|vertex| vertex as f32));
        }
        self.array("faces", &[faces.len() / 3, 3], &faces);
        let matrix = |angle: f32, height: f32| {
            let (s, c) = angle.sin_cos();
            [1.0, 0.0, 0.0, 0.0, 0.0, c, -s, height, 0.0, s, c, 0.0, 0.0, 0.0, 0.0, 1.0]
        };
        self.array("bone_rest_world", &[2, 4, 4], &[matrix(0.0, 0.0), matrix(0.0, 1.0)].concat());
        let count = self.bends.len();
        let world: Vec<f32> =
            self.bends.iter().flat_map(|&bend| [matrix(0.0, 0.0), matrix(bend, 1.0)].concat()).collect();
        self.array("bone_world", &[count, 2, 4, 4], &world);
        let turns: Vec<f32> = (self.bends.iter())
            .flat_map(|&bend| [1.0, 0.0, 0.0, 0.0, (bend / 2.0).cos(), (bend / 2.0).sin(), 0.0, 0.0])
            .collect();
        self.array("bone_local_quat", &[count, 2, 4], &turns);
        let shapes: Vec<f32> = self.bends.iter().flat_map(|&bend| self.shape(bend)).collect();
        self.array("verts", &[count, rest.len(), 3], &shapes);
    }

    fn shape(&self, bend: f32) -> Vec<f32> {
        let of = |[x, y, z]: [f32; 3]| {
            let share = ((y - 0.6) / 0.8).clamp(0.0, 1.0);
            let (s, c) = (bend * share).sin_cos();
            [x, 1.0 + c * (y - 1.0) - s * z, s * (y - 1.0) + c * z]
        };
        self.rest().into_iter().flat_map(of).collect()
    }

    fn told(&self, arguments: &[&str]) -> Value {
        let all = [&["fit", "--examples", "tube", "--json", "-q", "--starts", "4"], arguments].concat();
        serde_json::from_str(&self.bench.works(&all)).expect("JSON")
    }
}

fn bends(count: usize) -> Vec<f32> {
    (0..count).map(|at| at as f32 / (count.max(2) - 1) as f32 * 2.0).collect()
}

fn number(told: &Value, key: &str) -> f64 {
    told[key].as_f64().unwrap_or_else(|| panic!("{key} in {told}"))
}

#[test]
fn a_folder_of_arrays_is_fitted_measured_and_written() {
    let tube = Tube::new(bends(30), 12);
    let alone = tube.told(&["--helpers", "0", "-o", "plain.json"]);
    let told = tube.told(&["--helpers", "2", "--held-out", "tube", "-o", "rig.glb"]);
    assert!(number(&told, "rmse") < 0.3 * number(&alone, "rmse"), "{told}");
    assert!(number(&told, "rmse_controllers") < 0.5 * number(&alone, "rmse"), "{told}");
    assert!((number(&told, "rmse_held_out") - number(&told, "rmse_controllers")).abs() < 1e-9);
    assert!(number(&told, "coefficients") > 0.0 && number(&told, "seconds") > 0.0);
    assert!(number(&told, "bytes_a_helper") <= 1500.0);
    let seen = tube.bench.works(&["inspect", "rig.glb"]);
    assert!(seen.contains("helper_2"), "{seen}");
    let json: Value = serde_json::from_slice(&std::fs::read(tube.bench.path("plain.json")).expect("written"))
        .expect("JSON");
    assert_eq!(json["weights"].as_array().map(Vec::len), Some(96));
    let fewer = tube.told(&["--helpers", "2", "--lod", "1"]);
    assert_eq!((fewer["helpers"].as_u64(), fewer["levels"].as_array().map(Vec::len)), (Some(1), Some(3)));
}

#[test]
fn a_bone_that_slides_drives_helpers() {
    // The upper bone slides along +Y without turning, and the skin between the bones goes sideways.
    let tube = Tube::new(bends(12), 12);
    let rest = tube.rest();
    let (mut world, mut turns, mut shapes) = (Vec::new(), Vec::new(), Vec::new());
    for way in tube.bends.iter().map(|bend| 0.2 * bend) {
        for height in [0.0, 1.0 + way] {
            world.extend([1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, height]);
            world.extend([0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
            turns.extend([1.0, 0.0, 0.0, 0.0]);
        }
        for [x, y, z] in &rest {
            let (share, aside) = (((y - 0.6) / 0.8).clamp(0.0, 1.0), (1.0 - (y - 1.0).abs()).max(0.0));
            shapes.extend([x + way * aside, y + way * share, *z]);
        }
    }
    let count = tube.bends.len();
    tube.array("bone_world", &[count, 2, 4, 4], &world);
    tube.array("bone_local_quat", &[count, 2, 4], &turns);
    tube.array("verts", &[count, rest.len(), 3], &shapes);
    let alone = tube.told(&["--helpers", "0"]);
    let turning = tube.told(&["--helpers", "1"]);
    let sliding = tube.told(&["--helpers", "1", "--shifts", "bone_1"]);
    let [alone, turning, sliding] = [alone, turning, sliding].map(|told| number(&told, "rmse_controllers"));
    assert!(turning > 0.9 * alone, "no bone turns: {turning} of {alone}");
    assert!(sliding < 0.3 * alone, "{sliding} of {alone}");
    tube.bench.fails(
        &["fit", "--examples", "tube", "--helpers", "1", "--shifts", "jaw", "-o", "rig.json"],
        1,
        "jaw",
    );
}

#[test]
fn the_same_seed_gives_the_same_rig() {
    let tube = Tube::new(bends(10), 6);
    let of = |name: &str, threads: &str| {
        tube.told(&["--helpers", "2", "--threads", threads, "-o", name]);
        std::fs::read(tube.bench.path(name)).expect("written")
    };
    assert!(of("a.json", "1") == of("b.json", "2"), "one thread and two differ");
}

#[test]
fn degenerate_examples_are_fitted_or_told() {
    let one = Tube::new(vec![1.0], 12);
    assert!(number(&one.told(&["--helpers", "1"]), "rmse") < 1e-2);
    let equal = Tube::new(vec![0.7; 5], 12);
    assert!(number(&equal.told(&["--helpers", "2"]), "rmse") < 1e-2);
    let small = Tube::new(bends(4), 1);
    let told = small.told(&["--helpers", "12"]);
    assert!(told["helpers"].as_u64().is_some_and(|count| count < 12), "nobody needs 12: {told}");
    let still = Tube::new(vec![0.0; 3], 6);
    let told = still.told(&["--helpers", "2"]);
    assert_eq!(told["helpers"].as_u64(), Some(0), "nothing is left to do: {told}");
}

#[test]
fn bad_folders_are_told_by_file_and_nothing_is_written() {
    let fails = |tube: &Tube, arguments: &[&str], message: &str| {
        let all = [&["fit", "--examples", "tube", "-q", "-o", "rig.json"], arguments].concat();
        tube.bench.fails(&all, 1, message);
    };
    let tube = Tube::new(bends(3), 4);
    let mut shapes = tube.bends.iter().flat_map(|&bend| tube.shape(bend)).collect::<Vec<f32>>();
    tube.array("verts", &[2, 32, 3], &shapes[..192]);
    fails(&tube, &[], "[3, 32, 3] is needed");
    shapes[100] = f32::NAN;
    tube.array("verts", &[3, 32, 3], &shapes);
    fails(&tube, &[], "the target of vertex 1 in pose 1 is not finite");
    tube.write_all();
    fails(&tube, &["--max-memory", "1KiB"], "more than the memory limit");
    fails(&tube, &["--max-memory", "20KiB"], "the limit is 20480");
    fails(&tube, &["--symmetric", "--held-out", "elsewhere"], "elsewhere");
    tube.array("parents", &[2], &[-1.0, 5.0]);
    fails(&tube, &[], "a parent is a bone that comes before");
    std::fs::remove_file(tube.bench.path("tube/rest.npy")).expect("removable");
    fails(&tube, &[], "rest.npy");
    tube.bench.fails(&["fit", "--examples", "tube", "-o", "rig.fbx"], 1, "known are .glb");
    tube.bench.fails(&["fit", "limb.glb", "-o", "rig.glb"], 2, "--from");
    tube.bench.fails(&["fit", "limb.glb", "--from", "magic", "-o", "rig.glb"], 1, "unknown method");
    tube.bench.fails(&["fit", "limb.glb", "--from", "dlb", "--joints", "tail*", "-o", "a.glb"], 1, "tail*");
    tube.bench.fails(&["fit", "limb.glb", "--from", "flesh", "-o", "a.glb"], 1, "needs --clip");
}

#[test]
fn a_deformer_becomes_helpers_that_plain_skinning_shows() {
    let bench = Bench::with_rows(16);
    let quick = ["--starts", "4", "--poses", "60", "--json", "-q"];
    let all = [&["fit", "limb.glb", "--from", "dlb", "--helpers", "2", "-o", "rig.glb"][..], &quick].concat();
    let told: Value = serde_json::from_str(&bench.works(&all)).expect("JSON");
    assert!(number(&told, "removed") > 0.6, "{told}");
    // Played as plain skinning, the clip comes near to what the deformer shows.
    let shape = |model: &str, method: &str, name: &str| {
        bench.works(&["skin", model, "--clip", "bend", "--method", method, "-q", "-o", name]);
        sinew::io::read_npy_f32(&std::fs::read(bench.path(name)).expect("written")).expect("an array").values
    };
    let truth = shape("limb.glb", "dlb", "truth.npy");
    let rms = |values: &[f32]| {
        let sum: f32 = values.iter().zip(&truth).map(|(a, b)| (a - b) * (a - b)).sum();
        (sum / truth.len() as f32).sqrt()
    };
    let (with, without) =
        (rms(&shape("rig.glb", "lbs", "rig.npy")), rms(&shape("limb.glb", "lbs", "lbs.npy")));
    assert!(with < 0.6 * without, "{with} of {without}");
}

#[test]
fn shapes_with_poses_are_fitted_and_the_next_is_suggested() {
    let bench = Bench::with_rows(12);
    std::fs::create_dir(bench.path("sculpts")).expect("writable");
    for (at, angle) in [0.0f32, 0.5, 1.0, 1.5].into_iter().enumerate() {
        let pose = format!(
            r#"{{"bones": {{"lower": {{"rotation": [{}, 0, 0, {}]}}}}}}"#,
            (angle / 2.0).sin(),
            (angle / 2.0).cos()
        );
        bench.write(&format!("sculpts/{at}.json"), pose);
        let (pose, shape) = (format!("sculpts/{at}.json"), format!("sculpts/{at}.obj"));
        bench.works(&["skin", "limb.glb", "--pose", &pose, "--method", "dlb", "-q", "-o", &shape]);
    }
    let all =
        ["fit", "limb.glb", "--examples", "sculpts", "--helpers", "1", "--starts", "3", "--suggest", "2"];
    let told: Value =
        serde_json::from_str(&bench.works(&[&all[..], &["--json", "-q", "-o", "rig.glb"]].concat()))
            .expect("JSON");
    let sequence = &told["sequences"][0];
    assert!(number(sequence, "rms_baked") < 0.5 * number(sequence, "rms_plain"), "{told}");
    assert_eq!(told["suggestions"].as_array().map(Vec::len), Some(2));
    for name in ["suggested-1.json", "suggested-1.obj", "suggested-2.obj", "rig.glb"] {
        assert!(bench.path(name).is_file(), "{name}");
    }
    bench.works(&["skin", "limb.glb", "--pose", "suggested-1.json", "-q", "-o", "posed.npy"]);
    bench.write("sculpts/9.obj", "v 0 0 0\n");
    let bad = [&all[..6], &["-q", "-o", "other.glb"]].concat();
    bench.fails(&bad, 1, "has 1 vertices");
}

#[test]
fn a_motion_is_baked_in_few_words() {
    let bench = Bench::with_rows(12);
    let words = ["bake", "limb.glb", "--from", "dlb", "--clip", "bend", "--helpers", "2", "--json", "-q"];
    let told: Value =
        serde_json::from_str(&bench.works(&[&words[..], &["-o", "bend.glb"]].concat())).expect("JSON");
    let sequence = &told["sequences"][0];
    assert!(number(sequence, "rms_baked") < 0.4 * number(sequence, "rms_plain"), "{told}");
    // The file's own clip shows what was measured.
    let shape = |model: &str, method: &str, name: &str| {
        bench.works(&["skin", model, "--clip", "bend", "--method", method, "-q", "-o", name]);
        sinew::io::read_npy_f32(&std::fs::read(bench.path(name)).expect("written")).expect("an array").values
    };
    let (truth, played) = (shape("limb.glb", "dlb", "truth.npy"), shape("bend.glb", "lbs", "played.npy"));
    let sum: f32 = truth.iter().zip(&played).map(|(a, b)| (a - b) * (a - b)).sum();
    let rms = f64::from((3.0 * sum / truth.len() as f32).sqrt());
    assert!((rms / number(sequence, "rms_baked") - 1.0).abs() < 0.05, "{rms} played, {sequence}");
    let mistaken = ["bake", "limb.glb", "--clip", "dance", "-q", "-o", "x.glb"];
    bench.fails(&mistaken, 1, "dance");
}

fn array(bench: &Bench, name: &str) -> Vec<f32> {
    sinew::io::read_npy_f32(&std::fs::read(bench.path(name)).expect("written")).expect("an array").values
}

/// RMS distance of points.
fn rms(a: &[f32], b: &[f32]) -> f64 {
    let sum: f64 = a.iter().zip(b).map(|(a, b)| f64::from((a - b) * (a - b))).sum();
    (3.0 * sum / a.len() as f64).sqrt()
}

#[test]
fn correctives_take_what_one_helper_leaves_of_every_source() {
    let bench = Bench::with_rows(16);
    let quick = ["--helpers", "1", "--correctives", "4", "--starts", "3", "--json", "-q"];
    let told = |arguments: &[&str]| -> Value {
        serde_json::from_str(&bench.works(&[&["fit"][..], arguments, &quick].concat())).expect("JSON")
    };
    let ranges = told(&["limb.glb", "--from", "dlb", "--poses", "60", "-o", "ranges.glb"]);
    let correctives = &ranges["correctives"];
    let before = number(&ranges["held_out"], "rms");
    assert!(number(correctives, "rms_held_out") < 0.8 * before, "{before}: {correctives}");
    assert!(bench.works(&["inspect", "ranges.glb", "--json"]).contains("corrective_1"));

    // What is told of a clip is what the written clip shows, and better than helpers alone.
    let clip = told(&["limb.glb", "--from", "dlb", "--clip", "bend", "-o", "clip.glb"]);
    let said = clip["correctives"]["rms_by_sequence"][0].as_f64().expect("a number");
    assert!(said < 0.8 * number(&clip["sequences"][0], "rms_baked"), "{clip}");
    for (model, method, name) in [("limb.glb", "dlb", "truth.npy"), ("clip.glb", "lbs", "played.npy")] {
        bench.works(&["skin", model, "--clip", "bend", "--method", method, "-q", "-o", name]);
    }
    let played = rms(&array(&bench, "truth.npy"), &array(&bench, "played.npy"));
    assert!((played / said - 1.0).abs() < 0.02, "{played} played, {said} said");

    // The same shapes as a cache in USD text, made by Sinew itself.
    bench.works(&["skin", "limb.glb", "--clip", "bend", "--method", "dlb", "-q", "-o", "truth.usda"]);
    let cache = told(&["limb.glb", "--examples", "truth.usda", "--clip", "bend", "-o", "cache.glb"]);
    assert!(number(&cache["sequences"][0], "rms_baked") < 0.5 * number(&cache["sequences"][0], "rms_plain"));
    assert!(cache["correctives"]["rms_by_sequence"][0].as_f64().expect("a number") < 1.2 * said, "{cache}");

    let bad = |arguments: &[&str], message: &str| {
        bench.fails(&[&["fit", "limb.glb", "--from", "dlb", "-q"][..], arguments].concat(), 1, message);
    };
    bad(&["--correctives", "2", "-o", "rig.json"], ".json cannot store them");
    bad(&["--correctives", "2", "--helpers", "0", "-o", "rig.glb"], "at least one of --helpers");
    bad(&["--correctives", "2", "--max-memory", "100KB", "--poses", "20", "-o", "rig.glb"], "--max-memory");
    let text = std::fs::read_to_string(bench.path("truth.usda")).expect("text");
    bench.write("cut.usda", &text[..text.len() / 2]);
    bench.fails(
        &["fit", "limb.glb", "--examples", "cut.usda", "--clip", "bend", "-o", "x.glb"],
        1,
        "cut.usda",
    );
}

#[test]
fn correctives_of_a_folder_of_arrays_are_measured_and_written() {
    let tube = Tube::new(bends(30), 12);
    let told = tube.told(&["--helpers", "1", "--correctives", "4", "--held-out", "tube", "-o", "rig.glb"]);
    let correctives = &told["correctives"];
    assert!(number(correctives, "rmse") < 0.7 * number(&told, "rmse_controllers"), "{told}");
    assert!((number(correctives, "rmse") - number(correctives, "rmse_held_out")).abs() < 1e-9, "{told}");
    assert!(tube.bench.works(&["inspect", "rig.glb", "--json"]).contains("corrective_1"));
}

#[test]
fn models_are_shapes_too() {
    let bench = Bench::with_rows(12);
    std::fs::create_dir(bench.path("sculpts")).expect("writable");
    for (at, angle) in [0.0f32, 0.7, 1.4].into_iter().enumerate() {
        let (sine, cosine) = (angle / 2.0).sin_cos();
        let pose = format!(r#"{{"bones": {{"lower": {{"rotation": [{sine}, 0, 0, {cosine}]}}}}}}"#);
        let (file, shape) = (format!("sculpts/{at}.json"), format!("sculpts/{at}.glb"));
        bench.write(&file, pose);
        bench.works(&["skin", "limb.glb", "--pose", &file, "--method", "dlb", "-q", "-o", &shape]);
    }
    let all = ["fit", "limb.glb", "--examples", "sculpts", "--helpers", "1", "--starts", "3", "--json", "-q"];
    let told: Value =
        serde_json::from_str(&bench.works(&[&all[..], &["-o", "rig.glb"]].concat())).expect("JSON");
    let sequence = &told["sequences"][0];
    assert_eq!(sequence["frames"], 3);
    assert!(number(sequence, "rms_baked") < 0.5 * number(sequence, "rms_plain"), "{told}");
}

/// The JSON of a binary glTF file.
fn gltf_json(bench: &Bench, name: &str) -> Value {
    let bytes = std::fs::read(bench.path(name)).expect("written");
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).expect("JSON")
}

#[test]
fn vrm_gets_constraints_and_is_told_what_they_cost() {
    let bench = Bench::new();
    let figure = sinew::model::Model::new(sinew::rig::samples::figure());
    figure.save(&bench.path("figure.glb"), &mut sinew::io::Report::default()).expect("the sample is right");
    let quick = ["--starts", "4", "--poses", "60", "--json"];
    let words =
        [&["fit", "figure.glb", "--from", "dlb", "--joints", "*LowerArm", "--helpers", "2"][..], &quick]
            .concat();
    let told: Value =
        serde_json::from_str(&bench.works(&[&words[..], &["-q", "-o", "rig.vrm"]].concat())).expect("JSON");
    let losses = told["constraints"].as_array().expect("one a helper");
    assert_eq!(losses.len(), 2);
    let json = gltf_json(&bench, "rig.vrm");
    let nodes = json["nodes"].as_array().expect("nodes");
    for loss in losses {
        let node = nodes.iter().find(|node| node["name"] == loss["helper"]).expect("the helper");
        let constraint = &node["extensions"]["VRMC_node_constraint"];
        match loss["source"].as_str() {
            Some(source) => {
                let rotation = &constraint["constraint"]["rotation"];
                let followed = rotation["source"].as_u64().expect("a node") as usize;
                assert_eq!(
                    (&nodes[followed]["name"], &constraint["specVersion"]),
                    (&source.into(), &"1.0".into())
                );
                let weight = rotation["weight"].as_f64().expect("a number");
                assert!((weight - number(loss, "weight")).abs() < 1e-6 && (0.0..=1.0).contains(&weight));
                assert!(number(loss, "rms") <= 0.7 * number(loss, "rms_still"), "{loss}");
            }
            None => {
                assert!(constraint.is_null() && number(loss, "rms") == number(loss, "rms_still"), "{loss}")
            }
        }
    }
    // A clip shows the skin of the source better than plain skinning does. All are files that rest in T-pose and stand on the ground.
    let skin = |model: &str, method: &[&str], out: &str| {
        bench.works(&[&["skin", model, "--clip", "0", "-q", "-o", out][..], method].concat());
        array(&bench, out)
    };
    bench.works(&["convert", "figure.glb", "figure.vrm", "-q"]);
    let truth = skin("figure.vrm", &["--method", "dlb"], "truth.npy");
    let plain = skin("figure.vrm", &["--method", "lbs"], "plain.npy");
    let with_helpers = skin("rig.vrm", &[], "rig.npy");
    assert!(rms(&with_helpers, &truth) < rms(&plain, &truth), "helpers help");
}

#[test]
fn pmx_gets_bones_that_follow_others_and_vmd_the_rest() {
    let bench = Bench::with_rows(16);
    let quick = ["--starts", "4", "--poses", "60", "--json", "-q"];
    let words = [&["fit", "limb.glb", "--from", "dlb", "--helpers", "2"][..], &quick].concat();
    let told: Value = serde_json::from_str(&bench.works(&[&words[..], &["--vmd", "-o", "rig.pmx"]].concat()))
        .expect("JSON");
    assert_eq!(told["motion_files"], serde_json::json!(["rig.vmd"]), "{told}");
    let (append, controllers) = (&told["append"]["held_out"], &told["held_out"]);
    let plain = number(append, "rms_plain");
    assert!(plain - number(append, "rms") > 0.6 * (plain - number(controllers, "rms")), "{told}");
    // The files show what was measured; without keys of helpers less is removed.
    bench.works(&["skin", "limb.glb", "--clip", "bend", "--method", "dlb", "-q", "-o", "truth.npy"]);
    bench.works(&["skin", "limb.glb", "--clip", "bend", "--method", "lbs", "-q", "-o", "plain.npy"]);
    bench.works(&["skin", "rig.pmx", "--motion", "rig.vmd", "--fps", "30", "-q", "-o", "keys.npy"]);
    let off = |name: &str| rms(&array(&bench, name), &array(&bench, "truth.npy"));
    let (plain, keys) = (off("plain.npy"), off("keys.npy"));
    assert!(keys < 0.4 * plain, "{keys} of {plain}");
    let measured = number(&told["append"]["motions"][0], "rms_baked");
    assert!((keys / measured - 1.0).abs() < 0.05, "{keys} shown, {measured} measured");
    assert!(bench.works(&["inspect", "rig.pmx"]).contains("helper_1"));
    bench.works(&["check", "rig.pmx"]);
    bench.fails(&[&words[..], &["--vmd", "-o", "x.glb"]].concat(), 1, "--vmd needs a .pmx");
    bench.fails(&[&words[..], &["--correctives", "2", "-o", "x.pmx"]].concat(), 1, ".pmx cannot store them");
    bench.fails(&["fit", "--examples", "limb.glb", "-o", "x.pmx"], 1, "cannot be written as .pmx");
}

#[test]
fn the_patches_of_sinews_own_human_become_helpers() {
    let bench = Bench::new();
    let words = ["fit", "--from", "body", "--joints", "forearm.left", "--helpers", "2", "--starts", "3"];
    let told: Value = serde_json::from_str(
        &bench.works(&[&words[..], &["--poses", "60", "--json", "-q", "-o", "human.glb"]].concat()),
    )
    .expect("JSON");
    assert!(number(&told, "removed") > 0.4, "{told}");
    assert!(bench.works(&["inspect", "human.glb"]).contains("helper_2"));
    bench.fails(&["fit", "limb.glb", "--from", "body", "-o", "x.glb"], 1, "takes no model");
    bench.fails(&["fit", "--from", "dlb", "-o", "x.glb"], 1, "--from dlb needs a model");
    bench.fails(&["fit", "--from", "body", "--clip", "walk", "-o", "x.glb"], 1, "joint by joint");
    bench.fails(&["fit", "--examples", "limb.glb", "--joints", "a", "-o", "x.glb"], 1, "has no names");
}
