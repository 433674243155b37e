//! Who may depend on whom, and under which licences.

use serde_json::Value;

/// The table of the house style, as data: a crate and the Sinew crates that it may use. A new edge changes this table in a
/// commit of its own, with a reason.
const ALLOWED: [(&str, &[&str]); 24] = [
    ("sinew-geometry", &[]),
    ("sinew-rig", &["sinew-geometry"]),
    ("sinew-settings", &["sinew-geometry"]),
    ("sinew-motion", &["sinew-rig", "sinew-geometry"]),
    ("sinew-skin", &["sinew-rig", "sinew-geometry"]),
    ("sinew-soft", &["sinew-geometry"]),
    ("sinew-flesh", &["sinew-soft", "sinew-skin", "sinew-settings", "sinew-rig", "sinew-geometry"]),
    // A fit's controllers are those of a character.
    ("sinew-fit", &["sinew-rig", "sinew-geometry"]),
    ("sinew-body", &["sinew-rig", "sinew-geometry"]),
    ("sinew-draco", &[]),
    ("sinew-io", &["sinew-draco", "sinew-rig", "sinew-geometry"]),
    ("sinew-mmd", &["sinew-io", "sinew-rig", "sinew-geometry"]),
    ("sinew-render", &["sinew-rig", "sinew-geometry"]),
    ("sinew-model", MODEL),
    // A subject may be in a pose of MMD, and moved by the patches of the body that its file carries.
    (
        "sinew-play",
        &["sinew-body", "sinew-model", "sinew-mmd", "sinew-io", "sinew-skin", "sinew-rig", "sinew-geometry"],
    ),
    ("sinew-helpers", HELPERS),
    ("sinew-picture", PICTURE),
    ("sinew-scene", SCENE),
    ("sinew", LIBRARIES),
    ("sinew-figures", LIBRARIES),
    ("sinew-cli", &["sinew", "sinew-figures"]),
    (
        "sinew-tests",
        &[
            "sinew",
            "sinew-figures",
            "sinew-geometry",
            "sinew-rig",
            "sinew-motion",
            "sinew-soft",
            "sinew-io",
            "sinew-mmd",
        ],
    ),
    // All it uses is for its examples alone.
    ("sinew-examples", &[]),
    ("xtask", &[]),
];

const MODEL: &[&str] =
    &["sinew-io", "sinew-mmd", "sinew-skin", "sinew-motion", "sinew-rig", "sinew-geometry"];

const HELPERS: &[&str] = &[
    "sinew-fit",
    // Flesh is a source of examples.
    "sinew-flesh",
    "sinew-play",
    "sinew-model",
    "sinew-motion",
    "sinew-io",
    "sinew-skin",
    "sinew-rig",
    "sinew-geometry",
];

const PICTURE: &[&str] =
    &["sinew-render", "sinew-play", "sinew-model", "sinew-io", "sinew-skin", "sinew-rig", "sinew-geometry"];

const SCENE: &[&str] = &[
    // Motions of MMD in films.
    "sinew-mmd",
    "sinew-settings",
    "sinew-picture",
    "sinew-play",
    "sinew-render",
    "sinew-flesh",
    "sinew-soft",
    "sinew-body",
    "sinew-motion",
    "sinew-model",
    "sinew-io",
    "sinew-skin",
    "sinew-rig",
    "sinew-geometry",
];

const LIBRARIES: &[&str] = &[
    "sinew-settings",
    "sinew-geometry",
    "sinew-rig",
    "sinew-motion",
    "sinew-skin",
    "sinew-soft",
    "sinew-flesh",
    "sinew-fit",
    "sinew-body",
    "sinew-io",
    "sinew-mmd",
    "sinew-model",
    "sinew-play",
    "sinew-helpers",
    "sinew-render",
    "sinew-picture",
    "sinew-scene",
];

/// Heavy dependencies and the only crates that may name them.
const CONFINED: [(&str, &[&str]); 5] = [
    ("clap", &["sinew-cli"]),
    // Factors and products of matrices: for fields over tetrahedra, and for least squares over examples. sinew-body makes its data by
    // them, with a feature that nothing else turns on.
    ("faer", &["sinew-flesh", "sinew-fit", "sinew-body"]),
    ("indicatif", &["sinew-cli"]),
    // Nobody tells one error of a figure from another: the command line prints them.
    ("anyhow", &["sinew-cli", "sinew-figures", "xtask", "sinew-tests"]),
    // sinew-body reads the joints of a scan.
    (
        "serde_json",
        &[
            "sinew-io",
            "sinew-model",
            "sinew-helpers",
            "sinew-scene",
            "sinew-figures",
            "sinew-cli",
            "sinew-tests",
            "xtask",
        ],
    ),
];

/// Licences that a program under MIT or Apache-2.0 can carry.
const LICENCES: [&str; 14] = [
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "Zlib",
    "Unlicense",
    "Unicode-3.0",
    "CC0-1.0",
    "0BSD",
    "OFL-1.1",
    "Ubuntu-font-1.0",
];

pub(super) fn check(metadata: &Value) -> Vec<String> {
    let members: Vec<&str> = list(&metadata["workspace_members"]).filter_map(Value::as_str).collect();
    let mut problems = Vec::new();
    for package in list(&metadata["packages"]) {
        let name = package["name"].as_str().unwrap_or_default();
        if members.contains(&package["id"].as_str().unwrap_or_default()) {
            problems.extend(check_edges(name, package));
        } else {
            problems.extend(check_licence(name, package["license"].as_str().unwrap_or_default()));
        }
    }
    problems
}

fn check_edges(name: &str, package: &Value) -> Vec<String> {
    let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
        return vec![format!("{name} is not in the dependency table of xtask/src/tidy/dependencies.rs")];
    };
    let mut problems = Vec::new();
    for dependency in list(&package["dependencies"]) {
        let used = dependency["name"].as_str().unwrap_or_default();
        let is_dev = dependency["kind"].as_str() == Some("dev");
        let is_sinew = ALLOWED.iter().any(|(known, _)| *known == used);
        if is_sinew && !allowed.contains(&used) && !is_dev {
            problems.push(format!("{name} must not depend on {used}"));
        }
        let confined = CONFINED.iter().find(|(heavy, _)| *heavy == used);
        if confined.is_some_and(|(_, users)| !users.contains(&name)) && !is_dev {
            problems.push(format!("{name} must not depend on {used}, which stays where it is"));
        }
    }
    problems
}

fn check_licence(name: &str, licence: &str) -> Option<String> {
    // An expression is fine if each part joined by AND has a choice joined by OR that is fine.
    let is_fine = |part: &str| {
        part.split(" OR ")
            .flat_map(|choice| choice.split('/'))
            .any(|choice| LICENCES.contains(&choice.trim_matches(['(', ')', ' '])))
    };
    let all_fine = !licence.is_empty() && licence.split(" AND ").all(is_fine);
    (!all_fine).then(|| format!("{name} has the licence {licence:?}, which is not on the list"))
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().map_or(&[][..], Vec::as_slice).iter()
}
