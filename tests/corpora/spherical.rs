//! What a file says about skinning is read, kept and written.

use glam::Vec3;
use serde_json::json;
use sinew_io::{GltfDocument, Limits, Report};
use sinew_rig::{AuthoredJoint, AuthoredRange, AuthoredSkin, Character, Spherical, samples};
use sinew_tests::fixtures;

/// The primitive with parameters has so many vertices; the other one has as many.
const VERTICES: usize = 15;

fn fixture() -> (GltfDocument, Character) {
    let fixture = fixtures::all().into_iter().find(|fixture| fixture.file.name == "spherical.glb");
    read(fixture.expect("there is one").file.main)
}

fn read(bytes: Vec<u8>) -> (GltfDocument, Character) {
    let none = |_: &str, _: u64| unreachable!("the file names no other");
    let document =
        GltfDocument::read(bytes, &none, &Limits::default(), &mut Report::default()).expect("readable");
    let mut report = Report::default();
    let character = document.to_character(&mut report).expect("sound");
    (document, character)
}

/// Edits the fixture's character, writes it over its file and reads it again.
#[track_caller]
fn edited(edit: impl FnOnce(&mut sinew_rig::CharacterParts)) -> (GltfDocument, Character) {
    let (document, character) = fixture();
    let mut parts = character.into_parts();
    edit(&mut parts);
    let edited = Character::new(parts).expect("the edit is sound");
    let updated = document.updated(&edited, &mut Report::default()).expect("nothing was removed");
    let (document, read) = read(updated.to_glb().expect("small"));
    assert_eq!(read.skin(), edited.skin(), "rules");
    assert_eq!(read.meshes()[0].spherical, edited.meshes()[0].spherical, "parameters");
    assert_eq!(read.meshes()[0].methods, edited.meshes()[0].methods, "codes");
    (document, read)
}

#[test]
fn every_member_is_read() {
    let (_, character) = fixture();
    let expected = AuthoredSkin {
        method: Some("sdef:s=0.25".into()),
        joints: vec![AuthoredJoint { pattern: "up*".into(), method: "bezier".into() }],
        ranges: vec![AuthoredRange { pattern: "upper".into(), r0: Vec3::Y * 0.25, r1: Vec3::Y * 0.75 }],
        s: Some(0.25),
        rotation: Some("nlerp".into()),
        former: Vec::new(),
    };
    assert_eq!(*character.skin(), expected);
    let mesh = &character.meshes()[0];
    let with_both = (0..VERTICES)
        .filter(|&vertex| mesh.influences.of(vertex).0.len() == 2 && vertex != 4 && vertex != VERTICES - 1);
    let found: Vec<usize> = (0..2 * VERTICES).filter(|&vertex| mesh.spherical[vertex].is_some()).collect();
    assert_eq!(found, with_both.collect::<Vec<_>>());
    let spherical = mesh.spherical[5].expect("between two bones");
    assert_eq!(spherical.center, Vec3::new(0.5, mesh.positions[5].y, 0.0));
    assert_eq!((spherical.r0, spherical.r1), (Vec3::new(0.5, 0.25, 0.125), Vec3::new(0.5, 0.75, 0.125)));
    assert_eq!(mesh.methods[..8], [0, 1, 2, 3, 4, 5, 6, 0]);
    assert_eq!(mesh.methods[VERTICES..], [0; VERTICES]);
}

/// The fixture has codes as scalars, as versions before wrote them.
#[test]
fn scalar_codes_become_vectors_in_every_file_that_is_written() {
    let (document, character) = fixture();
    assert!(document.json()["meshes"].to_string().contains("_SINEW_METHOD"), "the layout of before");
    let (document, again) = edited(|_| {});
    let written = document.json()["meshes"].to_string();
    assert!(written.contains("_SINEW_VERTEX") && !written.contains("_SINEW_METHOD"), "{written}");
    assert_eq!(again.meshes()[0].methods, character.meshes()[0].methods);
}

#[test]
fn an_edit_of_the_skin_keeps_members_of_tomorrow() {
    let (document, _) = edited(|parts| {
        parts.skin.method = Some("dlb".into());
        parts.skin.joints.clear();
    });
    let extension = &document.json()["extensions"]["SINEW_skin"];
    assert_eq!(extension["of tomorrow"]["x"], 1);
    assert!(extension.get("joints").is_none());
    let (document, _) = edited(|parts| parts.skin = AuthoredSkin::default());
    assert_eq!(document.json()["extensions"]["SINEW_skin"].as_object().map(|members| members.len()), Some(1));
}

