//! MMD's formats, judged by other people's programs.

use super::{files_in, shown, step};
use anyhow::Result;
use std::path::{Path, PathBuf};

/// The model that the motion of `make_yw_vmd.py` is for: legs, feet, and bones that follow.
const DANCER: &str = "yw_test_model.pmx";

/// Skinning against the formulas in float64, Bézier against babylon-mmd's shader too, bones and helpers against babylon-mmd, and every model to glTF and back.
pub(super) fn run(root: &Path, corpus: &str, python: &str) -> Result<()> {
    for script in ["mmd_skin.py", "compare_mmd_bezier.py", "compare_mmd.py", "compare_mmd_helpers.py"] {
        let script = format!("tests/oracles/{script}");
        step(root, python, &[&script, "--sinew", "target/release/sinew"], &[("SINEW_CORPUS", corpus)])?;
    }
    let folder = root.join("target/ci-written/mmd");
    std::fs::create_dir_all(&folder)?;
    let mut written = vec!["tests/oracles/validate.mjs".to_owned()];
    for model in models(root, corpus)? {
        written.push(to_gltf_and_back(root, &folder, &model, python)?);
    }
    step(root, "node", &written.iter().map(String::as_str).collect::<Vec<_>>(), &[])?;
    open_in_blender(root, &folder, python)
}

/// Converts a model to glTF, with a motion where there is one, and that to PMX again, which has to be faultless; returns the `.glb`.
fn to_gltf_and_back(root: &Path, folder: &Path, model: &Path, python: &str) -> Result<String> {
    let glb = folder.join(model.with_extension("glb").file_name().unwrap_or_default());
    let (from, glb, pmx) = (shown(model), shown(&glb), shown(&glb.with_extension("pmx")));
    let motion = shown(&folder.join("dance.vmd"));
    let mut convert = vec!["--quiet", "convert", &from, &glb];
    if model.ends_with(DANCER) {
        step(root, python, &["tests/oracles/make_yw_vmd.py", &from, &motion], &[])?;
        convert.extend(["--motion", &motion]);
    }
    step(root, "target/release/sinew", &convert, &[])?;
    step(root, "target/release/sinew", &["--quiet", "convert", &glb, &pmx], &[])?;
    step(root, "target/release/sinew", &["--quiet", "check", &pmx], &[])?;
    Ok(glb)
}

/// Skin, clip and shape keys as Blender sees them.
fn open_in_blender(root: &Path, folder: &Path, python: &str) -> Result<()> {
    let script = "tests/oracles/blender_opens.py";
    let dancer = shown(&folder.join(DANCER).with_extension("glb"));
    step(root, python, &[script, &dancer, "--bones", "114", "--clip", "dance"], &[])?;
    let morphs = shown(&folder.join("morphs.glb"));
    let mut arguments = vec![script, &morphs, "--bones", "22"];
    for name in ["breathe", "lift", "both", "nod"] {
        arguments.extend(["--shape-key", name]);
    }
    step(root, python, &arguments, &[])
}

/// The PMX files of the corpus and of the fixtures.
fn models(root: &Path, corpus: &str) -> Result<Vec<PathBuf>> {
    let mut models = files_in(&Path::new(corpus).join("pmx"), &["pmx"])?;
    models.push(root.join("target/ci-fixtures/mmd/morphs.pmx"));
    Ok(models)
}
