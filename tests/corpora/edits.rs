//! An edit changes what it is about and nothing else.

use glam::{Quat, Vec3};
use serde_json::json;
use sinew_geometry::Trs;
use sinew_io::{GltfDocument, Limits, Report};
use sinew_rig::{
    Bone, BoneId, Channel, Character, CharacterParts, Clip, Interpolation, LocalTransform, Track,
};
use sinew_tests::{Array, Builder, ModelFile, RawFile, corpus_files, differences, fixtures};

/// A file with its document and character.
struct Opened {
    file: ModelFile,
    document: GltfDocument,
    character: Character,
}

#[track_caller]
fn open(file: ModelFile) -> Opened {
    let resources = |uri: &str, _most: u64| Ok(file.resource(uri));
    let document =
        GltfDocument::read(file.main.clone(), &resources, &Limits::default(), &mut Report::default());
    let document = document.unwrap_or_else(|error| panic!("{}: {error}", file.name));
    let character = document.to_character(&mut Report::default());
    let character = character.unwrap_or_else(|error| panic!("{}: {error}", file.name));
    Opened { file, document, character }
}

#[track_caller]
fn fixture(name: &str) -> ModelFile {
    let found = fixtures::all().into_iter().find(|fixture| fixture.file.name == name);
    found.expect("there is such a fixture").file
}

/// Edits a character, writes it over its file in both formats and reads it again: the edited character comes back, and the documents
/// differ exactly at `expected` (see [`differences`]). Accessors and views may be added, and those left out that nothing uses any more;
/// in a file with an extension that Sinew does not know they must all stay where they are.
#[track_caller]
fn check(file: ModelFile, edit: impl Fn(&mut CharacterParts), expected: &[&str]) {
    let original = open(file);
    let mut parts = original.character.clone().into_parts();
    edit(&mut parts);
    let edited = Character::new(parts).expect("the edit is sound");
    let mut report = Report::default();
    let updated = original.document.updated(&edited, &mut report).expect("nothing was removed");
    assert!(report.is_empty(), "{}: {report:?}", original.file.name);
    let files = updated.to_gltf("edited");
    for (main, beside) in [(updated.to_glb().expect("small"), Vec::new()), (files.main, files.beside)] {
        let name = format!("{}, edited", original.file.name);
        let written = open(ModelFile { name, main, beside });
        let (before, after) = (RawFile::of(&original.file), RawFile::of(&written.file));
        let found = differences(&before.resolved_form(), &after.resolved_form());
        assert_eq!(found, expected, "{}", written.file.name);
        if before.json.to_string().contains("TEST_unknown") {
            let mut found = differences(&before.normal_form(), &after.normal_form());
            found.retain(|place| !place.starts_with("+/accessors/") && !place.starts_with("+/bufferViews/"));
            assert_eq!(found, expected, "{}", written.file.name);
        }
        assert_eq!(without_tips(&written.character), without_tips(&edited), "{}", written.file.name);
        let again = written.document.updated(&written.character, &mut Report::default());
        assert!(again.is_ok_and(|again| again == written.document), "{}: not stable", written.file.name);
    }
}

/// Tips of bones are found when a file is read, not stored; weights are rounded to sum to 1 when they are written.
fn without_tips(character: &Character) -> CharacterParts {
    let mut parts = character.clone().into_parts();
    parts.bones.iter_mut().for_each(|bone| bone.tip_in_bone = None);
    for mesh in &mut parts.meshes {
        let mut rounded = sinew_rig::InfluencesBuilder::with_capacity(mesh.vertex_count(), 0);
        for vertex in 0..mesh.vertex_count() {
            let (joints, weights) = mesh.influences.of(vertex);
            // 16 bits hold far less than the rounding, and more than anything that shows.
            let weights = weights.iter().map(|weight| (weight * 65_536.0).round());
            rounded.push(joints.iter().copied().zip(weights));
        }
        mesh.influences = rounded.build();
    }
    parts
}

#[test]
fn cutting_influences_changes_joints_and_weights_only() {
    let cut = |parts: &mut CharacterParts| {
        parts.meshes.iter_mut().for_each(|mesh| mesh.influences = mesh.influences.cut_to(4).0);
    };
    let of_mesh = |mesh: usize| {
        ["/JOINTS_0", "/WEIGHTS_0", "-/JOINTS_1", "-/WEIGHTS_1"].map(|place| {
            let (sign, key) = place.split_at(place.find('/').expect("every place has one"));
            format!("{sign}/meshes/{mesh}/primitives/0/attributes{key}")
        })
    };
    let expected: Vec<String> = of_mesh(0).into_iter().chain(of_mesh(2)).collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    check(fixture("skins.glb"), cut, &expected);
    check(fixture("vrm0.glb"), cut, &[]);
}