#[test]
fn parameters_and_codes_are_written_and_removed() {
    let (document, _) = edited(|parts| {
        parts.meshes[0].spherical[5] = Some(Spherical { center: Vec3::X, r0: Vec3::Y, r1: Vec3::Z });
        parts.meshes[0].methods[2] = 200;
    });
    let attributes = &document.json()["meshes"][0]["primitives"][0]["attributes"];
    assert!(attributes.get("_SINEW_METHOD").is_none(), "scalars beside vectors stop Blender's importer");
    for key in ["_SDEF_C", "_SDEF_R0", "_SDEF_R1", "_SINEW_VERTEX"] {
        let accessor = &document.json()["accessors"][attributes[key].as_u64().expect("written") as usize];
        assert_eq!((&accessor["type"], &accessor["componentType"]), (&json!("VEC3"), &json!(5126)), "{key}");
    }
    assert!(
        document.json()["meshes"][0]["primitives"][1]["attributes"].get("_SDEF_C").is_none(),
        "not asked for"
    );
    let (document, _) = edited(|parts| {
        parts.meshes[0].spherical.clear();
        parts.meshes[0].methods.clear();
    });
    assert!(!document.json()["meshes"].to_string().contains("_S"), "all are gone");
}

/// The file's parameters of vertex 4 belong to a bone without weight. New influences put two others in their place.
#[test]
fn new_influences_do_not_inherit_parameters_of_others() {
    let (_, character) = edited(|parts| {
        let mesh = &mut parts.meshes[0];
        let mut reversed = sinew_rig::InfluencesBuilder::with_capacity(0, 0);
        for vertex in 0..mesh.vertex_count() {
            let (joints, weights) = mesh.influences.of(vertex);
            reversed.push(joints.iter().copied().zip(weights.iter().copied()).rev());
            mesh.spherical[vertex] = mesh.spherical[vertex].map(Spherical::swapped);
        }
        mesh.influences = reversed.build();
    });
    assert_eq!(character.meshes()[0].spherical[4], None);
}

#[test]
fn a_new_character_brings_its_own() {
    let mut parts = samples::limb(8, 8).into_parts();
    let mesh = &mut parts.meshes[0];
    mesh.spherical = vec![None; mesh.vertex_count()];
    let soft =
        (0..mesh.vertex_count()).find(|&vertex| mesh.influences.of(vertex).0.len() == 2).expect("some are");
    mesh.spherical[soft] = Some(Spherical { center: Vec3::ZERO, r0: -Vec3::Y, r1: Vec3::Y });
    mesh.methods = vec![3; mesh.vertex_count()];
    parts.skin.method = Some("bezier".into());
    let character = Character::new(parts).expect("right");
    let document = GltfDocument::from_character(&character, &mut Report::default());
    assert_eq!(document.json()["extensionsUsed"][0], "SINEW_skin");
    let (_, again) = read(document.to_glb().expect("small"));
    assert_eq!(
        (again.skin(), &again.meshes()[0].spherical),
        (character.skin(), &character.meshes()[0].spherical)
    );
    assert_eq!(again.meshes()[0].methods, character.meshes()[0].methods);
    assert!(
        !GltfDocument::from_character(&samples::limb(8, 8), &mut Report::default())
            .json()
            .to_string()
            .contains("SINEW"),
        "nothing to say"
    );
}

#[test]
fn nonsense_is_told_and_passed_over() {
    let (document, _) = fixture();
    let mut json = document.json().clone();
    json["extensions"]["SINEW_skin"] = serde_json::json!({
        "method": 5, "s": 2.0, "rotation": null,
        "joints": [{ "bone": "upper" }, { "bone": "upper", "method": "dlb" }],
        "ranges": [{ "bone": "upper", "r0": [0, 0], "r1": [0, 0, 0] }],
    });
    let bytes = document.buffer(0).expect("one buffer").to_vec();
    json["buffers"][0]["uri"] = "data.bin".into();
    let resources = |_: &str, _: u64| Ok(bytes.clone());
    let mut report = Report::default();
    let document =
        GltfDocument::read(json.to_string().into_bytes(), &resources, &Limits::default(), &mut report)
            .expect("readable");
    let character = document.to_character(&mut report).expect("sound");
    assert_eq!(character.skin().joints, [AuthoredJoint { pattern: "upper".into(), method: "dlb".into() }]);
    assert_eq!(
        (&character.skin().method, character.skin().s, character.skin().ranges.len()),
        (&None, None, 0)
    );
    assert_eq!(report.warnings().len(), 4, "{report:?}");
}
