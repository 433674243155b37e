//! Rigs with helper bones, judged by other people's programs.

use super::{shown, step};
use anyhow::Result;
use std::path::Path;

/// Models that get helpers, with the bones that these are for: a limb made in code, a skin in centimetres, a human.
const RIGS: [(&str, &[&str]); 3] = [
    ("limb", &[]),
    ("Fox", &["b_LeftUpperArm_09", "b_LeftForeArm_010"]),
    ("CesiumMan", &["leg_joint_L_2", "leg_joint_L_3"]),
];

/// Fits of the demo's limb with the other kinds of controllers: radial functions; cubic polynomials and helpers that scale.
const LIMB_FITS: [(&str, &[&str]); 2] = [
    ("limb-radial", &["--controller", "rbf", "--centers", "8"]),
    ("limb-cubic", &["--degree", "3", "--similarity"]),
];

/// Joints of a human into which Bézier skinning is baked, two helpers to each.
const BAKED_JOINTS: [&str; 6] = ["upperarm*", "lowerarm*", "hand*", "thigh*", "calf*", "foot*"];

/// Makes rigs, and has them validated, played by Blender and three.js, and their controllers run as drivers of Blender and as scripts.
pub(super) fn run(root: &Path, corpus: &str, python: &str) -> Result<()> {
    let folder = root.join("target/ci-written/helpers");
    std::fs::create_dir_all(&folder)?;
    let mut rigs = Vec::new();
    for (name, bones) in RIGS {
        let rig = shown(&folder.join(name).with_extension("glb"));
        let model = shown(&Path::new(corpus).join("gltf").join(name).with_extension("glb"));
        let mut arguments = vec![rig.as_str()];
        if !bones.is_empty() {
            arguments.push(&model);
            arguments.extend(bones);
        }
        step(root, "target/release/examples/06_helper_rig", &arguments, &[])?;
        rigs.push(rig);
    }
    for (name, kind) in LIMB_FITS {
        let rig = shown(&folder.join(name).with_extension("glb"));
        let fit =
            ["--quiet", "fit", "target/ci-demo/limb.glb", "--from", "dlb", "--helpers", "2", "--poses", "60"];
        step(root, "target/release/sinew", &[&fit, kind, &["-o", &rig]].concat(), &[])?;
        rigs.push(rig);
    }
    let human = baked_human(root, &folder, corpus)?;
    let with_rigs = |first: &[&str]| -> Vec<String> {
        first.iter().map(|text| (*text).to_owned()).chain(rigs.iter().cloned()).collect()
    };
    let run = |program: &str, arguments: Vec<String>| {
        step(
            root,
            program,
            &arguments.iter().map(String::as_str).collect::<Vec<_>>(),
            &[("SINEW_CORPUS", corpus)],
        )
    };
    run("node", with_rigs(&["tests/oracles/validate.mjs", &human]))?;
    let sinew = "target/release/sinew";
    let compare =
        ["tests/oracles/compare_helpers.py", "--sinew", sinew, "--timed", &human, "--as-it-is", &human];
    run(python, with_rigs(&compare))?;
    // The walk of the demo has helpers that swing, which the others have not.
    let scripts = ["tests/oracles/check_scripts.py", "--all", "--sinew", sinew, "target/ci-demo/walk.glb"];
    run(python, with_rigs(&scripts))?;
    // Helpers of a walking man as rotation constraints of VRM, in three-vrm.
    let (model, avatar) =
        (shown(&Path::new(corpus).join("gltf/CesiumMan.glb")), shown(&folder.join("CesiumMan.vrm")));
    let words = [
        "--from",
        "dlb",
        "--joints",
        "leg_joint_*",
        "--helpers",
        "4",
        "--joint-helpers",
        "1",
        "--fixed-length",
    ];
    step(root, sinew, &[&["fit", &model][..], &words, &["-o", &avatar]].concat(), &[])?;
    step(root, "node", &["tests/oracles/validate.mjs", "--compare", &model, &avatar], &[])?;
    step(root, "node", &["tests/oracles/vrm_constraints.mjs", &avatar], &[])
}

/// A human that walks, whose arms and legs have Bézier skinning baked into helpers.
fn baked_human(root: &Path, folder: &Path, corpus: &str) -> Result<String> {
    let sinew = "target/release/sinew";
    let human = shown(&Path::new(corpus).join("characters/quaternius-human-male.glb"));
    let (walking, rig) = (shown(&folder.join("human-walk.glb")), shown(&folder.join("human.glb")));
    let walk = ["--quiet", "motion", "walk", "--seconds", "2", "--character", &human, "-o", &walking];
    step(root, sinew, &walk, &[])?;
    let mut fit = vec!["--quiet", "fit", &walking, "--from", "bezier", "--helpers", "24", "-o", &rig];
    fit.extend(BAKED_JOINTS.iter().flat_map(|joint| ["--joints", joint]));
    step(root, sinew, &fit, &[])?;
    Ok(rig)
}
