//! All that CI runs, in the order in which it is likeliest to fail soon. `.ci/run` installs what this needs and calls it.

mod fuzz;
mod helpers;
mod mmd;
mod vrm;

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Runs every step and stops at the first that fails.
pub(crate) fn run(root: &Path) -> Result<()> {
    let start = Instant::now();
    let cargo = |arguments: &[&str]| step(root, "cargo", arguments, &[]);
    cargo(&["fmt", "--all", "--", "--check"])?;
    crate::tidy::run(root)?;
    cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"])?;
    // The benches, in their own workspace, share what is built.
    let benches =
        ["clippy", "--manifest-path", "benches/Cargo.toml", "--target-dir", "target", "--all-targets"];
    cargo(&[&benches[..], &["--features", "rapier", "--locked", "--", "-D", "warnings"]].concat())?;
    cargo(&["clippy", "-p", "sinew-skin", "--no-default-features", "--locked", "--", "-D", "warnings"])?;
    features(root)?;
    // Off by default, so that the clippy above did not reach them, nor do the tests below.
    for (package, feature) in [("sinew-io", "ktx2"), ("sinew-body", "make-shapes")] {
        let clippy = ["clippy", "-p", package, "--all-targets", "--features", feature, "--locked"];
        cargo(&[&clippy[..], &["--", "-D", "warnings"]].concat())?;
    }
    // Bare, as the README says: with no corpus, which no user has.
    step(root, "cargo", &["test", "--locked"], &[])?;
    // After those, whose dependencies it shares.
    cargo(&["test", "-p", "sinew-io", "--features", "ktx2", "--locked", "--lib", "image"])?;
    let makers = ["test", "-p", "sinew-body", "--features", "make-shapes", "--locked", "--lib", "--"];
    cargo(&[&makers[..], &["normal_matrix", "patchwork"]].concat())?;
    step(
        root,
        "cargo",
        &["doc", "--workspace", "--no-deps", "--locked"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    )?;
    cargo(&[
        "build",
        "--release",
        "--locked",
        "-p",
        "sinew-cli",
        "-p",
        "sinew-examples",
        "--bin",
        "sinew",
        "--example",
        "06_helper_rig",
        "--example",
        "fixtures",
    ])?;
    demo(root)?;
    crate::ledger::run(root, &["check".to_owned()])?;
    match corpus(root) {
        Some(corpus) => corpus_steps(root, &corpus)?,
        None => println!("ci: SINEW_CORPUS is not set; the tests on other people's models are left out"),
    }
    println!("ci: all steps passed in {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Features of the front door, each of which must do alone.
const FEATURES: [&str; 17] = [
    "body", "fbx", "files", "fit", "flesh", "helpers", "io", "ktx2", "mmd", "model", "motion", "parallel",
    "picture", "play", "render", "scene", "soft",
];

/// The front door with no feature, and with each alone.
fn features(root: &Path) -> Result<()> {
    let check = ["check", "-p", "sinew", "--locked", "--no-default-features"];
    step(root, "cargo", &check, &[])?;
    FEATURES
        .iter()
        .try_for_each(|feature| step(root, "cargo", &[&check[..], &["--features", feature]].concat(), &[]))
}

/// The demo, as a newcomer runs it, into the target folder.
fn demo(root: &Path) -> Result<()> {
    let start = Instant::now();
    step(root, "target/release/sinew", &["demo", "-o", "target/ci-demo"], &[])?;
    let seconds = start.elapsed().as_secs_f64();
    // The demo's promise to its users.
    if seconds > 60.0 {
        bail!("the demo took {seconds:.0} s, more than the 60 s it promises");
    }
    Ok(())
}

/// Tests on sample files of other people, and against other people's programs.
fn corpus_steps(root: &Path, corpus: &str) -> Result<()> {
    let with_corpus = [("SINEW_CORPUS", corpus)];
    for program in built_tests(root, "tests")? {
        step(&root.join("tests"), &program, &[], &with_corpus)?;
    }
    let python = python(root)?;
    validate_written(root, corpus)?;
    let sinew = ["tests/oracles/compare_blender.py", "--sinew", "target/release/sinew"];
    step(root, &python, &sinew, &with_corpus)?;
    let sinew = ["tests/oracles/compare_bvh.py", "--sinew", "target/release/sinew"];
    step(root, &python, &sinew, &with_corpus)?;
    let scripts = [
        "measure_joints.py",
        "measure_body.py",
        "compare_fbx.py",
        "compare_compressed.py",
        "open_everywhere.py",
    ];
    for script in scripts {
        let script = format!("tests/oracles/{script}");
        step(root, &python, &[&script, "--sinew", "target/release/sinew"], &with_corpus)?;
    }
    helpers::run(root, corpus, &python)?;
    mmd::run(root, corpus, &python)?;
    vrm::run(root, corpus, &python)?;
    fuzz::run(root, corpus)
}

/// What takes minutes and needs other people's models and programs; says so where these are missing.
pub(crate) fn slow(root: &Path) -> Result<()> {
    let Some(corpus) = corpus(root) else {
        println!("slow: SINEW_CORPUS is not set; the tests on other people's models are left out");
        return Ok(());
    };
    step(root, "cargo", &["build", "--release", "--locked", "-p", "sinew-cli"], &[])?;
    let python = python(root)?;
    vrm::all_seeds(root, &corpus, &python)?;
    let measure = ["tests/oracles/measure_helpers.py", "--sinew", "target/release/sinew"];
    step(root, &python, &measure, &[("SINEW_CORPUS", &corpus)])
}

/// The Python that has Blender as a module.
fn python(root: &Path) -> Result<String> {
    let python = root.join("target/oracles/bin/python");
    if !python.exists() {
        bail!("the Python of tests/oracles is not installed; run .ci/run, or see tests/oracles/README.md");
    }
    Ok(python.to_string_lossy().into_owned())
}

/// The test programs of the package in `folder`, which `cargo test` has built. `cargo test -p` would choose other features of what they need,
/// and build all of it again.
fn built_tests(root: &Path, folder: &str) -> Result<Vec<String>> {
    let output = Command::new("cargo")
        .current_dir(root)
        .args(["test", "--locked", "--no-run", "--message-format=json"])
        .output()
        .context("starting cargo")?;
    if !output.status.success() {
        bail!("cargo test --no-run failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let manifest = root.join(folder).join("Cargo.toml");
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let own = messages.filter(|message| {
        message["manifest_path"].as_str().is_some_and(|path| Path::new(path) == manifest)
            && message["profile"]["test"] == true
    });
    let programs: Vec<String> =
        own.filter_map(|message| message["executable"].as_str().map(str::to_owned)).collect();
    if programs.is_empty() {
        bail!("cargo test built no programs of {}", manifest.display());
    }
    Ok(programs)
}

/// Has the Khronos validator compare what Sinew writes with what it read: every model and fixture through the command line, and
/// what the test package makes of them (written anew, and edited); then the demo's own models.
fn validate_written(root: &Path, corpus: &str) -> Result<()> {
    let fixtures = root.join("target/ci-fixtures");
    let mut pairs = edited_pairs(root, &fixtures, corpus)?;
    let folders =
        [Path::new(corpus).join("gltf"), Path::new(corpus).join("characters"), fixtures.join("original")];
    for model in folders.iter().map(|folder| models_in(folder)).collect::<Result<Vec<_>>>()?.concat() {
        pairs.extend(converted_pairs(root, &model)?);
    }
    pairs.extend(rigged_pair(root, corpus)?);
    let compare = ["tests/oracles/validate.mjs", "--compare"].into_iter();
    step(root, "node", &compare.chain(pairs.iter().map(String::as_str)).collect::<Vec<_>>(), &[])?;
    let made: Vec<String> = models_in(&root.join("target/ci-demo"))?.iter().map(|path| shown(path)).collect();
    let validate = std::iter::once("tests/oracles/validate.mjs");
    step(root, "node", &validate.chain(made.iter().map(String::as_str)).collect::<Vec<_>>(), &[])
}

/// Writes the fixtures and what the test package makes of them and of the corpus; returns originals and results in turn.
fn edited_pairs(root: &Path, fixtures: &Path, corpus: &str) -> Result<Vec<String>> {
    let mut command = Command::new(root.join("target/release/examples/fixtures"));
    let output = command
        .arg(fixtures)
        .current_dir(root)
        .env("SINEW_CORPUS", corpus)
        .output()
        .context("starting fixtures")?;
    if !output.status.success() {
        bail!("fixtures failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).split_whitespace().map(str::to_owned).collect())
}

/// Writes spherical parameters and calibrated weights into a model; returns original and result.
fn rigged_pair(root: &Path, corpus: &str) -> Result<[String; 2]> {
    let (from, to) = (
        shown(&Path::new(corpus).join("gltf/CesiumMan.glb")),
        shown(&root.join("target/ci-written/rigged.glb")),
    );
    let sinew =
        ["--quiet", "rig", &from, "--spherical", "auto", "--calibrate", "--joint", "*leg*=bezier", "-o", &to];
    step(root, "target/release/sinew", &sinew, &[])?;
    Ok([from, to])
}

/// Converts a model to both kinds of glTF by the command line; returns original and result in turn.
fn converted_pairs(root: &Path, model: &Path) -> Result<Vec<String>> {
    let mut pairs = Vec::new();
    for extension in ["glb", "gltf"] {
        let name = model.file_name().unwrap_or_default().to_string_lossy().replace('.', "-");
        let folder = root.join("target/ci-written").join(format!("{name}-{extension}"));
        std::fs::create_dir_all(&folder)?;
        let (from, to) = (shown(model), shown(&folder.join(format!("{name}.{extension}"))));
        step(root, "target/release/sinew", &["--quiet", "convert", &from, &to], &[])?;
        pairs.extend([from, to]);
    }
    Ok(pairs)
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn models_in(folder: &Path) -> Result<Vec<PathBuf>> {
    files_in(folder, &["glb", "gltf", "vrm"])
}

/// The files of a folder that have one of the extensions, in order.
fn files_in(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("listing {}", folder.display()))?;
    let is_wanted = |path: &PathBuf| {
        path.extension().is_some_and(|found| extensions.iter().any(|extension| found == *extension))
    };
    let mut files: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_wanted).collect();
    files.sort();
    Ok(files)
}

/// The corpus folder as an absolute path, because steps run in several folders.
pub(crate) fn corpus(root: &Path) -> Option<String> {
    let corpus = std::env::var("SINEW_CORPUS").ok().filter(|corpus| !corpus.is_empty())?;
    Some(root.join(corpus).canonicalize().ok()?.to_string_lossy().into_owned())
}

/// Runs a program, with the corpus only where `environment` says so.
pub(crate) fn step(
    root: &Path,
    program: &str,
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> Result<()> {
    let shown: String = arguments.join(" ").chars().take(120).collect();
    println!("ci: {program} {shown}");
    let start = Instant::now();
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root).env_remove("SINEW_CORPUS").envs(environment.iter().copied());
    let status = command.status().with_context(|| format!("starting {program}"))?;
    if !status.success() {
        bail!("{program} {shown} failed: {status}");
    }
    println!("ci: done in {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}