#[test]
fn moving_a_vertex_changes_positions_only() {
    let shift = |parts: &mut CharacterParts| parts.meshes[0].positions[1] += Vec3::new(0.25, -0.5, 2.0);
    let position = "/meshes/0/primitives/0/attributes/POSITION";
    for name in ["everything.glb", "vrm0.glb", "vrm1.glb", "sparse.glb", "quantized.glb", "external.gltf"] {
        check(fixture(name), shift, &[position]);
    }
    for name in ["data_uris.gltf", "two_buffers.gltf", "floats.gltf", "extra_chunk.glb", "motion.glb"] {
        check(fixture(name), shift, &[position]);
    }
    // Only the primitive that the vertex belongs to.
    check(fixture("primitives.glb"), shift, &[position]);
}

#[test]
fn adding_a_bone_changes_its_parent_only() {
    let add = |parts: &mut CharacterParts| {
        let rest = LocalTransform::Trs(Trs::from_translation(Vec3::new(0.0, 0.125, 0.0)));
        let bone = Bone { name: "追加".into(), parent: Some(BoneId(0)), rest, tip_in_bone: None };
        parts.bones.push(bone);
    };
    check(fixture("everything.glb"), add, &["+/nodes/0/children", "+/nodes/5"]);
    check(fixture("skins.glb"), add, &["+/nodes/0/children/1", "+/nodes/12"]);
    check(fixture("vrm0.glb"), add, &["+/nodes/0/children/1", "+/nodes/5"]);
}

#[test]
fn adding_a_root_changes_the_default_scene_only() {
    let add = |parts: &mut CharacterParts| {
        let rest = LocalTransform::Trs(Trs::IDENTITY);
        parts.bones.push(Bone { name: "new".into(), parent: None, rest, tip_in_bone: None });
    };
    check(fixture("primitives.glb"), add, &["+/nodes/6", "+/scenes/2/nodes/2"]);
    check(fixture("floats.gltf"), add, &["+/nodes/1", "+/scenes/0/nodes/1"]);
}

#[test]
fn turning_a_bone_changes_its_rotation_only() {
    let turn = |parts: &mut CharacterParts| {
        if let LocalTransform::Trs(trs) = &mut parts.bones[2].rest {
            trs.rotation = Quat::from_array([0.0, 0.6, 0.0, 0.8]);
        }
    };
    check(fixture("everything.glb"), turn, &["+/nodes/2/rotation"]);
    check(fixture("vrm1.glb"), turn, &["+/nodes/2/rotation"]);
}

#[test]
fn adding_a_clip_adds_an_animation_only() {
    let add = |parts: &mut CharacterParts| {
        let turns = vec![Quat::IDENTITY, Quat::from_array([0.6, 0.0, 0.0, 0.8])];
        let track = Track {
            times_secs: vec![0.0, 1.5],
            interpolation: Interpolation::Linear,
            channel: Channel::Rotation(BoneId(0), turns),
        };
        parts.clips.push(Clip { name: "新しい".into(), tracks: vec![track] });
    };
    check(fixture("everything.glb"), add, &["+/animations/1"]);
    check(fixture("vrm1.glb"), add, &["+/animations"]);
    check(fixture("motion.glb"), add, &["+/animations/3"]);
}

#[test]
fn renaming_changes_names_only() {
    let rename = |parts: &mut CharacterParts| {
        parts.name = "scene".into();
        parts.bones[1].name = "bone".into();
        parts.meshes[0].name = "mesh".into();
        parts.binds[0].name = "bind".into();
        parts.materials[0].name = "material".into();
        parts.images[0].name = "image".into();
        parts.clips[0].name = "clip".into();
    };
    let expected =
        ["/images/0", "/materials/0", "/meshes/0", "/skins/0", "/nodes/1", "/animations/0", "/scenes/0"]
            .map(|place| format!("{place}/name"));
    check(fixture("everything.glb"), rename, &expected.each_ref().map(String::as_str));
}

#[test]
fn changing_a_color_changes_that_color_only() {
    let paint = |parts: &mut CharacterParts| parts.materials[0].base_color.x = 0.5;
    check(fixture("everything.glb"), paint, &["/materials/0/pbrMetallicRoughness/baseColorFactor/0"]);
    check(fixture("vrm1.glb"), paint, &["+/materials/0/pbrMetallicRoughness/baseColorFactor"]);
}

