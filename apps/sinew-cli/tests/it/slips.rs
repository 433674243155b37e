//! Usual slips: what each command says, with an exit code that is not 0 and nothing written.

use crate::bench::Bench;
use sinew::body::character::CharacterSettings;
use sinew::scene::body::{BodyFile, BodyRequest, make};

/// A command line, its exit code, and what it must say.
type Slip = (&'static str, i32, &'static str);

/// Values, names and units.
const VALUES: [Slip; 15] = [
    ("body --stature 172 -o me.glb", 1, "lengths are in m: did you mean 1.72?"),
    ("body --set waist=80 -o me.glb", 1, "lengths are in m: did you mean 0.8?"),
    ("body --set wasit=0.8 -o me.glb", 1, "unknown measure \"wasit\"; did you mean \"waist\""),
    ("body --preset athletc -o me.glb", 1, "did you mean \"athletic\"?"),
    ("body --stature nan -o me.glb", 1, "is not a finite number"),
    ("skin limb.glb --pose pose.json -o p.npy", 1, "unknown bone \"lowr\"; did you mean \"lower\"?"),
    ("render limb.glb --clip bent --time 0 -o r.png", 1, "unknown clip \"bent\"; did you mean \"bend\"?"),
    ("render limb.glb --clip Jump --time 0 -o r.png", 1, "unknown clip \"Jump\"; the model has \"bend\""),
    ("render limb.glb --method bezir -o r.png", 2, "did you mean \"bezier\"?"),
    ("compare limb.glb --methods lbs,sdf --pose good.json -o c.png", 2, "did you mean \"sdef\""),
    ("render limb.glb --camera frnt -o r.png", 2, "did you mean \"front\"?"),
    ("render limb.glb --show bone -o r.png", 2, "did you mean \"bones\"?"),
    ("flesh limb.glb --clip bend --preset naturl -o f.glb", 2, "did you mean \"natural\"?"),
    ("motion wlak -o w.glb", 1, "did you mean \"walk\"?"),
    ("motion walk --speed nan -o w.glb", 2, "use a number such as 0.5"),
];

/// Files of another kind than the command takes.
const FILES: [Slip; 13] = [
    ("inspect empty.glb", 1, "empty.glb: the file is empty"),
    ("inspect notes.glb", 1, "notes.glb: not a glTF file"),
    ("inspect folder", 1, "folder: this is a folder, not a model file"),
    ("inspect dance.vmd", 1, "\".vmd\" is not a known kind of model but a motion"),
    ("render scene.toml -o r.png", 1, "\".toml\" is not a known kind of model but a scene or settings"),
    ("render limb.glb --pose limb.glb -o r.png", 1, "expected a text file, found a glTF model"),
    ("film limb.glb -o film.gif", 1, "expected a text file, found a glTF model"),
    ("film scene.toml -o film.png", 1, "stores one picture, but there are 6 frames"),
    ("motion walk human.glb -o w.glb", 1, "a model is given with --character"),
    ("motion walk --character limb.glb -o w.glb", 1, "unknown human bones"),
    ("check limb.glb", 1, "only .pmx and .pmd can be checked"),
    ("export controllers limb.glb --for blender -o l.py", 1, "sinew fit makes some"),
    ("rig limb.glb --method sdef --optimize elbow* -o l.glb", 1, "optimize: unknown bone \"elbow*\""),
];

/// Outputs that cannot be had, or would lose something.
const OUTPUTS: [Slip; 12] = [
    (
        "convert new.glb limb.glb",
        1,
        "new.glb does not exist, but limb.glb does; the file to read comes first",
    ),
    ("convert limb.glb limb", 1, "cannot write a name without an extension"),
    ("convert limb.glb limb.png", 1, "cannot write \".png\""),
    ("convert limb.glb nowhere/limb.glb", 1, "folder \"nowhere\" does not exist; create it first"),
    ("convert limb.glb folder.glb", 1, "it is a folder; give a file name"),
    ("skin limb.glb -o limb.glb", 1, "this is the input, and the output has no bones, morphs or clips"),
    ("skin limb.glb -o ./folder/../limb.glb", 1, "this is the input"),
    ("fit limb.glb --from bezier -o limb.glb", 1, "this is the input, and the output has other weights"),
    ("convert limb.glb limb.glb --max-influences 1", 1, "this is the input, and the output holds less"),
    ("rig limb.glb -o limb.obj", 1, "only .glb, .gltf, .vrm and .pmx hold a rig"),
    ("render limb.glb --clip bend -o r.png", 1, "a whole clip is many pictures"),
    ("motion walk -o walk.png", 1, "cannot write \".png\""),
];

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("pose.json", r#"{"bones": {"lowr": {"rotation": [0.7, 0, 0, 0.7]}}}"#);
    bench.write("good.json", r#"{"bones": {"lower": {"rotation": [0.7, 0, 0, 0.7]}}}"#);
    bench.write("empty.glb", "");
    bench.write("notes.glb", "to do: a model");
    bench.write("dance.vmd", "Vocaloid Motion Data 0002");
    let scene = "[film]\nsize = [64, 48]\nfps = 6\nduration = 1\n\
        [[character]]\nname = \"limb\"\nfile = \"limb.glb\"\nmotion = { clip = \"bend\" }\n";
    bench.write("scene.toml", scene);
    for folder in ["folder", "folder.glb"] {
        std::fs::create_dir(bench.path(folder)).expect("a folder");
    }
    bench
}

#[test]
fn usual_slips_are_explained_and_write_nothing() {
    let bench = bench();
    let human = make(&BodyRequest::default()).expect("the mean man");
    let character = CharacterSettings { steps: 4, ..CharacterSettings::default() };
    let file = BodyFile { output: bench.path("human.glb"), character, authors: Vec::new(), is_whole: false };
    human.save(&file).expect("saved");
    let before = bench.bytes("limb.glb");
    for (line, code, message) in VALUES.iter().chain(&FILES).chain(&OUTPUTS) {
        bench.fails(&line.split(' ').collect::<Vec<_>>(), *code, message);
    }
    assert!(bench.bytes("limb.glb") == before, "the input is as it was");
    assert!(VALUES.len() + FILES.len() + OUTPUTS.len() >= 30);
}

#[test]
fn force_replaces_the_input() {
    let bench = Bench::new();
    let before = bench.bytes("limb.glb");
    bench.works(&["skin", "limb.glb", "-o", "limb.glb", "--force"]);
    assert!(bench.bytes("limb.glb") != before);
}

#[test]
fn an_output_over_the_input_that_loses_nothing_is_written() {
    let bench = Bench::new();
    bench.works(&["convert", "limb.glb", "limb.glb"]);
    bench.works(&["rig", "limb.glb", "-o", "limb.glb"]);
}
