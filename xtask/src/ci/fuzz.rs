//! Every target of `fuzz/`, for a short while.
//!
//! cargo-fuzz asks for unstable options of the compiler. `RUSTC_BOOTSTRAP` has the stable compiler take them, so that no other toolchain is needed: it
//! comes with the address sanitizer's library.

use super::{files_in, shown, step};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;

/// Every target.
const TARGETS: [&str; 18] = [
    "pmx", "pmd", "vmd", "vpd", "bvh", "fbx", "tetgen", "msh", "vtk", "draco", "meshopt", "gltf", "obj",
    "npy", "image", "pc2", "usda", "texts",
];
/// How often each target runs. A number and a seed, not a time: the same code is then fuzzed in the same way on every machine, and a
/// change is not stopped by what another would have found. Long runs by hand take other seeds.
const RUNS: u32 = 4000;
const SEED: u32 = 1;
/// The most memory of a run, megabytes: the readers' own limit of 64, what is made of a file of that size, and the sanitizer's part.
const MOST_MEMORY_MB: u32 = 2048;
/// The longest that one input may take, seconds; the slowest take milliseconds.
const LONGEST_SECS: u32 = 10;

/// Builds the targets and runs them one after another, beginning with `fuzz/seeds` and the files of the corpus. Fails on the first finding.
pub(super) fn run(root: &Path, corpus: &str) -> Result<()> {
    let bootstrap = [("RUSTC_BOOTSTRAP", "1")];
    // The lists of seeds are made anew, so that a run does not depend on those before.
    let seeds = root.join("target/fuzz-corpus");
    if seeds.exists() {
        std::fs::remove_dir_all(&seeds)?;
    }
    for target in TARGETS {
        let (own, folder) = (root.join("fuzz/seeds").join(target), seeds.join(target));
        std::fs::create_dir_all(&folder)?;
        for seed in std::fs::read_dir(own).into_iter().flatten() {
            let seed = seed?;
            std::fs::copy(seed.path(), folder.join(seed.file_name()))?;
        }
    }
    std::fs::create_dir_all(root.join("target/fuzz-findings"))?;
    for model in files_in(&Path::new(corpus).join("pmx"), &["pmx"])? {
        let name = model.file_name().unwrap_or_default();
        std::fs::copy(&model, seeds.join("pmx").join(name))?;
        let pmd = shown(&seeds.join("pmd").join(name).with_extension("pmd"));
        step(root, "target/release/sinew", &["--quiet", "convert", &shown(&model), &pmd], &[])?;
    }
    for kind in ["vmd", "vpd"] {
        for motion in files_in(&Path::new(corpus).join("vmd"), &[kind])? {
            std::fs::copy(&motion, seeds.join(kind).join(motion.file_name().unwrap_or_default()))?;
        }
    }
    for motion in files_in(&Path::new(corpus).join("bvh"), &["bvh"])? {
        std::fs::copy(&motion, seeds.join("bvh").join(motion.file_name().unwrap_or_default()))?;
    }
    write_tet_seeds(root, corpus, &seeds)?;
    let build = ["fuzz", "build", "--features", "texts", "--target", &host()?, "--target-dir", "target/fuzz"];
    step(root, "cargo", &build, &bootstrap).context("fuzzing needs cargo-fuzz, which .ci/run installs")?;
    let binaries = root.join("target/fuzz").join(host()?).join("release");
    TARGETS.iter().try_for_each(|target| fuzz(root, &binaries, target))
}

/// A few tetrahedra around a model of the corpus, in each format.
fn write_tet_seeds(root: &Path, corpus: &str, seeds: &Path) -> Result<()> {
    let fox = shown(&Path::new(corpus).join("gltf/Fox.glb"));
    let node = seeds.join("fox.node");
    for output in [seeds.join("msh/fox.msh"), seeds.join("vtk/fox.vtk"), node.clone()] {
        step(
            root,
            "target/release/sinew",
            &["--quiet", "tet", &fox, "--count", "40", "-o", &shown(&output)],
            &[],
        )?;
    }
    // The target takes both files as one, with a zero byte between.
    let ele = node.with_extension("ele");
    let joined = [std::fs::read(&node)?, vec![0], std::fs::read(&ele)?].concat();
    std::fs::write(seeds.join("tetgen/fox"), joined)?;
    std::fs::remove_file(node)?;
    Ok(std::fs::remove_file(ele)?)
}

/// Runs one target and says how many inputs it has tried.
fn fuzz(root: &Path, binaries: &Path, target: &str) -> Result<()> {
    let output = Command::new(binaries.join(target))
        .arg(root.join("target/fuzz-corpus").join(target))
        .arg(format!("-runs={RUNS}"))
        .arg(format!("-seed={SEED}"))
        .arg(format!("-rss_limit_mb={MOST_MEMORY_MB}"))
        .arg(format!("-timeout={LONGEST_SECS}"))
        .arg(format!("-artifact_prefix={}/{target}-", shown(&root.join("target/fuzz-findings"))))
        .arg("-print_final_stats=1")
        .current_dir(root)
        .output()
        .with_context(|| format!("starting the fuzz target {target}"))?;
    let told = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("fuzzing {target} found something: {}\n{told}", output.status);
    }
    let runs = stat(&told, "number_of_executed_units").context("libFuzzer does not say how often it ran")?;
    let memory = stat(&told, "peak_rss_mb").unwrap_or_default();
    println!("ci: fuzzed {target}: {runs} runs, nothing found, at most {memory} MB");
    Ok(())
}

/// A number of libFuzzer's final statistics.
fn stat(told: &str, name: &str) -> Option<u64> {
    let (_, rest) = told.split_once(&format!("stat::{name}:"))?;
    rest.split_whitespace().next()?.parse().ok()
}

/// The triple of this machine; cargo-fuzz puts binaries into a folder of that name.
fn host() -> Result<String> {
    let output = Command::new("rustc").arg("-vV").output().context("starting rustc")?;
    let told = String::from_utf8_lossy(&output.stdout);
    let host =
        told.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc -vV names no host")?;
    Ok(host.to_owned())
}
