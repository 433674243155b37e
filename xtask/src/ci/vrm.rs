//! VRM files, judged by three-vrm; vertex attributes, judged by Blender.

use super::{shown, step};
use anyhow::Result;
use std::path::Path;

const SINEW: &str = "target/release/sinew";

/// Humans of the corpus that become avatars.
const HUMANS: [&str; 3] =
    ["characters/quaternius-human-male.glb", "gltf/CesiumMan.glb", "gltf/RiggedFigure.glb"];

/// Models whose method codes Blender imports: all of them before a release, the first two in CI.
const RIGGED: [&str; 4] =
    ["characters/quaternius-human-male.glb", "gltf/CesiumMan.glb", "gltf/Fox.glb", "gltf/RiggedFigure.glb"];

/// Methods that a rig may have.
const METHODS: [&str; 6] = ["lbs", "sbs", "sdef", "bezier", "dlb", "cor"];

/// Makes avatars by every command that writes them in seconds, and has three-vrm load and pose them and play their springs.
pub(super) fn run(root: &Path, corpus: &str, python: &str) -> Result<()> {
    let folder = root.join("target/ci-written/vrm");
    std::fs::create_dir_all(&folder)?;
    step(root, "node", &["tests/oracles/vrm_springs.mjs", SINEW, &shown(&folder.join("springs"))], &[])?;
    let mut avatars = Vec::new();
    for human in HUMANS {
        let from = shown(&Path::new(corpus).join(human));
        let name = Path::new(human).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        avatars.push(shown(&folder.join(&name).with_extension("vrm")));
        step(root, SINEW, &["--quiet", "convert", &from, &avatars[avatars.len() - 1]], &[])?;
    }
    let human = shown(&Path::new(corpus).join(HUMANS[0]));
    let springs = shown(&folder.join("springs/skirt0.vrm"));
    let made: [(&str, &[&str]); 4] = [
        ("body", &["body"]),
        ("walk", &["motion", "walk", "--seconds", "1", "--character", &human]),
        ("rigged", &["rig", &human, "--method", "bezier"]),
        ("turned", &["motion", "walk", "--seconds", "1", "--character", &springs]),
    ];
    for (name, words) in made {
        avatars.push(shown(&folder.join(name).with_extension("vrm")));
        let output = ["-o", &avatars[avatars.len() - 1]];
        step(root, SINEW, &[&["--quiet"], words, &output].concat(), &[])?;
    }
    // With helpers and constraints, made before.
    avatars.push(shown(&root.join("target/ci-written/helpers/CesiumMan.vrm")));
    let with_avatars = |script: &'static str| -> Vec<&str> {
        std::iter::once(script).chain(avatars.iter().map(String::as_str)).collect()
    };
    step(root, "node", &with_avatars("tests/oracles/vrm_poses.mjs"), &[])?;
    step(root, "node", &with_avatars("tests/oracles/validate.mjs"), &[])?;
    seeds(root, corpus, python, &RIGGED[..2], &["bezier"])
}

/// Every model with every method, under every seed.
pub(crate) fn all_seeds(root: &Path, corpus: &str, python: &str) -> Result<()> {
    seeds(root, corpus, python, &RIGGED, &METHODS)
}

fn seeds(root: &Path, corpus: &str, python: &str, models: &[&str], methods: &[&str]) -> Result<()> {
    let folder = root.join("target/ci-written/seeds");
    std::fs::create_dir_all(&folder)?;
    let mut arguments = vec!["tests/oracles/blender_seeds.py".to_owned()];
    for model in models {
        for method in methods {
            let stem = Path::new(model).file_stem().unwrap_or_default().to_string_lossy();
            let (from, to) =
                (shown(&Path::new(corpus).join(model)), shown(&folder.join(format!("{stem}-{method}.glb"))));
            step(root, SINEW, &["--quiet", "rig", &from, "--method", method, "-o", &to], &[])?;
            arguments.push(to);
        }
    }
    step(root, python, &arguments.iter().map(String::as_str).collect::<Vec<_>>(), &[])
}