#[test]
fn changing_morph_weights_changes_them_only() {
    let smile = |parts: &mut CharacterParts| parts.instances[0].morph_weights[0] = 0.75;
    check(fixture("everything.glb"), smile, &["+/nodes/0/weights"]);
    check(fixture("motion.glb"), smile, &["/nodes/0/weights/0"]);
}

#[test]
fn changing_a_morph_changes_its_targets_only() {
    let push = |parts: &mut CharacterParts| parts.meshes[0].morphs[0].position_deltas[0] += Vec3::X;
    check(fixture("everything.glb"), push, &["/meshes/0/primitives/0/targets/0/POSITION"]);
    check(fixture("sparse.glb"), push, &["/meshes/0/primitives/0/targets/0/POSITION"]);
    check(fixture("motion.glb"), push, &["/meshes/0/primitives/0/targets/0/POSITION"]);
}

#[test]
fn replacing_an_image_changes_that_image_only() {
    let replace = |parts: &mut CharacterParts| {
        let other = &fixtures::all()[0].file;
        parts.images[0].bytes = RawFile::of(other).images[0].clone();
        parts.images[0].bytes.push(0);
    };
    for name in ["everything.glb", "vrm0.glb", "external.gltf", "data_uris.gltf"] {
        check(fixture(name), replace, &["/images/0/image/1"]);
    }
}

#[test]
fn moving_a_texture_coordinate_changes_that_set_of_that_primitive_only() {
    let shift = |parts: &mut CharacterParts| {
        parts.meshes.iter_mut().for_each(|mesh| {
            mesh.uv_sets.iter_mut().skip(1).for_each(|set| set[0].x += 0.5);
        })
    };
    check(fixture("primitives.glb"), shift, &["/meshes/1/primitives/0/attributes/TEXCOORD_1"]);
}

#[test]
fn other_triangles_replace_the_primitives_and_the_loss_is_told() {
    let original = open(fixture("everything.glb"));
    let mut parts = original.character.clone().into_parts();
    parts.meshes[0].triangles.pop();
    parts.meshes[0].groups[0].triangles.end -= 1;
    let edited = Character::new(parts).expect("the edit is sound");
    let mut report = Report::default();
    let updated = original.document.updated(&edited, &mut report).expect("nothing was removed");
    let told: Vec<String> = report.warnings().iter().map(ToString::to_string).collect();
    let expected = "meshes[0]: its triangles changed; unknown attributes are left out";
    assert_eq!(told, [expected]);
    let main = updated.to_glb().expect("small");
    let written = open(ModelFile { name: "edited".into(), main, beside: Vec::new() });
    assert_eq!(without_tips(&written.character), without_tips(&edited), "the edit is there");
}

/// Members that Sinew does not read may hold any number, and readers take `0.0` for an index: neither is led astray when an edit
/// leaves old accessors out.
#[test]
fn odd_indices_survive_an_edit() {
    let mut builder = Builder::default();
    let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    builder.push_array(&Array::positions(&positions), json!({}));
    builder.push_array(&Array::vertices(&positions), json!({}));
    for attributes in [json!({ "POSITION": 0.0, "NORMAL": 1 }), json!({ "POSITION": 0, "_X": 1_u64 << 60 })] {
        builder.set("meshes", json!([{ "primitives": [{ "attributes": attributes }] }]));
        builder.set("nodes", json!([{ "name": "node", "mesh": 0 }]));
        let original = open(ModelFile { name: "odd".into(), main: builder.to_glb(&[]), beside: Vec::new() });
        let mut parts = original.character.clone().into_parts();
        parts.bones[0].name = "renamed".into();
        let edited = Character::new(parts).expect("the edit is sound");
        let updated =
            original.document.updated(&edited, &mut Report::default()).expect("nothing was removed");
        let main = updated.to_glb().expect("small");
        let written = open(ModelFile { name: "odd, edited".into(), main, beside: Vec::new() });
        assert_eq!(without_tips(&written.character), without_tips(&edited), "the edit is there");
        assert_eq!(
            written.document.json()["meshes"],
            original.document.json()["meshes"],
            "nothing else changed"
        );
    }
}

#[test]
fn public_models_keep_all_else_under_an_edit() {
    for file in corpus_files("public_models_keep_all_else_under_an_edit") {
        let shift = |parts: &mut CharacterParts| parts.meshes[0].positions[0].y += 0.5;
        check(file, shift, &["/meshes/0/primitives/0/attributes/POSITION"]);
    }
}
