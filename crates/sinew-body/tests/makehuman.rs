//! A fit from scratch against the mesh it is made for.
//!
//! The meshes (MakeHuman base mesh and targets, CC0) are not part of the project: `SINEW_CORPUS` names the folder that has
//! `makehuman/man.obj` and its companions.

#![expect(clippy::unwrap_used, reason = "a corpus that cannot be read fails the test")]

use glam::DVec3;
use sinew_body::fit::{FitSettings, Residuals, TargetJoints, TargetMesh, fit};
use sinew_body::{Body, Template};
use sinew_geometry::progress::Progress;
use std::path::PathBuf;

/// What the fit must keep, metres.
const RMS_M: f64 = 0.008;
const P95_M: f64 = 0.020;

/// The folder of meshes, if there is one.
fn corpus(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("SINEW_CORPUS").map(|corpus| PathBuf::from(corpus).join("makehuman"));
    match folder {
        Some(folder) if folder.join("man.obj").exists() => Some(folder),
        _ => {
            eprintln!("{test}: SINEW_CORPUS is not set or has no makehuman/man.obj, skipped");
            None
        }
    }
}

fn target(folder: &std::path::Path, name: &str) -> (TargetMesh, TargetJoints) {
    let read = |file: String| std::fs::read_to_string(folder.join(file)).expect("the corpus is complete");
    let excluded: Vec<usize> = read(format!("{name}-excluded-vertices.txt"))
        .lines()
        .map(|line| line.trim().parse().unwrap())
        .collect();
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for line in read(format!("{name}.obj")).lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["v", x, y, z] => positions.push(DVec3::from([x, y, z].map(|word| word.parse().unwrap()))),
            ["f", ref corners @ ..] => {
                let index = |word: &str| word.split('/').next().unwrap().parse::<u32>().unwrap() - 1;
                let corners: Vec<u32> = corners.iter().map(|word| index(word)).collect();
                triangles.extend((2..corners.len()).map(|k| [corners[0], corners[k - 1], corners[k]]));
            }
            _ => {}
        }
    }
    let joints = TargetJoints::from_json(&read(format!("{name}-joints.json"))).unwrap();
    (TargetMesh::new(positions, triangles, &excluded).unwrap(), joints)
}

#[track_caller]
fn check(name: &str, body: &Body, target: &TargetMesh) {
    let found = Residuals::of(body, target);
    eprintln!("{name}: rms {:.2} mm, 95 % {:.2} mm", 1e3 * found.rms_m, 1e3 * found.p95_m);
    assert!(found.rms_m <= RMS_M && found.p95_m <= P95_M, "{name}: {} {}", found.rms_m, found.p95_m);
    let smooth = body.check(9);
    assert!(smooth.jump_deg < 1e-6 && smooth.gap_m < 1e-9, "{name}: {smooth:?}");
    assert_eq!((smooth.open_wire_count, smooth.euler_characteristic), (0, 2), "{name}");
}

#[test]
fn a_fit_from_scratch_comes_near() {
    let Some(folder) = corpus("fit from scratch") else { return };
    let (target, joints) = target(&folder, "man");
    let result =
        fit(&Template::human(), &target, &joints, &FitSettings::default(), &Progress::none()).unwrap();
    check("man", &result.body, &target);
}
