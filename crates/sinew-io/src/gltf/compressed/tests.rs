//! Sinew's own limb, compressed by other programs and read again. `tests/oracles/compress.mjs` made the files; the reader's damage test
//! begins with them too.

use super::{DRACO, MESHOPT};
use crate::{GltfDocument, Limits, ReadGltfError, Report};
use glam::Vec3;
use sinew_rig::{Character, samples};

const FILES: [(&str, &str); 5] = [
    ("limb-draco.glb", DRACO),
    ("limb-draco-small.glb", DRACO),
    ("limb-draco-sequential.glb", DRACO),
    ("limb-meshopt.glb", MESHOPT[0]),
    ("limb-meshopt-khr.glb", MESHOPT[1]),
];

/// Positions have 14 bits over the longest side; two roundings, of the file and of the box that both are compared in.
const POSITION_TOLERANCE: f32 = 2.0 / 16_383.0;

fn bytes_of(name: &str) -> Vec<u8> {
    let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/gltf/");
    std::fs::read(format!("{seeds}{name}")).unwrap()
}

fn read(bytes: Vec<u8>, report: &mut Report) -> Result<GltfDocument, ReadGltfError> {
    let no_files = |_: &str, _| panic!("a .glb needs no other file");
    GltfDocument::read(bytes, &no_files, &Limits::default(), report)
}

/// The triangles of a character's only mesh, in a box whose longest side is 1: compression may move and scale the mesh.
fn triangles(character: &Character) -> Vec<[Vec3; 3]> {
    let mesh = &character.meshes()[0];
    let bound = |pick: fn(Vec3, Vec3) -> Vec3| mesh.positions.iter().copied().reduce(pick).unwrap();
    let (min, max) = (bound(Vec3::min), bound(Vec3::max));
    let place = |vertex: u32| (mesh.positions[vertex as usize] - min) / (max - min).max_element();
    mesh.triangles.iter().map(|triangle| triangle.map(place)).collect()
}

/// Whether two triangles are one, in any rotation of their corners.
fn is_same(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    let is_near =
        |turn: usize| (0..3).all(|at| (a[at] - b[(at + turn) % 3]).abs().max_element() <= POSITION_TOLERANCE);
    (0..3).any(is_near)
}

#[test]
fn decoded_files_have_the_triangles_and_clips_of_the_original() {
    let limb = samples::limb(6, 6);
    let expected = triangles(&limb);
    for (name, extension) in FILES {
        let mut report = Report::default();
        let document = read(bytes_of(name), &mut report).unwrap();
        let character = document.to_character(&mut report).unwrap();
        let found = triangles(&character);
        assert_eq!(found.len(), expected.len(), "{name}");
        for triangle in &expected {
            assert!(found.iter().any(|other| is_same(triangle, other)), "{name}: {triangle:?}");
        }
        assert_eq!(character.clips().len(), limb.clips().len(), "{name}");
        let done: Vec<_> = document.decompressed().iter().map(|done| done.extension).collect();
        assert_eq!(done, [extension], "{name}");
        let told = report.warnings().iter().filter(|warning| warning.place == extension).count();
        assert_eq!(told, 1, "{name}: {report:?}");
    }
}

#[test]
fn both_versions_of_meshopt_give_the_same_character() {
    let of = |name: &str| {
        let mut report = Report::default();
        read(bytes_of(name), &mut report).unwrap().to_character(&mut report).unwrap()
    };
    assert_eq!(of("limb-meshopt.glb"), of("limb-meshopt-khr.glb"));
}

#[test]
fn files_are_written_back_without_compression() {
    for (name, extension) in FILES {
        let mut report = Report::default();
        let document = read(bytes_of(name), &mut report).unwrap();
        let written = document.to_glb().unwrap();
        assert!(!String::from_utf8_lossy(&written).contains(extension), "{name}");
        let again = read(written, &mut report).unwrap();
        assert!(again.decompressed().is_empty(), "{name}");
        assert_eq!(again.to_character(&mut report).unwrap(), document.to_character(&mut report).unwrap());
    }
}

#[test]
fn a_primitive_that_cannot_be_decoded_stays_and_is_named() {
    let mut bytes = bytes_of("limb-draco.glb");
    let start = bytes.windows(5).rposition(|window| window == b"DRACO").unwrap();
    // Another version of the bitstream.
    bytes[start + 5] = 9;
    let mut report = Report::default();
    let document = read(bytes, &mut report).unwrap();
    let warning = report.warnings()[0].to_string();
    assert!(warning.contains("Draco bitstream 9.2 is not supported; glTF uses 2.2"), "{warning}");
    let character = document.to_character(&mut report).unwrap();
    assert_eq!(character.meshes()[0].vertex_count(), 0);
    assert!(String::from_utf8_lossy(&document.to_glb().unwrap()).contains(DRACO), "it survives");
}
