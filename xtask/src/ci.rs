//! All that CI runs, in the order in which it is likeliest to fail soon. `.ci/run` installs what this needs and calls it.

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
    cargo(&["clippy", "-p", "sinew-skin", "--no-default-features", "--locked", "--", "-D", "warnings"])?;
    // Bare, as the README says: with no corpus, which no user has.
    step(root, "cargo", &["test", "--locked"], &[])?;
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
        "sinew-tests",
        "--bins",
        "--examples",
    ])?;
    demo(root)?;
    match corpus(root) {
        Some(corpus) => corpus_steps(root, &corpus)?,
        None => println!("ci: SINEW_CORPUS is not set; the tests on other people's models are left out"),
    }
    println!("ci: all steps passed in {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
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
    step(root, "cargo", &["test", "--locked", "-p", "sinew-tests"], &with_corpus)?;
    let python = root.join("target/oracles/bin/python");
    if !python.exists() {
        bail!("the Python of tests/oracles is not installed; run .ci/run, or see tests/oracles/README.md");
    }
    validate_written(root, corpus)?;
    let sinew = ["tests/oracles/compare_blender.py", "--sinew", "target/release/sinew"];
    step(root, &python.to_string_lossy(), &sinew, &with_corpus)
}

/// Converts every model and fixture, and has the Khronos validator compare what was written with what was read.
fn validate_written(root: &Path, corpus: &str) -> Result<()> {
    let fixtures = root.join("target/ci-fixtures");
    let written = root.join("target/ci-written");
    std::fs::create_dir_all(&written)?;
    step(root, "target/release/examples/fixtures", &[&fixtures.to_string_lossy()], &[])?;
    let demo = root.join("target/ci-demo");
    let folders = [Path::new(corpus).join("gltf"), Path::new(corpus).join("characters"), fixtures];
    let mut pairs = vec!["tests/oracles/validate.mjs".to_owned(), "--compare".to_owned()];
    for model in folders.iter().map(|folder| models_in(folder)).collect::<Result<Vec<_>>>()?.concat() {
        for extension in ["glb", "gltf"] {
            let name = model.file_name().unwrap_or_default().to_string_lossy().replace('.', "-");
            let out = written.join(format!("{name}-{extension}")).join(format!("{name}.{extension}"));
            std::fs::create_dir_all(out.parent().context("just joined")?)?;
            let (from, to) = (model.to_string_lossy().into_owned(), out.to_string_lossy().into_owned());
            step(root, "target/release/sinew", &["--quiet", "convert", &from, &to], &[])?;
            pairs.extend([from, to]);
        }
    }
    step(root, "node", &pairs.iter().map(String::as_str).collect::<Vec<_>>(), &[])?;
    let made = models_in(&demo)?.iter().map(|path| path.to_string_lossy().into_owned()).collect::<Vec<_>>();
    let arguments: Vec<&str> =
        std::iter::once("tests/oracles/validate.mjs").chain(made.iter().map(String::as_str)).collect();
    step(root, "node", &arguments, &[])
}

fn models_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("listing {}", folder.display()))?;
    let is_model = |path: &PathBuf| path.extension().is_some_and(|e| e == "glb" || e == "gltf" || e == "vrm");
    let mut models: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_model).collect();
    models.sort();
    Ok(models)
}

/// The corpus folder as an absolute path, because steps run in several folders.
fn corpus(root: &Path) -> Option<String> {
    let corpus = std::env::var("SINEW_CORPUS").ok().filter(|corpus| !corpus.is_empty())?;
    Some(root.join(corpus).canonicalize().ok()?.to_string_lossy().into_owned())
}

fn step(root: &Path, program: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Result<()> {
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
